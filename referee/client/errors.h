// Errors of clients of a referee, one function each. base/errors.h says how errors are worded.
#ifndef REFEREE_CLIENT_ERRORS_H_
#define REFEREE_CLIENT_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace referee::client {

// One of certificate and key is missing.
absl::Status HalfTls();
// `why` is what the transport says.
absl::Status NoReferee(absl::string_view address, absl::string_view why);
// TLS and plain text; each names the flag that mends it.
absl::Status RefereeWantsTls(absl::string_view address);
absl::Status RefereeIsPlain(absl::string_view address);
// `own_ca`: authorities were given; else the system's are trusted.
absl::Status RefereeNotTrusted(absl::string_view address, bool own_ca);
absl::Status RefereeOfOtherName(absl::string_view address);
// `shown`: a certificate was shown.
absl::Status RefereeWantsCertificate(absl::string_view address, bool shown);
absl::Status RefereeTooSlow(absl::string_view address, absl::Duration limit);
// `why` is what the referee says.
absl::Status TokenNeeded(absl::string_view why);
// `why`: what ReadToken says.
absl::Status BadTokenFile(absl::string_view path, const absl::Status& why);
absl::Status TlsAndInsecure();
// `label_end`: what the first line of the PEM ends in, such as "CERTIFICATE-----".
absl::Status NoPem(absl::string_view path, absl::string_view label_end);

}  // namespace referee::client

#endif  // REFEREE_CLIENT_ERRORS_H_

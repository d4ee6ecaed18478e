// The files that --tls-cert, --tls-key and --tls-client-ca name.
#ifndef REFEREE_DAEMON_TLS_FILES_H_
#define REFEREE_DAEMON_TLS_FILES_H_

#include "absl/status/statusor.h"
#include "referee/daemon/flags.h"
#include "referee/service/tls.h"

namespace referee::daemon {

inline bool WantsTls(const Flags& flags) {
  return !flags.tls_cert.empty() || !flags.tls_key.empty() || !flags.tls_client_ca.empty();
}

// Reads them; checks no more than that certificate and key are both there. REQUIRES: WantsTls.
absl::StatusOr<service::TlsPem> ReadTlsFiles(const Flags& flags);

}  // namespace referee::daemon

#endif  // REFEREE_DAEMON_TLS_FILES_H_

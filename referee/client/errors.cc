#include "referee/client/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::client {

absl::Status HalfTls() {
  return absl::InvalidArgumentError("TLS needs both a certificate and its key");
}

absl::Status NoReferee(absl::string_view address, absl::string_view why) {
  return absl::UnavailableError(
      absl::StrCat("no referee answers at ", Quoted(address), why.empty() ? "" : ": ", why,
                   "; name another with --address or REFEREE_ADDRESS, or start one with refereed"));
}

absl::Status RefereeWantsTls(absl::string_view address) {
  return absl::UnavailableError(absl::StrCat(
      "what listens at ", Quoted(address),
      " hangs up on plain text; if that is a referee with TLS, add --tls, and --tls-ca FILE "
      "(REFEREE_TLS_CA) with the authority of its certificate if the system does not know it"));
}

absl::Status RefereeIsPlain(absl::string_view address) {
  return absl::UnavailableError(absl::StrCat(
      "what listens at ", Quoted(address),
      " does not speak TLS; for a referee with plain text leave out --tls, --tls-ca and --tls-cert "
      "(REFEREE_TLS_CA, REFEREE_TLS_CERT) on its own machine, and give --insecure from another"));
}

absl::Status RefereeNotTrusted(absl::string_view address, bool own_ca) {
  return absl::UnavailableError(absl::StrCat(
      "the certificate of the referee at ", Quoted(address), " is of an authority that ",
      own_ca ? "is not in --tls-ca (REFEREE_TLS_CA), or is not valid now; name the right file there"
             : "this machine does not know, or is not valid now; name the file with the authority "
               "in --tls-ca (REFEREE_TLS_CA)"));
}

absl::Status RefereeOfOtherName(absl::string_view address) {
  return absl::UnavailableError(
      absl::StrCat("the certificate of the referee at ", Quoted(address),
                   " is for another name; give the name that it is for in --address"));
}

absl::Status RefereeWantsCertificate(absl::string_view address, bool shown) {
  return absl::UnavailableError(absl::StrCat(
      "the referee at ", Quoted(address), " hangs up during the TLS handshake; ",
      shown
          ? "it seems not to take the certificate in --tls-cert (REFEREE_TLS_CERT): is that of an "
            "authority that it trusts?"
          : "if it asks for a certificate, show yours with --tls-cert FILE and --tls-key FILE "
            "(REFEREE_TLS_CERT, REFEREE_TLS_KEY)"));
}

absl::Status RefereeTooSlow(absl::string_view address, absl::Duration limit) {
  return absl::DeadlineExceededError(absl::StrCat("the referee at ", Quoted(address),
                                                  " did not answer within ",
                                                  absl::FormatDuration(limit), "; try again"));
}

absl::Status TokenNeeded(absl::string_view why) {
  // How a client sends a token is this program's business, and not that of who runs it.
  why = why.substr(0, why.find(": send metadata"));
  return absl::PermissionDeniedError(
      absl::StrCat(why, " (refctl sends the token in --token-file or REFEREE_TOKEN)"));
}

absl::Status BadTokenFile(absl::string_view path, const absl::Status& why) {
  return At(absl::StrCat("--token-file ", Quoted(path)), why);
}

absl::Status TlsAndInsecure() {
  return absl::InvalidArgumentError(
      "--insecure: asks for plain text, and --tls, --tls-ca and --tls-cert for TLS");
}

absl::Status NoPem(absl::string_view path, absl::string_view label_end) {
  return absl::InvalidArgumentError(absl::StrCat(
      Quoted(path), " is not the PEM file that it should be: no line in it ends in ", label_end));
}

}  // namespace referee::client

#include "referee/daemon/tls_files.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "referee/replay/text_file.h"

namespace referee::daemon {

absl::StatusOr<service::TlsPem> ReadTlsFiles(const Flags& flags) {
  if (flags.tls_cert.empty() && flags.tls_key.empty()) {
    return absl::InvalidArgumentError(
        "client certificates need TLS: give a certificate and its key, too");
  }
  if (flags.tls_cert.empty() || flags.tls_key.empty()) {
    return absl::InvalidArgumentError("TLS needs both a certificate and its key");
  }
  service::TlsPem pem;
  for (const auto& [path, text] :
       {std::pair(&flags.tls_cert, &pem.certificate), std::pair(&flags.tls_key, &pem.key)}) {
    absl::StatusOr<std::string> read = replay::ReadTextFile(*path);
    if (!read.ok()) return read.status();
    *text = *std::move(read);
  }
  if (flags.tls_client_ca.empty()) return pem;
  absl::StatusOr<std::string> read = replay::ReadTextFile(flags.tls_client_ca);
  if (!read.ok()) return read.status();
  pem.client_ca = *std::move(read);
  return pem;
}

}  // namespace referee::daemon

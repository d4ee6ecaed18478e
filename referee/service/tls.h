// TLS for a server: its certificate, and the authorities that must have certified its clients. Both
// can be replaced while it serves: open connections go on, new ones see the new values.
#ifndef REFEREE_SERVICE_TLS_H_
#define REFEREE_SERVICE_TLS_H_

#include <grpcpp/security/server_credentials.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/mutex.h"

namespace referee::service {

// PEM, all of it.
struct TlsPem {
  std::string certificate;  // the server's own first, then those that certify it
  std::string key;          // of the first, without a passphrase
  // The authorities one of which must have certified a client. Not set: clients need no
  // certificate.
  absl::optional<std::string> client_ca;
};

// Returns the end of the certificate's validity; InvalidArgument that says which part is wrong: one
// that is no PEM, a key of another certificate, or a certificate that is not valid at `now` or too
// weak for TLS.
absl::StatusOr<absl::Time> CheckTls(const TlsPem& pem, absl::Time now);

// Thread-safe.
class Tls {
 public:
  // Returns what CheckTls does.
  static absl::StatusOr<std::unique_ptr<Tls>> Make(TlsPem pem, absl::Time now);

  // Uses `pem` from now on. Returns the end of its validity; or the error of CheckTls, and then
  // keeps what it had. Returns InvalidArgument if `pem` would change whether clients need a
  // certificate.
  absl::StatusOr<absl::Time> Replace(TlsPem pem, absl::Time now);

  // What it uses now.
  TlsPem pem() const;

  // Makes credentials for one server, which this must outlive.
  std::shared_ptr<grpc::ServerCredentials> NewCredentials();

 private:
  friend class ReloadingCredentials;

  // Fetches the current PEMs whenever a server asks. It outlives the credentials, which gRPC
  // releases as soon as it listens.
  struct Reader {
    const Tls* tls;
    int64_t version = 0;  // that the server has
  };

  explicit Tls(TlsPem pem) : wants_clients_certified_(pem.client_ca), pem_(std::move(pem)) {}

  // Copies the current PEMs to `pem`, unless the server has them already.
  static bool Fetch(Reader* reader, TlsPem* pem);

  const bool wants_clients_certified_;
  mutable Mutex mutex_;
  TlsPem pem_ ABSL_GUARDED_BY(mutex_);
  int64_t version_ ABSL_GUARDED_BY(mutex_) = 1;
  std::deque<Reader> readers_ ABSL_GUARDED_BY(mutex_);  // one a server
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_TLS_H_

// TLS of a server: its certificate, and the authorities that certify its clients.
//
// Both can be replaced while the server runs. Open connections continue; new ones use the new
// values.
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

// All in PEM.
struct TlsPem {
  std::string certificate;  // the server's certificate first, then its chain
  std::string key;          // the private key of the first certificate, without a passphrase
  // The authorities, one of which must have certified a client. Not set: clients need no
  // certificate.
  absl::optional<std::string> client_ca;
};

// Returns the end of the certificate's validity. Returns InvalidArgument that names the wrong part:
// no PEM, a key of another certificate, or a certificate that is not valid at `now` or too weak for
// TLS.
absl::StatusOr<absl::Time> CheckTls(const TlsPem& pem, absl::Time now);

// Thread-safe.
class Tls {
 public:
  // Returns the errors of CheckTls.
  static absl::StatusOr<std::unique_ptr<Tls>> Make(TlsPem pem, absl::Time now);

  // Uses `pem` from now on, and returns the end of its validity. On an error of CheckTls, keeps the
  // current values. Returns InvalidArgument if `pem` would change whether clients need a
  // certificate.
  absl::StatusOr<absl::Time> Replace(TlsPem pem, absl::Time now);

  // The current values.
  TlsPem pem() const;

  // Makes credentials for one server, which this object must outlive.
  std::shared_ptr<grpc::ServerCredentials> NewCredentials();

 private:
  friend class ReloadingCredentials;

  // Passes the current PEMs to one server on request. It lives as long as the Tls object, since
  // gRPC releases the credentials as soon as it listens.
  struct Reader {
    const Tls* tls;
    int64_t version = 0;  // the version that the server has
  };

  explicit Tls(TlsPem pem) : wants_clients_certified_(pem.client_ca), pem_(std::move(pem)) {}

  // Copies the current PEMs to `pem`, and returns whether the server did not have them yet.
  static bool Fetch(Reader* reader, TlsPem* pem);

  const bool wants_clients_certified_;
  mutable Mutex mutex_;
  TlsPem pem_ ABSL_GUARDED_BY(mutex_);
  int64_t version_ ABSL_GUARDED_BY(mutex_) = 1;
  std::deque<Reader> readers_ ABSL_GUARDED_BY(mutex_);  // one for each server
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_TLS_H_

// TLS for a server: the certificate that it shows, and by which authorities it wants its clients
// certified. Both can be exchanged while it serves: connections that are open go on, those made
// from then on see the new.
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

// Returns the end of the certificate's validity; InvalidArgument that says which part is wrong:
// what is no PEM, a key that belongs to another certificate, a certificate that is not valid at
// `now`, or too weak for TLS.
absl::StatusOr<absl::Time> CheckTls(const TlsPem& pem, absl::Time now);

// Thread-safe.
class Tls {
 public:
  // Returns what CheckTls does.
  static absl::StatusOr<std::unique_ptr<Tls>> Make(TlsPem pem, absl::Time now);

  // Shows this from now on. Returns the end of its validity; or what CheckTls does, and goes on
  // with what it had. Whether clients need a certificate does not change: InvalidArgument.
  absl::StatusOr<absl::Time> Replace(TlsPem pem, absl::Time now);

  // For one server, which this must outlive.
  std::shared_ptr<grpc::ServerCredentials> NewCredentials();

 private:
  friend class ReloadingCredentials;

  // Asks, as often as a server does, for what is shown now. It outlives the credentials, which gRPC
  // lets go of as soon as it listens.
  struct Reader {
    const Tls* tls;
    int64_t version = 0;  // that the server has
  };

  explicit Tls(TlsPem pem) : wants_clients_certified_(pem.client_ca), pem_(std::move(pem)) {}

  // Copies what is shown now to `pem`, unless the server has it already.
  static bool Fetch(Reader* reader, TlsPem* pem);

  const bool wants_clients_certified_;
  mutable Mutex mutex_;
  TlsPem pem_ ABSL_GUARDED_BY(mutex_);
  int64_t version_ ABSL_GUARDED_BY(mutex_) = 1;
  std::deque<Reader> readers_ ABSL_GUARDED_BY(mutex_);  // one a server
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_TLS_H_

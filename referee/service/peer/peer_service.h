// The gRPC service by which other referees of a fleet attach their bots (PEERS.md).
//
// Each call is a reactor that carries an OwnerSession. Until it has sent a valid hello, a stream is
// untrusted: few may be open, and its bytes count like those of any unknown connection
// (accept/LIMITS.md). After that its connection is trusted.
#ifndef REFEREE_SERVICE_PEER_PEER_SERVICE_H_
#define REFEREE_SERVICE_PEER_PEER_SERVICE_H_

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "proto/referee/peer/v1/peer_service.grpc.pb.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/log/sparse_log.h"
#include "referee/metrics/metrics.h"
#include "referee/service/accept/connections.h"
#include "referee/service/access/authenticator.h"
#include "referee/service/peer/owner_session.h"

namespace referee::service {

class AttachStream;

// Thread-safe.
class PeerService final : public peer::v1::PeerService::CallbackService {
 public:
  struct Options {
    // All must outlive the service.
    const PeerEnvironment* environment = nullptr;
    const Authenticator* authenticator = nullptr;
    Connections* connections = nullptr;
    log::SparseLog* log = nullptr;
    const metrics::Metrics* metrics = nullptr;  // may be null
  };
  explicit PeerService(const Options& options);
  // REQUIRES: no call is open.
  ~PeerService() override;

  grpc::ServerBidiReactor<peer::v1::AttachRequest, peer::v1::AttachResponse>* Attach(
      grpc::CallbackServerContext* context) override;
  // Ends all streams, and every later one at once.
  void Close();

 private:
  friend class AttachStream;
  using Streams = std::map<uint64_t, std::shared_ptr<AttachStream>>;

  // Adds a stream. Returns its number; numbers increase. May end another stream.
  uint64_t Add(const std::shared_ptr<AttachStream>& stream);
  // The entry of the stream has shown the secret. Ends its former stream, if any.
  void NoteEntry(uint64_t number, const std::string& entry);
  void Remove(uint64_t number);

  const Options options_;
  Mutex mutex_;
  bool closed_ ABSL_GUARDED_BY(mutex_) = false;
  uint64_t last_number_ ABSL_GUARDED_BY(mutex_) = 0;
  Streams strangers_ ABSL_GUARDED_BY(mutex_);  // without a valid secret so far
  Streams entries_ ABSL_GUARDED_BY(mutex_);    // all others
  absl::flat_hash_map<std::string, uint64_t> by_entry_ ABSL_GUARDED_BY(mutex_);
  // Ended streams, and when they ended. A match may still hold a link and be about to write.
  std::deque<std::pair<Instant, std::shared_ptr<AttachStream>>> ended_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PEER_PEER_SERVICE_H_

// The stream between two referees as its sessions see it; gRPC or a test provides it.
#ifndef REFEREE_SERVICE_PEER_PEER_TRANSPORT_H_
#define REFEREE_SERVICE_PEER_PEER_TRANSPORT_H_

#include "absl/status/status.h"

namespace referee::service {

// Thread-safe.
template <typename Message>
class PeerTransport {
 public:
  virtual ~PeerTransport() = default;

  // Starts to write `message`, which stays unchanged until the session's OnWriteDone. That call may
  // come before Write returns. At most one write is in progress.
  virtual void Write(const Message& message) = 0;
  // Ends the stream with `status`. Called at most once; later calls of the session have no effect.
  // A write may be in progress or start concurrently on another thread; its end need not be
  // reported.
  virtual void Finish(const absl::Status& status) = 0;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PEER_PEER_TRANSPORT_H_

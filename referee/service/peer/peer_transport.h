// The stream between two referees as its sessions see it: gRPC or a test provides it.
#ifndef REFEREE_SERVICE_PEER_PEER_TRANSPORT_H_
#define REFEREE_SERVICE_PEER_PEER_TRANSPORT_H_

#include "absl/status/status.h"

namespace referee::service {

// Thread-safe.
template <typename Message>
class PeerTransport {
 public:
  virtual ~PeerTransport() = default;

  // Starts to write `message`, which stays as it is until the session's OnWriteDone; perhaps that
  // is called before this returns. One write is under way at a time.
  virtual void Write(const Message& message) = 0;
  // Ends the stream with `status`. Called once at most; the session's calls do nothing from then
  // on. A write may be under way, or begin at the same time on another thread: it need not be
  // reported.
  virtual void Finish(const absl::Status& status) = 0;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PEER_PEER_TRANSPORT_H_

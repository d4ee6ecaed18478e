// Limits what unix sockets receive: headers in pieces, and unused bytes (LIMITS.md).
//
// Headers in pieces are limited per connection. Unused bytes are limited for all connections of a
// server together: gRPC gives them the same peer, so the service cannot attribute their use. They
// share one leaky bucket, which use and time drain. When it overflows, the connection that brought
// most is cut off. In a duel each bot has its own server, so a bot pays only for itself.
#ifndef REFEREE_SERVICE_ACCEPT_LOCAL_BYTES_H_
#define REFEREE_SERVICE_ACCEPT_LOCAL_BYTES_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/types/optional.h"
#include "referee/base/clock.h"
#include "referee/base/limits.h"
#include "referee/base/mutex.h"
#include "referee/service/accept/received.h"
#include "referee/service/accept/unused.h"
#include "referee/service/accept/waste.h"

namespace referee::service {

// Thread-safe.
class LocalBytes final : public ReceiveLimit {
 public:
  // Adds a connection that the transport reads from `descriptor`.
  void Add(uint64_t connection, int descriptor, Instant now);
  void Remove(uint64_t connection);
  // Counts the use that the service makes of all connections together.
  std::shared_ptr<Use> use() const { return use_; }

  // As in UnusedBytes.
  void SetTime(Instant now);
  std::vector<Offender> TakeOffenders();
  bool has_offenders() const;
  absl::optional<uint64_t> Raise(uint64_t connection, int descriptor,
                                 const Received& received) override;
  bool Refuse(uint64_t connection, int descriptor) override;

 private:
  struct Connection {
    uint64_t cookie = 0;  // the kernel's id of the socket
    int descriptor = -1;
    std::string peer;  // the process that connected
    Received received;
    uint64_t owed = 0;     // cost of answers that the transport may hold
    uint64_t brought = 0;  // bytes of level_ that this connection brought
    bool cut = false;
  };
  using ById = std::map<uint64_t, Connection>;

  // Lowers level_ by the bytes that the service has used and by the allowance for elapsed time.
  void Drain() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Charge(Connection* connection, const Received& received, bool reads_answers)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Cut(ById::value_type* offender, const std::string& reason)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::shared_ptr<Use> use_ = std::make_shared<Use>();
  mutable Mutex mutex_;
  ById connections_ ABSL_GUARDED_BY(mutex_);
  uint64_t level_ ABSL_GUARDED_BY(mutex_) = 0;  // unused bytes
  uint64_t used_ ABSL_GUARDED_BY(mutex_) = 0;   // bytes of use_ already taken out of level_
  Instant now_ ABSL_GUARDED_BY(mutex_);
  Instant drained_at_ ABSL_GUARDED_BY(mutex_);
  std::vector<Offender> offenders_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_ACCEPT_LOCAL_BYTES_H_

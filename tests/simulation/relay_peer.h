// A node's hold on simulated time, and the simulated stream between two nodes.
#ifndef REFEREE_TESTS_SIMULATION_RELAY_PEER_H_
#define REFEREE_TESTS_SIMULATION_RELAY_PEER_H_

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "referee/host/timers.h"
#include "referee/service/peer/entry_session.h"
#include "referee/service/peer/owner_session.h"
#include "tests/simulation/event_queue.h"
#include "tests/simulation/random.h"
#include "tests/support/simulated_time.h"

namespace referee::simulation {

// One life of a node, to its events: they are dropped when it is dead, and wait while it stands
// still. Thread-compatible.
class Gate : public std::enable_shared_from_this<Gate> {
 public:
  explicit Gate(EventQueue* queue) : queue_(*queue) {}

  // `call` happens at `when`, or when the node is awake.
  void At(Instant when, std::function<void()> call);
  EventQueue& queue() { return queue_; }
  bool is_awake() const { return !dead && queue_.Now() >= awake; }

  bool dead = false;
  Instant awake;

 private:
  EventQueue& queue_;
};

// Timers of one life of a node, a little late.
class GateTimers final : public host::Timers {
 public:
  GateTimers(std::shared_ptr<Gate> gate, uint64_t seed) : gate_(std::move(gate)), seed_(seed) {}

 private:
  void Queue(Instant when, std::function<void()> wake) override;

  const std::shared_ptr<Gate> gate_;
  const uint64_t seed_;
};

// Does work in order, each piece `takes` after it was asked for.
class GateExecutor final : public testing::HeldExecutor {
 public:
  GateExecutor(std::shared_ptr<Gate> gate, absl::Duration takes)
      : gate_(std::move(gate)), takes_(takes) {
    Hold();
  }
  void Run(std::function<void()> work) override;

 private:
  const std::shared_ptr<Gate> gate_;
  const absl::Duration takes_;
};

// One direction of a stream between nodes. Thread-compatible.
template <typename Message>
class PeerWay final : public service::PeerTransport<Message> {
 public:
  // What happens to it. Calls come as events of the node that they concern.
  struct Calls {
    std::function<void(const Message& message)> deliver;
    std::function<void()> written;
    std::function<void()> finish;
    std::function<absl::Duration()> delay;
  };
  PeerWay(std::shared_ptr<Gate> from, std::shared_ptr<Gate> to, Random random)
      : from_(std::move(from)), to_(std::move(to)), random_(random) {}

  void Write(const Message& message) override {
    if (!muted) {
      to_->At(NextArrival(), [this, keep = keep(), message] { calls.deliver(message); });
    }
    if (random_.OneIn(3)) return calls.written();
    const absl::Duration late = random_.Between(absl::ZeroDuration(), absl::Microseconds(50));
    from_->At(from_->queue().Now() + late, [this, keep = keep()] { calls.written(); });
  }
  void Finish(const absl::Status&) override { calls.finish(); }

  // When what is sent now arrives: in order.
  Instant NextArrival() {
    last_ = std::max({last_, held_until, from_->queue().Now() + calls.delay()});
    return last_;
  }

  Calls calls;
  std::function<std::shared_ptr<void>()> keep;  // of the stream
  bool muted = false;
  Instant held_until;

 private:
  const std::shared_ptr<Gate> from_;
  const std::shared_ptr<Gate> to_;
  Random random_;
  Instant last_;
};

// A stream from an entry to an owner, with their sessions. Thread-compatible.
class PeerStream final : public std::enable_shared_from_this<PeerStream> {
 public:
  struct Calls {
    std::function<absl::Duration()> delay;
    std::function<void()> greeted;  // the owner has answered
  };
  struct Side {
    std::shared_ptr<Gate> gate;
    const service::PeerEnvironment* environment;
  };
  PeerStream(const Side& entry, const Side& owner, Random random, Calls calls);

  // To be called first.
  void Begin();
  // Nothing arrives any more; each end learns of it so much later; InfiniteDuration: never. Does
  // nothing the second time.
  void Cut(absl::Duration entry_after, absl::Duration owner_after);
  void Mute(bool to_owner);
  void Hold(bool to_owner, Instant until);
  // The owner has a later stream of this entry.
  void Replace() { FinishOwner(); }
  // Ends the sessions of nodes that are dead.
  void BuryDead();

  std::function<void()> on_attached;    // the owner knows the entry
  std::function<void()> on_entry_done;  // the entry may dial again

  // Null: there is none any more.
  const std::shared_ptr<service::EntrySession>& entry() const { return entry_; }
  const std::shared_ptr<service::OwnerSession>& owner() const { return owner_; }
  bool ended() const { return entry_ == nullptr && owner_ == nullptr && (greeted_ || cut_); }
  // Both ends know each other, and neither has ended it.
  bool linked() const { return greeted_ && !cut_ && entry_ != nullptr && owner_ != nullptr; }
  // The same, and all that is said arrives.
  bool well() const;

 private:
  void Connect();
  void FinishEntry();
  void FinishOwner();
  void EndEntry();
  void EndOwner();

  const Side at_entry_;
  const Side at_owner_;
  const Calls calls_;
  PeerWay<peer::v1::AttachRequest> to_owner_;
  PeerWay<peer::v1::AttachResponse> to_entry_;
  std::shared_ptr<service::EntrySession> entry_;
  std::shared_ptr<service::OwnerSession> owner_;
  bool cut_ = false;
  bool greeted_ = false;
  bool attached_ = false;
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_RELAY_PEER_H_

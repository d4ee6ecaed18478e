// A discrete-event scheduler: a queue of events, and the clock that moves from one to the next.
// Events happen one at a time; those due at one instant happen in the order in which they were
// added.
#ifndef REFEREE_TESTS_SIMULATION_EVENT_QUEUE_H_
#define REFEREE_TESTS_SIMULATION_EVENT_QUEUE_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "referee/base/clock.h"
#include "referee/host/timers.h"
#include "tests/simulation/random.h"
#include "tests/support/simulated_time.h"

namespace referee::simulation {

// Both kinds of time, and the events to come. Thread-compatible.
class EventQueue final : public Clock {
 public:
  // An event of a process that may be killed carries the number of the process's life, and is
  // dropped once that life is over. Life 0 is the world's, and never ends.
  using Life = uint32_t;

  Instant Now() const override { return now_; }
  absl::Time WallNow() const override { return wall_ + (now_ - Instant()); }
  // Sets the wall clock forward.
  void SetWallForward(absl::Duration by) { wall_ += by; }

  // `call` happens at `when`, at once if that is past.
  void At(Instant when, std::function<void()> call, Life life = 0);
  // Drops all events of lives up to `last`.
  void EndLives(Life last) { ended_ = last; }

  // Delays the events of all lives until `until`.
  void StallLives(Instant until) { awake_ = until; }
  Instant awake() const { return awake_; }

  // Makes the next event happen. Returns false when there is none up to `until`.
  bool Step(Instant until);

  // How many events have happened.
  int64_t steps() const { return steps_; }

 private:
  // Small, as the heap moves entries about; what is called stays where it is.
  struct Entry {
    Instant when;
    uint64_t number;
    Life life;
    uint32_t call;  // index into calls_
  };
  struct Later {
    bool operator()(const Entry& a, const Entry& b) const {
      return b.when < a.when || (b.when == a.when && b.number < a.number);
    }
  };

  uint32_t Keep(std::function<void()> call);
  std::function<void()> Take(uint32_t call);

  Instant now_ = Instant::FromNanos(1'000'000'000);
  absl::Time wall_ = absl::FromUnixSeconds(1'800'000'000);
  std::vector<Entry> entries_;  // a heap
  std::vector<std::function<void()>> calls_;
  std::vector<uint32_t> free_calls_;  // indices into calls_
  uint64_t next_number_ = 0;
  Life ended_ = 0;
  Instant awake_;
  int64_t steps_ = 0;
};

// The timers of one life of the referee: a little late, like real ones.
class LifeTimers final : public host::Timers {
 public:
  LifeTimers(EventQueue* queue, EventQueue::Life life, uint64_t seed)
      : queue_(queue), life_(life), seed_(seed) {}

 private:
  void Queue(Instant when, std::function<void()> wake) override;

  EventQueue* const queue_;
  const EventQueue::Life life_;
  const uint64_t seed_;
};

// The executor of one life of the referee: does work in order, each piece `takes` after it was
// asked for; or at once when it is released (a referee that shuts down waits for it).
class LifeExecutor final : public testing::HeldExecutor {
 public:
  LifeExecutor(EventQueue* queue, EventQueue::Life life, absl::Duration takes)
      : queue_(queue), life_(life), takes_(takes) {
    Hold();
  }
  void Run(std::function<void()> work) override;

 private:
  EventQueue* const queue_;
  const EventQueue::Life life_;
  const absl::Duration takes_;
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_EVENT_QUEUE_H_

// Simulated time: a queue of what is to happen, and the clock that moves from one to the next.
// Nothing happens at the same time; what is due at one instant happens in the order asked for.
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

// Both kinds of time, and what is to come. Thread-compatible.
class EventQueue final : public Clock {
 public:
  // What happens to a process that may be killed carries the number of its life, and does not
  // happen once that is over. Life 0 is the world's, and never ends.
  using Life = uint32_t;

  Instant Now() const override { return now_; }
  absl::Time WallNow() const override { return wall_ + (now_ - Instant()); }
  // The calendar is set.
  void SetWallForward(absl::Duration by) { wall_ += by; }

  // `call` happens at `when`, at once if that is past.
  void At(Instant when, std::function<void()> call, Life life = 0);
  // Everything of lives up to `last` is dropped.
  void EndLives(Life last) { ended_ = last; }

  // Nothing of any life happens before `until`.
  void StallLives(Instant until) { awake_ = until; }
  Instant awake() const { return awake_; }

  // The next thing happens. Returns false when nothing is to come, or nothing up to `until`.
  bool Step(Instant until);

  // How much has happened.
  int64_t steps() const { return steps_; }

 private:
  struct Entry {
    Instant when;
    uint64_t number;
    Life life;
    std::function<void()> call;
  };
  struct Later {
    bool operator()(const Entry& a, const Entry& b) const {
      return b.when < a.when || (b.when == a.when && b.number < a.number);
    }
  };

  Instant now_ = Instant::FromNanos(1'000'000'000);
  absl::Time wall_ = absl::FromUnixSeconds(1'800'000'000);
  std::vector<Entry> entries_;  // a heap
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

// The executor of one life of the referee: does everything in order, each a while after it was
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

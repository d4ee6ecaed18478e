// The thread on which a gate does everything that is short, with its clock and timers, and another
// one for what takes long.
#ifndef REFEREE_GATE_LOOP_H_
#define REFEREE_GATE_LOOP_H_

#include <functional>

#include "referee/base/clock.h"

namespace referee::gate {

class Loop {
 public:
  virtual ~Loop() = default;
  virtual Instant Now() const = 0;
  // Calls `call` on the loop, at that instant or soon after.
  virtual void At(Instant when, std::function<void()> call) = 0;
  // Does `work` elsewhere, then calls `then` on the loop.
  virtual void Away(std::function<void()> work, std::function<void()> then) = 0;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_LOOP_H_

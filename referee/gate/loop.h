// The event loop thread of a gate, with its clock and timers, and a worker thread for long tasks.
//
// Thread-safe, but Run may be called only once.
#ifndef REFEREE_GATE_LOOP_H_
#define REFEREE_GATE_LOOP_H_

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <functional>

#include "referee/base/clock.h"

namespace referee::gate {

class Loop {
 public:
  // `clock` must outlive the loop.
  explicit Loop(const Clock* clock) : clock_(*clock), away_(1) {}

  Instant Now() const { return clock_.Now(); }
  // Calls `call` on the loop, at `when` or soon after.
  void At(Instant when, std::function<void()> call);
  // Runs `work` on the worker thread, then calls `then` on the loop.
  void Away(std::function<void()> work, std::function<void()> then);
  // Calls `call` on the loop.
  void Post(std::function<void()> call);

  boost::asio::io_context& context() { return context_; }
  // Runs the loop until Stop.
  void Run();
  // Waits until all work is done, then stops the loop. Drops callbacks that have not run by then.
  void Stop();

 private:
  const Clock& clock_;
  boost::asio::io_context context_{1};
  boost::asio::thread_pool away_;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_LOOP_H_

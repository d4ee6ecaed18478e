// Trials of many seeds, one after the other, tried by several threads.
#ifndef REFEREE_TESTS_SIMULATION_TRIALS_H_
#define REFEREE_TESTS_SIMULATION_TRIALS_H_

#include <cstdint>
#include <map>
#include <ostream>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "referee/base/mutex.h"
#include "tests/simulation/trial.h"

namespace referee::simulation {

// Next is for one thread.
class Trials {
 public:
  using Attempt = Trial (*)(uint64_t seed, std::ostream* log);

  // `attempt` at `first` and the seeds after it, on `jobs` threads. REQUIRES: jobs > 0.
  Trials(uint64_t first, int jobs, Attempt attempt);
  // Waits for the trials that are under way.
  ~Trials();
  Trials(const Trials&) = delete;
  Trials& operator=(const Trials&) = delete;

  // What came of the next seed. They come in order, whichever is done first.
  Trial Next();

 private:
  void Work();

  const Attempt attempt_;
  // So many seeds may be under way or done and not handed out.
  const uint64_t ahead_;
  Mutex mutex_;
  CondVar changed_;
  uint64_t next_to_try_ ABSL_GUARDED_BY(mutex_);
  uint64_t next_ ABSL_GUARDED_BY(mutex_);                   // to be handed out
  std::map<uint64_t, Trial> done_ ABSL_GUARDED_BY(mutex_);  // by seed
  bool stops_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_TRIALS_H_

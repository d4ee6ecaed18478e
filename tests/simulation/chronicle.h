// The event log of a run: a digest of all events in order, their text if a stream for it is given,
// and the first failure.
#ifndef REFEREE_TESTS_SIMULATION_CHRONICLE_H_
#define REFEREE_TESTS_SIMULATION_CHRONICLE_H_

#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <string>

#include "absl/strings/string_view.h"
#include "tests/simulation/event_queue.h"

namespace referee::simulation {

// Thread-compatible.
class Chronicle {
 public:
  // Writes a line for each note to `out`, if it is not null. Both must outlive this.
  Chronicle(const EventQueue* queue, std::ostream* out) : queue_(queue), out_(out) {}

  // `what` happened, now. Names and numbers say to whom.
  void Note(absl::string_view what, std::initializer_list<int64_t> numbers);
  // Notes a failure; only the first is kept.
  void Fail(std::string problem);

  bool failed() const { return !problem_.empty(); }
  // The first failure, with its time; empty if there is none.
  const std::string& problem() const { return problem_; }
  // The digest of all notes and their times.
  uint64_t digest() const { return digest_; }

 private:
  const EventQueue* const queue_;
  std::ostream* const out_;
  uint64_t digest_ = 0;
  std::string problem_;
};

// A digest of bytes, the same on every machine.
uint64_t DigestOf(absl::string_view bytes);

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_CHRONICLE_H_

// Calls of a program that makes many: where a referee says that these are too many for now and when
// to call again (service/access/ACCESS.md, "Limits"), it is called again then. Thread-compatible.
#ifndef REFEREE_GATE_PATIENCE_H_
#define REFEREE_GATE_PATIENCE_H_

#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"

namespace referee::gate {

// When to call again, of an error that says so.
absl::optional<absl::Duration> CallAgainIn(const absl::Status& refused);

class Patience {
 public:
  // The most that one call is waited for in all.
  static constexpr absl::Duration kMost = absl::Minutes(1);

  // `wait` waits: absl::SleepFor, or what a test has instead.
  explicit Patience(std::function<void(absl::Duration)> wait) : wait_(std::move(wait)) {}

  // Makes a call that returns a StatusOr, until it is not refused for now.
  template <typename Call>
  auto Make(const Call& call) -> decltype(call()) {
    absl::Duration waited;
    while (true) {
      auto answer = call();
      const absl::optional<absl::Duration> again = CallAgainIn(answer.status());
      if (!again || waited + *again > kMost) return answer;
      wait_(*again);
      waited += *again;
    }
  }

 private:
  const std::function<void(absl::Duration)> wait_;
};

}  // namespace referee::gate

#endif  // REFEREE_GATE_PATIENCE_H_

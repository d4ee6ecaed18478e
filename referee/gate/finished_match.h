// Makes the view of a finished match from its replay. Pure, thread-safe; takes milliseconds.
#ifndef REFEREE_GATE_FINISHED_MATCH_H_
#define REFEREE_GATE_FINISHED_MATCH_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace referee::gate {

// The parts of the view, as MatchTopic takes them.
struct FinishedMatch {
  std::string head;
  std::vector<std::string> frames;
  std::string verdict;
};

// Each returns InvalidArgument for an invalid replay, and ResourceExhausted for a match of more
// than `max_turns` turns.
absl::StatusOr<FinishedMatch> FinishedMatchOf(absl::string_view replay, size_t max_turns);
// The view as JSON, without the replay.
absl::StatusOr<std::string> ViewJsonOf(absl::string_view replay, size_t max_turns);
// The page of the match (view/page.h).
absl::StatusOr<std::string> PageOf(absl::string_view replay, size_t max_turns);

}  // namespace referee::gate

#endif  // REFEREE_GATE_FINISHED_MATCH_H_

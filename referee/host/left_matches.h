// The matches that an earlier process left, while they are resumed: collects the matches of each
// block, and says whether a block may go on. A value; thread-compatible.
#ifndef REFEREE_HOST_LEFT_MATCHES_H_
#define REFEREE_HOST_LEFT_MATCHES_H_

#include <map>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "referee/base/ids.h"
#include "referee/match/match.h"
#include "referee/replay/recorder.h"

namespace referee::host {

// A match that an earlier process left, rebuilt.
struct LeftMatch {
  replay::Unfinished unfinished;
  std::unique_ptr<match::Match> match;
  absl::Duration limit;

  int rotation() const { return match->setup().block ? match->setup().block->rotation : 0; }
  bool game_over() const { return match->state().phase() == games::Phase::kOver; }
};

// Rebuilds a match. As Host::Resume, if it fails.
absl::StatusOr<LeftMatch> RebuildLeft(replay::Unfinished unfinished, absl::Duration limit);

// Why what was found of a block may not go on; null if it may, and for a match alone.
const char* WhyNotResumed(absl::Span<const LeftMatch> together);
// Whether it is a match alone, or all of a block, and none of it has begun.
bool IsUnbegun(absl::Span<const LeftMatch> together);

class LeftMatches {
 public:
  // Returns what goes on together now, by rotation: a match alone, or all of a block with its last
  // match. Empty: the rest of its block is still to come.
  std::vector<LeftMatch> Add(LeftMatch left);
  // Takes what is left of blocks of which not all matches came.
  std::vector<std::vector<LeftMatch>> TakeRest();

 private:
  std::map<BlockId, std::vector<LeftMatch>> blocks_;
};

}  // namespace referee::host

#endif  // REFEREE_HOST_LEFT_MATCHES_H_

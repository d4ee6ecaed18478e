// Formats matches of a running referee for people. Pure.
#ifndef REFEREE_CTL_MATCH_TEXT_H_
#define REFEREE_CTL_MATCH_TEXT_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/referee/v1/match.pb.h"
#include "proto/referee/v1/match_service.pb.h"
#include "referee/games/game.h"

namespace referee::ctl {

// Returns "waiting", "running", "finished", "void" or "cancelled".
std::string StateText(v1::MatchState state);
// Returns InvalidArgument that lists the states for any other text.
absl::StatusOr<v1::MatchState> ParseState(absl::string_view text);

// One line: id, state, creation time, game, turns, bots and scores.
std::string MatchLine(const v1::Match& match);
// The whole match, with the board if this program knows the game.
std::string SnapshotText(const v1::Snapshot& snapshot, bool colour);
// An event of a watched match, in one or a few lines. `events`, such as "capture", is appended to a
// turn.
std::string NewsText(const v1::WatchMatchResponse& news, bool colour,
                     absl::string_view events = "");
// The end of a match, worded as at the end of a replay: "end: CENTRE_FULL; scores 16 -1, ranks 1
// 2".
std::string EndText(const v1::Verdict& verdict);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_MATCH_TEXT_H_

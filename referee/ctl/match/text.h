// Matches of a running referee as text for people. Pure.
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

// "waiting", "running", "finished", "void", "cancelled".
std::string StateText(v1::MatchState state);
// Returns InvalidArgument that lists the states when there is no such state.
absl::StatusOr<v1::MatchState> ParseState(absl::string_view text);

// One line: id, state, time of creation, game, turns, bots and scores.
std::string MatchLine(const v1::Match& match);
// The whole match, with the board if this program knows the game.
std::string SnapshotText(const v1::Snapshot& snapshot, bool colour);
// An event of a watched match, in one line or a few; what is worth to stop at, such as "capture",
// stands at the end of its turn.
std::string NewsText(const v1::WatchMatchResponse& news, bool colour,
                     absl::string_view events = "");
// "FINISHED" and so on of a verdict, in the words of the end of a replay: "end: CENTRE_FULL; scores
// 16 -1, ranks 1 2".
std::string EndText(const v1::Verdict& verdict);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_MATCH_TEXT_H_

// Formats competitions for people, as lines and tables. Pure.
#ifndef REFEREE_CTL_COMPETITION_TEXT_H_
#define REFEREE_CTL_COMPETITION_TEXT_H_

#include <cstddef>
#include <string>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/competition_service.pb.h"

namespace referee::ctl {

// Returns "new", "running", "paused", "finishing" or "finished".
std::string StateText(v1::CompetitionState state);
// Returns "running", "played", "dropped" or "void".
std::string StateText(v1::BlockState state);
// Returns "ladder", "round-robin" and so on.
std::string FormatText(v1::CompetitionFormat format);

// A bot with its version: "alice 1.2", or "alice" without a version.
std::string BotText(const std::string& bot, const std::string& version);

// The progress: "running, 12 blocks counted, 3 running, 25 to come, 1.5 a minute, about 19m left".
std::string ProgressText(const v1::Competition& competition);
// The name on the command line, such as "buchholz-cut-1".
std::string TieBreakText(v1::TieBreak tie_break);
// Returns "blocks start from 12 positions, ..." and a newline; empty if all blocks start from the
// game's usual position.
std::string PositionsLine(const v1::Competition& competition);
// The estimated time to the end at the recent pace. Unset if the pace is unknown, if the
// competition waits for bots, and for tests, which end when they are decided.
absl::optional<absl::Duration> TimeLeft(const v1::Competition& competition);

// One line: name, state, format, game, blocks, creation time.
std::string CompetitionLine(const v1::Competition& competition);
// The whole competition, one line for each field.
std::string CompetitionText(const v1::Competition& competition);

struct StandingsStyle {
  // Adds columns about clocks and connections before the remark.
  bool wide = false;
  // Ratings are on the scale of an anchor: "1500 ±45" instead of "+1500 ±45".
  bool anchored = false;
  // The width of the terminal in characters; remarks that do not fit go below the table. 0: no
  // limit.
  size_t width = 0;
};

// A heading of one line and the table. Its columns are rank, bot, version (if any bot has one),
// blocks, won-drawn-lost, points and the tie-breaks in order. Then come Elo with half of its 95 %
// interval, superiority (the probability that the bot is stronger than the next), and the remark.
std::string StandingsText(const v1::Competition& competition,
                          const google::protobuf::RepeatedPtrField<v1::Standing>& standings,
                          const StandingsStyle& style = {});
// Cells of the table: "-" for a bot without a rank or without a rating. If the interval is wider
// than 600 Elo, shows only its one bound: "at most -569", "at least +120".
std::string RankText(const v1::Standing& standing);
std::string EloText(const v1::Standing& standing, bool anchored = false);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_TEXT_H_

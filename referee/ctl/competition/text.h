// Competitions as text for people: lines and tables. Pure.
#ifndef REFEREE_CTL_COMPETITION_TEXT_H_
#define REFEREE_CTL_COMPETITION_TEXT_H_

#include <cstddef>
#include <string>

#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/competition_service.pb.h"

namespace referee::ctl {

// "new", "running", "paused", "finishing", "finished".
std::string StateText(v1::CompetitionState state);
// "running", "played", "dropped", "void".
std::string StateText(v1::BlockState state);
// "ladder", "round-robin", ...
std::string FormatText(v1::CompetitionFormat format);

// A bot as people read it: "alice 1.2", "alice" without a version.
std::string BotText(const std::string& bot, const std::string& version);

// How far it is: "running, 12 blocks counted, 3 running, 25 to come, 1.5 a minute, about 19m left".
std::string ProgressText(const v1::Competition& competition);
// "buchholz-cut-1", as on the command line.
std::string TieBreakText(v1::TieBreak tie_break);
// "blocks start from 12 positions, ..." and a newline; empty if all start from the same one.
std::string PositionsLine(const v1::Competition& competition);
// The estimated time to its end at the recent pace; none when that is unknown, when bots are waited
// for, and of a test, which ends when it is decided.
absl::optional<absl::Duration> TimeLeft(const v1::Competition& competition);

// One line: name, state, format, game, blocks, time of creation.
std::string CompetitionLine(const v1::Competition& competition);
// The whole competition, one line for each field.
std::string CompetitionText(const v1::Competition& competition);

struct StandingsStyle {
  // Also what went by clocks and links, before the remark.
  bool wide = false;
  // Ratings are on the scale of an anchor: "1500 ±45", not "+1500 ±45".
  bool anchored = false;
  // Of the terminal, in characters: remarks that do not fit are below the table. 0: no bound.
  size_t width = 0;
};

// A heading of one line, and the table: rank, bot, version if any bot has one, blocks,
// won-drawn-lost, points, the tie-breaks in the order in which they are looked at, Elo with half of
// its 95 % interval, the probability to be stronger than the next (superiority), remark.
std::string StandingsText(const v1::Competition& competition,
                          const google::protobuf::RepeatedPtrField<v1::Standing>& standings,
                          const StandingsStyle& style = {});
// Its cells: "-" for a bot without a rank, or without a rating. A rating whose interval is wider
// than 600 Elo shows as its one bound: "at most -569", "at least +120".
std::string RankText(const v1::Standing& standing);
std::string EloText(const v1::Standing& standing, bool anchored = false);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_TEXT_H_

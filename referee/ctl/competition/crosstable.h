// Results between pairs of bots in a competition, as tables and CSV. Pure.
#ifndef REFEREE_CTL_COMPETITION_CROSSTABLE_H_
#define REFEREE_CTL_COMPETITION_CROSSTABLE_H_

#include <cstddef>
#include <string>

#include "absl/types/optional.h"
#include "google/protobuf/repeated_field.h"
#include "proto/referee/v1/competition_service.pb.h"
#include "referee/ctl/terminal/print.h"

namespace referee::ctl {

// The matrix has at most this many bots, however wide the terminal.
inline constexpr int kMostBotsInMatrix = 40;

// The matrix of all bots, in the order of the standings. A cell has the results of the row's bot
// against the column's bot. It shows matches won-drawn-lost, and below them points with the number
// of blocks in brackets. Unset if there are more than kMostBotsInMatrix bots, or if a line would
// exceed `width` characters.
absl::optional<std::string> CrosstableMatrix(
    const google::protobuf::RepeatedPtrField<v1::Standing>& standings,
    const google::protobuf::RepeatedPtrField<v1::PairTotal>& pairs, size_t width);

// The columns for pairs. Matches, points and the share of points are those of the first bot. In
// CSV, blocks_0 to blocks_2 are the first bot's blocks by the points gained in them.
const Columns<v1::PairTotal>& PairColumns();

// The results of one bot: a line for each opponent and a line with the totals. Opponents are in the
// order of the standings, with their ranks and ratings. REQUIRES: `pairs` are those of this bot.
std::string OpponentsText(const google::protobuf::RepeatedPtrField<v1::Standing>& standings,
                          const google::protobuf::RepeatedPtrField<v1::PairTotal>& pairs);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_CROSSTABLE_H_

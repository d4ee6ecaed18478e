// What bots of a competition made against each other, as tables and as CSV. Pure.
#ifndef REFEREE_CTL_COMPETITION_CROSSTABLE_H_
#define REFEREE_CTL_COMPETITION_CROSSTABLE_H_

#include <cstddef>
#include <string>

#include "absl/types/optional.h"
#include "google/protobuf/repeated_field.h"
#include "proto/referee/v1/competition_service.pb.h"
#include "referee/ctl/terminal/print.h"

namespace referee::ctl {

// Of more bots there is no matrix, however wide the terminal.
inline constexpr int kMostBotsInMatrix = 40;

// The matrix of all bots, in the order of the standings. A cell says what the line's bot made
// against the column's: matches won-drawn-lost, and below them points with the number of blocks in
// brackets. None if there are more than kMostBotsInMatrix bots, or a line would be longer than
// `width` characters.
absl::optional<std::string> CrosstableMatrix(
    const google::protobuf::RepeatedPtrField<v1::Standing>& standings,
    const google::protobuf::RepeatedPtrField<v1::PairTotal>& pairs, size_t width);

// Pairs: matches, points and their share are those of the bot that is named first; blocks_0 to
// blocks_2 of the CSV are its blocks by the points that it made in them.
const Columns<v1::PairTotal>& PairColumns();

// A line for each opponent of the bot that these are the pairs of, in the order of the standings,
// with its rank and rating there, and a line for all of them.
std::string OpponentsText(const google::protobuf::RepeatedPtrField<v1::Standing>& standings,
                          const google::protobuf::RepeatedPtrField<v1::PairTotal>& pairs);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_CROSSTABLE_H_

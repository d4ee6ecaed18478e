// Blocks and their matches as text for people, and the results of blocks by bot. Pure.
#ifndef REFEREE_CTL_COMPETITION_BLOCKS_TEXT_H_
#define REFEREE_CTL_COMPETITION_BLOCKS_TEXT_H_

#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "google/protobuf/repeated_field.h"
#include "proto/referee/v1/competition_service.pb.h"

namespace referee::ctl {

// A table of blocks, a line each, with points and scores in the order of the bots; with or without
// the line that names the columns.
std::string BlocksText(const google::protobuf::RepeatedPtrField<v1::Block>& blocks, bool heading);
// The same of their matches, with ranks and scores by seat, as the bots are.
std::string MatchesText(const google::protobuf::RepeatedPtrField<v1::Block>& blocks, bool heading);

// What the bots of a block made in it, in their order: the unit is that of v1::Standing.points.
// None unless it counts, with ranks of all matches.
absl::optional<std::vector<double>> PointsOf(const v1::Block& block);
// The sum of the scores that a bot got, and the matches of the block that it forfeited. `place`: in
// block.bots.
int64_t ScoreOf(const v1::Block& block, int place);
int ForfeitsOf(const v1::Block& block, int place);

// The place in the block's pairing of the bot in `seat` of the match.
int PlaceAt(const v1::Block& block, const v1::BlockMatch& match, int seat);
// The bot in `seat` of the match.
const std::string& BotAt(const v1::Block& block, const v1::BlockMatch& match, int seat);
// "TIMEOUT", "ILLEGAL", "DISCONNECTED", "RESIGNED"; empty if the seat did not forfeit.
std::string ForfeitAt(const v1::BlockMatch& match, int seat);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_BLOCKS_TEXT_H_

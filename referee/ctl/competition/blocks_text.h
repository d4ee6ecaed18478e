// Tables of blocks and of their matches, and the results of blocks by bot. Pure.
#ifndef REFEREE_CTL_COMPETITION_BLOCKS_TEXT_H_
#define REFEREE_CTL_COMPETITION_BLOCKS_TEXT_H_

#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "google/protobuf/repeated_field.h"
#include "proto/referee/v1/competition_service.pb.h"
#include "referee/ctl/terminal/print.h"

namespace referee::ctl {

// A match and its block, which outlives it.
struct MatchOfBlock {
  const v1::Block* block;
  const v1::BlockMatch* match;
};
// All matches, or those of the blocks that were played, in their order.
std::vector<MatchOfBlock> MatchesOf(const google::protobuf::RepeatedPtrField<v1::Block>& blocks,
                                    bool only_played = false);

// Blocks, with points and scores in the order of the bots.
const Columns<v1::Block>& BlocksTable();
// Matches, with ranks and scores by seat, as the bots are.
const Columns<MatchOfBlock>& MatchesTable();

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

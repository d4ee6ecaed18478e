// Tables of blocks and of their matches, and the columns of what is exported for programs. Pure.
#ifndef REFEREE_CTL_COMPETITION_TABLES_H_
#define REFEREE_CTL_COMPETITION_TABLES_H_

#include <string>
#include <vector>

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

// One line a bot: all of v1::Standing but its conduct. elo_low and elo_high are the bounds of the
// 95 % interval: elo less and plus elo_error. CSV has a column tie_break_... for each of the
// competition's tie-breaks, which all standings have.
Columns<v1::Standing> StandingsExport(
    const google::protobuf::RepeatedPtrField<v1::Standing>& standings);

// One line a match. Attempts count from 1; times are those of the block, as in RFC 3339. CSV has
// bot_, rank_, score_, forfeit_ and version_ of each seat, from a.
Columns<MatchOfBlock> ResultsExport(int seats);

// One line a block, whatever its state: what each bot made in all of its matches together. Points
// and scores are known if it counts. CSV has bot_, points_, score_ and forfeits_ of each bot, from
// 1, in the order of seats in rotation 0.
Columns<v1::Block> BlocksExport(int seats);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_TABLES_H_

// Tables of blocks and of their matches, and the columns of exports for programs. Pure.
#ifndef REFEREE_CTL_COMPETITION_TABLES_H_
#define REFEREE_CTL_COMPETITION_TABLES_H_

#include <string>
#include <vector>

#include "google/protobuf/repeated_field.h"
#include "proto/referee/v1/competition_service.pb.h"
#include "referee/ctl/terminal/print.h"

namespace referee::ctl {

// A match and its block. The block must outlive this value.
struct MatchOfBlock {
  const v1::Block* block;
  const v1::BlockMatch* match;
};
// All matches in order; with `only_played`, only those of played blocks.
std::vector<MatchOfBlock> MatchesOf(const google::protobuf::RepeatedPtrField<v1::Block>& blocks,
                                    bool only_played = false);

// Blocks, with points and scores in the order of the bots.
const Columns<v1::Block>& BlocksTable();
// Matches, with ranks and scores in the order of the seats, like the bots.
const Columns<MatchOfBlock>& MatchesTable();

// One row for each bot: all fields of v1::Standing except conduct. elo_low and elo_high are the
// bounds of the 95 % interval, elo -/+ elo_error. CSV has a column tie_break_... for each of the
// competition's tie-breaks, which all standings have.
Columns<v1::Standing> StandingsExport(
    const google::protobuf::RepeatedPtrField<v1::Standing>& standings);

// One row for each match. Attempts count from 1; times are those of the block, in RFC 3339. CSV has
// columns bot_, rank_, score_, forfeit_ and version_ for each seat, from a.
Columns<MatchOfBlock> ResultsExport(int seats);

// One row for each block in any state, with each bot's total over its matches. Points and scores
// are known if the block counts. CSV has columns bot_, points_, score_ and forfeits_ for each bot,
// numbered from 1 in the order of the seats in rotation 0.
Columns<v1::Block> BlocksExport(int seats);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_TABLES_H_

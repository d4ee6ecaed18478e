// Competitions for programs: standings and results as CSV (RFC 4180) or JSON, an object a line.
// Pure.
#ifndef REFEREE_CTL_COMPETITION_EXPORT_H_
#define REFEREE_CTL_COMPETITION_EXPORT_H_

#include <string>

#include "google/protobuf/repeated_field.h"
#include "proto/referee/v1/competition_service.pb.h"

namespace referee::ctl {

enum class ExportFormat { kCsv, kJson };

// One line a bot, after a header line in CSV:
//   rank,bot,blocks,wins,draws,losses,forfeits,points,tie_break,elo,elo_error,superiority,connected,
//   remark
//   tie_break_..., share,annulled,forfeited_blocks,walkovers,provisional,version,season,succeeded,
//   byes,elo_low,elo_high
//
// elo_low and elo_high are the bounds of the 95 % interval: elo less and plus elo_error. A column
// tie_break_... is there for each of the competition's. Numbers that are not known are empty in CSV
// and null in JSON. Lines end with \r\n in CSV.
std::string ExportStandings(const google::protobuf::RepeatedPtrField<v1::Standing>& standings,
                            ExportFormat format);

// The header line of ExportResults in CSV, of matches of so many seats; empty in JSON.
//
//   block,rotation,attempt,match_id,begin_time,end_time
//
// and then, for each seat s from a:
//
//   bot_s,rank_s,score_s,forfeit_s
//
// then the season, and for each seat version_s.
std::string ResultsHeader(int seats, ExportFormat format);
// One line a match of a block that was played; none of others. Attempts count from 1; times are
// those of the block, as in RFC 3339; forfeit is empty, or the cause.
std::string ExportResults(const v1::Block& block, ExportFormat format);

// The header line of ExportBlock in CSV, of blocks of so many bots; empty in JSON.
//
//   block,state,attempt,begin_time,end_time
//
// then for each bot, from 1, in the order of seats in rotation 0
//
//   bot_n,points_n,score_n,forfeits_n
//
// and reason.
std::string BlocksHeader(int seats, ExportFormat format);
// One line a block, whatever its state: what each bot made in all of its matches together. Points
// and scores are empty unless it counts.
std::string ExportBlock(const v1::Block& block, ExportFormat format);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_COMPETITION_EXPORT_H_

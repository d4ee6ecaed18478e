// The summary of a replay in the index of an archive.
//
// With it replays can be found and counted without being read. Values and pure functions;
// thread-compatible.
#ifndef REFEREE_REPLAY_SUMMARY_H_
#define REFEREE_REPLAY_SUMMARY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/match/verdict.h"
#include "referee/replay/replay.h"

namespace referee::replay {

struct SeatSummary {
  std::string bot;
  absl::optional<int> rank;   // set if the match has a result
  absl::optional<int> score;  // set if the match has a result
  absl::optional<match::Cause> forfeit;
  absl::Duration used;  // charged time of all its turns

  friend bool operator==(const SeatSummary& a, const SeatSummary& b) {
    return a.bot == b.bot && a.rank == b.rank && a.score == b.score && a.forfeit == b.forfeit &&
           a.used == b.used;
  }
};

struct ReplaySummary {
  MatchId id;
  absl::Time create_time;  // from the id, to the millisecond
  absl::Time end_time;     // to the microsecond
  std::string game;
  std::string competition;  // its id; empty: none
  std::string block;        // its id; empty: none
  int rotation = 0;         // in the block
  uint32_t turns = 0;       // number of turns played
  match::Ending ending = match::Ending::kVoid;
  std::string opening_roll;  // dice of the first turn, the higher first: "5-3"; empty: none
  std::vector<SeatSummary> seats;

  friend bool operator==(const ReplaySummary& a, const ReplaySummary& b) {
    return a.id == b.id && a.create_time == b.create_time && a.end_time == b.end_time &&
           a.game == b.game && a.competition == b.competition && a.block == b.block &&
           a.rotation == b.rotation && a.turns == b.turns && a.ending == b.ending &&
           a.opening_roll == b.opening_roll && a.seats == b.seats;
  }
};

// Summarises a match while it is recorded, without storing its records.
class Summariser {
 public:
  explicit Summariser(const match::Setup& setup);
  // Adds the next record. REQUIRES: its seats exist in the setup.
  void Add(const match::Record& record);
  // REQUIRES: the last record was match::Ended.
  const ReplaySummary& summary() const { return summary_; }

 private:
  ReplaySummary summary_;
};

// REQUIRES: replay.ended().
ReplaySummary Summarise(const Replay& replay);

// Returns the request id of a competition for one attempt at a block:
// "c/<competition>/<block>/<attempt>".
std::string BlockRequestId(absl::string_view competition, int64_t block, int attempt);

// Returns the id of the competition in a request id; empty: not a competition's request.
absl::string_view CompetitionOf(absl::string_view request_id);

// "FINISHED", "VOID", "CANCELLED".
absl::string_view EndingName(match::Ending ending);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_SUMMARY_H_

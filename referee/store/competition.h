// Competitions and their entrants, as the store holds them. Plain values.
#ifndef REFEREE_STORE_COMPETITION_H_
#define REFEREE_STORE_COMPETITION_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/dice/dice.h"
#include "referee/rating/rating.h"
#include "referee/schedule/spec.h"

namespace referee::store {

// A permanent id of a competition: a ULID in the notation of MatchId, so that ids sort by time.
class CompetitionId {
 public:
  CompetitionId() = default;
  explicit CompetitionId(std::string text) : text_(std::move(text)) {}
  const std::string& text() const { return text_; }

  friend bool operator==(const CompetitionId& a, const CompetitionId& b) {
    return a.text_ == b.text_;
  }
  friend bool operator!=(const CompetitionId& a, const CompetitionId& b) { return !(a == b); }
  friend bool operator<(const CompetitionId& a, const CompetitionId& b) {
    return a.text_ < b.text_;
  }
  template <typename H>
  friend H AbslHashValue(H h, const CompetitionId& id) {
    return H::combine(std::move(h), id.text_);
  }

 private:
  std::string text_;
};

enum class CompetitionState { kNew, kRunning, kPaused, kFinishing, kFinished };
// "NEW", "RUNNING", "PAUSED", "FINISHING", "FINISHED".
absl::string_view StateName(CompetitionState state);

// Distinguishes the entrants of one bot.
struct EntrantLabel {
  std::string version;
  int season = 1;
  bool stands = true;  // no other entrant has replaced it

  friend bool operator==(const EntrantLabel& a, const EntrantLabel& b) {
    return a.version == b.version && a.season == b.season && a.stands == b.stands;
  }
};

struct Competition {
  CompetitionId id;
  // The spec as requested; spec.name is unique. spec.entrants are the names of the current
  // entrants, by number; a bot with several entrants appears for each. Lists of competitions omit
  // them. spec.positions are only input; the store returns them by ReadPositions only.
  schedule::Spec spec;
  std::string request_id;  // of the call that made it; may be empty
  absl::Time create_time;
  // The source of pinned dice; set if spec.pinned. Secret until the competition is finished.
  absl::optional<dice::Seed> dice_seed;
  // The lives of the store (BeginLife) after the first in which its dice are played or its coins
  // flipped. Each has 32 hex digits; the latest is last. Secret until the competition is finished.
  // `life_blocks`: for each life the number of its first block. Ignored by CreateCompetition.
  std::vector<std::string> dice_lives;
  std::vector<int64_t> life_blocks;
  // The source of the coin flips of a knockout (LotOf); not set in other formats. Secret until the
  // competition is finished.
  absl::optional<dice::Seed> lot_seed;

  // Ignored by CreateCompetition, which begins with these values.
  CompetitionState state = CompetitionState::kNew;
  absl::optional<absl::Time> start_time;   // when it was first RUNNING
  absl::optional<absl::Time> finish_time;  // when it became FINISHED
  // Rises whenever the state changes, or a bot joins or is taken out.
  int64_t version = 1;
  int64_t next_block = 0;  // number of the next block
  // How many blocks, from the first without a gap, are over and included in tallies and pair
  // totals. Blocks without results count too, but add only the conduct of their attempts.
  int64_t counted = 0;
  int64_t replayed = 0;              // failed attempts that were followed by another
  std::vector<EntrantLabel> labels;  // of spec.entrants
  int position_count = 0;            // number of positions in the spec
  // Of a ladder: the current season, from 1. Seasons after the first have a start time and the
  // number of their first block.
  int season = 1;
  absl::optional<absl::Time> season_time;
  int64_t season_block = 0;
  // The term of the lease that last took the competition (Store::TakeHomes); 0: none. That daemon
  // owns the competition as long as its lease lasts.
  int64_t home_term = 0;
};

enum class Presence {
  kIn,         // plays
  kWithdrawn,  // left, or was taken out by an organiser or for absence
  kSetAside,   // suspended: repeatedly did not answer, was not ready, or was late in void matches
};

// The term of a suspension after which the competition brings the bot back.
struct Suspension {
  absl::Time until;  // the earliest return
  absl::Duration length;

  friend bool operator==(const Suspension& a, const Suspension& b) {
    return a.until == b.until && a.length == b.length;
  }
};

// Faults of a bot's clock and connection in all matches of the counted blocks, including failed
// attempts.
struct Conduct {
  int64_t voids = 0;          // matches that ended without a result
  int64_t late_voids = 0;     // of these: void because this bot was late and the referee stalled
  absl::Duration given_back;  // to its clock, for stalls of the referee
  int64_t time_losses = 0;    // as in match::SeatTime
  int64_t lost_links = 0;     // turns with a lost connection

  Conduct& operator+=(const Conduct& more);
  friend bool operator==(const Conduct& a, const Conduct& b) {
    return a.voids == b.voids && a.late_voids == b.late_voids && a.given_back == b.given_back &&
           a.time_losses == b.time_losses && a.lost_links == b.lost_links;
  }
};

// A bot's results in the counted blocks.
struct Tally {
  rating::Rating rating;
  int64_t blocks = 0;
  int64_t wins = 0;  // matches in which it was first alone
  int64_t draws = 0;
  int64_t losses = 0;
  int64_t forfeits = 0;     // matches, of any cause
  int64_t half_points = 0;  // 2 for each bot behind it, 1 for each equal
  // Consecutive matches forfeited by silence, up to the last match. Overlapping ones count once.
  int silences = 0;
  // The end of the last block with a counted silence. Blocks that began before then add no more.
  absl::Time silent_until = absl::UnixEpoch();
  Conduct conduct = {};
};

// A bot in a competition; in a ladder, a version of a bot in a season.
//
// Entrants are numbered from 0, and never removed. When a bot gets another version, or a season
// begins, a new entrant replaces the current one, so each bot has one current entrant. The new
// entrant starts with rating::Succeed of the old one's rating, and an empty tally. Blocks that the
// old one has begun continue, and count for the old one.
struct Entrant {
  int number = 0;
  std::string name;
  Tally tally;
  int64_t blocks_begun = 0;  // includes dropped blocks; further attempts do not count
  Presence presence = Presence::kIn;
  std::string reason;  // why it is not in; for people
  // The last suspension; stays set after the bot's return. Not set while the bot is suspended
  // without an automatic return.
  absl::optional<Suspension> suspension = {};
  // The competition's next_block when the bot was last taken out: it is in no block from there on
  // until it returns. 0: never taken out.
  int64_t out_from = 0;
  std::string version = {};  // the bot's version; empty: not reported
  int season = 1;
  // The entrant that replaced it; not set: current. A replaced entrant is not in.
  absl::optional<int> successor = {};
  // The entrant that it first replaced, and how many blocks were counted then. From there on its
  // rating is independent.
  absl::optional<int> predecessor = {};
  int64_t rated_from = 0;
};

// An entrant with its competition.
struct Entry {
  CompetitionId competition;
  std::string competition_name;
  CompetitionState state = CompetitionState::kNew;
  Entrant entrant;
};

// Returns the seed for an attempt at a block, if the dice are pinned: DerivedSeed of
// "competition/<block number>/<attempt>". In a later life of the store, "/<life>" follows. Returns
// none if the dice are not pinned.
absl::optional<dice::Seed> PinnedSeedOf(const Competition& competition, int64_t block, int attempt);
// Returns a new life of a store: 32 random hex digits.
std::string RandomLife();
// Returns whether a seed is PinnedSeedOf the attempt in any life of the store so far.
bool IsPinnedSeedOf(const Competition& competition, int64_t block, int attempt,
                    const dice::Seed& seed);

// Returns the winner of the coin flip in tie `tie` (from 0, in bracket order) of round `round`
// (from 1). The result is the lowest bit of the first byte of DerivedSeed "lot/<round>/<tie>"; 0:
// the bot with the lower number. If `last_block`, the last block of the tie, began in a later life
// of the store, "/<life>" follows. REQUIRES: competition.lot_seed.
int LotOf(const Competition& competition, int round, int tie, int64_t last_block);

}  // namespace referee::store

#endif  // REFEREE_STORE_COMPETITION_H_

// Competitions and who is entered in them, as the store keeps them. Plain values.
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

// Names a competition for ever: a ULID in the notation of MatchId, so that ids sort by time.
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

// What tells the entrants of one bot from each other.
struct EntrantLabel {
  std::string version;
  int season = 1;
  bool stands = true;  // nobody has taken its place

  friend bool operator==(const EntrantLabel& a, const EntrantLabel& b) {
    return a.version == b.version && a.season == b.season && a.stands == b.stands;
  }
};

struct Competition {
  CompetitionId id;
  // The spec as requested; spec.name is unique. spec.entrants are the names of the current ones, by
  // number: one that has several entrants is named for each. Lists of competitions leave them out.
  // spec.positions are only asked for: what the store returns is without them (ReadPositions).
  schedule::Spec spec;
  std::string request_id;  // of the call that made it; may be empty
  absl::Time create_time;
  // Where pinned dice come from; set if spec.pinned. A secret until the competition is finished.
  absl::optional<dice::Seed> dice_seed;
  // The lives of the store after the first in which its dice are played, or its lots drawn
  // (BeginLife), each as 32 hex digits, the latest last; a secret until the competition is
  // finished. By life: the number of the first block that began in it. Ignored by
  // CreateCompetition.
  std::vector<std::string> dice_lives;
  std::vector<int64_t> life_blocks;
  // Where the lots of a knockout come from (LotOf); none of other formats. A secret
  // until the competition is finished.
  absl::optional<dice::Seed> lot_seed;

  // Ignored by CreateCompetition, which begins with these values.
  CompetitionState state = CompetitionState::kNew;
  absl::optional<absl::Time> start_time;   // when it first was RUNNING
  absl::optional<absl::Time> finish_time;  // when it was FINISHED
  // Rises whenever the state changes, or a bot joins or is taken out.
  int64_t version = 1;
  int64_t next_block = 0;  // the number that the next block gets
  // How many blocks, from the first without a gap, are over and included in entrants' tallies and
  // pair totals. Those that were not played count too, and change nothing there but the figures of
  // their attempts (Conduct).
  int64_t counted = 0;
  int64_t replayed = 0;              // attempts that came to nothing and were followed by another
  std::vector<EntrantLabel> labels;  // of spec.entrants
  int position_count = 0;            // of spec.positions
  // Of a ladder: the season that goes on, from 1. The second and later ones have a time at which
  // they began, and the number of their first block.
  int season = 1;
  absl::optional<absl::Time> season_time;
  int64_t season_block = 0;
  // The term of the lease of the daemon that took it last (Store::TakeHomes); 0: none ever has. Its
  // home is that daemon, as long as that lease lasts.
  int64_t home_term = 0;
};

enum class Presence {
  kIn,         // plays
  kWithdrawn,  // left, or was taken out by an organiser or for being away
  kSetAside,   // did not answer, was not ready, or was late in voids, again and again
};

// How long a bot is out that did not answer, and that its competition brings back by itself.
struct Suspension {
  absl::Time until;  // it does not come back before
  absl::Duration length;

  friend bool operator==(const Suspension& a, const Suspension& b) {
    return a.until == b.until && a.length == b.length;
  }
};

// What went by a bot's clock and link in all matches of the counted blocks, also of attempts that
// came to nothing.
struct Conduct {
  int64_t voids = 0;          // matches that ended without a result
  int64_t late_voids = 0;     // of these: void since this bot was late and the referee stood still
  absl::Duration given_back;  // of its clock, since the referee stood still
  int64_t time_losses = 0;    // as in match::SeatTime
  int64_t lost_links = 0;     // turns in which its link was lost

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
  int64_t wins = 0;  // matches in which it alone was first
  int64_t draws = 0;
  int64_t losses = 0;
  int64_t forfeits = 0;     // matches, whatever the cause
  int64_t half_points = 0;  // of 2 seats 2 a win, 1 a draw; of n, 2 a bot left behind, 1 an equal
  // Matches in a row, up to the last one, forfeited by silence. Of those that overlap one counts.
  int silences = 0;
  // The end of the last block in which one was counted: of a block that began before then, no other
  // is.
  absl::Time silent_until = absl::UnixEpoch();
  Conduct conduct = {};
};

// A bot in a competition; in a ladder, a version of a bot in a season. Entrants are numbered from
// 0, and never removed.
//
// When a bot gets another version, or a season begins, another entrant takes the place of the one
// that stood for it; so one of a bot's entrants stands at any time. The rating of the new one is
// rating::Succeed of what the old one's was then, its tally is empty. What the old one has begun
// goes on, and counts for it.
struct Entrant {
  int number = 0;
  std::string name;
  Tally tally;
  int64_t blocks_begun = 0;  // dropped ones too; one that is begun again is not counted again
  Presence presence = Presence::kIn;
  std::string reason;  // why it is not in; for people
  // The last one, which stays when the bot has come back. Not set of one that is set aside: it does
  // not come back by itself.
  absl::optional<Suspension> suspension = {};
  // The competition's next_block when the bot was last taken out: no block from there on has the
  // bot until it comes back. 0 if it was never taken out.
  int64_t out_from = 0;
  std::string version = {};  // what the bot was then; empty: none was told
  int season = 1;
  // Who has taken its place; not set: it stands for its bot. One whose place was taken is not in.
  absl::optional<int> successor = {};
  // Whose place it took first, and how many blocks were counted then: from there on its rating
  // goes its own way.
  absl::optional<int> predecessor = {};
  int64_t rated_from = 0;
};

// Where a bot is entered.
struct Entry {
  CompetitionId competition;
  std::string competition_name;
  CompetitionState state = CompetitionState::kNew;
  Entrant entrant;
};

// The seed with which an attempt at a block of a competition is played now, if its dice are pinned:
// DerivedSeed of "competition/<block number>/<attempt>". In a later life of the store "/<life>"
// follows. None if they are not pinned.
absl::optional<dice::Seed> PinnedSeedOf(const Competition& competition, int64_t block, int attempt);
// A life of a store: 32 hex digits, drawn at random.
std::string RandomLife();
// Whether it is such a seed, in any life of the store so far.
bool IsPinnedSeedOf(const Competition& competition, int64_t block, int attempt,
                    const dice::Seed& seed);

// Who wins the lot in tie `tie`, from 0 in the bracket's order, of round `round`, from 1: the
// lowest bit of the first byte of DerivedSeed "lot/<round>/<tie>"; 0: the one with the lower
// number. If `last_block`, the last block of the tie, began in a later life of the store, "/<life>"
// follows. REQUIRES: competition.lot_seed.
int LotOf(const Competition& competition, int round, int tie, int64_t last_block);

}  // namespace referee::store

#endif  // REFEREE_STORE_COMPETITION_H_

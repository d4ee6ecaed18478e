// Round robin and gauntlet: everybody, or everybody against one, meets as often as everybody else.
// Blocks come in waves (waves.h). One that cannot begin because a bot is not there is passed over
// when a later one can, and is then owed: it begins before all others as soon as its bots are
// there. Thread-compatible.
#ifndef REFEREE_SCHEDULE_WAVE_SCHEDULE_H_
#define REFEREE_SCHEDULE_WAVE_SCHEDULE_H_

#include <deque>
#include <list>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "referee/schedule/closed_schedule.h"
#include "referee/schedule/encounters.h"
#include "referee/schedule/open_blocks.h"
#include "referee/schedule/ranking.h"
#include "referee/schedule/score_sheet.h"
#include "referee/schedule/seating.h"
#include "referee/schedule/waves.h"

namespace referee::schedule {

class WaveSchedule : public ClosedSchedule {
 public:
  // REQUIRES: Validate(spec) is OK.
  static std::unique_ptr<Schedule> RoundRobin(const Spec& spec);
  static std::unique_ptr<Schedule> Gauntlet(const Spec& spec);

  void Withdraw(int bot) override;
  absl::optional<rating::Pairing> Next(const std::vector<bool>& free, Instant) override;
  void Begun(const rating::Pairing& pairing) override;
  void Played(int64_t number, const rating::BlockOutcome& outcome) override;
  void Dropped(int64_t number) override;
  void Voided(int64_t number) override;
  bool done() const override;
  int64_t blocks_left() const override;
  bool needs(int bot) const override;
  std::vector<ScoreLine> Scores() const override;

 private:
  using Blocks = std::list<rating::Pairing>;

  // `soloist` is in every block; -1: none.
  WaveSchedule(const Spec& spec, std::unique_ptr<Waves> waves, int soloist);

  // Fills `ahead_` up to wave `index`, from 0 the one that is played now; false: there is none.
  bool LookAhead(size_t index);
  // The block of the waves that can begin now: sets its wave's place in `ahead_`.
  absl::optional<rating::Pairing> Find(const std::vector<bool>& free, size_t* wave);
  // Whether a block may be passed over: a bot of it is not there, rather than busy here.
  bool Absent(const rating::Pairing& pairing, const std::vector<bool>& free) const;
  // What comes before wave `index` and was not begun is owed from now on.
  void PassOver(size_t index);
  // Notes that a block of the wave that is played now, or an owed one, begins.
  void Begin(const rating::Pairing& pairing, bool owed);
  // Returns the block that has ended; none if there was none of this number.
  absl::optional<rating::Pairing> End(int64_t number);

  // The table is made of what counts (wave_table.cc).
  struct Counted {
    std::vector<ScoreLine> lines;  // by bot
    Encounters encounters;
    std::vector<int64_t> lost;  // half points, beside encounters, that a bot could have made
  };
  Counted Count() const;
  // A bot that left late lost what it has not played; who was to meet it has won it.
  void Complete(int bot, Counted* counted) const;
  // Blocks that the two were to play with each other, and never will.
  int Missing(int bot, int other) const;
  Contender ContenderOf(int bot, const Counted& counted) const;

  const std::unique_ptr<Waves> waves_;
  const int soloist_;
  const Spec spec_;
  const std::vector<TieBreak> tie_breaks_;
  std::vector<bool> withdrawn_;
  ScoreSheet sheet_;
  Encounters encounters_;
  OpenBlocks open_;
  // Of more than two seats: who sits after whom, in the blocks that were given a wave and in those
  // that have begun.
  const bool seats_evenly_;
  Seating planned_seats_;
  Seating begun_seats_;
  absl::flat_hash_set<int64_t> open_in_wave_;  // numbers: the next wave waits for them
  std::deque<Blocks> ahead_;                   // not begun, by wave; the first is played now
  Blocks pending_;                             // owed; oldest first
  bool stopped_ = false;                       // the soloist left
  // Blocks that were given up as void: of each bot, and of each two, the lower first.
  std::vector<int> void_blocks_;
  absl::flat_hash_map<std::pair<int, int>, int> void_of_pair_;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_WAVE_SCHEDULE_H_

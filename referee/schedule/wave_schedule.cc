// Round robin (all pairs) and gauntlet (one bot against the rest), played in waves.
//
// Blocks come in waves (waves.h). A block whose bots are absent is skipped if a later one can
// begin. It is then owed: it takes precedence over all others once its bots are present.
// Thread-compatible.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "referee/schedule/formats.h"
#include "referee/schedule/open_blocks.h"
#include "referee/schedule/ranking.h"
#include "referee/schedule/seating.h"
#include "referee/schedule/waves.h"

namespace referee::schedule {
namespace {

bool AllIn(const rating::Pairing& pairing, const std::vector<bool>& set) {
  return std::all_of(pairing.bots.begin(), pairing.bots.end(),
                     [&set](int bot) { return set[bot]; });
}

bool Has(const rating::Pairing& pairing, int bot) {
  return std::find(pairing.bots.begin(), pairing.bots.end(), bot) != pairing.bots.end();
}

class WaveSchedule final : public Schedule {
 public:
  // `soloist` is in every block; -1: none.
  WaveSchedule(const Spec& spec, std::unique_ptr<Waves> waves, int soloist);

  void Withdraw(int bot) override;
  absl::optional<rating::Pairing> Next(const std::vector<bool>& free, Instant) override;
  void Begun(const rating::Pairing& pairing) override;
  void Played(int64_t number, const rating::BlockOutcome& outcome) override;
  void Dropped(int64_t number) override { End(number); }
  void Voided(int64_t number) override;
  bool done() const override { return blocks_left() == 0 && open_.empty(); }
  int64_t blocks_left() const override;
  bool needs(int bot) const override;
  std::vector<ScoreLine> Scores() const override;

 private:
  using Blocks = std::list<rating::Pairing>;

  // Fills `ahead_` up to wave `index`; 0 is the current wave. Returns false if that wave does not
  // exist.
  bool LookAhead(size_t index);
  // Returns a block of the waves that can begin now, and sets `wave` to its index in `ahead_`.
  absl::optional<rating::Pairing> Find(const std::vector<bool>& free, size_t* wave);
  // Whether a block may be skipped: one of its bots is absent, rather than busy here.
  bool Absent(const rating::Pairing& pairing, const std::vector<bool>& free) const;
  // Makes all blocks owed that come before wave `index` and have not begun.
  void PassOver(size_t index);
  // Records that a block of the current wave, or an owed one, begins.
  void Begin(const rating::Pairing& pairing, bool owed);
  // Returns the block that has ended; none if the number is not open.
  absl::optional<rating::Pairing> End(int64_t number);

  // The data of the table.
  struct Counted {
    std::vector<ScoreLine> lines;  // by bot
    Encounters encounters;
    std::vector<int64_t> lost;  // half points that a bot could have made, beside encounters
  };
  Counted Count() const;
  // Completes the results of a bot that left late: it loses the blocks that it has not played, and
  // its opponents win them.
  void Complete(int bot, Counted* counted) const;
  // The number of blocks that the two were to play with each other and never will.
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
  // With more than two seats: who sat after whom, in the blocks of planned waves and in begun
  // blocks.
  const bool seats_evenly_;
  Seating planned_seats_;
  Seating begun_seats_;
  absl::flat_hash_set<int64_t> open_in_wave_;  // numbers; the next wave waits for them
  std::deque<Blocks> ahead_;                   // not begun, by wave; the first is the current one
  Blocks pending_;                             // owed; oldest first
  bool stopped_ = false;                       // the soloist has left
  // VOID blocks: of each bot, and of each pair, the lower bot first.
  std::vector<int> void_blocks_;
  absl::flat_hash_map<std::pair<int, int>, int> void_of_pair_;
};

WaveSchedule::WaveSchedule(const Spec& spec, std::unique_ptr<Waves> waves, int soloist)
    : Schedule(spec.format),
      waves_(std::move(waves)),
      soloist_(soloist),
      spec_(spec),
      tie_breaks_(TieBreaks(spec)),
      withdrawn_(spec.entrants.size(), false),
      sheet_(spec.entrants.size()),
      encounters_(spec.entrants.size()),
      open_(spec.entrants.size()),
      seats_evenly_(spec.seats > 2),
      void_blocks_(spec.entrants.size(), 0) {}

void WaveSchedule::Withdraw(int bot) {
  if (withdrawn_[bot]) return;
  withdrawn_[bot] = true;
  stopped_ = stopped_ || bot == soloist_;
  if (waves_->Withdraw(bot) || stopped_) {
    pending_.clear();
    ahead_.clear();
    planned_seats_ = begun_seats_;
    return;
  }
  const auto has = [bot](const rating::Pairing& pairing) { return Has(pairing, bot); };
  pending_.remove_if(has);
  for (Blocks& wave : ahead_) wave.remove_if(has);
}

bool WaveSchedule::LookAhead(size_t index) {
  while (ahead_.size() <= index && !stopped_) {
    Wave wave = waves_->Next();
    if (wave.empty()) return false;
    for (rating::Pairing& pairing : wave) {
      if (soloist_ >= 0) pairing.bots.insert(pairing.bots.begin(), soloist_);
      if (!seats_evenly_) continue;
      planned_seats_.Seat(&pairing);
      planned_seats_.Count(pairing);
    }
    ahead_.emplace_back(wave.begin(), wave.end());
  }
  return !stopped_;
}

bool WaveSchedule::Absent(const rating::Pairing& pairing, const std::vector<bool>& free) const {
  return std::any_of(pairing.bots.begin(), pairing.bots.end(),
                     [this, &free](int bot) { return !free[bot] && open_.playing(bot) == 0; });
}

absl::optional<rating::Pairing> WaveSchedule::Find(const std::vector<bool>& free, size_t* wave) {
  for (*wave = 0; LookAhead(*wave); ++*wave) {
    bool waits = false;
    for (const rating::Pairing& pairing : ahead_[*wave]) {
      if (AllIn(pairing, free)) return pairing;
      waits = waits || !Absent(pairing, free);
    }
    // If all bots play in each block, no bot gets ahead.
    const bool all_play = spec_.entrants.size() == static_cast<size_t>(spec_.seats);
    if (waits || (!open_in_wave_.empty() && !all_play)) return absl::nullopt;
  }
  return absl::nullopt;
}

void WaveSchedule::PassOver(size_t index) {
  for (; index > 0; --index) {
    pending_.splice(pending_.end(), ahead_.front());
    ahead_.pop_front();
  }
}

void WaveSchedule::Begin(const rating::Pairing& pairing, bool owed) {
  Blocks& blocks = owed ? pending_ : ahead_.front();
  blocks.erase(std::find(blocks.begin(), blocks.end(), pairing));
  waves_->Begun(pairing);
  if (seats_evenly_) begun_seats_.Count(pairing);
  const int64_t number = open_.Begin(pairing);
  if (!owed) open_in_wave_.insert(number);
}

absl::optional<rating::Pairing> WaveSchedule::Next(const std::vector<bool>& free, Instant /*now*/) {
  if (std::count(free.begin(), free.end(), true) < 2) {
    // Nothing can begin, but needs() must know the bots of the next blocks.
    LookAhead(!ahead_.empty() && ahead_.front().empty() ? 1 : 0);
    return absl::nullopt;
  }
  for (const rating::Pairing& pairing : pending_) {
    if (!AllIn(pairing, free)) continue;
    const rating::Pairing next = pairing;
    Begin(next, true);
    return next;
  }
  size_t wave = 0;
  absl::optional<rating::Pairing> next = Find(free, &wave);
  if (!next.has_value()) return next;
  PassOver(wave);
  Begin(*next, false);
  return next;
}

void WaveSchedule::Begun(const rating::Pairing& pairing) {
  if (std::find(pending_.begin(), pending_.end(), pairing) != pending_.end()) {
    Begin(pairing, true);
    return;
  }
  for (size_t wave = 0; LookAhead(wave); ++wave) {
    const Blocks& blocks = ahead_[wave];
    if (std::find(blocks.begin(), blocks.end(), pairing) == blocks.end()) continue;
    PassOver(wave);
    Begin(pairing, false);
    return;
  }
  open_.Begin(pairing);  // not a block of these waves: it counts all the same
}

absl::optional<rating::Pairing> WaveSchedule::End(int64_t number) {
  open_in_wave_.erase(number);
  return open_.End(number);
}

void WaveSchedule::Played(int64_t number, const rating::BlockOutcome& outcome) {
  End(number);
  sheet_.Add(outcome);
  encounters_.Add(outcome);
}

void WaveSchedule::Voided(int64_t number) {
  const absl::optional<rating::Pairing> ended = End(number);
  if (!ended.has_value()) return;
  for (const int bot : ended->bots) {
    ++void_blocks_[bot];
    for (const int other : ended->bots) {
      if (bot < other) ++void_of_pair_[{bot, other}];
    }
  }
}

int64_t WaveSchedule::blocks_left() const {
  if (stopped_) return 0;
  size_t left = pending_.size();
  for (const Blocks& wave : ahead_) left += wave.size();
  return static_cast<int64_t>(left) + waves_->left();
}

bool WaveSchedule::needs(int bot) const {
  if (withdrawn_[bot]) return false;
  const auto has = [bot](const rating::Pairing& pairing) { return Has(pairing, bot); };
  if (std::any_of(pending_.begin(), pending_.end(), has)) return true;
  const auto next =
      std::find_if(ahead_.begin(), ahead_.end(), [](const Blocks& wave) { return !wave.empty(); });
  return next != ahead_.end() && std::any_of(next->begin(), next->end(), has);
}

// --- The table ---

int WaveSchedule::Missing(int bot, int other) const {
  const std::pair<int, int> pair = std::minmax(bot, other);
  const auto found = void_of_pair_.find(pair);
  const int voided = found == void_of_pair_.end() ? 0 : found->second;
  const int64_t planned = soloist_ >= 0 ? BlocksPerBot(spec_) : Rounds(spec_);
  return static_cast<int>(planned) - encounters_.Between(bot, other).blocks - voided -
         open_.playing(bot, other);
}

void WaveSchedule::Complete(int bot, Counted* counted) const {
  std::vector<ScoreLine>& lines = counted->lines;
  // Half points that one can make against one other in a block.
  const int64_t block = 2 * int64_t{spec_.seats};
  if (spec_.seats > 2) {
    // Others play in its place, so no bot has a walkover.
    const int64_t missing =
        BlocksPerBot(spec_) - lines[bot].blocks - void_blocks_[bot] - open_.playing(bot);
    lines[bot].forfeited_blocks = static_cast<int>(std::max<int64_t>(0, missing));
    const int against = soloist_ >= 0 ? 1 : spec_.seats - 1;
    counted->lost[bot] = lines[bot].forfeited_blocks * against * block;
    return;
  }
  for (size_t i = 0; i < lines.size(); ++i) {
    const int other = static_cast<int>(i);
    if (other == bot || lines[i].annulled || (soloist_ >= 0 && other != soloist_)) continue;
    const int missing = std::max(0, Missing(bot, other));
    lines[bot].forfeited_blocks += missing;
    if (withdrawn_[other]) {
      // Both have lost it; the pair is visited from both sides.
      counted->lost[bot] += missing * block;
      continue;
    }
    lines[i].walkovers += missing;
    for (int k = 0; k < missing; ++k) {
      counted->encounters.AddUnplayed(bot, other, 0, block, block);
    }
  }
}

WaveSchedule::Counted WaveSchedule::Count() const {
  Counted counted{sheet_.lines(), encounters_, std::vector<int64_t>(withdrawn_.size(), 0)};
  if (stopped_) return counted;  // over for all bots: no bot left early or late
  std::vector<int> leavers;
  for (ScoreLine& line : counted.lines) {
    if (!withdrawn_[line.bot] || line.bot == soloist_) continue;
    leavers.push_back(line.bot);
    line.annulled = 2 * int64_t{line.blocks} < BlocksPerBot(spec_);
    if (line.annulled) counted.encounters.Annul(line.bot);
  }
  for (const int bot : leavers) {
    if (!counted.lines[bot].annulled) Complete(bot, &counted);
  }
  return counted;
}

Contender WaveSchedule::ContenderOf(int bot, const Counted& counted) const {
  Contender contender;
  contender.bot = bot;
  contender.left = withdrawn_[bot];
  contender.possible = counted.lost[bot];
  contender.values[static_cast<size_t>(TieBreak::kWins)] = counted.encounters.wins(bot);
  int64_t& sonneborn_berger = contender.values[static_cast<size_t>(TieBreak::kSonnebornBerger)];
  for (const auto& [opponent, encounter] : counted.encounters.of(bot)) {
    sonneborn_berger += counted.lines[opponent].points * encounter.points;
    // In a gauntlet, results against the soloist decide.
    if (soloist_ >= 0 && bot != soloist_ && opponent != soloist_) continue;
    contender.points += encounter.points;
    contender.possible += encounter.possible;
  }
  return contender;
}

std::vector<ScoreLine> WaveSchedule::Scores() const {
  Counted counted = Count();
  const auto sums = [this, &counted](ScoreLine* line) {
    const Contender contender = ContenderOf(line->bot, counted);
    if (!line->annulled) line->points = static_cast<int>(contender.points);
    if (contender.possible > 0) {
      line->share = static_cast<double>(contender.points) / static_cast<double>(contender.possible);
    }
  };
  for (ScoreLine& line : counted.lines) {
    sums(&line);
    if (line.bot == soloist_) line.remark = "soloist";
    if (withdrawn_[line.bot]) line.remark = "withdrawn";
  }
  std::vector<Contender> contenders;
  for (const ScoreLine& line : counted.lines) {
    if (line.bot == soloist_ || line.annulled) continue;
    contenders.push_back(ContenderOf(line.bot, counted));
  }
  std::vector<ScoreLine> table =
      Ranked(counted.lines, contenders, tie_breaks_, counted.encounters, spec_.seats);
  const auto add_unranked = [&](const ScoreLine& line) {
    table.push_back(line);
    table.back().rank = 0;
    for (const TieBreak tie_break : tie_breaks_) {
      table.back().tie_breaks.push_back({tie_break, absl::nullopt});
    }
  };
  if (soloist_ >= 0) add_unranked(counted.lines[soloist_]);
  for (const ScoreLine& line : counted.lines) {
    if (line.annulled) add_unranked(line);
  }
  return table;
}

}  // namespace

std::unique_ptr<Schedule> MakeRoundRobin(const Spec& spec) {
  const int bots = static_cast<int>(spec.entrants.size());
  std::unique_ptr<Waves> waves;
  if (spec.seats == 2) {
    waves = std::make_unique<PairWaves>(bots, Rounds(spec));
  } else {
    waves = std::make_unique<GroupWaves>(std::vector<bool>(bots, true), spec.seats,
                                         BlocksPerBot(spec), GroupWaves::Planning::kAsAWhole);
  }
  return std::make_unique<WaveSchedule>(spec, std::move(waves), -1);
}

std::unique_ptr<Schedule> MakeGauntlet(const Spec& spec) {
  std::vector<bool> others(spec.entrants.size(), true);
  others[0] = false;
  auto waves = std::make_unique<GroupWaves>(std::move(others), spec.seats - 1, BlocksPerBot(spec),
                                            GroupWaves::Planning::kWaveByWave);
  return std::make_unique<WaveSchedule>(spec, std::move(waves), 0);
}

}  // namespace referee::schedule

#include "referee/schedule/wave_schedule.h"

#include <algorithm>
#include <utility>

#include "absl/memory/memory.h"

namespace referee::schedule {
namespace {

bool AllIn(const rating::Pairing& pairing, const std::vector<bool>& set) {
  return std::all_of(pairing.bots.begin(), pairing.bots.end(),
                     [&set](int bot) { return set[bot]; });
}

bool Has(const rating::Pairing& pairing, int bot) {
  return std::find(pairing.bots.begin(), pairing.bots.end(), bot) != pairing.bots.end();
}

}  // namespace

WaveSchedule::WaveSchedule(const Spec& spec, std::unique_ptr<Waves> waves, int soloist)
    : ClosedSchedule(spec.format),
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
    // Where all play in each block nobody gets ahead.
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
    // Nothing can begin, and whom the next blocks need is known all the same.
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
  open_.Begin(pairing);  // a block that these waves do not hold: it counts all the same
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

void WaveSchedule::Dropped(int64_t number) { End(number); }

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

bool WaveSchedule::done() const { return blocks_left() == 0 && open_.empty(); }

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

std::unique_ptr<Schedule> WaveSchedule::RoundRobin(const Spec& spec) {
  const int bots = static_cast<int>(spec.entrants.size());
  std::unique_ptr<Waves> waves;
  if (spec.seats == 2) {
    waves = std::make_unique<PairWaves>(bots, Rounds(spec));
  } else {
    waves = std::make_unique<GroupWaves>(std::vector<bool>(bots, true), spec.seats,
                                         BlocksPerBot(spec), GroupWaves::Planning::kAsAWhole);
  }
  return absl::WrapUnique(new WaveSchedule(spec, std::move(waves), -1));
}

std::unique_ptr<Schedule> WaveSchedule::Gauntlet(const Spec& spec) {
  std::vector<bool> others(spec.entrants.size(), true);
  others[0] = false;
  auto waves = std::make_unique<GroupWaves>(std::move(others), spec.seats - 1, BlocksPerBot(spec),
                                            GroupWaves::Planning::kWaveByWave);
  return absl::WrapUnique(new WaveSchedule(spec, std::move(waves), 0));
}

}  // namespace referee::schedule

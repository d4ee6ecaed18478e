#include "tests/unit/schedule/tournament.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace referee::schedule {

Spec SpecOf(Format format, int entrants, int seats) {
  Spec spec;
  spec.name = "spring";
  spec.game = "hypnosia";
  spec.format = format;
  spec.seats = seats;
  for (int i = 0; i < entrants; ++i) spec.entrants.push_back(absl::StrCat("bot", i));
  return spec;
}

rating::BlockOutcome OutcomeOf(const rating::Pairing& pairing, const std::vector<int>& standing) {
  std::vector<int> ranks;
  for (const int mine : standing) {
    const auto better = [mine](int other) { return other < mine; };
    ranks.push_back(1 + static_cast<int>(std::count_if(standing.begin(), standing.end(), better)));
  }
  return {pairing, std::vector<std::vector<int>>(pairing.bots.size(), ranks)};
}

ScoreLine LineOf(const Schedule& schedule, int bot) {
  for (const ScoreLine& line : schedule.Scores()) {
    if (line.bot == bot) return line;
  }
  return ScoreLine();
}

absl::optional<double> TieBreakOf(const Schedule& schedule, int bot, TieBreak tie_break) {
  for (const TieBreakScore& score : LineOf(schedule, bot).tie_breaks) {
    if (score.tie_break == tie_break) return score.value;
  }
  return absl::nullopt;
}

int Chance::Below(int n) {
  state_ ^= state_ >> 12;
  state_ ^= state_ << 25;
  state_ ^= state_ >> 27;
  const uint64_t high = (state_ * 2685821657736338717u) >> 32;
  return static_cast<int>(high * static_cast<uint64_t>(n) >> 32);
}

Tournament::Tournament(const Spec& spec, uint64_t seed)
    : spec_(spec),
      chance_(seed),
      schedule_(Schedule::Make(spec)),
      begun_(spec.entrants.size(), 0),
      played_(spec.entrants.size(), 0),
      playing_(spec.entrants.size(), 0),
      there_(spec.entrants.size(), true),
      withdrawn_(spec.entrants.size(), false) {}

std::vector<bool> Tournament::Free() const {
  std::vector<bool> free(there_.size());
  for (size_t i = 0; i < free.size(); ++i) {
    free[i] = there_[i] && !withdrawn_[i] && playing_[i] < at_once;
  }
  return free;
}

bool Tournament::Begin() {
  if (static_cast<int>(running_.size()) >= max_running) return false;
  const std::vector<bool> free = Free();
  const absl::optional<rating::Pairing> next = schedule_->Next(free, Instant());
  if (again_ != nullptr) {
    EXPECT_TRUE(again_->Next(free, Instant()) == next) << "after " << blocks_.size() << " blocks";
  }
  if (!next.has_value()) return false;
  EXPECT_EQ(next->bots.size(), static_cast<size_t>(spec_.seats));
  for (const int bot : next->bots) {
    EXPECT_TRUE(free[bot]) << bot;
    EXPECT_EQ(std::count(next->bots.begin(), next->bots.end(), bot), 1) << bot;
    ++begun_[bot];
    ++playing_[bot];
  }
  running_.emplace(blocks_.size(), *next);
  blocks_.push_back(*next);
  return true;
}

void Tournament::BeginAll() {
  while (Begin()) {
  }
}

void Tournament::End(int64_t number, bool dropped) {
  const rating::Pairing& pairing = running_.at(number);
  std::vector<int> standing;
  for (size_t i = 0; i < pairing.bots.size(); ++i) standing.push_back(chance_.Below(3));
  Close(number, OutcomeOf(pairing, standing), dropped);
}

void Tournament::EndAs(int64_t number, const rating::BlockOutcome& outcome) {
  Close(number, outcome, false);
}

void Tournament::Close(int64_t number, const rating::BlockOutcome& outcome, bool dropped) {
  running_.erase(number);
  ended_[number] = !dropped;
  for (const int bot : outcome.pairing.bots) {
    --playing_[bot];
    played_[bot] += dropped ? 0 : 1;
  }
  outcomes_[number] = outcome;
  for (Schedule* schedule : {schedule_.get(), again_.get()}) {
    if (schedule == nullptr) continue;
    if (dropped) {
      schedule->Dropped(number);
    } else {
      schedule->Played(number, outcome);
    }
  }
}

void Tournament::Withdraw(int bot) {
  if (withdrawn_[bot]) return;
  withdrawn_[bot] = true;
  withdrawals_.emplace_back(blocks_.size(), bot);
  schedule_->Withdraw(bot);
  if (again_ != nullptr) again_->Withdraw(bot);
}

void Tournament::Step() {
  BeginAll();
  const int bot = chance_.Below(static_cast<int>(there_.size()));
  if (absent_one_in > 0 && chance_.OneIn(absent_one_in) && steady.count(bot) == 0) {
    there_[bot] = !there_[bot];
  }
  if (leave_one_in > 0 && chance_.OneIn(leave_one_in) && steady.count(bot) == 0) Withdraw(bot);
  if (running_.empty() || chance_.OneIn(3)) return;
  const auto ending = std::next(running_.begin(), chance_.Below(static_cast<int>(running_.size())));
  const auto left = [this](int each) { return withdrawn_[each]; };
  const std::vector<int>& bots = ending->second.bots;
  const bool dropped = std::any_of(bots.begin(), bots.end(), left) && chance_.OneIn(2);
  End(ending->first, dropped);
}

void Tournament::BringAllBack() {
  absent_one_in = 0;
  leave_one_in = 0;
  there_.assign(there_.size(), true);
}

bool Tournament::PlayToTheEnd(int healed, int most) {
  for (int step = 0; step < most; ++step) {
    if (schedule_->done()) return true;
    if (step == healed) BringAllBack();
    Step();
  }
  return false;
}

void Tournament::MakeAgain() {
  again_ = Schedule::Make(spec_);
  auto withdrawal = withdrawals_.begin();
  for (size_t number = 0; number <= blocks_.size(); ++number) {
    for (; withdrawal != withdrawals_.end() && withdrawal->first == number; ++withdrawal) {
      again_->Withdraw(withdrawal->second);
    }
    if (number == blocks_.size()) break;
    again_->Begun(blocks_[number]);
    const auto ended = ended_.find(static_cast<int64_t>(number));
    if (ended == ended_.end()) continue;
    if (ended->second) {
      again_->Played(ended->first, outcomes_[ended->first]);
    } else {
      again_->Dropped(ended->first);
    }
  }
}

Evenness EvennessOf(const std::vector<rating::Pairing>& blocks, int bots) {
  return EvennessOf(Spec(), blocks, std::vector<bool>(bots, true)).value();
}

int64_t MostTurned(const std::vector<rating::Pairing>& blocks, int bots) {
  const size_t size = static_cast<size_t>(bots);
  std::vector<std::vector<int64_t>> lead(size, std::vector<int64_t>(size, 0));
  for (const rating::Pairing& block : blocks) {
    for (size_t i = 0; i < block.bots.size(); ++i) {
      const int next = block.bots[(i + 1) % block.bots.size()];
      ++lead[block.bots[i]][next];
      --lead[next][block.bots[i]];
    }
  }
  int64_t most = 0;
  for (const std::vector<int64_t>& row : lead) {
    most = std::max(most, *std::max_element(row.begin(), row.end()));
  }
  return most;
}

Played PlayThrough(const Spec& spec) {
  Tournament tournament(spec, 1);
  Played played;
  while (!tournament.schedule().done()) {
    tournament.Step();
    const auto [least, most] =
        std::minmax_element(tournament.begun().begin(), tournament.begun().end());
    played.lead = std::max(played.lead, *most - *least);
  }
  played.blocks = tournament.blocks();
  return played;
}

}  // namespace referee::schedule

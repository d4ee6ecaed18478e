#include "tests/unit/schedule/field.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "referee/rating/fit.h"
#include "referee/schedule/ladder.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

Spec SpecFor(const FieldOptions& options) {
  Spec spec = SpecOf(Format::kLadder, options.bots, options.seats);
  spec.goal_width = options.goal_width;
  return spec;
}

}  // namespace

Field::Field(const FieldOptions& options)
    : options_(options),
      chance_(options.seed),
      schedule_(Schedule::Make(SpecFor(options))),
      ratings_(options.bots),
      playing_(options.bots, 0),
      away_(options.bots, false),
      beside_(options.bots, std::vector<int64_t>(options.bots, 0)),
      begun_(options.bots, 0) {
  const auto spread = [&](int bot) {
    return options_.bots == 1 ? 0 : static_cast<double>(bot) / (options_.bots - 1) - 0.5;
  };
  for (int bot = 0; bot < options_.bots; ++bot) {
    elo_.push_back(spread(bot) * options_.elo_range);
    speed_.push_back(1 + chance_.Uniform() * (options_.slowest - 1));
  }
}

int Field::MaxRunning() const {
  const int there = static_cast<int>(std::count(away_.begin(), away_.end(), false));
  const int most = there * options_.at_once / options_.seats;
  return options_.max_running == 0 ? most : std::min(most, options_.max_running);
}

bool Field::Begin() {
  if (static_cast<int>(running_.size()) >= MaxRunning()) return false;
  std::vector<bool> free(playing_.size());
  for (size_t i = 0; i < free.size(); ++i) free[i] = !away_[i] && playing_[i] < options_.at_once;
  absl::optional<rating::Pairing> next = schedule_->Next(free, now_);
  if (!next.has_value()) return false;
  double seconds = 0;
  for (const int bot : next->bots) {
    seconds += speed_[bot] / options_.seats;
    ++playing_[bot];
    ++begun_[bot];
    for (int other = 0; other < bots(); ++other) beside_[bot][other] += away_[other] ? 0 : 1;
    for (const int other : next->bots) {
      if (bot < other) ++met_[{bot, other}];
    }
  }
  seconds *= 0.5 + chance_.Uniform();
  running_.emplace(now_ + absl::Seconds(seconds), std::pair(next_number_++, *std::move(next)));
  return true;
}

void Field::BeginAll() {
  while (Begin()) {
  }
}

int Field::CouldBegin() const {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (size_t i = 0; i < begun_.size(); ++i) {
    if (!away_[i]) least = std::min(least, begun_[i]);
  }
  int free = 0;
  for (size_t i = 0; i < begun_.size(); ++i) {
    free += !away_[i] && playing_[i] < options_.at_once && begun_[i] < least + kLadderLead ? 1 : 0;
  }
  return free / options_.seats;
}

void Field::End() {
  const Instant asks = schedule_->asks_again();
  const Instant then = std::min(running_.begin()->first, asks);
  const double passed = absl::ToDoubleSeconds(then - now_);
  busy_ += passed * static_cast<double>(running_.size());
  // A bot that has left still finishes its block.
  const int empty = std::max(0, MaxRunning() - static_cast<int>(running_.size()));
  const int waiting = std::min(empty, CouldBegin());
  waited_ += passed * waiting;
  held_ += passed * (empty - waiting);
  now_ = then;
  if (running_.begin()->first > now_) return;
  const auto [number, pairing] = running_.begin()->second;
  running_.erase(running_.begin());
  for (const int bot : pairing.bots) --playing_[bot];
  rating::BlockOutcome outcome;
  if (options_.seats == 2) {
    const double lead = elo_[pairing.bots[0]] - elo_[pairing.bots[1]];
    outcome = rating::PairBlock(pairing.bots[0], pairing.bots[1], chance_.HalfPoints(lead));
    evidence_.Add(outcome);
  } else {
    std::vector<double> strengths;
    for (const int bot : pairing.bots) strengths.push_back(elo_[bot] * std::log(10) / 400);
    outcome = {pairing, {}};
    for (int rotation = 0; rotation < options_.seats; ++rotation) {
      outcome.ranks.push_back(chance_.Ranks(strengths));
    }
  }
  std::vector<rating::Rating> before;
  for (const int bot : outcome.pairing.bots) before.push_back(ratings_[bot]);
  const std::vector<rating::Rating> after = rating::Update(before, outcome);
  schedule_->Played(number, outcome);
  for (size_t i = 0; i < after.size(); ++i) {
    ratings_[outcome.pairing.bots[i]] = after[i];
    schedule_->Rated(outcome.pairing.bots[i], after[i]);
  }
  if (options_.changes > 0 && chance_.Uniform() < options_.changes) Change();
}

void Field::Change() {
  const auto below = [this](int n) {
    return std::min(n - 1, static_cast<int>(chance_.Uniform() * n));
  };
  const int bot = below(bots());
  const int gone = static_cast<int>(std::count(away_.begin(), away_.end(), true));
  switch (below(3)) {
    case 0:
      if (bots() == options_.bots + options_.joins || !schedule_->Join().ok()) return;
      elo_.push_back((chance_.Uniform() - 0.5) * options_.elo_range);
      speed_.push_back(1 + chance_.Uniform() * (options_.slowest - 1));
      ratings_.emplace_back();
      playing_.push_back(0);
      begun_.push_back(0);
      away_.push_back(false);
      for (std::vector<int64_t>& others : beside_) others.push_back(0);
      beside_.emplace_back(away_.size(), 0);
      break;
    case 1:
      if (away_[bot] || 3 * (gone + 1) > bots()) return;
      schedule_->Withdraw(bot);
      away_[bot] = true;
      break;
    default:
      if (!away_[bot] || !schedule_->Rejoin(bot).ok()) return;
      away_[bot] = false;
  }
  ++changes_;
}

void Field::Play(int64_t blocks) {
  const auto ended = [this] { return next_number_ - static_cast<int64_t>(running_.size()); };
  const int64_t until = ended() + blocks;
  while (ended() < until) {
    BeginAll();
    if (running_.empty() && schedule_->asks_again() == Instant::InfiniteFuture()) return;
    End();
  }
}

int64_t Field::Met(int first, int second) const {
  const auto found = met_.find({first, second});
  return found == met_.end() ? 0 : found->second;
}

double Field::Unmet() const {
  const double pairs = bots() * (bots() - 1) / 2.0;
  return 1 - static_cast<double>(met_.size()) / pairs;
}

double Field::UnmetInReach(double reach, int64_t blocks) const {
  int pairs = 0;
  int unmet = 0;
  for (int first = 0; first < bots(); ++first) {
    for (int second = first + 1; second < bots(); ++second) {
      if (std::min(beside_[first][second], beside_[second][first]) < blocks) continue;
      if (std::abs(elo_[first] - elo_[second]) > reach) continue;
      ++pairs;
      unmet += Met(first, second) == 0 ? 1 : 0;
    }
  }
  return pairs == 0 ? 0 : static_cast<double>(unmet) / pairs;
}

bool Field::Connected() const {
  std::vector<int> root(playing_.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int bot) {
    while (root[bot] != bot) bot = root[bot] = root[root[bot]];
    return bot;
  };
  for (const auto& [pair, times] : met_) root[find(pair.first)] = find(pair.second);
  for (int bot = 0; bot < bots(); ++bot) {
    if (begun_[bot] > 0 && find(bot) != find(0)) return false;
  }
  return true;
}

Field::Fitted Field::Fit() const {
  const std::vector<rating::Strength> strengths = rating::Fit(evidence_);
  // Both scales are relative to their own means.
  double mean = 0;
  double true_mean = 0;
  for (const rating::Strength& strength : strengths) true_mean += elo_[strength.bot];
  true_mean /= static_cast<double>(strengths.size());
  for (const rating::Strength& strength : strengths) mean += strength.elo - elo_[strength.bot];
  mean /= static_cast<double>(strengths.size());
  Fitted fitted;
  double fitted_spread = 0;
  double true_spread = 0;
  for (const rating::Strength& strength : strengths) {
    const double elo = strength.elo - mean;
    fitted.widest = std::max(fitted.widest, 2 * strength.error);
    fitted.coverage += std::abs(elo - elo_[strength.bot]) <= strength.error ? 1 : 0;
    const double truth = elo_[strength.bot] - true_mean;
    fitted_spread += (elo - true_mean) * truth;
    true_spread += truth * truth;
  }
  fitted.coverage /= static_cast<double>(strengths.size());
  if (true_spread > 0) fitted.stretch = fitted_spread / true_spread;
  return fitted;
}

}  // namespace referee::schedule

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "referee/schedule/design.h"
#include "referee/schedule/waves.h"

namespace referee::schedule {
namespace {

// Above this number of bots in a wave, exchanges cost more than they improve.
constexpr size_t kMostExchanged = 100;
constexpr int kExchangeRounds = 8;
// Above this number of blocks only designs are planned as a whole.
constexpr int64_t kMostPlanned = 500;
// The number of plans of which the most even is chosen.
constexpr int64_t kPlans = 8;
// The most blocks that a bot may get ahead for a design.
constexpr int kDesignLead = 3;
// Designs in which two bots meet more often are not searched.
constexpr int64_t kMostMeetings = 6;

}  // namespace

GroupWaves::GroupWaves(std::vector<bool> in, int group, int64_t blocks_per_bot, Planning planning)
    : in_(std::move(in)),
      group_(static_cast<size_t>(group)),
      blocks_per_bot_(blocks_per_bot),
      planning_(planning) {
  planned_.blocks.assign(in_.size(), 0);
  if (group_ > 1) planned_.meetings.assign(in_.size() * in_.size(), 0);
  begun_ = planned_;
  if (planning_ == Planning::kAsAWhole) PlanAll();
}

int GroupWaves::met(int a, int b) const {
  return planned_.meetings[static_cast<size_t>(a) * in_.size() + static_cast<size_t>(b)];
}

int GroupWaves::MetIn(const rating::Pairing& group, int bot, size_t but_at) const {
  int sum = 0;
  for (size_t i = 0; i < group.bots.size(); ++i) {
    if (i != but_at) sum += met(group.bots[i], bot);
  }
  return sum;
}

void GroupWaves::Count(const rating::Pairing& group, int times, Tally* tally) const {
  for (const int a : group.bots) {
    if (!in_[a]) continue;
    tally->blocks[a] += times;
    for (const int b : group.bots) {
      if (a == b || group_ == 1) continue;
      uint16_t& met = tally->meetings[static_cast<size_t>(a) * in_.size() + b];
      const int sum = std::min<int>(met + times, std::numeric_limits<uint16_t>::max());
      met = static_cast<uint16_t>(sum);
    }
  }
}

std::vector<int> GroupWaves::Due() const {
  int64_t fewest = blocks_per_bot_;
  for (int bot = 0; bot < bots(); ++bot) {
    if (in_[bot]) fewest = std::min(fewest, planned_.blocks[bot]);
  }
  std::vector<int> due;
  if (fewest == blocks_per_bot_) return due;
  const int first = static_cast<int>(wave_ % bots());
  for (int i = 0; i < bots(); ++i) {
    const int bot = (first + i) % bots();
    if (in_[bot] && planned_.blocks[bot] == fewest) due.push_back(bot);
  }
  return due;
}

void GroupWaves::Grow(rating::Pairing* group, std::vector<int>* from) const {
  const auto least = [&](int a, int b) {
    return MetIn(*group, a, group_) < MetIn(*group, b, group_);
  };
  const auto chosen =
      group_ == 1 ? from->begin() : std::min_element(from->begin(), from->end(), least);
  group->bots.push_back(*chosen);
  from->erase(chosen);
}

void GroupWaves::Better(Wave* wave, std::vector<int>* spare) const {
  // The gain from replacing the bot at place `at` of the group by `other`.
  const auto gain = [this](const rating::Pairing& group, size_t at, int other) {
    return MetIn(group, group.bots[at], at) - MetIn(group, other, at);
  };
  bool better = group_ > 1 && wave->size() * group_ <= kMostExchanged;
  for (int round = 0; better && round < kExchangeRounds; ++round) {
    better = false;
    for (size_t g = 0; g < wave->size(); ++g) {
      rating::Pairing& group = (*wave)[g];
      for (size_t at = 0; at < group_; ++at) {
        for (size_t h = g + 1; h < wave->size(); ++h) {
          rating::Pairing& other = (*wave)[h];
          for (size_t there = 0; there < group_; ++there) {
            const int gained =
                gain(group, at, other.bots[there]) + gain(other, there, group.bots[at]);
            if (gained <= 0) continue;
            std::swap(group.bots[at], other.bots[there]);
            better = true;
          }
        }
        for (int& left_out : *spare) {
          if (gain(group, at, left_out) <= 0) continue;
          std::swap(group.bots[at], left_out);
          better = true;
        }
      }
    }
  }
}

Wave GroupWaves::NextAlone() {
  if (static_cast<size_t>(std::count(in_.begin(), in_.end(), true)) < group_) return {};
  std::vector<int> due = Due();
  if (due.empty()) return {};
  Wave wave;
  if (due.size() < group_) {
    wave.push_back(rating::Pairing{std::exchange(due, {})});
    while (wave[0].bots.size() < group_) {
      // The bots with the next fewest blocks that are not in the group.
      std::vector<int> others;
      int64_t fewest = std::numeric_limits<int64_t>::max();
      for (int bot = 0; bot < bots(); ++bot) {
        const auto& group = wave[0].bots;
        if (!in_[bot] || std::find(group.begin(), group.end(), bot) != group.end()) continue;
        if (planned_.blocks[bot] < fewest) others.clear();
        fewest = std::min(fewest, planned_.blocks[bot]);
        if (planned_.blocks[bot] == fewest) others.push_back(bot);
      }
      Grow(&wave[0], &others);
    }
  }
  while (due.size() >= group_) {
    rating::Pairing group{{due.front()}};
    due.erase(due.begin());
    while (group.bots.size() < group_) Grow(&group, &due);
    wave.push_back(std::move(group));
  }
  Better(&wave, &due);
  for (rating::Pairing& group : wave) {
    Count(group, 1, &planned_);
    std::rotate(group.bots.begin(), group.bots.begin() + wave_ % static_cast<int64_t>(group_),
                group.bots.end());
  }
  ++wave_;
  return wave;
}

bool GroupWaves::PlanDesign(int lead) {
  const int64_t others = bots() - 1;
  const int64_t met = blocks_per_bot_ * static_cast<int64_t>(group_ - 1);
  if (met % others != 0) return false;
  const int64_t meetings = met / others;
  // The design with the fewest meetings is repeated.
  for (int64_t once = 1; once <= std::min(meetings, kMostMeetings); ++once) {
    if (meetings % once != 0) continue;
    const absl::optional<Wave> design =
        BalancedDesign(bots(), static_cast<int>(group_), static_cast<int>(once));
    if (!design.has_value()) continue;
    absl::optional<std::vector<Wave>> waves = InWaves(*design, bots(), lead);
    if (!waves.has_value()) continue;
    plan_ = *std::move(waves);
    passes_ = static_cast<size_t>(meetings / once);
    return true;
  }
  return false;
}

void GroupWaves::PlanAll() {
  if (PlanDesign(1)) return;
  const int64_t pairs = int64_t{bots()} * (bots() - 1);
  const int64_t met = blocks_per_bot_ * bots() * static_cast<int64_t>(group_ - 1);
  if (PlanNearest() * pairs == met * met) return;  // all pairs meet equally often
  for (int lead = 2; lead <= kDesignLead; ++lead) {
    if (PlanDesign(lead)) return;
  }
}

std::vector<Wave> GroupWaves::AllAlone(int64_t first_wave) {
  const Tally before = planned_;
  const int64_t wave_before = std::exchange(wave_, first_wave);
  std::vector<Wave> waves;
  while (true) {
    Wave wave = NextAlone();
    if (wave.empty()) break;
    waves.push_back(std::move(wave));
  }
  planned_ = before;
  wave_ = wave_before;
  return waves;
}

int64_t GroupWaves::BetterAll(std::vector<Wave>* waves) {
  const Tally before = planned_;
  for (const Wave& wave : *waves) {
    for (const rating::Pairing& group : wave) Count(group, 1, &planned_);
  }
  const auto uneven = [this] {
    return std::accumulate(planned_.meetings.begin(), planned_.meetings.end(), int64_t{0},
                           [](int64_t sum, int64_t met) { return sum + met * met; });
  };
  std::vector<int> nobody;
  int64_t least = uneven();
  while (true) {
    for (Wave& wave : *waves) {
      for (const rating::Pairing& group : wave) Count(group, -1, &planned_);
      Better(&wave, &nobody);
      for (const rating::Pairing& group : wave) Count(group, 1, &planned_);
    }
    const int64_t now = uneven();
    if (now >= least) break;
    least = now;
  }
  planned_ = before;
  return least;
}

int64_t GroupWaves::PlanNearest() {
  plan_.clear();
  passes_ = 1;
  given_ = 0;
  int64_t least = std::numeric_limits<int64_t>::max();
  if (left() > kMostPlanned) return 0;
  for (int64_t i = 0; i < kPlans; ++i) {
    std::vector<Wave> waves = AllAlone(wave_ + i);
    const int64_t uneven = BetterAll(&waves);
    if (uneven >= least) continue;
    least = uneven;
    plan_ = std::move(waves);
  }
  return least;
}

Wave GroupWaves::Next() {
  if (given_ >= plan_.size() * passes_) return NextAlone();
  const Wave& wave = plan_[given_++ % plan_.size()];
  for (const rating::Pairing& group : wave) Count(group, 1, &planned_);
  ++wave_;
  return wave;
}

int64_t GroupWaves::left() const {
  const int64_t group = static_cast<int64_t>(group_);
  if (std::count(in_.begin(), in_.end(), true) < group) return 0;
  int64_t seats = 0;
  for (int bot = 0; bot < bots(); ++bot) {
    if (in_[bot]) seats += std::max<int64_t>(0, blocks_per_bot_ - planned_.blocks[bot]);
  }
  return (seats + group - 1) / group;
}

void GroupWaves::Begun(const rating::Pairing& pairing) {
  Count(pairing, 1, &begun_);
  ++blocks_begun_;
}

bool GroupWaves::Withdraw(int bot) {
  in_[bot] = false;
  planned_ = begun_;
  wave_ = blocks_begun_;
  if (planning_ == Planning::kAsAWhole) PlanNearest();
  return true;
}

}  // namespace referee::schedule

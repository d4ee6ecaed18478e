#include <algorithm>
#include <limits>
#include <utility>

#include "referee/schedule/waves.h"

namespace referee::schedule {
namespace {

// Beyond so many bots in a wave, exchanges cost more than they better.
constexpr size_t kMostExchanged = 100;
constexpr int kExchangeRounds = 8;

}  // namespace

GroupWaves::GroupWaves(std::vector<bool> in, int group, int64_t blocks_per_bot)
    : in_(std::move(in)), group_(static_cast<size_t>(group)), blocks_per_bot_(blocks_per_bot) {
  planned_.blocks.assign(in_.size(), 0);
  if (group_ > 1) planned_.meetings.assign(in_.size() * in_.size(), 0);
  begun_ = planned_;
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

void GroupWaves::Count(const rating::Pairing& group, Tally* tally) const {
  for (const int a : group.bots) {
    if (!in_[a]) continue;
    ++tally->blocks[a];
    for (const int b : group.bots) {
      if (a == b || group_ == 1) continue;
      uint16_t& times = tally->meetings[static_cast<size_t>(a) * in_.size() + b];
      if (times < std::numeric_limits<uint16_t>::max()) ++times;
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
  // What it gains to have `other` instead of the bot at `at` of a group.
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

Wave GroupWaves::Next() {
  if (static_cast<size_t>(std::count(in_.begin(), in_.end(), true)) < group_) return {};
  std::vector<int> due = Due();
  if (due.empty()) return {};
  Wave wave;
  if (due.size() < group_) {
    wave.push_back(rating::Pairing{std::exchange(due, {})});
    while (wave[0].bots.size() < group_) {
      // The next fewest blocks, of those that are not in the group.
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
    Count(group, &planned_);
    std::rotate(group.bots.begin(), group.bots.begin() + wave_ % static_cast<int64_t>(group_),
                group.bots.end());
  }
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
  Count(pairing, &begun_);
  ++blocks_begun_;
}

bool GroupWaves::Withdraw(int bot) {
  in_[bot] = false;
  planned_ = begun_;
  wave_ = blocks_begun_;
  return true;
}

}  // namespace referee::schedule

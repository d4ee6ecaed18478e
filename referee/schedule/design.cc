#include "referee/schedule/design.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace referee::schedule {
namespace {

// The most groups that the search for a design tries.
constexpr int kMostTried = 20'000;
// The most orders tried to arrange a design in waves; fewer for a large design.
constexpr size_t kMostOrders = 64;
constexpr size_t kMostSorted = 200'000;

// Searches base groups whose rotations form the design. The points 0 to ring - 1 rotate; with an
// axis, one more point, number `ring`, stays fixed.
//
// The rotations of a group {x, y, ...} contain every two points whose difference is x - y, and so
// on. So the base groups together must contain each difference as often as two bots are to meet.
// Example: 7 points; {0, 1, 3} has the differences 1, 2, 3, 4, 5, 6 once each.
class DifferenceFamily {
 public:
  DifferenceFamily(int points, bool axis, int group, int meetings)
      : ring_(points - (axis ? 1 : 0)),
        group_(static_cast<size_t>(group)),
        left_(ring_, meetings),
        axis_left_(axis ? meetings : 0) {}

  absl::optional<Wave> Find() {
    if (ring_ < 2 || !Complete()) return absl::nullopt;
    Wave design;
    for (const std::vector<int>& base : bases_) {
      for (int turn = 0; turn < ring_ / Symmetry(base); ++turn) {
        rating::Pairing group;
        for (const int point : base) {
          group.bots.push_back(point == ring_ ? point : (point + turn) % ring_);
        }
        design.push_back(std::move(group));
      }
    }
    return design;
  }

 private:
  // Finds base groups for the remaining differences; false: none exist or the limit is reached.
  bool Complete() {
    if (axis_left_ > 0) {
      std::vector<int> base = {ring_, 0};
      return Extend(&base, 1);
    }
    const auto found =
        std::find_if(left_.begin() + 1, left_.end(), [](int left) { return left > 0; });
    if (found == left_.end()) return true;
    const int difference = static_cast<int>(found - left_.begin());
    std::vector<int> base = {0, difference};
    return Extend(&base, 1);
  }

  // Adds points from `from` up to the base group until it is full, then continues with the next
  // group.
  bool Extend(std::vector<int>* base, int from) {
    if (++tried_ > kMostTried) return false;
    if (base->size() == group_) return Take(*base);
    for (int point = from; point < ring_; ++point) {
      if (std::find(base->begin(), base->end(), point) != base->end()) continue;
      base->push_back(point);
      if (Extend(base, point + 1)) return true;
      base->pop_back();
      if (tried_ > kMostTried) return false;
    }
    return false;
  }

  bool Take(const std::vector<int>& base) {
    const int symmetry = Symmetry(base);
    if (Subtract(base, symmetry, 1)) {
      bases_.push_back(base);
      if (Complete()) return true;
      bases_.pop_back();
    }
    Subtract(base, symmetry, -1);
    return false;
  }

  // Subtracts the differences of a base group from the remaining ones, or with times -1 adds them
  // back. Returns whether none became negative.
  bool Subtract(const std::vector<int>& base, int symmetry, int times) {
    bool enough = true;
    std::vector<int> having(ring_, 0);
    for (const int a : base) {
      for (const int b : base) {
        if (a != b && a != ring_ && b != ring_) ++having[(a - b + ring_) % ring_];
      }
    }
    for (int difference = 1; difference < ring_; ++difference) {
      left_[difference] -= times * having[difference] / symmetry;
      enough = enough && left_[difference] >= 0;
    }
    if (base.front() == ring_) {
      axis_left_ -= times * static_cast<int>(group_ - 1) / symmetry;
      enough = enough && axis_left_ >= 0;
    }
    return enough;
  }

  // The number of rotations that map the group onto itself.
  int Symmetry(const std::vector<int>& base) const {
    int symmetry = 1;
    for (int turn = 1; turn < ring_; ++turn) {
      const bool same = std::all_of(base.begin(), base.end(), [&](int point) {
        const int turned = point == ring_ ? point : (point + turn) % ring_;
        return std::find(base.begin(), base.end(), turned) != base.end();
      });
      symmetry += same ? 1 : 0;
    }
    return symmetry;
  }

  const int ring_;
  const size_t group_;
  std::vector<int> left_;  // by difference: how often it is still needed
  int axis_left_;          // how often each point is still needed beside the fixed one
  std::vector<std::vector<int>> bases_;
  int tried_ = 0;
};

// Whether no bot gets more than `lead` ahead if the group plays, whether or not others do.
bool KeepsLead(const rating::Pairing& group, const std::vector<int>& played, int lead) {
  int least = std::numeric_limits<int>::max();
  int most = 0;
  for (const int bot : group.bots) {
    least = std::min(least, played[bot] + 1);
    most = std::max(most, played[bot] + 1);
  }
  if (most > least + lead) return false;
  for (size_t bot = 0; bot < played.size(); ++bot) {
    if (played[bot] >= most - lead) continue;
    const auto& bots = group.bots;
    if (std::find(bots.begin(), bots.end(), static_cast<int>(bot)) == bots.end()) return false;
  }
  return true;
}

// Builds wave after wave from the groups whose bots have played least.
absl::optional<std::vector<Wave>> GreedyWaves(Wave groups, int bots, int lead) {
  std::vector<int> played(bots, 0);
  std::vector<Wave> waves;
  const auto sum = [&played](const rating::Pairing& group) {
    return std::accumulate(group.bots.begin(), group.bots.end(), 0,
                           [&played](int so_far, int bot) { return so_far + played[bot]; });
  };
  while (!groups.empty()) {
    std::stable_sort(groups.begin(), groups.end(),
                     [&sum](const auto& a, const auto& b) { return sum(a) < sum(b); });
    std::vector<bool> in(bots, false);
    Wave wave;
    Wave others;
    for (rating::Pairing& group : groups) {
      const bool busy =
          std::any_of(group.bots.begin(), group.bots.end(), [&in](int bot) { return in[bot]; });
      const bool plays = !busy && KeepsLead(group, played, lead);
      if (plays) {
        for (const int bot : group.bots) in[bot] = true;
      }
      (plays ? wave : others).push_back(std::move(group));
    }
    if (wave.empty()) return absl::nullopt;
    for (size_t bot = 0; bot < in.size(); ++bot) played[bot] += in[bot] ? 1 : 0;
    waves.push_back(std::move(wave));
    groups = std::move(others);
  }
  return waves;
}

}  // namespace

absl::optional<Wave> BalancedDesign(int bots, int group, int meetings) {
  if (bots > kMaxDesignBots) return absl::nullopt;
  if (group == bots) {
    rating::Pairing all;
    for (int bot = 0; bot < bots; ++bot) all.bots.push_back(bot);
    return Wave(meetings, all);
  }
  // Each bot meets a whole number of groups of group - 1 others, and the number of groups is whole.
  if (meetings * (bots - 1) % (group - 1) != 0) return absl::nullopt;
  if (meetings * (bots - 1) / (group - 1) * bots % group != 0) return absl::nullopt;
  for (const bool axis : {false, true}) {
    absl::optional<Wave> design = DifferenceFamily(bots, axis, group, meetings).Find();
    if (design.has_value()) return design;
  }
  return absl::nullopt;
}

absl::optional<std::vector<Wave>> InWaves(const Wave& design, int bots, int lead) {
  if (design.empty()) return std::vector<Wave>();
  const size_t at_once = static_cast<size_t>(bots) / design[0].bots.size();
  const size_t fewest = (design.size() + at_once - 1) / at_once;
  absl::optional<std::vector<Wave>> best;
  Wave order = design;
  uint64_t state = 1;
  const size_t orders = std::min(kMostOrders, 1 + kMostSorted / (design.size() * design.size()));
  for (size_t attempt = 0; attempt < orders; ++attempt) {
    absl::optional<std::vector<Wave>> waves = GreedyWaves(order, bots, lead);
    if (waves.has_value() && (!best.has_value() || waves->size() < best->size())) {
      best = std::move(waves);
    }
    if (best.has_value() && best->size() == fewest) break;
    // Shuffles with a private generator (Knuth's MMIX), so the result is the same everywhere.
    for (size_t i = order.size(); i > 1; --i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      std::swap(order[i - 1], order[(state >> 33) % i]);
    }
  }
  return best;
}

}  // namespace referee::schedule

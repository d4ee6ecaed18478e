// The blocks that a schedule has begun and that have not ended: numbers and bots.
//
// Thread-compatible.
#ifndef REFEREE_SCHEDULE_OPEN_BLOCKS_H_
#define REFEREE_SCHEDULE_OPEN_BLOCKS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/optional.h"
#include "referee/rating/block.h"

namespace referee::schedule {

class OpenBlocks {
 public:
  explicit OpenBlocks(size_t bots, int64_t next_number = 0)
      : playing_(bots, 0), next_number_(next_number) {}

  void AddBot() { playing_.push_back(0); }

  // Adds a block and returns its number, the next one.
  int64_t Begin(rating::Pairing pairing) {
    for (const int bot : pairing.bots) ++playing_[bot];
    open_.emplace(next_number_, std::move(pairing));
    return next_number_++;
  }

  // Adds a block with a number that was given before.
  void Restore(int64_t number, rating::Pairing pairing) {
    for (const int bot : pairing.bots) ++playing_[bot];
    open_.emplace(number, std::move(pairing));
  }

  // Removes the block; returns none if it is not open.
  absl::optional<rating::Pairing> End(int64_t number) {
    const auto found = open_.find(number);
    if (found == open_.end()) return absl::nullopt;
    rating::Pairing pairing = std::move(found->second);
    open_.erase(found);
    for (const int bot : pairing.bots) --playing_[bot];
    return pairing;
  }

  // The number of open blocks in which both bots play.
  int playing(int bot, int other) const {
    if (playing_[bot] == 0 || playing_[other] == 0) return 0;
    int blocks = 0;
    for (const auto& each : open_) {
      const std::vector<int>& bots = each.second.bots;
      const bool both = std::find(bots.begin(), bots.end(), bot) != bots.end() &&
                        std::find(bots.begin(), bots.end(), other) != bots.end();
      blocks += both ? 1 : 0;
    }
    return blocks;
  }

  // The number of open blocks of the bot.
  int playing(int bot) const { return playing_[bot]; }
  bool empty() const { return open_.empty(); }
  int size() const { return static_cast<int>(open_.size()); }

 private:
  absl::flat_hash_map<int64_t, rating::Pairing> open_;
  std::vector<int> playing_;  // by bot
  int64_t next_number_;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_OPEN_BLOCKS_H_

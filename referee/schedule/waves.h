// Waves: an order of the blocks of a round robin, in groups in each of which a bot plays once at
// most. When each wave is over before the next begins, the numbers of blocks that any two bots have
// begun, or played, differ by one at most at any time: a wave takes only bots that have played
// least, or it is a single block that takes all of those and fills up with others.
// Thread-compatible.
#ifndef REFEREE_SCHEDULE_WAVES_H_
#define REFEREE_SCHEDULE_WAVES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "referee/rating/block.h"

namespace referee::schedule {

using Wave = std::vector<rating::Pairing>;

class Waves {
 public:
  virtual ~Waves() = default;

  // The next wave; an empty one when there is none left.
  virtual Wave Next() = 0;
  // The blocks of all waves that Next has yet to give.
  virtual int64_t left() const = 0;
  // A block of a wave was begun.
  virtual void Begun(const rating::Pairing& pairing) = 0;
  // A bot plays no more. Returns whether the waves were planned anew from what was begun: what was
  // given and not begun is void then. If not, it stays, but for the blocks of this bot.
  virtual bool Withdraw(int bot) = 0;
};

// Every pair of bots meets once a pass. An even number of bots is paired by the circle method. An
// odd one is taken apart into Hamiltonian cycles (Walecki): every other edge of a cycle is a wave
// that leaves one bot out; the next wave is the edge from that bot to the first; the last is the
// rest.
class PairWaves : public Waves {
 public:
  // REQUIRES: bots >= 2.
  PairWaves(int bots, int passes);

  Wave Next() override;
  int64_t left() const override { return left_; }
  void Begun(const rating::Pairing& pairing) override;
  bool Withdraw(int bot) override;

 private:
  int waves_per_pass() const;
  // Without the bots that left.
  Wave At(int64_t index) const;

  const int bots_;
  const int64_t waves_;
  int64_t next_ = 0;
  int64_t left_ = 0;
  std::vector<bool> withdrawn_;
};

// Groups of a size, such that each bot is in as many, and that those who have met least often meet:
// greedily, then bettered by exchanges between the groups of a wave while that helps.
class GroupWaves : public Waves {
 public:
  // Groups of the bots for which in[bot], until each is in `blocks_per_bot`. REQUIRES: group >= 1.
  GroupWaves(std::vector<bool> in, int group, int64_t blocks_per_bot);

  Wave Next() override;
  int64_t left() const override;
  void Begun(const rating::Pairing& pairing) override;
  bool Withdraw(int bot) override;

 private:
  // The blocks of each bot, and how often two have met.
  struct Tally {
    std::vector<int64_t> blocks;
    std::vector<uint16_t> meetings;  // of a and b at a * bots + b; stays at its greatest value
  };
  int bots() const { return static_cast<int>(in_.size()); }
  int met(int a, int b) const;
  int MetIn(const rating::Pairing& group, int bot, size_t but_at) const;
  void Count(const rating::Pairing& group, Tally* tally) const;
  // Those with fewest blocks, beginning with another one in each wave; none when all have theirs.
  std::vector<int> Due() const;
  // Adds to the group the one of `from` that has met its members least, and takes it out.
  void Grow(rating::Pairing* group, std::vector<int>* from) const;
  void Better(Wave* wave, std::vector<int>* spare) const;

  std::vector<bool> in_;
  const size_t group_;
  const int64_t blocks_per_bot_;
  Tally planned_;
  Tally begun_;
  int64_t blocks_begun_ = 0;
  int64_t wave_ = 0;  // given so far
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_WAVES_H_

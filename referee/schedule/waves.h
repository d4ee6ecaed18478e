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

// Every pair of bots meets once a pass: by the circle method, or of an odd number of bots by
// Hamiltonian cycles (COMPETITION.md, "Round robin").
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
// greedily, then bettered by exchanges between the groups of a wave while that helps. As a whole: a
// balanced design (design.h) if there is one in which everybody meets everybody equally often in
// so many groups; else the most even of several such plans, in which each wave is bettered for what
// comes after it, too. What is too large for that is planned wave by wave.
class GroupWaves : public Waves {
 public:
  enum class Planning { kWaveByWave, kAsAWhole };

  // Groups of the bots for which in[bot], until each is in `blocks_per_bot`. REQUIRES: group >= 1;
  // as a whole: all are in, group >= 2.
  GroupWaves(std::vector<bool> in, int group, int64_t blocks_per_bot, Planning planning);

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
  // Counts a group so many times, or (-1) takes it out.
  void Count(const rating::Pairing& group, int times, Tally* tally) const;
  // Those with fewest blocks, beginning with another one in each wave; none when all have theirs.
  std::vector<int> Due() const;
  // Adds to the group the one of `from` that has met its members least, and takes it out.
  void Grow(rating::Pairing* group, std::vector<int>* from) const;
  void Better(Wave* wave, std::vector<int>* spare) const;
  // The next wave, looking at those before only; an empty one when there is none left.
  Wave NextAlone();
  // Plans all, when nothing was begun: as even as it gets, and of what is equally even that by
  // which nobody gets ahead.
  void PlanAll();
  // Plans all as a design, by which nobody gets more than `lead` ahead; false: there is none.
  bool PlanDesign(int lead);
  // Plans what is left as evenly as is found; returns how uneven it is (as BetterAll), or 0 if it
  // is too much to be planned.
  int64_t PlanNearest();
  // The waves that are left, planned one by one; what is planned stays as it was.
  std::vector<Wave> AllAlone(int64_t first_wave);
  // Betters waves that were planned one by one, each for all others. Returns how uneven they are:
  // the sum of squares of how often two meet.
  int64_t BetterAll(std::vector<Wave>* waves);

  std::vector<bool> in_;
  const size_t group_;
  const int64_t blocks_per_bot_;
  const Planning planning_;
  Tally planned_;
  Tally begun_;
  // Planned as a whole: waves, which are given so many times over, and how many were given.
  std::vector<Wave> plan_;
  size_t passes_ = 0;
  size_t given_ = 0;
  int64_t blocks_begun_ = 0;
  int64_t wave_ = 0;  // given so far
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_WAVES_H_

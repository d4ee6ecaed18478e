// Waves: groups of blocks of a round robin, in each of which a bot plays at most once.
//
// If each wave ends before the next begins, blocks begun, and blocks played, of any two bots differ
// by at most one at any time. A wave takes only bots that have played least. Or it is a single
// block that takes all of those and fills up with others. Thread-compatible.
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

  // Returns the next wave; empty if none is left.
  virtual Wave Next() = 0;
  // The number of blocks in all waves not yet returned by Next.
  virtual int64_t left() const = 0;
  // Reports that a block of a wave was begun.
  virtual void Begun(const rating::Pairing& pairing) = 0;
  // Withdraws a bot. Returns whether the remaining waves were planned anew; then blocks that were
  // returned but not begun are void. Otherwise only those of this bot are.
  virtual bool Withdraw(int bot) = 0;
};

// Waves in which every pair of bots meets once a pass. Uses the circle method, or for an odd number
// of bots Hamiltonian cycles (COMPETITION.md, "Round robin").
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

// Waves of groups of a fixed size, in which all bots play equally often and meet evenly.
//
// Wave by wave: groups prefer bots that have met least, then exchanges within the wave improve
// them. As a whole: a balanced design (design.h), if one exists with as many groups. Otherwise the
// most even of several plans, whose waves are also improved for later waves. Plans that are too
// large are made wave by wave.
class GroupWaves : public Waves {
 public:
  enum class Planning { kWaveByWave, kAsAWhole };

  // Makes groups of the bots with in[bot], until each is in `blocks_per_bot`. REQUIRES: group >= 1;
  // kAsAWhole: all bots are in, group >= 2.
  GroupWaves(std::vector<bool> in, int group, int64_t blocks_per_bot, Planning planning);

  Wave Next() override;
  int64_t left() const override;
  void Begun(const rating::Pairing& pairing) override;
  bool Withdraw(int bot) override;

 private:
  // The number of blocks of each bot, and how often two have met.
  struct Tally {
    std::vector<int64_t> blocks;
    std::vector<uint16_t> meetings;  // of a and b at a * bots + b; saturates
  };
  int bots() const { return static_cast<int>(in_.size()); }
  int met(int a, int b) const;
  int MetIn(const rating::Pairing& group, int bot, size_t but_at) const;
  // Adds a group `times` times; -1 removes it.
  void Count(const rating::Pairing& group, int times, Tally* tally) const;
  // Returns the bots with fewest blocks, starting with another bot in each wave; empty when all
  // bots have enough.
  std::vector<int> Due() const;
  // Moves the bot of `from` that has met the members of the group least to the group.
  void Grow(rating::Pairing* group, std::vector<int>* from) const;
  void Better(Wave* wave, std::vector<int>* spare) const;
  // Returns the next wave, considering only earlier ones; empty if none is left.
  Wave NextAlone();
  // Plans all waves before any block begins: as evenly as possible. Of equally even plans it
  // prefers the one in which no bot gets ahead.
  void PlanAll();
  // Plans all waves as a design in which no bot gets more than `lead` ahead; false: none was found.
  bool PlanDesign(int lead);
  // Plans the remaining waves as evenly as found. Returns the unevenness (see BetterAll), or 0 if
  // the plan would be too large.
  int64_t PlanNearest();
  // Returns the remaining waves, planned one by one. Leaves the current plan unchanged.
  std::vector<Wave> AllAlone(int64_t first_wave);
  // Improves waves that were planned one by one, each for all others. Returns the unevenness: the
  // sum of squares of how often two bots meet.
  int64_t BetterAll(std::vector<Wave>* waves);

  std::vector<bool> in_;
  const size_t group_;
  const int64_t blocks_per_bot_;
  const Planning planning_;
  Tally planned_;
  Tally begun_;
  // The waves planned as a whole, repeated in each pass, and the number returned so far.
  std::vector<Wave> plan_;
  size_t passes_ = 0;
  size_t given_ = 0;
  int64_t blocks_begun_ = 0;
  int64_t wave_ = 0;  // returned so far
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_WAVES_H_

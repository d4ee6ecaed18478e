// Knockout (single elimination): two bots meet in a tie of one or more blocks, and its loser is
// out. The bracket follows from the seeding alone, so that the order in which blocks end changes
// nothing. Thread-compatible.
#ifndef REFEREE_SCHEDULE_KNOCKOUT_H_
#define REFEREE_SCHEDULE_KNOCKOUT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "referee/schedule/closed_schedule.h"
#include "referee/schedule/score_sheet.h"

namespace referee::schedule {

class Knockout : public ClosedSchedule {
 public:
  // REQUIRES: Validate(spec) is OK. Without a lot the better seed wins each draw of lots.
  Knockout(const Spec& spec, Lot lot);

  void Withdraw(int bot) override;
  absl::optional<rating::Pairing> Next(const std::vector<bool>& free, Instant) override;
  void Begun(const rating::Pairing& pairing) override;
  void Played(int64_t number, const rating::BlockOutcome& outcome) override;
  void Dropped(int64_t number) override;
  bool done() const override;
  int64_t blocks_left() const override;
  bool needs(int bot) const override;
  std::vector<ScoreLine> Scores() const override;
  std::vector<RoundPairing> Pairings() const override;

 private:
  static constexpr int kUnknown = -1;  // not decided yet
  static constexpr int kNobody = -2;   // a bye, or both had left

  struct Verdict {
    int winner = kUnknown;
    TieDecision by = TieDecision::kNone;
  };
  struct Tie {
    int bots[2] = {kUnknown, kUnknown};
    int won[2] = {0, 0};               // blocks
    int points[2] = {0, 0};            // half points
    int64_t scores[2] = {0, 0};        // that the games gave
    int played = 0;                    // blocks
    bool scored = false;               // the games gave scores
    std::vector<int64_t> blocks = {};  // numbers
    bool open = false;                 // a block of it is being played
    Verdict verdict;
    int winner() const { return verdict.winner; }
  };

  // What its blocks say: none while it takes more of them.
  Verdict VerdictByBlocks(size_t round, size_t place) const;
  Verdict VerdictOn(size_t round, size_t place) const;
  // "by scores 31:20", from the side of one of its bots; empty if blocks decided.
  std::string HowDecided(const Tie& tie, int bot) const;
  // How the bot came through its ties, or did not.
  std::string Remark(int bot) const;
  PairingState StateOf(const Tie& tie) const;
  RoundPairing PairingOf(const Tie& tie) const;
  // Decides what can be decided, round by round.
  void Settle();
  // Whether a block of it can begin, but for bots that are not free.
  bool Waits(const Tie& tie) const;
  rating::Pairing NextPairing(const Tie& tie) const;
  void Begin(Tie* tie);
  // The blocks that it will take as far as is known.
  int64_t BlocksLeft(const Tie& tie) const;

  const int best_of_;
  const int extra_blocks_;
  const Lot lot_;
  std::vector<std::vector<Tie>> rounds_;
  std::vector<bool> withdrawn_;
  std::vector<int> out_in_;  // by bot, the round, from 1; 0: not out
  ScoreSheet sheet_;
  absl::flat_hash_map<int64_t, Tie*> open_;
  int64_t next_number_ = 0;
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_KNOCKOUT_H_

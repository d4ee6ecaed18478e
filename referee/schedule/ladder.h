// Ladder: pairs without end, first those whose result is expected to tell most about ratings, but
// so that all bots that are there play about as much.
//
// Each bot has a level: the blocks that it has begun, plus what lifted it when it joined or was
// away. The levels of bots that are there (free, or playing here) differ by kLadderLead at most, at
// any time; a bot that was away comes back with the lowest of them, unless its own is higher. Say
// two bots have begun 40 blocks each and a third joins: its level is 40, not 0, and it does not
// have to catch up. Thread-compatible.
#ifndef REFEREE_SCHEDULE_LADDER_H_
#define REFEREE_SCHEDULE_LADDER_H_

#include <array>
#include <cstdint>
#include <vector>

#include "referee/schedule/open_blocks.h"
#include "referee/schedule/schedule.h"
#include "referee/schedule/score_sheet.h"

namespace referee::schedule {

// So many blocks more than another a bot may have begun while both were there from the start.
inline constexpr int kLadderLead = 16;
// So many of its last opponents a bot would rather not meet again.
inline constexpr int kLadderMemory = 8;

class Ladder : public Schedule {
 public:
  // REQUIRES: Validate(spec) is OK, an entrant for each of spec.entrants.
  Ladder(const Spec& spec, const std::vector<Entrant>& entrants, int64_t next_number);

  absl::Status Join() override;
  void Withdraw(int bot) override;
  absl::Status Rejoin(int bot) override;
  absl::optional<rating::Pairing> Next(const std::vector<bool>& free) override;
  void Begun(const rating::Pairing& pairing) override;
  void Rated(int bot, const rating::Rating& rating) override;
  void Played(int64_t number, const rating::BlockOutcome& outcome) override;
  void Dropped(int64_t number) override;
  bool done() const override { return false; }
  int64_t blocks_left() const override { return -1; }
  bool needs(int) const override { return false; }
  std::vector<ScoreLine> Scores() const override;

 private:
  struct Bot {
    double mu = 0;
    double variance = 0;
    int64_t level = 0;
    bool withdrawn = false;
    bool there = false;                  // at the last Next
    std::array<int, kLadderMemory> met;  // the last opponents, in a ring; -1: none yet
    int met_at = 0;
    rating::Pairing last;  // its last block
  };

  void Add(const Entrant& entrant, int64_t level);
  // Sees who is there and lifts those that came. Fills `candidates_` with those that may begin one.
  void SeeWho(const std::vector<bool>& free);
  // How much a block of the two is expected to take away of the variance of their ratings.
  static double Information(const Bot& a, const Bot& b);
  static int TimesMet(const Bot& bot, int other);
  // The bot of `from` whose rating is known least.
  int Unknown(const std::vector<int>& from) const;
  // Fills the group with those of `from` that tell most about its members.
  void Fill(std::vector<int> from, std::vector<int>* group) const;
  void Remember(const rating::Pairing& pairing);
  void Begin(const rating::Pairing& pairing);

  const size_t seats_;
  std::vector<Bot> bots_;
  ScoreSheet sheet_;
  OpenBlocks open_;
  int64_t floor_ = 0;  // the lowest level of a bot that is there; it never falls

  // What SeeWho saw, kept for its memory.
  std::vector<int> lowest_;   // free, at the floor
  int64_t busy_lowest_ = 0;   // bots that are playing, at the floor
  std::vector<int> open_to_;  // free, below floor + lead
  std::vector<int> capped_;   // free, at floor + lead
};

}  // namespace referee::schedule

#endif  // REFEREE_SCHEDULE_LADDER_H_

// Which rolls of its dice a match of a block has shown, and when. It follows the match's records by
// the game's rules alone, without the state machine of the match.
#ifndef REFEREE_TESTS_SIMULATION_SHOWN_ROLLS_H_
#define REFEREE_TESTS_SIMULATION_SHOWN_ROLLS_H_

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "referee/base/clock.h"
#include "referee/match/block.h"
#include "referee/match/record.h"

namespace referee::simulation {

// Rolls are named by their place in the order of the block (match/block.h). The first roll follows
// from the start, whatever bots do, and counts as shown. Thread-compatible.
class ShownRolls {
 public:
  explicit ShownRolls(const games::Game& game) : seats_(game.seats()), state_(game.NewState()) {}

  // A record was written, in order. Returns whether a roll came with it.
  bool Follow(const match::Record& record, Instant now);

  // The last roll that was shown; match::kNeverRolls after the end, which reveals the seed.
  int64_t shown() const { return shown_.empty() ? kFirstRoll : shown_.back().second; }
  // The same for what was shown before `when`.
  int64_t ShownBefore(Instant when) const;
  bool game_over() const { return state_->phase() == games::Phase::kOver; }

 private:
  static constexpr int64_t kFirstRoll = 0;

  void Follow(const match::Drawn& drawn);
  void Follow(const match::Played& played);
  void Follow(const match::Forfeited& forfeited);
  template <typename Record>
  void Follow(const Record&) {}
  // Rolls for the turn, with any dice: the record of the turn tells those that were rolled.
  bool Roll(Instant now);

  const int seats_;
  std::unique_ptr<games::State> state_;
  std::vector<std::pair<Instant, int64_t>> shown_;  // rising
};

}  // namespace referee::simulation

#endif  // REFEREE_TESTS_SIMULATION_SHOWN_ROLLS_H_

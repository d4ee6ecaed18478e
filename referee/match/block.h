// What a block withholds, so that no bot learns in one of its matches what will be rolled in
// another one: who waits for which roll, who may go on, and whether matches that were left by a
// referee that died may go on at all. Pure: it is told what the matches say (match.h: AwaitNonces,
// AwaitRoll, AwaitBlock) and tells what to answer. Thread-compatible.
//
// The rolls of turns have one order in all matches of a block: the k-th of each seat in turn, from
// the seat that began. A match comes to rising ones (games/game.h, Chance), and skips some, such as
// those of seats that are out. A roll is released when every match of which the game is not over
// has come to it or to a later one; so the match that is furthest behind always goes on. Setup
// rolls are the same in all and not withheld.
//
//   BlockGate gate(n);
//   gate.AwaitRoll(rotation, index);
//   while (const auto release = gate.Next()) ... step the event in match release->rotation ...
#ifndef REFEREE_MATCH_BLOCK_H_
#define REFEREE_MATCH_BLOCK_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/ids.h"
#include "referee/games/game.h"

namespace referee::match {

// Before and beyond all rolls.
inline constexpr int64_t kNoRoll = -1;
inline constexpr int64_t kNeverRolls = std::numeric_limits<int64_t>::max();

// The place of a roll in the order of a block, from 0, in matches that seat `first` began.
// REQUIRES: roll.kind is kTurnRoll.
inline int64_t RollIndex(const games::Chance& roll, Seat first, int seats) {
  return int64_t{roll.index} * seats + (roll.seat.index() - first.index() + seats) % seats;
}

class BlockGate {
 public:
  // What a match may go on with.
  struct Release {
    enum class Kind { kNonces, kRoll, kEnd };
    int rotation = 0;
    Kind kind = Kind::kRoll;
    int64_t roll = kNoRoll;  // of kRoll
  };

  // A block of so many matches, none of which has begun.
  explicit BlockGate(int matches) : members_(static_cast<size_t>(matches)) {}

  // What a match says.
  void AwaitNonces(int rotation) { of(rotation).awaits_nonces = true; }
  void AwaitRoll(int rotation, int64_t index);
  void AwaitEnd(int rotation);
  // The nonces are known: rotation 0 has started.
  void SettleNonces() { settled_ = true; }
  // A match that goes on after a restart has shown the rolls up to this one.
  void Restore(int rotation, int64_t roll_shown) { of(rotation).reached = roll_shown; }
  // A match ended without a result: nothing is released any more.
  void Break() { broken_ = true; }
  bool broken() const { return broken_; }

  // The next match that may go on, each once; none if all others wait for something to happen.
  absl::optional<Release> Next();
  // Whether the end was released: all games are over.
  bool over() const { return over_; }

 private:
  struct Member {
    bool awaits_nonces = false;
    bool awaits_roll = false;
    bool awaits_end = false;  // until it is released
    bool game_over = false;
    int64_t reached = kNoRoll;  // shows that roll, or waits for it
  };

  Member& of(int rotation) { return members_[static_cast<size_t>(rotation)]; }
  // Lets a member go on, if it may.
  bool Take(Member* member, Release* release) const;

  std::vector<Member> members_;
  bool settled_ = false;
  bool broken_ = false;
  bool over_ = false;
};

// How far a match had come when its referee died, as its journal tells: Match::roll_shown and
// Match::roll_to_come.
struct Standing {
  bool started = false;  // its key is settled
  int64_t roll_shown = kNoRoll;
  int64_t roll_to_come = 0;
};

// Whether the matches of a block, by rotation, may go on from there. They may not if a bot could
// know a roll that a decision of its still leads to: it was shown in one match while the decision
// that leads to it in another was withheld, and was lost with the referee. Nor if `committed` dice
// have the nonces of a rotation 0 that does not know them.
bool MayGoOn(absl::Span<const Standing> matches, bool committed);

}  // namespace referee::match

#endif  // REFEREE_MATCH_BLOCK_H_

// The gate of a block: holds back the rolls of its matches (same bots, same dice, one match for
// each rotation of the seats), so that no bot learns in one match what will be rolled in another.
// It decides which match may go on, and after a restart whether the matches may go on at all. Pure:
// it takes what the matches ask for (match.h: AwaitNonces, AwaitRoll, AwaitBlock) and returns what
// to answer. Thread-compatible.
//
// Rolls for turns have one order in all matches of a block: by index, then by seat around the table
// from the one that began (games/game.h, Chance). A match comes to them in this order, and skips
// some, such as those of seats that are out. A roll is released when every match whose game is not
// over has come to it or to a later one, so the match that is furthest behind can always go on.
// Setup rolls are the same in all matches and are not withheld.
//
//   BlockGate gate(n);
//   gate.AwaitRoll(rotation, index);
//   while (const auto release = gate.Next()) {
//     ...  // step the event in match release->rotation
//   }
#ifndef REFEREE_MATCH_BLOCK_H_
#define REFEREE_MATCH_BLOCK_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/base/ids.h"
#include "referee/games/game.h"

namespace referee::match {

// What the reason of a match holds, after the id of another, when that one ended the block.
inline constexpr absl::string_view kOfTheSameBlock = " of the same block ";

// Before all rolls, and after all rolls.
inline constexpr int64_t kNoRoll = -1;
inline constexpr int64_t kNeverRolls = std::numeric_limits<int64_t>::max();

// The index of a roll in the order of a block, from 0, in matches that seat `first` began.
// REQUIRES: roll.kind is kTurnRoll.
inline int64_t RollIndex(const games::Chance& roll, Seat first, int seats) {
  return int64_t{roll.index} * seats + (roll.seat.index() - first.index() + seats) % seats;
}

class BlockGate {
 public:
  // A match that may go on, and with what.
  struct Release {
    enum class Kind { kNonces, kRoll, kEnd };
    int rotation = 0;
    Kind kind = Kind::kRoll;
    int64_t roll = kNoRoll;  // of kRoll
  };

  // A block of so many matches, none of which has begun.
  explicit BlockGate(int matches) : members_(static_cast<size_t>(matches)) {}

  // What a match asks for.
  void AwaitNonces(int rotation, bool decided) {
    of(rotation).awaits_nonces = true;
    of(rotation).decided = decided;
  }
  void AwaitRoll(int rotation, int64_t index);
  void AwaitEnd(int rotation);
  // The nonces are known: rotation 0 has started.
  void SettleNonces() { settled_ = true; }
  // A match that goes on after a restart has shown the rolls up to this one.
  void Restore(int rotation, int64_t roll_shown) { of(rotation).reached = roll_shown; }
  // A match ended before all games were over: nothing is released any more.
  void Break() { broken_ = true; }
  bool broken() const { return broken_; }

  // The next match that may go on, each once; none if all others wait for something to happen.
  absl::optional<Release> Next();
  // Whether the end was released: all games are over.
  bool over() const { return over_; }
  // Whether the game of that match is over.
  bool game_over(int rotation) const { return members_[static_cast<size_t>(rotation)].game_over; }

 private:
  struct Member {
    bool awaits_nonces = false;
    bool decided = false;  // before its start
    bool awaits_roll = false;
    bool awaits_end = false;  // until it is released
    bool game_over = false;
    int64_t reached = kNoRoll;  // shows that roll, or waits for it
  };

  Member& of(int rotation) { return members_[static_cast<size_t>(rotation)]; }
  // Returns false if the member may not go on; otherwise fills `release`.
  bool Take(Member* member, Release* release) const;
  bool MayHaveNonces(const Member& member) const;

  std::vector<Member> members_;
  bool settled_ = false;
  bool broken_ = false;
  bool over_ = false;
};

// The progress of a match when its referee died, from its records: Match::roll_shown and
// Match::roll_to_come.
struct Standing {
  bool started = false;  // its key is settled
  int64_t roll_shown = kNoRoll;
  int64_t roll_to_come = 0;
};

// Returns whether the matches of a block, by rotation, may go on. They may not if a bot could know
// a roll before it makes a decision that leads to it: one match showed the roll, while another
// withheld that decision and lost it with the referee. Nor may they if the dice are `committed` and
// a match has started with the nonces of rotation 0, which rotation 0 has lost.
bool MayGoOn(absl::Span<const Standing> matches, bool committed);

}  // namespace referee::match

#endif  // REFEREE_MATCH_BLOCK_H_

// Synchronises the matches of one block, so that no bot learns a roll early from another match.
//
// A block is the same bots with the same dice, in one match for each rotation of the seats.
// BlockGate decides which match may go on. MayGoOn decides whether the block survives a restart.
// Pure: matches post their requests (step.h: AwaitNonces, AwaitRoll, AwaitBlock), and the gate
// returns the answers. Thread-compatible.
//
// All matches of a block share one order of turn rolls: by index, then by seat around the table,
// from the seat that began (games/game.h, Chance). A match takes the rolls in this order. It skips
// some, such as those of seats that are out. A roll is released when every match whose game goes
// on has reached it or a later roll. So the match that is furthest behind can always go on.
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

// Follows the id of a match in the reason of another match, which ended with its block.
inline constexpr absl::string_view kOfTheSameBlock = " of the same block ";

// Sort before and after all rolls.
inline constexpr int64_t kNoRoll = -1;
inline constexpr int64_t kNeverRolls = std::numeric_limits<int64_t>::max();

// The index of a roll in the order of a block, from 0, in matches that seat `first` began.
// REQUIRES: roll.kind is kTurnRoll.
inline int64_t RollIndex(const games::Chance& roll, Seat first, int seats) {
  return int64_t{roll.index} * seats + (roll.seat.index() - first.index() + seats) % seats;
}

class BlockGate {
 public:
  // Lets a match go on, and says with what.
  struct Release {
    enum class Kind { kNonces, kRoll, kEnd };
    int rotation = 0;
    Kind kind = Kind::kRoll;
    int64_t roll = kNoRoll;  // only for kRoll
  };

  // Creates the gate of a block of `matches` matches, none of which has begun.
  explicit BlockGate(int matches) : members_(static_cast<size_t>(matches)) {}

  // Note what a match waits for. `decided` as in match::AwaitNonces.
  void AwaitNonces(int rotation, bool decided) {
    of(rotation).awaits_nonces = true;
    of(rotation).decided = decided;
  }
  void AwaitRoll(int rotation, int64_t index);
  void AwaitEnd(int rotation);
  // Notes that the nonces are known, because rotation 0 has started.
  void SettleNonces() { settled_ = true; }
  // Notes that a match, which goes on after a restart, has shown the rolls up to `roll_shown`.
  void Restore(int rotation, int64_t roll_shown) { of(rotation).reached = roll_shown; }
  // Notes that a match ended before all games were over. From then on Next releases nothing.
  void Break() { broken_ = true; }
  bool broken() const { return broken_; }

  // Returns the next match that may go on, each release once; none if no match may go on.
  absl::optional<Release> Next();
  // Returns whether all games are over, so that the end is released.
  bool over() const { return over_; }
  bool game_over(int rotation) const { return members_[static_cast<size_t>(rotation)].game_over; }

 private:
  struct Member {
    bool awaits_nonces = false;
    bool decided = false;  // before its start; see match::AwaitNonces
    bool awaits_roll = false;
    bool awaits_end = false;  // cleared when the end is released
    bool game_over = false;
    int64_t reached = kNoRoll;  // the roll that the match shows or waits for
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

// The progress of a match at the time its referee was killed, from its records. See
// Match::roll_shown and Match::roll_to_come.
struct Standing {
  bool started = false;  // the key of its dice is settled
  int64_t roll_shown = kNoRoll;
  int64_t roll_to_come = 0;
};

// Returns whether the matches of a block, by rotation, may go on after a restart. They may not if
// a bot could know a roll before it makes a decision that leads to the roll. That happens when one
// match showed the roll while another withheld the decision, and the crash lost the decision.
// If the dice are `committed`, they also may not go on if rotation 0 lost its nonces and another
// match has started with them.
bool MayGoOn(absl::Span<const Standing> matches, bool committed);

}  // namespace referee::match

#endif  // REFEREE_MATCH_BLOCK_H_

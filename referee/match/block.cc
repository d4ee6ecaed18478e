#include "referee/match/block.h"

#include <algorithm>

namespace referee::match {

void BlockGate::AwaitRoll(int rotation, int64_t index) {
  of(rotation).reached = index;
  of(rotation).awaits_roll = true;
}

void BlockGate::AwaitEnd(int rotation) {
  of(rotation).game_over = true;
  of(rotation).awaits_end = true;
  over_ =
      std::all_of(members_.begin(), members_.end(), [](const Member& m) { return m.game_over; });
}

absl::optional<BlockGate::Release> BlockGate::Next() {
  if (broken_) return absl::nullopt;
  Release release;
  for (size_t i = 0; i < members_.size(); ++i) {
    release.rotation = static_cast<int>(i);
    if (Take(&members_[i], &release)) return release;
  }
  return absl::nullopt;
}

bool BlockGate::Take(Member* member, Release* release) const {
  if (member->awaits_nonces && MayHaveNonces(*member)) {
    member->awaits_nonces = false;
    release->kind = Release::Kind::kNonces;
    return true;
  }
  if (member->awaits_end && over_) {
    member->awaits_end = false;
    release->kind = Release::Kind::kEnd;
    return true;
  }
  const auto has_come = [&](const Member& m) {
    return m.game_over || m.reached >= member->reached;
  };
  if (!member->awaits_roll || !std::all_of(members_.begin(), members_.end(), has_come))
    return false;
  member->awaits_roll = false;
  release->kind = Release::Kind::kRoll;
  release->roll = member->reached;
  return true;
}

// Rotation 0 needs no settled nonces: it has its own. It may start without any once all matches of
// the block are decided.
bool BlockGate::MayHaveNonces(const Member& member) const {
  if (settled_) return true;
  return &member == &members_.front() &&
         std::all_of(members_.begin(), members_.end(), [](const Member& m) { return m.decided; });
}

bool MayGoOn(absl::Span<const Standing> matches, bool committed) {
  for (const Standing& one : matches) {
    if (committed && one.started && !matches.front().started) return false;
    for (const Standing& other : matches) {
      if (&one != &other && one.roll_shown >= other.roll_to_come) return false;
    }
  }
  return true;
}

}  // namespace referee::match

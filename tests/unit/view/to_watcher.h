// What a referee tells whoever watches a match, made of what its replay has.
#ifndef REFEREE_TESTS_UNIT_VIEW_TO_WATCHER_H_
#define REFEREE_TESTS_UNIT_VIEW_TO_WATCHER_H_

#include <cstdint>
#include <string>

#include "absl/time/time.h"
#include "proto/referee/v1/match.pb.h"
#include "referee/match/record.h"
#include "referee/replay/playback.h"
#include "referee/replay/replay.h"

namespace referee::testing {

inline v1::TurnPlayed ToWatcher(const match::Setup& setup, const match::Played& turn) {
  v1::TurnPlayed wire;
  wire.set_turn(turn.number);
  wire.set_seat(static_cast<uint32_t>(turn.seat.index()));
  for (int i = 0; i < turn.roll.size(); ++i) wire.add_dice(static_cast<uint32_t>(turn.roll[i]));
  wire.set_notation(setup.game->MoveText(turn.move));
  wire.set_legal_count(turn.legal_count);
  wire.set_digest(turn.digest);
  wire.mutable_time_used()->set_seconds(absl::ToInt64Seconds(turn.used));
  wire.mutable_time_used()->set_nanos(
      static_cast<int>(absl::ToInt64Nanoseconds(turn.used % absl::Seconds(1))));
  if (turn.bank_left < absl::InfiniteDuration()) {
    wire.mutable_bank_left()->set_seconds(absl::ToInt64Seconds(turn.bank_left));
    wire.mutable_bank_left()->set_nanos(
        static_cast<int>(absl::ToInt64Nanoseconds(turn.bank_left % absl::Seconds(1))));
  }
  if (turn.substituted) wire.set_substituted(v1::FORFEIT_CAUSE_TIMEOUT);
  return wire;
}

inline v1::SeatForfeited ToWatcher(const match::Forfeited& forfeit) {
  v1::SeatForfeited wire;
  wire.set_seat(static_cast<uint32_t>(forfeit.seat.index()));
  wire.set_turn(forfeit.number);
  wire.set_cause(v1::FORFEIT_CAUSE_RESIGNED);
  return wire;
}

// The match at a step of its playback, with full banks.
inline v1::Snapshot SnapshotAt(const replay::Replay& replay, const replay::Playback& playback,
                               size_t step) {
  const match::Setup& setup = replay.setup;
  v1::Snapshot snapshot;
  for (const std::string& bot : setup.bots) snapshot.mutable_match()->add_bots(bot);
  snapshot.mutable_match()->set_turns_played(playback.steps()[step].turns_played);
  snapshot.set_position_text(playback.steps()[step].state->Position());
  for (size_t i = 0; setup.time_control.has_bank() && i < setup.bots.size(); ++i) {
    snapshot.add_bank_left()->set_seconds(absl::ToInt64Seconds(setup.time_control.bank));
  }
  return snapshot;
}

}  // namespace referee::testing

#endif  // REFEREE_TESTS_UNIT_VIEW_TO_WATCHER_H_

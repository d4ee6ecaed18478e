// The match that a bot plays, and the turn that it is asked for, as the SDK passes them to its
// methods.
//
// Positions, moves and options are the generated types of the protocol, as they came over the wire:
// turn.position().hypnosia(), match.options().hypnosia(). Their fields are explained in
// proto/games/<game>/v1. What a game offers beyond them has a header of its own: hypnosia.h,
// isaac.h.
//
// A game that the SDK has no types for, such as an organiser's own, is text: turn.position_text(),
// Notation(turn.legal_move(0)), MoveFromNotation("roll"), OptionValues(match.options()).
#ifndef REFEREE_SDK_MATCH_H_
#define REFEREE_SDK_MATCH_H_

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "proto/referee/v1/game.pb.h"
#include "proto/referee/v1/match.pb.h"
#include "referee/sdk/log.h"

namespace referee::sdk {

using Move = ::referee::v1::Move;
using Position = ::referee::v1::Position;
using GameOptions = ::referee::v1::GameOptions;
using TimeControl = ::referee::v1::TimeControl;
using Snapshot = ::referee::v1::Snapshot;
using TurnPlayed = ::referee::v1::TurnPlayed;
using SeatForfeited = ::referee::v1::SeatForfeited;
using Verdict = ::referee::v1::Verdict;

// A move written in its game's notation, such as "5:L2>A3 4:A3>B3"; the referee reads it.
Move MoveFromNotation(absl::string_view notation);
// The notation of a move; "-" is the pass. "?" for a move of a game unknown to this SDK.
std::string Notation(const Move& move);

// A match, from the view of the bot that plays in it. Immutable while a bot's method runs.
class Match {
 public:
  Match(::referee::v1::MatchStart start, Logger log);

  const std::string& id() const { return match().match_id(); }
  // The game, such as "hypnosia".
  const std::string& game() const { return match().game(); }
  const GameOptions& options() const { return match().options(); }
  const TimeControl& time_control() const { return match().time_control(); }
  // SHA-256 of the seed of the dice, 32 bytes.
  const std::string& commitment() const { return match().commitment(); }
  // Whether the organiser has chosen the dice; else nobody has, as long as one party is honest.
  bool pinned() const { return match().pinned(); }

  // The bot's own seat, from 0, and how many there are.
  int seat() const { return static_cast<int>(start_.seat()); }
  int seats() const { return match().bots_size(); }
  // The name of the bot in a seat. REQUIRES: 0 <= seat < seats().
  const std::string& bot(int seat) const { return match().bots(seat); }
  // The names of the others, in the order in which they come after the bot's own seat.
  std::vector<std::string> opponents() const;

  // The whole state if the match goes on after the bot had lost its link; else null.
  const Snapshot* resumed() const { return start_.has_resumed() ? &start_.resumed() : nullptr; }

  // 64 pseudo-random bits that depend on the commitment, the seat, the bot's name and `turn` alone,
  // for bots that are to play the same again when a match with pinned dice is played again. Two
  // bots that choose by them play each match of a block differently, though all have the same dice.
  // Other bots can compute them.
  uint64_t Chance(uint32_t turn) const;

  // Names the match in each line.
  const Logger& log() const { return log_; }
  const ::referee::v1::MatchStart& proto() const { return start_; }

 private:
  const ::referee::v1::Match& match() const { return start_.match(); }

  ::referee::v1::MatchStart start_;
  Logger log_;
  uint64_t chance_;
};

// A turn that the bot is to play. Valid during the call that it is passed to.
class Turn {
 public:
  // `received` is when the request came out of the transport. Both references must outlive this.
  Turn(const Match& match, const ::referee::v1::TurnRequest& request,
       std::chrono::steady_clock::time_point received);

  const Match& match() const { return match_; }
  const std::string& match_id() const { return match_.id(); }
  // The number of the turn, from 1.
  uint32_t number() const { return request_.turn(); }
  int seat() const { return static_cast<int>(request_.seat()); }
  // As rolled; empty in games without dice.
  absl::Span<const uint32_t> dice() const {
    return {request_.dice().data(), static_cast<size_t>(request_.dice_size())};
  }
  const Position& position() const { return request_.position(); }
  const std::string& position_text() const { return request_.position_text(); }

  // The legal moves, sorted by notation; at least one. Empty if Options::legal_moves is off.
  const google::protobuf::RepeatedPtrField<Move>& legal_moves() const;
  // One of them, which costs less than all. REQUIRES: 0 <= index < legal_count().
  Move legal_move(int index) const;
  int legal_count() const { return legal_count_; }

  // How long the move may take in all, counted from the arrival of the request. The reply's way
  // back counts too: finish a little earlier.
  absl::Duration limit() const { return limit_; }
  // How much of the limit is left now; at least zero. Steps of the system's clock do not disturb
  // it.
  absl::Duration time_left() const;
  // The same as an instant.
  absl::Time deadline() const { return absl::Now() + time_left(); }
  // What is left in the bank; nothing without a bank.
  absl::optional<absl::Duration> bank_left() const;

  // match().Chance() of this turn.
  uint64_t Chance() const { return match_.Chance(number()); }

  const Logger& log() const { return match_.log(); }
  const ::referee::v1::TurnRequest& proto() const { return request_; }

 private:
  const Match& match_;
  const ::referee::v1::TurnRequest& request_;
  const std::chrono::steady_clock::time_point received_;
  const absl::Duration limit_;
  // Of the request. Empty if it lists messages, as an older referee does.
  std::vector<absl::string_view> notations_;
  int legal_count_;
  // Made of the notations when it is asked for.
  mutable std::once_flag legal_moves_made_;
  mutable google::protobuf::RepeatedPtrField<Move> legal_moves_;
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_MATCH_H_

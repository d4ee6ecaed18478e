// The match that a bot plays, and the turn that it must play, as arguments of the bot's methods.
//
// Positions, moves and options are the generated types of the protocol, as received:
// turn.position().hypnosia(), match.options().hypnosia(). proto/games/<game>/v1 explains their
// fields. hypnosia.h and isaac.h have helpers for the two games.
//
// A game that the SDK has no types for, such as an organiser's own game, uses text:
// turn.position_text(), Notation(turn.legal_move(0)), MoveFromNotation("roll"),
// OptionValues(match.options()).
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

// Makes a move from its notation, such as "5:L2>A3 4:A3>B3". The referee parses it.
Move MoveFromNotation(absl::string_view notation);
// The notation of a move; "-" is the pass. "?" for a move of a game unknown to this SDK.
std::string Notation(const Move& move);

// A match, as seen by the bot that plays in it. Immutable while a method of the bot runs.
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
  // Whether the organiser chose the dice. If not, nobody chose them, provided that one party is
  // honest.
  bool pinned() const { return match().pinned(); }

  // The bot's own seat, from 0, and the number of seats.
  int seat() const { return static_cast<int>(start_.seat()); }
  int seats() const { return match().bots_size(); }
  // The name of the bot in `seat`. REQUIRES: 0 <= seat < seats().
  const std::string& bot(int seat) const { return match().bots(seat); }
  // The names of the other bots, in table order from the seat after the bot's own.
  std::vector<std::string> opponents() const;

  // The whole state, if the match goes on after a lost connection; else null.
  const Snapshot* resumed() const { return start_.has_resumed() ? &start_.resumed() : nullptr; }

  // 64 pseudo-random bits that depend only on the commitment, the seat, the bot's name and `turn`.
  //
  // For bots that must repeat their play when a match with pinned dice is played again. Two such
  // bots play each match of a block differently, although all its matches have the same dice. Other
  // bots can compute the bits.
  uint64_t Chance(uint32_t turn) const;

  // A logger that names the match in each line.
  const Logger& log() const { return log_; }
  const ::referee::v1::MatchStart& proto() const { return start_; }

 private:
  const ::referee::v1::Match& match() const { return start_.match(); }

  ::referee::v1::MatchStart start_;
  Logger log_;
  uint64_t chance_;
};

// A turn that the bot must play. Valid only during the call that receives it.
class Turn {
 public:
  // `received` is when the request left the transport. Both references must outlive this object.
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

  // The legal moves, sorted by notation; at least one. Empty if Options::legal_moves is false.
  const google::protobuf::RepeatedPtrField<Move>& legal_moves() const;
  // One legal move; cheaper than the whole list. REQUIRES: 0 <= index < legal_count().
  Move legal_move(int index) const;
  int legal_count() const { return legal_count_; }

  // The total time for the move, counted from the arrival of the request. The reply's way back
  // counts too: finish a little earlier.
  absl::Duration limit() const { return limit_; }
  // The rest of the limit at this moment; never negative. Changes of the system clock do not affect
  // it.
  absl::Duration time_left() const;
  // time_left() as an instant.
  absl::Time deadline() const { return absl::Now() + time_left(); }
  // The time left in the bank; nothing without a bank.
  absl::optional<absl::Duration> bank_left() const;

  // match().Chance() for this turn.
  uint64_t Chance() const { return match_.Chance(number()); }

  const Logger& log() const { return match_.log(); }
  const ::referee::v1::TurnRequest& proto() const { return request_; }

 private:
  const Match& match_;
  const ::referee::v1::TurnRequest& request_;
  const std::chrono::steady_clock::time_point received_;
  const absl::Duration limit_;
  // From the request. Empty if it lists messages, as older referees do.
  std::vector<absl::string_view> notations_;
  int legal_count_;
  // Made from the notations on first use.
  mutable std::once_flag legal_moves_made_;
  mutable google::protobuf::RepeatedPtrField<Move> legal_moves_;
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_MATCH_H_

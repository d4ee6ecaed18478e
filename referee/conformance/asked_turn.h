// Turn requests for checks and reruns, each in a match of its own, in any position and seat.
//
// The bot sees the match as one that it rejoins, and that ends after its reply. Also builds the
// items that a script sends. Values and pure functions: thread-compatible.
#ifndef REFEREE_CONFORMANCE_ASKED_TURN_H_
#define REFEREE_CONFORMANCE_ASKED_TURN_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/ids.h"
#include "referee/conformance/scripted_referee.h"
#include "referee/games/game.h"
#include "referee/match/policies.h"
#include "referee/match/record.h"
#include "referee/match/time_control.h"
#include "referee/service/convert/convert.h"

namespace referee::conformance {

struct AskedTurn {
  std::string match_id;
  std::shared_ptr<const games::Game> game;
  std::unique_ptr<games::State> state;  // in Phase::kTurn
  std::vector<std::string> bots;        // names, by seat
  std::string commitment;               // 32 bytes; the SDKs derive a bot's random numbers from it
  bool pinned = false;
  match::TimeControl time_control;
  match::Policies policies;
  absl::optional<match::BlockPlace> block;
  uint32_t turn = 1;
  uint32_t request = 0;
  absl::Duration limit = absl::Milliseconds(500);
  absl::Duration bank_left = absl::InfiniteDuration();  // of the seat to move; infinite: no bank

  Seat seat() const { return state->seat_to_move(); }
};

// A unique match id.
std::string NewMatchId();

v1::RefereeItem WelcomeItem(absl::string_view bot, uint32_t max_matches);
// MatchStart for a match that is under way, in the position of the turn.
v1::RefereeItem ResumedItem(const AskedTurn& turn);
// MatchStart for a new match, with a limit for Ready. Ignores the position of `turn`.
v1::RefereeItem StartItem(const AskedTurn& turn, absl::Duration ready_limit);
v1::RefereeItem TurnItem(const AskedTurn& turn, service::MoveList list);
v1::RefereeItem CancelledItem(absl::string_view match_id);

// Parses a move of the bot. Returns InvalidArgument that says what is wrong with it.
absl::StatusOr<games::Move> ReadMove(const AskedTurn& turn, const v1::Move& move);
// Parses the move in a reply, which must name the match, the turn and the request.
absl::StatusOr<games::Move> ReadReply(const AskedTurn& turn, const v1::MoveReply& reply);

// A bot's answer to a turn request.
struct TurnAnswer {
  absl::StatusOr<games::Move> move;  // NotFound if it did not answer, or resigned
  absl::Duration after;              // since the request, including waits for other turns
};

struct AskTerms {
  int at_once = 1;
  service::MoveList list = service::MoveList::kMoves;
  bool tells_match = true;  // send MatchStart first; otherwise the bot knows the match
  // How long to wait for an answer beyond its limit.
  absl::Duration patience = absl::Seconds(5);
  // No turn is requested after this time.
  Instant until = Instant::InfiniteFuture();
  // Called after each answer with the number of answers so far. May be null.
  std::function<void(int64_t answered)> on_answer;
};

// Requests a move for each of `turns`, whose matches must differ, up to terms.at_once at a time.
// Returns one answer for each requested turn, in order. Stops early at terms.until, when the bot
// closes the stream, and when it does not answer.
std::vector<TurnAnswer> AskTurns(absl::Span<const AskedTurn> turns, const AskTerms& terms,
                                 BotStream* stream);

}  // namespace referee::conformance

#endif  // REFEREE_CONFORMANCE_ASKED_TURN_H_

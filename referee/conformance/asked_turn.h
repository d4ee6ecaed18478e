// A turn that a bot is asked out of nothing: its match is told as one that goes on, in a position
// and a seat of the asker's choice, and is over once it has answered. And the items that a script
// says. Values and pure functions: thread-compatible.
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
  std::string commitment;               // 32 bytes, from which the SDKs draw a bot's chance, too
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

// An id that no other match has.
std::string NewMatchId();

v1::RefereeItem WelcomeItem(absl::string_view bot, uint32_t max_matches);
// The match under way, in the position of the turn.
v1::RefereeItem ResumedItem(const AskedTurn& turn);
// The match at its start, with a limit for Ready: what `turn` says of the position is left out.
v1::RefereeItem StartItem(const AskedTurn& turn, absl::Duration ready_limit);
v1::RefereeItem TurnItem(const AskedTurn& turn, service::MoveList list);
v1::RefereeItem CancelledItem(absl::string_view match_id);

// The legal move that the bot meant. Returns InvalidArgument that says what is wrong with it.
absl::StatusOr<games::Move> ReadMove(const AskedTurn& turn, const v1::Move& move);
// The same of a reply, which must name the match, the turn and the request.
absl::StatusOr<games::Move> ReadReply(const AskedTurn& turn, const v1::MoveReply& reply);

// What a bot answered to a turn.
struct TurnAnswer {
  absl::StatusOr<games::Move> move;  // NotFound if it did not answer, or resigned
  absl::Duration after;              // from when it was asked, the wait for others included
};

struct AskTerms {
  int at_once = 1;
  service::MoveList list = service::MoveList::kMoves;
  bool tells_match = true;  // as one that goes on; else the bot knows of it
  // How long beyond its limit an answer is waited for.
  absl::Duration patience = absl::Seconds(5);
  // No turn is asked any more after that.
  Instant until = Instant::InfiniteFuture();
  // Told after each answer how many there are. May be null.
  std::function<void(int64_t answered)> on_answer;
};

// Asks these turns, whose matches must differ. The answers are those of the first of them, as many
// as were asked: as many at once as may be, unless `until` is over before, and no more when the bot
// has closed the stream or does not answer.
std::vector<TurnAnswer> AskTurns(absl::Span<const AskedTurn> turns, const AskTerms& terms,
                                 BotStream* stream);

}  // namespace referee::conformance

#endif  // REFEREE_CONFORMANCE_ASKED_TURN_H_

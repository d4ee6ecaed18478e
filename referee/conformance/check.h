// Building blocks for the checks of conformance.h.
//
// Each group of checks has its own file.
//
//   Finding AnswersPing(Visit& visit, BotStream* stream) {
//     stream->Say({ping});
//     if (!HearThe(stream, kAtOnce, IsPong)) return NotHeard(visit, *stream, "answer", kRight);
//     return Pass("after 0.3 ms");
//   }
#ifndef REFEREE_CONFORMANCE_CHECK_H_
#define REFEREE_CONFORMANCE_CHECK_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/conformance/asked_turn.h"
#include "referee/conformance/conformance.h"
#include "referee/conformance/scripted_referee.h"
#include "referee/conformance/tried_bot.h"
#include "referee/games/game.h"

namespace referee::conformance {

Finding Pass(absl::string_view seen);
Finding Fail(absl::string_view seen, absl::string_view remedy);
Finding Note(absl::string_view seen, absl::string_view remedy);
Finding Skipped(absl::string_view why);
// A failure because the bot is offline; `why` is an error of TriedBot.
Finding NoBot(const absl::Status& why);

// The context of a check.
struct Visit {
  TriedBot* bot;
  std::vector<const games::GameType*> games;  // at least one; the bot plays all
  // Shows people the progress of a check with many turns: `done` of at most `most`.
  std::function<void(int64_t done, int64_t most)> show;
  bool thorough = false;
};

// The groups of checks, each in the file of that name. REQUIRES: the bot was started.
absl::Span<const Check> GreetingChecks();  // start of a stream
absl::Span<const Check> StartChecks();     // starts of matches
absl::Span<const Check> TurnChecks();      // answers to turn requests
absl::Span<const Check> LinkChecks();      // lost and slow connections
absl::Span<const Check> LoadChecks();      // a busy machine, long thinking, memory
absl::Span<const Check> EndChecks();       // end of the bot

// --- Shared by the checks ---

// The limit for an immediate reaction: generous for every bot that reacts at all.
inline constexpr absl::Duration kAtOnce = absl::Seconds(3);

// Up to `count` turns of a game, each in its own match, with two or more legal moves. They come
// from random play, with all numbers of seats, each seat in turn, and usual and unusual options.
// Everything except the ids is the same in each call.
std::vector<AskedTurn> SampleTurns(const games::GameType& type, int count);
// One such turn from an early stage of a match with `seats` seats (0: any number).
AskedTurn SampleTurn(const games::GameType& type, int seats = 0);

// Waits for the first item for which `wanted` (a bool(const v1::BotItem&)) is true. Drops other
// items.
template <typename Wanted>
absl::optional<Heard> HearThe(BotStream* stream, absl::Duration limit, Wanted wanted) {
  const SystemClock clock;
  const Instant until = clock.Now() + limit;
  while (absl::optional<Heard> heard = stream->Hear(until - clock.Now())) {
    if (wanted(heard->item)) return heard;
  }
  return absl::nullopt;
}

// Waits for the reply to the turn, for the limit of the turn and `patience` more.
absl::optional<Heard> HearReply(BotStream* stream, const AskedTurn& turn, absl::Duration patience);

// Terms for one turn at a time, with the move list that the bot wants, and kAtOnce as patience.
AskTerms TermsFor(const Visit& visit);

// Sends the match of the turn as one under way, requests the move, waits for the answer, and ends
// the match.
TurnAnswer AskTurn(const Visit& visit, const AskedTurn& turn, BotStream* stream);

// The failure of a check whose item did not come. It says whether the bot closed the stream, and
// names the missing action, `due`, such as "answer the turn".
Finding NotHeard(const Visit& visit, const BotStream& stream, absl::string_view due,
                 absl::string_view remedy);

// Returns "0.3 ms".
std::string Millis(absl::Duration duration);

}  // namespace referee::conformance

#endif  // REFEREE_CONFORMANCE_CHECK_H_

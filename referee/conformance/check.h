// What the checks of conformance.h are made with. Each group of checks has a file of its own.
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
// A failure: the bot is offline; `why` is an error of TriedBot.
Finding NoBot(const absl::Status& why);

// What a check may use.
struct Visit {
  TriedBot* bot;
  std::vector<const games::GameType*> games;  // that the bot plays; at least one
  // Shows people how far a check is that asks many turns: `done` of at most `most`.
  std::function<void(int64_t done, int64_t most)> show;
  bool thorough = false;
};

// The checks of a group, each in the file of that name. REQUIRES: nothing of the bot but that it
// was started.
absl::Span<const Check> GreetingChecks();  // how a stream begins
absl::Span<const Check> StartChecks();     // how matches begin
absl::Span<const Check> TurnChecks();      // what the bot answers
absl::Span<const Check> LinkChecks();      // lost and slow links
absl::Span<const Check> LoadChecks();      // a busy machine, long thought, long life
absl::Span<const Check> EndChecks();       // how the bot ends

// --- What checks have in common ---

// How long a bot may take for what it is to do at once: more than any does that does it at all.
inline constexpr absl::Duration kAtOnce = absl::Seconds(3);

// Up to `count` turns of a game, each of a match of its own: from random play, of all numbers of
// seats, each seat in turn, and with the game's usual options and others. The same each time but
// for the ids. Each has two legal moves at least.
std::vector<AskedTurn> SampleTurns(const games::GameType& type, int count);
// One such turn, of a match of so many seats (0: any); of the first turns of a match.
AskedTurn SampleTurn(const games::GameType& type, int seats = 0);

// Waits for the first item that `wanted` (a bool(const v1::BotItem&)) takes; others are passed
// over.
template <typename Wanted>
absl::optional<Heard> HearThe(BotStream* stream, absl::Duration limit, Wanted wanted) {
  const SystemClock clock;
  const Instant until = clock.Now() + limit;
  while (absl::optional<Heard> heard = stream->Hear(until - clock.Now())) {
    if (wanted(heard->item)) return heard;
  }
  return absl::nullopt;
}

// Waits for a reply to the turn, as long as it may take and `patience` more.
absl::optional<Heard> HearReply(BotStream* stream, const AskedTurn& turn, absl::Duration patience);

// One turn at a time, with the moves listed as the bot wants them, and kAtOnce as patience.
AskTerms TermsFor(const Visit& visit);

// Tells the match of the turn as one that goes on, asks the turn, waits for the answer, and ends
// the match.
TurnAnswer AskTurn(const Visit& visit, const AskedTurn& turn, BotStream* stream);

// Ends a failed check of a stream that the bot has closed, or on which it says nothing: what it did
// instead of `due`, such as "answer the turn".
Finding NotHeard(const Visit& visit, const BotStream& stream, absl::string_view due,
                 absl::string_view remedy);

// "0.3 ms".
std::string Millis(absl::Duration duration);

}  // namespace referee::conformance

#endif  // REFEREE_CONFORMANCE_CHECK_H_

// Checks the start of a stream, and fields that are unknown to the bot.
#include <string>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/conformance/check.h"
#include "referee/games/catalogue.h"

namespace referee::conformance {
namespace {

// A field and an enumeration value that no version has.
constexpr int kUnknownField = 9999;
constexpr int kUnknownValue = 99;

Finding Connects(Visit& visit, BotStream* /*stream*/) {
  const absl::Time begun = absl::Now();
  if (absl::Status launched = visit.bot->Launch(); !launched.ok()) return NoBot(launched);
  if (visit.bot->Await(visit.bot->options().start_timeout) != nullptr) {
    return Pass(absl::StrCat("after ", Millis(absl::Now() - begun)));
  }
  const std::string ending = visit.bot->AwaitExit(absl::ZeroDuration());
  return Fail(
      absl::StrCat("it ", ending.empty() ? "opened no stream" : ending, " within ",
                   absl::FormatDuration(visit.bot->options().start_timeout), visit.bot->LogEnd()),
      "it calls BotService.Play at the address in REFEREE_ADDRESS, in plain text for a "
      "unix socket");
}

std::string ProblemOfHello(const v1::Hello& hello, bool started_here) {
  if (hello.token().empty()) return "hello.token is empty";
  if (started_here && hello.token() != TriedBot::Token()) return "hello.token is not REFEREE_TOKEN";
  if (hello.software().size() > limits::kMaxNameBytes || !IsPlainText(hello.software())) {
    return "hello.software has more than 64 bytes, or control characters";
  }
  if (hello.version().size() > 32 || !IsPlainText(hello.version())) {
    return "hello.version has more than 32 bytes, or control characters";
  }
  if (hello.games_size() > limits::kMaxGamesInHello) return "hello.games has more than 64 names";
  return "";
}

Finding SaysHello(Visit& visit, BotStream* stream) {
  if (stream == nullptr) return Skipped("it has not connected");
  if (absl::Status greeted = visit.bot->Greet(); !greeted.ok()) {
    return Fail(greeted.message(), "the first item of the first message is Hello, said at once");
  }
  const v1::Hello& hello = visit.bot->hello();
  const std::string problem = ProblemOfHello(hello, visit.bot->started_here());
  if (!problem.empty()) return Fail(problem, "a Hello as bot_service.proto describes it");
  const auto again = HearThe(stream, absl::Milliseconds(50),
                             [](const v1::BotItem& item) { return item.has_hello(); });
  if (again) return Fail("it said Hello twice", "Hello is said once on a stream");
  const std::string taken =
      absl::StrCat(Quoted(hello.software()), ", ", visit.bot->max_matches(), " matches at once");
  for (const std::string& name : hello.games()) {
    if (games::Find(name).ok()) continue;
    return Note(
        absl::StrCat(taken, "; it names the game ", Quoted(name)),
        "no such game is known here: a name that a referee does not know brings no matches");
  }
  return Pass(taken);
}

template <typename Message>
void AddUnknownField(Message* message) {
  message->GetReflection()->MutableUnknownFields(message)->AddVarint(kUnknownField, 1);
}

Finding PassesOverTheUnknown(Visit& visit, BotStream* stream) {
  constexpr char kRight[] =
      "an item of which no known member is set, a field and a value of an enumeration that it does "
      "not know are passed over: a referee of a later version says such things";
  const AskedTurn turn = SampleTurn(*visit.games.front());
  v1::RefereeItem unknown;
  AddUnknownField(&unknown);
  v1::RefereeItem notice;
  notice.mutable_notice()->set_text("refctl doctor tries this bot");
  v1::RefereeItem resumed = ResumedItem(turn);
  AddUnknownField(resumed.mutable_match_start());
  AddUnknownField(resumed.mutable_match_start()->mutable_match());
  resumed.mutable_match_start()->mutable_match()->set_state(
      static_cast<v1::MatchState>(kUnknownValue));
  v1::RefereeItem request = TurnItem(turn, service::MoveListOf(visit.bot->hello()));
  AddUnknownField(request.mutable_turn_request());
  AddUnknownField(&request);
  v1::RefereeItem fault;
  fault.mutable_fault()->set_kind(static_cast<v1::FaultKind>(kUnknownValue));
  fault.mutable_fault()->set_message("refctl doctor says a fault of no known kind");
  stream->Say({unknown});
  stream->Say({unknown, notice, resumed, fault, request, unknown});
  const absl::optional<Heard> reply = HearReply(stream, turn, kAtOnce);
  if (!reply) return NotHeard(visit, *stream, "answer the turn beside them", kRight);
  stream->Say({CancelledItem(turn.match_id)});
  const absl::StatusOr<games::Move> move = ReadReply(turn, reply->item.move());
  if (!move.ok()) return Fail(move.status().message(), kRight);
  return Pass("it played on");
}

constexpr Check kGreetingChecks[] = {
    {"connects", "a bot opens one stream", Connects},
    {"hello", "the first item of a stream is Hello, and there is one only", SaysHello},
    {"unknown", "what a bot does not know of an item it passes over", PassesOverTheUnknown},
};

}  // namespace

absl::Span<const Check> GreetingChecks() { return kGreetingChecks; }

}  // namespace referee::conformance

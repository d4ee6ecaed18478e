// Checks lost connections, a draining referee, and a slow connection.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/conformance/check.h"

namespace referee::conformance {
namespace {

constexpr char kBackRight[] =
    "after a lost link, and after every status that is not final, it connects again, after a "
    "random time between 0 and 20 ms doubled with each attempt in a row, up to 10 s, and says "
    "Hello";

Finding StaysAway(const Visit& visit, absl::string_view when) {
  return Fail(absl::StrCat("it did not come back ", when, visit.bot->LogEnd()), kBackRight);
}

Finding ComesBack(Visit& visit, BotStream* /*stream*/) {
  // Statuses with which a network, a referee or a proxy may end a stream.
  const std::vector<absl::Status> passing = {
      absl::UnavailableError("refctl doctor: it passes"),
      absl::ResourceExhaustedError("refctl doctor: it passes"),
      absl::DeadlineExceededError("refctl doctor: it passes"),
      absl::InternalError("refctl doctor: it passes"),
      absl::CancelledError("refctl doctor: it passes"),
      absl::UnknownError("refctl doctor: it passes"),
      absl::OkStatus(),
  };
  // A correct bot waits a random time. It waits less than this once in some thousand visits.
  constexpr absl::Duration kTooSoon = absl::Milliseconds(150);
  // The cost of an attempt itself: the quickest one hardly waited.
  absl::Duration quickest = absl::InfiniteDuration();
  visit.bot->relay().Cut();
  BotStream* next = visit.bot->Await(visit.bot->options().start_timeout);
  if (next == nullptr) return StaysAway(visit, "when its connection was cut");
  const absl::Time begun = absl::Now();
  for (const absl::Status& status : passing) {
    const absl::Time ended = absl::Now();
    next->End(status);
    next = visit.bot->Await(visit.bot->options().start_timeout);
    quickest = std::min(quickest, absl::Now() - ended);
    if (next != nullptr) continue;
    return StaysAway(visit,
                     absl::StrCat("after the status ", absl::StatusCodeToString(status.code())));
  }
  const absl::Duration waited = absl::Now() - begun;
  if (absl::Status greeted = visit.bot->Greet(); !greeted.ok()) {
    return Fail(greeted.message(), kBackRight);
  }
  const std::string seen = absl::StrCat(passing.size(), " attempts within ", Millis(waited));
  if (waited - passing.size() * quickest < kTooSoon) return Fail(seen, kBackRight);
  return Pass(seen);
}

Finding PlaysOnWhileDraining(Visit& visit, BotStream* stream) {
  constexpr char kRight[] =
      "after Draining it plays its matches on and closes nothing by itself; with will_return it "
      "comes back when the stream is closed, and goes on";
  v1::RefereeItem draining;
  draining.mutable_draining()->mutable_time_left()->set_seconds(5);
  draining.mutable_draining()->set_will_return(true);
  stream->Say({draining});
  for (const char* const when : {" while the referee drains", " when the referee is back"}) {
    const AskedTurn turn = SampleTurn(*visit.games.front());
    const TurnAnswer answer = AskTurn(visit, turn, stream);
    if (!stream->open()) return NotHeard(visit, *stream, absl::StrCat("play on", when), kRight);
    if (!answer.move.ok()) {
      return Fail(absl::StrCat(answer.move.status().message(), when), kRight);
    }
    const auto next = visit.bot->Reconnect(absl::UnavailableError("the referee is stopping"));
    if (!next.ok()) return NoBot(next.status());
    stream = *next;
  }
  return Pass("it played on, and came back");
}

// A turn with a short move list: over a slow connection, every byte counts.
AskedTurn SmallTurn(const games::GameType& type) {
  std::vector<AskedTurn> turns = SampleTurns(type, 50);
  const auto moves = [](const AskedTurn& turn) {
    std::vector<games::Move> legal;
    turn.state->LegalMoves(&legal);
    return legal.size();
  };
  return std::move(*std::min_element(
      turns.begin(), turns.end(),
      [&](const AskedTurn& a, const AskedTurn& b) { return moves(a) < moves(b); }));
}

Finding BearsASlowLink(Visit& visit, BotStream* stream) {
  Relay::Speed slow;
  slow.delay = absl::Milliseconds(50);
  slow.bytes_per_second = 20'000;
  visit.bot->relay().SetSpeed(slow);
  Finding finding = Pass("");
  absl::Duration longest;
  for (int i = 0; i < 2 && finding.kind == Finding::Kind::kPass; ++i) {
    const AskedTurn turn = SmallTurn(*visit.games.front());
    const TurnAnswer answer = AskTurn(visit, turn, stream);
    longest = std::max(longest, answer.after);
    finding.seen = absl::StrCat("a move took ", Millis(longest), " at most");
    if (answer.move.ok()) continue;
    finding = Fail(answer.move.status().message(),
                   "over a link of 50 ms each way and 20 KB/s it plays as over any other");
  }
  visit.bot->relay().SetSpeed({});
  return finding;
}

constexpr Check kLinkChecks[] = {
    {"comes back", "a bot connects again after a lost link, waiting longer each time", ComesBack},
    {"draining", "a bot plays on while the referee drains, and comes back", PlaysOnWhileDraining},
    {"slow link", "a bot plays over a link of 50 ms and 20 KB/s", BearsASlowLink},
};

}  // namespace

absl::Span<const Check> LinkChecks() { return kLinkChecks; }

}  // namespace referee::conformance

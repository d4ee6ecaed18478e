// How the bot ends.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "referee/ctl/doctor/check.h"

namespace referee::ctl {
namespace {

// How long after its end a process may take until it is gone.
constexpr absl::Duration kExitLimit = absl::Seconds(5);
// A bot that comes back does so within that.
constexpr absl::Duration kStaysAway = absl::Milliseconds(300);

Finding EndsOnSigterm(Visit& visit) {
  constexpr char kRight[] = "it ends on SIGTERM within two seconds, before it is killed";
  if (!visit.bot->started_here()) return Skipped("its process was not started here");
  const absl::StatusOr<BotStream*> stream = visit.bot->Stream();
  if (!stream.ok()) return NoBot(stream.status());
  const absl::Time begun = absl::Now();
  visit.bot->process()->Terminate();
  const std::string ending = visit.bot->AwaitExit(absl::Seconds(2));
  const absl::Duration took = absl::Now() - begun;
  visit.bot->Discard();
  if (ending.empty()) return Fail("it did not end within two seconds", kRight);
  return Pass(absl::StrCat("it ", ending, " after ", Millis(took)));
}

// A process of the bot whose stream is ended with a final status.
struct Ended {
  absl::Status status;  // of the stream
  bool welcomed;        // before its end
  std::unique_ptr<TriedBot> bot;
};

// The fault of a bot that was told a final status; empty if there is none.
std::string FaultAfter(Ended& ended) {
  const std::string name = absl::StatusCodeToString(ended.status.code());
  if (ended.bot->Await(kStaysAway) != nullptr) {
    return absl::StrCat("it came back after the status ", name);
  }
  const std::string ending = ended.bot->AwaitExit(kExitLimit);
  return ending.empty() ? absl::StrCat("it still runs after the status ", name) : "";
}

Finding EndsOnFinalStatuses(Visit& visit) {
  constexpr char kRight[] =
      "a final status ends the bot: it does not connect again, as the same would come of it, and "
      "ABORTED says that another process of it has taken over";
  if (!visit.bot->started_here()) return Skipped("only of a bot that is started here: --bot");
  std::vector<Ended> all;
  all.push_back({absl::UnauthenticatedError("refctl doctor: the token is not known"), false, {}});
  all.push_back({absl::AbortedError("refctl doctor: another stream has taken over"), true, {}});
  all.push_back({absl::InvalidArgumentError("refctl doctor: no such Hello"), false, {}});
  if (visit.thorough) {
    all.push_back({absl::PermissionDeniedError("refctl doctor: banned"), false, {}});
    all.push_back({absl::UnimplementedError("refctl doctor: no referee"), false, {}});
  }
  // All of them start at the same time: most of it is waiting.
  for (Ended& ended : all) {
    auto bot = TriedBot::Make(visit.options);
    if (!bot.ok()) return Skipped(std::string(bot.status().message()));
    ended.bot = *std::move(bot);
    if (absl::Status launched = ended.bot->Launch(); !launched.ok()) return NoBot(launched);
  }
  for (Ended& ended : all) {
    if (ended.bot->Await(visit.options.start_timeout) == nullptr) {
      return NoBot(absl::UnavailableError("another process of it opened no stream"));
    }
    if (ended.welcomed) {
      if (absl::Status greeted = ended.bot->Greet(); !greeted.ok()) return NoBot(greeted);
    }
    ended.bot->current()->End(ended.status);
  }
  for (Ended& ended : all) {
    std::string fault = FaultAfter(ended);
    if (!fault.empty()) return Fail(std::move(fault), kRight);
  }
  return Pass(absl::StrCat("after ", all.size(), " of them"));
}

Finding EndsWhenAllIsPlayed(Visit& visit) {
  constexpr char kRight[] =
      "OK after Draining with will_return false is the end: success, and nothing to come back for";
  const absl::StatusOr<BotStream*> stream = visit.bot->Stream();
  if (!stream.ok()) return NoBot(stream.status());
  v1::RefereeItem draining;
  draining.mutable_draining()->mutable_time_left();
  (*stream)->Say({draining});
  (*stream)->End(absl::OkStatus());
  if (visit.bot->Await(kStaysAway) != nullptr) return Fail("it came back", kRight);
  if (!visit.bot->started_here()) return Pass("it stays away");
  const std::string ending = visit.bot->AwaitExit(kExitLimit);
  visit.bot->Discard();
  if (ending.empty()) return Fail("it still runs", kRight);
  if (absl::EndsWith(ending, "status 0")) return Pass(absl::StrCat("it ", ending));
  return Note(absl::StrCat("it ", ending), "an exit status of 0: it was told that all is well");
}

constexpr Check kChecks[] = {
    {"SIGTERM", "a bot ends when its process is told to", EndsOnSigterm},
    {"final status", "a bot ends on UNAUTHENTICATED, ABORTED, INVALID_ARGUMENT and their like",
     EndsOnFinalStatuses},
    {"the end", "a bot ends when the referee is done", EndsWhenAllIsPlayed},
};

}  // namespace

absl::Span<const Check> EndChecks() { return kChecks; }

}  // namespace referee::ctl

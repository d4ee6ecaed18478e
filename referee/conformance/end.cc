// Checks how the bot ends.
#include <signal.h>
#include <sys/types.h>

#include <cerrno>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "referee/conformance/check.h"

namespace referee::conformance {
namespace {

// How long a process may take to exit after its stream ended.
constexpr absl::Duration kExitLimit = absl::Seconds(5);
constexpr absl::Duration kFatePoll = absl::Milliseconds(5);
// A bot that reconnects does so within this time.
constexpr absl::Duration kStaysAway = absl::Milliseconds(300);

Finding EndsOnSigterm(Visit& visit, BotStream* /*stream*/) {
  constexpr char kRight[] = "it ends on SIGTERM within two seconds, before it is killed";
  const absl::Time begun = absl::Now();
  visit.bot->process()->Terminate();
  const std::string ending = visit.bot->AwaitExit(absl::Seconds(2));
  const absl::Duration took = absl::Now() - begun;
  visit.bot->Discard();
  if (ending.empty()) return Fail("it did not end within two seconds", kRight);
  return Pass(absl::StrCat("it ", ending, " after ", Millis(took)));
}

// What a bot did after a final status ended its stream.
enum class Fate {
  kEnded,     // or stays offline, if it was not started here
  kReplaced,  // ended, and was or will be restarted by a supervisor
  kCameBack,  // the same process reconnected
  kStillRuns,
  kUnknown,  // a process connected, possibly the same
};

bool Runs(pid_t process) { return kill(process, 0) == 0 || errno == EPERM; }

// `process` had the stream; 0 if unknown.
Fate FateOf(TriedBot& bot, pid_t process) {
  const SystemClock clock;
  const bool back = bot.Await(kStaysAway) != nullptr;
  if (back && process == 0) return bot.started_here() ? Fate::kCameBack : Fate::kUnknown;
  if (back && bot.relay().peer() == process) return Fate::kCameBack;
  if (!bot.started_here()) return back ? Fate::kReplaced : Fate::kEnded;
  // The process started here may be the bot or its supervisor, which needs a moment to notice the
  // end.
  const Instant until = clock.Now() + kExitLimit;
  while (bot.AwaitExit(kFatePoll).empty()) {
    const bool gone = process != 0 && !Runs(process);
    if (gone && bot.AwaitExit(kStaysAway).empty()) return Fate::kReplaced;
    if (!gone && clock.Now() >= until) return Fate::kStillRuns;
  }
  return Fate::kEnded;
}

constexpr char kReplacedSeen[] = "it ended, and whoever starts it goes on";
constexpr char kReplacedRight[] =
    "as it is, if it is meant to be started again whatever comes of it";
constexpr char kUnknownSeen[] = "it came back, or was started again";

// A bot whose stream gets a final status.
struct Ended {
  absl::Status status;  // of the stream
  bool welcomed;        // before the end of the stream
  std::unique_ptr<TriedBot> bot;
};

Finding EndsOnFinalStatuses(Visit& visit, BotStream* /*stream*/) {
  constexpr char kRight[] =
      "a final status ends the bot: it does not connect again, as the same would come of it, and "
      "ABORTED says that another process of it has taken over";
  std::vector<Ended> all;
  all.push_back({absl::UnauthenticatedError("refctl doctor: the token is not known"), false, {}});
  all.push_back({absl::AbortedError("refctl doctor: another stream has taken over"), true, {}});
  all.push_back({absl::InvalidArgumentError("refctl doctor: no such Hello"), false, {}});
  if (visit.thorough) {
    all.push_back({absl::PermissionDeniedError("refctl doctor: banned"), false, {}});
    all.push_back({absl::UnimplementedError("refctl doctor: no referee"), false, {}});
  }
  // Starts all bots at once: the checks mostly wait.
  for (Ended& ended : all) {
    auto bot = TriedBot::Make(visit.bot->options());
    if (!bot.ok()) return Skipped(bot.status().message());
    ended.bot = *std::move(bot);
    if (absl::Status launched = ended.bot->Launch(); !launched.ok()) return NoBot(launched);
  }
  std::vector<pid_t> processes;
  for (Ended& ended : all) {
    if (ended.bot->Await(visit.bot->options().start_timeout) == nullptr) {
      return NoBot(absl::UnavailableError("another process of it opened no stream"));
    }
    if (ended.welcomed) {
      if (absl::Status greeted = ended.bot->Greet(); !greeted.ok()) return NoBot(greeted);
    }
    processes.push_back(ended.bot->relay().peer());
    ended.bot->current()->End(ended.status);
  }
  bool replaced = false;
  for (size_t i = 0; i < all.size(); ++i) {
    const Fate fate = FateOf(*all[i].bot, processes[i]);
    const std::string after =
        absl::StrCat(" after the status ", absl::StatusCodeToString(all[i].status.code()));
    if (fate == Fate::kCameBack) return Fail(absl::StrCat("it came back", after), kRight);
    if (fate == Fate::kStillRuns) return Fail(absl::StrCat("it still runs", after), kRight);
    replaced |= fate == Fate::kReplaced;
  }
  if (replaced) return Note(kReplacedSeen, kReplacedRight);
  return Pass(absl::StrCat("after ", all.size(), " of them"));
}

Finding EndsWhenAllIsPlayed(Visit& visit, BotStream* stream) {
  constexpr char kRight[] =
      "OK after Draining with will_return false is the end: success, and nothing to come back for";
  const pid_t process = visit.bot->relay().peer();
  v1::RefereeItem draining;
  draining.mutable_draining()->mutable_time_left();
  stream->Say({draining});
  stream->End(absl::OkStatus());
  const Fate fate = FateOf(*visit.bot, process);
  const std::string ending = visit.bot->AwaitExit(absl::ZeroDuration());
  visit.bot->Discard();
  switch (fate) {
    case Fate::kCameBack:
      return Fail("it came back", kRight);
    case Fate::kStillRuns:
      return Fail("it still runs", kRight);
    case Fate::kReplaced:
      return Note(kReplacedSeen, kReplacedRight);
    case Fate::kUnknown:
      return Note(kUnknownSeen, kRight);
    case Fate::kEnded:
      break;
  }
  if (!visit.bot->started_here()) return Pass("it stays away");
  if (absl::EndsWith(ending, "status 0")) return Pass(absl::StrCat("it ", ending));
  return Note(absl::StrCat("it ", ending), "an exit status of 0: it was told that all is well");
}

constexpr Check kEndChecks[] = {
    {"SIGTERM", "a bot ends on SIGTERM", EndsOnSigterm,
     /*thorough=*/false, /*needs_process=*/true},
    {"final status", "a bot ends on UNAUTHENTICATED, ABORTED, INVALID_ARGUMENT and their like",
     EndsOnFinalStatuses, /*thorough=*/false, /*needs_process=*/true},
    {"the end", "a bot ends when the referee is done", EndsWhenAllIsPlayed},
};

}  // namespace

absl::Span<const Check> EndChecks() { return kEndChecks; }

}  // namespace referee::conformance

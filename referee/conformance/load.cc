// Checks a busy machine, long thinking, and memory over many matches.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "referee/conformance/check.h"

namespace referee::conformance {
namespace {

// Keeps every core busy while the object lives.
class BusyCores {
 public:
  BusyCores() {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    for (unsigned i = 0; i < cores; ++i) {
      threads_.emplace_back([this] {
        while (!done_.load(std::memory_order_relaxed)) continue;
      });
    }
  }
  ~BusyCores() {
    done_ = true;
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  std::atomic<bool> done_{false};
  std::vector<std::thread> threads_;
};

Finding BearsABusyMachine(Visit& visit, BotStream* stream) {
  constexpr int kTurns = 3;
  const BusyCores busy;
  int late = 0;
  absl::Duration longest;
  for (int i = 0; i < kTurns; ++i) {
    const AskedTurn turn = SampleTurn(*visit.games.front());
    const TurnAnswer answer = AskTurn(visit, turn, stream);
    if (!answer.move.ok()) {
      return Fail(answer.move.status().message(),
                  "it answers every turn, also on a machine of which every core is busy");
    }
    longest = std::max(longest, answer.after);
    late += answer.after > turn.limit ? 1 : 0;
  }
  const std::string seen = absl::StrCat("a move took ", Millis(longest), " at most of 500 ms");
  if (late == 0) return Pass(seen);
  return Note(seen, "it leaves more of its time unused: another bot may be busy, too");
}

Finding ThinksForLong(Visit& visit, BotStream* stream) {
  AskedTurn turn = SampleTurn(*visit.games.front());
  turn.time_control.per_move = turn.limit = absl::Seconds(45);
  const TurnAnswer answer = AskTurn(visit, turn, stream);
  const std::string seen = absl::StrCat("it thought for ", Millis(answer.after));
  if (answer.move.ok()) return Pass(seen);
  if (stream->open()) {
    return Fail(answer.move.status().message(), "it moves within `limit`, 45 s here");
  }
  return Fail("it lost its link while it thought",
              "HTTP/2's pings are answered while it thinks, by gRPC itself if its thread or event "
              "loop is left free: after 20 s of silence the referee sends one, and waits for 10 s");
}

// The resident memory of the processes of a group, in bytes.
int64_t ResidentBytes(pid_t group) {
  int64_t pages = 0;
  std::error_code error;
  // Lists processes only: /proc does not list the folders of other threads.
  for (std::filesystem::directory_iterator at("/proc", error), end; !error && at != end;
       at.increment(error)) {
    std::ifstream stat(at->path() / "stat");
    std::string text;
    std::getline(stat, text);
    const size_t name_end = text.rfind(')');
    if (name_end == std::string::npos) continue;
    char state;
    int parent, process_group;
    if (std::sscanf(text.c_str() + name_end + 1, " %c %d %d", &state, &parent, &process_group) !=
            3 ||
        process_group != group) {
      continue;
    }
    int64_t size = 0, resident = 0;
    std::ifstream(at->path() / "statm") >> size >> resident;
    pages += resident;
  }
  return pages * sysconf(_SC_PAGESIZE);
}

// Makes the bot play these one-turn matches for at most `most`. Returns the number of matches
// played, or the problem with an answer.
absl::StatusOr<int64_t> PlayMatches(const Visit& visit, absl::Span<const AskedTurn> turns,
                                    absl::Duration most, BotStream* stream) {
  const SystemClock clock;
  AskTerms terms = TermsFor(visit);
  // Bounded, and the same in every part: memory for parallel work must not look like a leak.
  terms.at_once = std::min(visit.bot->parallel_turns(), 64);
  terms.patience = absl::Minutes(1);
  terms.until = clock.Now() + most;
  terms.on_answer = [&visit, turns](int64_t answered) {
    visit.show(answered, static_cast<int64_t>(turns.size()));
  };
  const std::vector<TurnAnswer> answers = AskTurns(turns, terms, stream);
  for (const TurnAnswer& answer : answers) {
    if (!answer.move.ok()) return answer.move.status();
  }
  return static_cast<int64_t>(answers.size());
}

Finding KeepsItsSize(Visit& visit, BotStream* stream) {
  // The first part absorbs one-time allocations. A heap also grows now and then, but a leak per
  // match shows in both other parts.
  constexpr int kParts = 3;
  constexpr int kMatches = 1000;  // per part
  constexpr absl::Duration kMost = absl::Seconds(20);
  // Short, for bots that use all of their time.
  constexpr absl::Duration kTurnLimit = absl::Milliseconds(50);
  // Growth in bytes that is accepted per match, and in all.
  constexpr int64_t kOfMatch = 5'000;
  constexpr int64_t kBesides = 2'000'000;
  std::vector<AskedTurn> turns = SampleTurns(*visit.games.front(), kParts * kMatches);
  for (AskedTurn& turn : turns) turn.time_control.per_move = turn.limit = kTurnLimit;

  std::string seen;
  int64_t played = 0;
  int64_t before = 0;
  bool keeps = true;
  for (int part = 0; part < kParts; ++part) {
    const auto asked =
        absl::MakeConstSpan(turns).subspan(static_cast<size_t>(part) * kMatches, kMatches);
    const absl::StatusOr<int64_t> more = PlayMatches(visit, asked, kMost, stream);
    if (!more.ok()) {
      return Fail(more.status().message(),
                  "it answers every turn, however many matches it has played");
    }
    played += *more;
    const int64_t after = ResidentBytes(visit.bot->process()->pid());
    if (part > 0) keeps = keeps && after - before >= std::max(kBesides, kOfMatch * *more);
    before = after;
    absl::StrAppendFormat(&seen, "%s%.1f MB after %d matches", part == 0 ? "" : ", ", after / 1e6,
                          played);
  }
  if (played < kParts * kMatches) absl::StrAppend(&seen, ", as many as it played in a minute");
  if (!keeps) return Pass(seen);
  return Note(
      seen,
      "what it keeps of a match goes at MatchEnd. A heap that is collected now and then may grow "
      "for a while all the same, but not with a bound on it, as of 'java -Xmx64m' or "
      "'node --max-semi-space-size=1 --max-old-space-size=32'");
}

constexpr Check kLoadChecks[] = {
    {"busy", "a bot answers while every core is busy", BearsABusyMachine},
    {"long thought", "a bot that thinks for 45 s keeps its link", ThinksForLong, /*thorough=*/true},
    {"memory", "a bot keeps nothing of the matches that it has played", KeepsItsSize,
     /*thorough=*/true, /*needs_process=*/true},
};

}  // namespace

absl::Span<const Check> LoadChecks() { return kLoadChecks; }

}  // namespace referee::conformance

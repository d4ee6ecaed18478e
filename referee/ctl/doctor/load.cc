// A busy machine, long thought, a long life.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "referee/ctl/doctor/check.h"

namespace referee::ctl {
namespace {

// Keeps every core busy while it lives.
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

Finding BearsABusyMachine(Visit& visit) {
  constexpr int kTurns = 3;
  const absl::StatusOr<BotStream*> stream = visit.bot->Stream();
  if (!stream.ok()) return NoBot(stream.status());
  const BusyCores busy;
  int late = 0;
  absl::Duration longest;
  for (int i = 0; i < kTurns; ++i) {
    const AskedTurn turn = SampleTurn(*visit.games.front());
    const TurnAnswer answer = AskTurn(visit, turn, *stream);
    if (!answer.move.ok()) {
      return Fail(std::string(answer.move.status().message()),
                  "it answers every turn, also on a machine of which every core is busy");
    }
    longest = std::max(longest, answer.after);
    late += answer.after > turn.limit ? 1 : 0;
  }
  const std::string seen = absl::StrCat("a move took ", Millis(longest), " at most of 500 ms");
  if (late == 0) return Pass(seen);
  return Note(seen, "it leaves more of its time unused: another bot may be busy, too");
}

Finding ThinksForLong(Visit& visit) {
  const absl::StatusOr<BotStream*> stream = visit.bot->Stream();
  if (!stream.ok()) return NoBot(stream.status());
  AskedTurn turn = SampleTurn(*visit.games.front());
  turn.time_control.per_move = turn.limit = absl::Seconds(45);
  const TurnAnswer answer = AskTurn(visit, turn, *stream);
  const std::string seen = absl::StrCat("it thought for ", Millis(answer.after));
  if (answer.move.ok()) return Pass(seen);
  if ((*stream)->open()) {
    return Fail(std::string(answer.move.status().message()), "it moves within `limit`, 45 s here");
  }
  return Fail("it lost its link while it thought",
              "HTTP/2's pings are answered while it thinks, by gRPC itself if its thread or event "
              "loop is left free: after 20 s of silence the referee sends one, and waits for 10 s");
}

// The resident memory of the processes of a group, in bytes.
int64_t ResidentBytes(pid_t group) {
  int64_t pages = 0;
  for (int pid = group; pid < group + 64; ++pid) {
    std::ifstream stat(absl::StrCat("/proc/", pid, "/stat"));
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
    std::ifstream(absl::StrCat("/proc/", pid, "/statm")) >> size >> resident;
    pages += resident;
  }
  return pages * 4096;
}

// Has the bot play these matches of a turn each, or as many of them as it plays in `most`. Returns
// how many it has played, or what was wrong with an answer.
absl::StatusOr<int64_t> PlayMatches(const Visit& visit, absl::Span<const AskedTurn> turns,
                                    absl::Duration most, BotStream* stream) {
  const SystemClock clock;
  AskTerms terms;
  terms.at_once = visit.bot->parallel_turns();
  terms.lists_legal_moves = visit.bot->hello().wants_legal_moves();
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

Finding KeepsItsSize(Visit& visit) {
  constexpr char kAnswers[] = "it answers every turn, however many matches it has played";
  constexpr int kMatches = 2000;
  constexpr int kFirst = 200;  // until what is made once is made
  // Little, for those that think as long as they may.
  constexpr absl::Duration kTurnLimit = absl::Milliseconds(50);
  // What a bot may keep of a match, and what comes and goes besides, in bytes.
  constexpr int64_t kOfMatch = 5'000;
  constexpr int64_t kBesides = 2'000'000;
  if (visit.bot->process() == nullptr) return Skipped("its process was not started here");
  const absl::StatusOr<BotStream*> stream = visit.bot->Stream();
  if (!stream.ok()) return NoBot(stream.status());
  std::vector<AskedTurn> turns = SampleTurns(*visit.games.front(), kMatches + kFirst);
  for (AskedTurn& turn : turns) turn.time_control.per_move = turn.limit = kTurnLimit;
  const auto all = absl::MakeConstSpan(turns);

  const auto first = PlayMatches(visit, all.subspan(0, kFirst), absl::Seconds(10), *stream);
  if (!first.ok()) return Fail(std::string(first.status().message()), kAnswers);
  const int64_t before = ResidentBytes(visit.bot->process()->pid());
  const auto more = PlayMatches(visit, all.subspan(kFirst), absl::Minutes(1), *stream);
  if (!more.ok()) return Fail(std::string(more.status().message()), kAnswers);
  const int64_t after = ResidentBytes(visit.bot->process()->pid());

  std::string seen = absl::StrFormat("%.1f MB after %d matches, %.1f MB after %d more",
                                     before / 1e6, *first, after / 1e6, *more);
  if (*more < kMatches) absl::StrAppend(&seen, ", as many as it played in a minute");
  if (after - before < std::max(kBesides, kOfMatch * *more)) return Pass(seen);
  return Note(seen, "what it keeps of a match goes at MatchEnd");
}

constexpr Check kChecks[] = {
    {"busy", "a bot answers while every core is busy", BearsABusyMachine},
    {"long thought", "a bot that thinks for 45 s keeps its link", ThinksForLong, true},
    {"memory", "a bot keeps nothing of the matches that it has played", KeepsItsSize, true},
};

}  // namespace

absl::Span<const Check> LoadChecks() { return kChecks; }

}  // namespace referee::ctl

// A planner (planner.h) with its inputs and outputs as plain values: no host, no store, no clock.
#ifndef REFEREE_TESTS_UNIT_COMPETITION_PLANNER_OFFICE_H_
#define REFEREE_TESTS_UNIT_COMPETITION_PLANNER_OFFICE_H_

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/competition/planner.h"
#include "tests/support/match_id.h"

namespace referee::testing {

inline constexpr char kOwner[] = "referee";

// A match that seat a won.
inline competition::MatchEnd WonEnd() {
  competition::MatchEnd end;
  end.verdict.scores = {1, 0};
  end.verdict.ranks = {1, 2};
  return end;
}

inline competition::MatchEnd VoidEnd() {
  competition::MatchEnd end;
  end.verdict.ending = match::Ending::kVoid;
  end.verdict.reason = "the referee stood still";
  return end;
}

template <typename Change>
std::vector<Change> ChangesOf(const competition::Transaction& transaction) {
  std::vector<Change> changes;
  for (const store::Change& change : transaction.changes) {
    if (const auto* one = std::get_if<Change>(&change)) changes.push_back(*one);
  }
  return changes;
}

// The transaction of a step, with the blocks that it begins and counts.
struct Transaction : competition::Transaction {
  explicit Transaction(const competition::Transaction& plan)
      : competition::Transaction(plan), begun(ChangesOf<store::BeginBlock>(plan)) {
    const auto counts = ChangesOf<store::CountBlocks>(plan);
    if (!counts.empty()) count = counts.front();
  }

  std::vector<store::BeginBlock> begun;
  absl::optional<store::CountBlocks> count;
};

// A RUNNING competition of two seats, and the inputs of its planner. At first all bots are
// connected and have eight free slots.
struct Office {
  Office(schedule::Format format, int bots) : planner(store::CompetitionId("cup")) {
    planner.GoOnUnder({kOwner, 1});
    row.id = store::CompetitionId("cup");
    row.state = store::CompetitionState::kRunning;
    row.spec.name = "cup";
    row.spec.format = format;
    row.spec.game = "isaac";
    row.spec.absence_limit = absl::Minutes(10);
    for (int bot = 0; bot < bots; ++bot) {
      entrants.emplace_back();
      entrants.back().number = bot;
      entrants.back().name = absl::StrCat("bot", bot);
      row.spec.entrants.push_back(entrants.back().name);
    }
    situation.now = Instant::FromNanos(1'000'000'000'000);
    situation.host.max_running = 100;
    situation.host.bots.assign(entrants.size(), {true, 8, ""});
    Load({});
  }

  std::vector<competition::Cancellation> Load(std::vector<store::Block> blocks) {
    auto schedule = schedule::Schedule::Make(row.spec);
    for (const store::Block& block : blocks) schedule->Begun(block.pairing);
    row.next_block = static_cast<int64_t>(blocks.size());
    return planner.Load({row, entrants, std::move(schedule), std::move(blocks)});
  }

  // Makes a step, and carries out all its requests. The matches of a block get the next two
  // numbers.
  Transaction Step() {
    planner.BeginStep(situation);
    cancelled = planner.Cancellations();
    const Transaction transaction(planner.Plan());
    planner.Commit(transaction);
    made = planner.BlocksToMake();
    for (const int64_t number : made) {
      planner.Made(number, {NumberedId(next_match), NumberedId(next_match + 1)}, "block");
      next_match += 2;
    }
    planner.Named();
    removed = planner.Removals();
    for (const competition::Removal& removal : removed) planner.Removed(removal);
    return transaction;
  }

  void End(int64_t match, const competition::MatchEnd& end) {
    planner.MatchEnded(NumberedId(match), end);
  }
  // Ends both matches of a block with the same result. `match` is the number of the first.
  void EndBlock(int64_t match, const competition::MatchEnd& end) {
    End(match, end);
    End(match + 1, end);
  }
  void Pass(absl::Duration duration) {
    situation.now = situation.now + duration;
    situation.wall_now += duration;
  }

  store::Competition row;
  std::vector<store::Entrant> entrants;
  competition::Planner planner;
  competition::Situation situation;
  int64_t next_match = 0;

  // The requests of the last step.
  std::vector<competition::Cancellation> cancelled;
  std::vector<int64_t> made;
  std::vector<competition::Removal> removed;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_UNIT_COMPETITION_PLANNER_OFFICE_H_

// Tests of arbitrary events in any order: a match stays consistent, and ticks alone finish it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "absl/strings/str_cat.h"
#include "tests/unit/match/table.h"

namespace referee::match {
namespace {

using testing::CountingRules;

// A source of small numbers that gives the same on every machine.
class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  int Below(int n) { return static_cast<int>(engine_() % static_cast<uint32_t>(n)); }
  bool OneIn(int n) { return Below(n) == 0; }

 private:
  std::mt19937 engine_;
};

CountingRules RandomRules(Random* random) {
  CountingRules rules;
  rules.seats = 2 + random->Below(5);
  rules.target = 10 + random->Below(40);
  rules.limits.clear();
  for (int i = 0; i < 1 + random->Below(4); ++i) rules.limits.push_back(random->Below(6));
  rules.first_player = random->OneIn(2);
  rules.setup_rolls = random->OneIn(2);
  rules.dice = random->OneIn(2);
  return rules;
}

TimeControl RandomTimeControl(Random* random) {
  TimeControl time_control;
  if (random->OneIn(2)) time_control.bank = absl::Milliseconds(1 + random->Below(2000));
  if (time_control.has_bank() && random->OneIn(2)) {
    time_control.increment = absl::Milliseconds(random->Below(50));
  }
  if (time_control.has_bank() && random->OneIn(2)) {
    time_control.per_move = absl::InfiniteDuration();
  }
  return time_control;
}

// Mostly the seat to move and its turn, so that matches get somewhere.
Seat RandomSeat(Random* random, const Match& match) {
  if (!random->OneIn(4)) return match.seat_to_move();
  return Seat(random->Below(match.seats() + 2) - 1);
}
uint32_t RandomTurn(Random* random, const Match& match) {
  if (!random->OneIn(8)) return match.turn();
  return match.turn() + static_cast<uint32_t>(random->Below(4)) - 2;
}

uint32_t RandomRequest(Random* random, const Match& match) {
  if (!random->OneIn(8)) return match.request();
  return match.request() + static_cast<uint32_t>(random->Below(3)) - 1;
}

std::string RandomNonce(Random* random) { return random->OneIn(8) ? "another" : "nonce"; }
absl::optional<dice::NonceHash> RandomHash(Random* random) {
  if (random->OneIn(8)) return absl::nullopt;
  return dice::HashNonce(RandomNonce(random));
}

Event RandomEvent(Random* random, const Match& match) {
  const Seat seat = RandomSeat(random, match);
  const uint32_t turn = RandomTurn(random, match);
  switch (random->Below(64)) {
    case 0:
      return Resigned{seat};
    case 1:
      return RepliedUnreadably{seat, turn, absl::InvalidArgumentError("unreadable"),
                               Instant::InfiniteFuture(), RandomRequest(random, match)};
    case 2:
      return random->OneIn(16) ? Event(Stopped{Ending::kCancelled, "stopped"}) : Event(Begin{});
    case 3:
    case 4:
    case 5:
      return LinkLost{seat};
    case 6:
    case 7:
    case 8:
      return LinkBack{seat};
    default:
      break;
  }
  switch (random->Below(5)) {
    case 0:
      return ReadyReceived{Seat(random->Below(match.seats())), RandomHash(random)};
    case 4:
      return NonceReceived{Seat(random->Below(match.seats())), RandomNonce(random)};
    case 1:
      if (random->OneIn(4)) return RequestOffered{seat, turn, RandomRequest(random, match)};
      return RequestSent{seat, turn, {}, RandomRequest(random, match)};
    case 2:
      return Replied{seat, turn, games::Move(static_cast<uint64_t>(random->Below(4))),
                     Instant::InfiniteFuture(), RandomRequest(random, match)};
    default:
      return Tick{};
  }
}

// What must hold after every step.
void CheckMatch(const Match& match) {
  const bool playing = match.stage() == Match::Stage::kPlaying;
  const bool waits = playing || match.stage() == Match::Stage::kReadying ||
                     match.stage() == Match::Stage::kRevealing;
  EXPECT_EQ(waits, match.next_deadline() < Instant::InfiniteFuture());
  EXPECT_EQ(match.seat_to_move().valid(), playing);
  EXPECT_EQ(match.ended().has_value(), match.stage() == Match::Stage::kOver);
  for (int i = 0; i < match.seats(); ++i) {
    EXPECT_GE(match.bank_left(Seat(i)), absl::ZeroDuration());
  }
  if (match.has_position()) {
    EXPECT_EQ(match.position(), match.state().Position());
  }
  if (!playing) return;
  EXPECT_FALSE(match.state().forfeited(match.seat_to_move()));
  ASSERT_FALSE(match.legal_moves().empty());
  EXPECT_FALSE(match.legal_moves().size() == 1 && match.legal_moves()[0].is_pass());
  std::vector<games::Move> legal;
  match.state().LegalMoves(&legal);
  EXPECT_EQ(match.legal_moves(), absl::MakeConstSpan(legal));
}

// What must hold of everything that was recorded.
void CheckRecords(const Table& table) {
  uint32_t played = 0;
  std::set<Seat> out;
  const std::vector<Record>& records = table.records();
  for (size_t i = 0; i < records.size(); ++i) {
    const bool cancelled_unstarted = records.size() == 1;
    if (i == 0 && !cancelled_unstarted) {
      EXPECT_TRUE(std::holds_alternative<Started>(records[i]));
    }
    EXPECT_EQ(std::holds_alternative<Ended>(records[i]), i + 1 == records.size());
    EXPECT_TRUE(i == 0 || !std::holds_alternative<Started>(records[i]));
    if (const auto* p = std::get_if<Played>(&records[i])) {
      EXPECT_EQ(p->number, ++played);
      EXPECT_EQ(out.count(p->seat), 0u);
      EXPECT_GE(p->used, absl::ZeroDuration());
    }
    if (const auto* f = std::get_if<Forfeited>(&records[i])) {
      EXPECT_EQ(f->number, played + 1);
      EXPECT_TRUE(out.insert(f->seat).second);
      EXPECT_FALSE(f->detail.empty());
    }
  }
}

TEST(MatchRandom, AnyEventsKeepEveryPromiseAndTicksEndTheMatch) {
  int finished = 0;
  int turns = 0;
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    Random random(seed);
    const CountingRules rules = RandomRules(&random);
    const TimeControl time_control = RandomTimeControl(&random);
    const DiceSource source = random.OneIn(2) ? DiceSource{} : DiceSource{seed, {}};
    Table table(rules, time_control, source);
    absl::Duration now;
    if (!random.OneIn(4)) table.BeginReady();
    for (int i = 0; i < 300; ++i) {
      now += absl::Milliseconds(random.Below(random.OneIn(32) ? 1000 : 20));
      const absl::Duration earlier = absl::Milliseconds(random.OneIn(4) ? random.Below(100) : 0);
      table.Step(now - earlier, RandomEvent(&random, table.match()));
      CheckMatch(table.match());
    }
    table.Step(now, Begin{});
    int ticks = 0;
    while (table.match().stage() != Match::Stage::kOver) {
      table.TickAt(table.next_deadline());
      CheckMatch(table.match());
      ASSERT_LT(++ticks, 3 * table.match().seats() + 3) << "a tick in vain";
    }
    CheckRecords(table);
    if (table.match().ended()->ending == Ending::kFinished) ++finished;
    turns += static_cast<int>(table.match().turn()) - 1;
    if (HasFailure()) return;
  }
  // The walk gets somewhere: otherwise the claims above are about nothing.
  EXPECT_GT(finished, 500);
  EXPECT_GT(turns, 5000);
}

}  // namespace
}  // namespace referee::match

// Tests that a match goes on from its records after its referee was killed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/match/table.h"

namespace referee::match {
namespace {

using testing::CountingRules;
using ::testing::HasSubstr;

constexpr absl::Duration kResumeLimit = absl::Seconds(60);  // for the bots to come back

CountingRules Rules(int seats = 2) {
  CountingRules rules;
  rules.seats = seats;
  rules.target = 12;
  rules.dice = true;
  rules.setup_rolls = true;
  return rules;
}

// The same match at another table, from `records`, before Resume.
std::unique_ptr<Table> Rebuilt(const CountingRules& rules, const TimeControl& time_control,
                               absl::Span<const Record> records, const Policies& policies = {}) {
  auto table = std::make_unique<Table>(rules, time_control, policies);
  const absl::Status rebuilt = table->match().Rebuild(records);
  EXPECT_TRUE(rebuilt.ok()) << rebuilt;
  return table;
}

std::string ResumeAndComeBack(Table* table) {
  table->Step({}, Resume{kResumeLimit});
  std::string last;
  for (int i = 0; i < table->match().seats(); ++i) last = table->Step({}, LinkBack{Seat(i)});
  return last;
}

// Plays the first legal move for whoever is to move until the match is over.
void PlayOn(Table* table) {
  Match& match = table->match();
  while (match.stage() != Match::Stage::kOver) {
    table->Step({}, Replied{match.seat_to_move(), match.turn(), match.legal_moves().front(),
                            Instant::InfiniteFuture(), match.request()});
  }
}

TEST(MatchRebuild, EndsAsItWouldHaveFromEveryRecordOn) {
  Table whole(Rules());
  whole.BeginReady();
  PlayOn(&whole);
  const Ended expected = *whole.match().ended();
  for (size_t cut = 1; cut + 1 < whole.records().size(); ++cut) {
    const auto table = Rebuilt(Rules(), {}, absl::MakeConstSpan(whole.records()).subspan(0, cut));
    ResumeAndComeBack(table.get());
    PlayOn(table.get());
    ASSERT_TRUE(table->match().ended().has_value()) << cut;
    EXPECT_EQ(table->match().ended()->scores, expected.scores) << cut;
    EXPECT_EQ(table->match().ended()->ranks, expected.ranks) << cut;
  }
}

TEST(MatchRebuild, AsksTheTurnAnewOnceAllAreBackWithItsWholeTime) {
  Table before(Rules());
  before.BeginReady();
  const Seat first = before.match().seat_to_move();
  before.Step({}, Replied{first, 1, games::Move(1)});
  const auto table = Rebuilt(Rules(), {}, before.records());
  EXPECT_EQ(table->Step({}, Resume{kResumeLimit}), "resumed");
  EXPECT_EQ(table->Step(absl::Seconds(5), LinkBack{kA}), "start a");
  EXPECT_THAT(table->Step(absl::Seconds(9), LinkBack{kB}), HasSubstr("start b; ask "));
  EXPECT_EQ(table->match().turn(), 2u);
  EXPECT_EQ(table->match().time_left(Table::Time(absl::Seconds(9))), 500 * kMs);
}

TEST(MatchRebuild, NoClockRunsWhileBotsAreAwaited) {
  Table before(Rules());
  before.BeginReady();
  const auto table = Rebuilt(Rules(), {}, before.records());
  table->Step({}, Resume{kResumeLimit});
  EXPECT_EQ(table->next_deadline(), kResumeLimit);
  EXPECT_EQ(table->TickAt(kResumeLimit - absl::Nanoseconds(1)), "");
}

TEST(MatchRebuild, GoesOnWithoutTheBotThatDoesNotComeBack) {
  Table before(Rules());
  before.BeginReady();
  const Seat mover = before.match().seat_to_move();
  const Seat other = mover == kA ? kB : kA;
  const auto table = Rebuilt(Rules(), {}, before.records());
  table->Step({}, Resume{kResumeLimit});
  table->Step({}, LinkBack{other});
  EXPECT_THAT(table->TickAt(kResumeLimit), HasSubstr("ask"));
  EXPECT_THAT(table->TickAt(kResumeLimit + 501 * kMs), HasSubstr("DISCONNECTED"));
}

TEST(MatchRebuild, IsVoidWhenNoBotComesBack) {
  Table before(Rules());
  before.BeginReady();
  const auto table = Rebuilt(Rules(), {}, before.records());
  table->Step({}, Resume{kResumeLimit});
  EXPECT_THAT(table->TickAt(kResumeLimit), HasSubstr("void no bot came back within 1m"));
}

TEST(MatchRebuild, MatchThatHadNotStartedWaitsForReadinessAgain) {
  const auto table = Rebuilt(Rules(), {}, {});
  table->Step({}, Resume{kResumeLimit});
  EXPECT_EQ(table->Step({}, LinkBack{kA}), "start a");
  table->Step({}, LinkBack{kB});
  table->Step({}, ReadyReceived{kA, {}});
  EXPECT_THAT(table->Step({}, ReadyReceived{kB, {}}), HasSubstr("started; "));
}

TEST(MatchRebuild, WritesTheDrawsThatTheLogLost) {
  Table before(Rules());
  before.BeginReady();
  const size_t draws = before.All<Drawn>().size();
  ASSERT_GT(draws, 1u);
  const auto table =
      Rebuilt(Rules(), {}, absl::MakeConstSpan(before.records()).subspan(0, 2));  // one draw
  table->Step({}, Resume{kResumeLimit});
  EXPECT_EQ(table->All<Drawn>().size(), draws - 1);
}

TEST(MatchRebuild, BanksStrikesAndTimeUsedAreWhatTheyWere) {
  Policies policies;
  policies.on_timeout = ParseFaultPolicy("", "substitute:1").value();
  const TimeControl time_control = ParseTimeControl("500ms+2s,match=1m").value();
  Table before(Rules(), time_control, policies);
  before.BeginReady();
  const Seat first = before.match().seat_to_move();
  before.Sent({}, first, 1);
  before.TickAt(501 * kMs);
  const auto table = Rebuilt(Rules(), time_control, before.records(), policies);
  EXPECT_EQ(table->match().bank_left(first), 1500 * kMs);
  ResumeAndComeBack(table.get());
  table->Step({}, Replied{table->match().seat_to_move(), 2, games::Move(1)});
  table->Sent(absl::Seconds(5), first, 3);
  EXPECT_THAT(table->TickAt(absl::Seconds(6)), HasSubstr("forfeit"));
}

TEST(MatchRebuild, RefusesRecordsThatTheSeedDoesNotLeadTo) {
  Table before(Rules());
  before.BeginReady();
  before.Step({}, Replied{before.match().seat_to_move(), 1, games::Move(1)});
  std::vector<Record> records = before.records();
  std::get<Played>(records.back()).digest ^= 1;
  Table table(Rules(), {}, Policies());
  const absl::Status refused = table.match().Rebuild(records);
  EXPECT_EQ(refused.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(refused.message()), HasSubstr("turn 2"));
}

TEST(MatchRebuild, RefusesAnIllegalMove) {
  Table before(Rules());
  before.BeginReady();
  before.Step({}, Replied{before.match().seat_to_move(), 1, games::Move(1)});
  std::vector<Record> records = before.records();
  std::get<Played>(records.back()).move = games::Move(77);
  Table table(Rules(), {}, Policies());
  EXPECT_THAT(std::string(table.match().Rebuild(records).message()), HasSubstr("illegal"));
}

TEST(MatchRebuild, NobodyIsAskedBeforeTheBotsAreBack) {
  Table before(Rules());
  before.BeginReady();
  before.Step({}, Replied{before.match().seat_to_move(), 1, games::Move(1)});
  const auto table = Rebuilt(Rules(), {}, before.records());
  EXPECT_TRUE(table->match().legal_moves().empty());
}

TEST(MatchRebuild, TriesEndWithTheSeatThatResignsWhileItsMatchWaits) {
  Policies policies;
  policies.on_illegal = ParseFaultPolicy("", "retry:2").value();
  const CountingRules rules = Rules(3);
  Table before(rules, {}, policies);
  before.BeginReady();
  const Seat first = before.match().seat_to_move();
  before.Step({}, Replied{first, 1, games::Move(77)});
  const auto table = Rebuilt(rules, {}, before.records(), policies);
  table->Step({}, Resume{kResumeLimit});
  table->Step({}, Resigned{first});
  for (int i = 0; i < 3; ++i) table->Step({}, LinkBack{Seat(i)});
  // The first try of another seat.
  const Seat next = table->match().seat_to_move();
  EXPECT_THAT(table->Reply({}, next, 1, 77), HasSubstr("faulted"));
}

TEST(MatchRebuild, KeepsTheReasonForAResignation) {
  const CountingRules rules = Rules(3);
  Table before(rules);
  before.BeginReady();
  before.Step({}, Resigned{kC, "KeyError: 'x'"});
  const auto table = Rebuilt(rules, {}, before.records());
  ASSERT_EQ(table->match().forfeits().size(), 1u);
  EXPECT_EQ(table->match().forfeits()[0].detail, "resigned in turn 1: KeyError: 'x'");
}

TEST(MatchRebuild, EndsWhatAResignationBeforeTheStartHadDecided) {
  Table before(Rules());
  before.Step({}, Begin{});
  before.Step({}, Resigned{kB});
  std::vector<Record> records = before.records();
  ASSERT_TRUE(std::holds_alternative<Ended>(records.back()));
  records.pop_back();
  const auto table = Rebuilt(Rules(), {}, records);
  EXPECT_EQ(table->Step({}, Resume{kResumeLimit}), "resumed; finished ALONE");
  EXPECT_EQ(table->match().ended()->forfeits, before.match().ended()->forfeits);
}

TEST(MatchRebuild, StartIsToldAfterThePassesThatTheLogLost) {
  CountingRules rules;
  rules.limits = {3, 0};
  Table before(rules);
  before.BeginReady();
  EXPECT_EQ(before.Reply({}, kA, 1, 1), "played 1 a 1; played 2 b -; ask a");
  std::vector<Record> records = before.records();
  records.pop_back();
  const auto table = Rebuilt(rules, {}, records);
  table->Step({}, Resume{kResumeLimit});
  table->Step({}, LinkBack{kB});
  // Whoever runs it shows the position after the step: the pass is in it.
  EXPECT_EQ(table->Step({}, LinkBack{kA}), "played 2 b -; start a; ask a");
}

TEST(MatchRebuild, NoContestThatLostItsEndIsVoid) {
  Table before(Rules());
  before.BeginReady();
  before.Sent({}, before.match().seat_to_move(), 1);
  before.Step(absl::Seconds(3), Replied{before.match().seat_to_move(), 1, games::Move(1)},
              absl::Seconds(3));
  std::vector<Record> records = before.records();
  records.pop_back();
  const auto table = Rebuilt(Rules(), {}, records);
  EXPECT_THAT(table->Step({}, Resume{kResumeLimit}), HasSubstr("resumed; void"));
}

TEST(MatchRebuild, FinishesAGameThatWasOverBeforeItsEndWasWritten) {
  Table whole(Rules());
  whole.BeginReady();
  PlayOn(&whole);
  std::vector<Record> records = whole.records();
  records.pop_back();
  const auto table = Rebuilt(Rules(), {}, records);
  EXPECT_EQ(table->Step({}, Resume{kResumeLimit}), "resumed; finished COUNTED");
}

}  // namespace
}  // namespace referee::match

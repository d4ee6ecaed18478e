// Claims about bots that go, come back, stop reading or never answer.
#include <gmock/gmock.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "referee/replay/terms_wire.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

using ::testing::HasSubstr;

void SetPerMove(absl::Duration per_move, v1::CreateMatchRequest* request) {
  const int64_t nanos = absl::ToInt64Nanoseconds(per_move);
  auto* out = request->mutable_time_control()->mutable_per_move();
  out->set_seconds(nanos / 1'000'000'000);
  out->set_nanos(static_cast<int32_t>(nanos % 1'000'000'000));
}

// The usual rings, in a board file that is nearly as large as one may be.
std::string LargeBoard() {
  const std::string board = R"({
    "name": "large",
    "rings": [{"size": 8, "bridges": [{"from": 3, "to": 5}, {"from": 7, "to": 0}]},
              {"size": 7, "bridges": [{"from": 6}]}],
    "lane_entries": [0, 1, 2, 3, 4, 5],
    "centre_places": 4})";
  return board + std::string(60'000, ' ');
}

// Waits for what was played in the turn that `asked` was about.
v1::TurnPlayed HearPlayed(RawBot* bot, const v1::TurnRequest& asked) {
  while (true) {
    v1::TurnPlayed played = bot->Hear(v1::RefereeItem::kTurnPlayed).turn_played();
    if (played.match_id() == "" ||  // the stream has ended
        (played.match_id() == asked.match_id() && played.turn() == asked.turn())) {
      return played;
    }
  }
}

class Links : public ::testing::Test {
 protected:
  RefereeUnderTest referee_;
};

TEST_F(Links, OfBotsThatNeverAnswerLoseOnTime) {
  v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
  SetPerMove(absl::Milliseconds(50), &request);
  Table table(&referee_, request);
  table.WaitForTurn();
  const v1::SeatForfeited out = table.other->Hear(v1::RefereeItem::kSeatForfeited).seat_forfeited();
  EXPECT_EQ(out.cause(), v1::FORFEIT_CAUSE_TIMEOUT);
  EXPECT_EQ(out.seat(), table.asked.seat());
  EXPECT_THAT(out.detail(), HasSubstr("of 50 ms for turn "));
  const v1::Verdict verdict = table.other->Hear(v1::RefereeItem::kMatchEnd).match_end().verdict();
  EXPECT_EQ(verdict.ranks(static_cast<int>(1 - table.asked.seat())), 1u);
  // Too late: the match is over.
  table.PlayTurn();
  EXPECT_EQ(table.mover->Hear(v1::RefereeItem::kFault).fault().match_id(), table.match_id);
}

TEST_F(Links, OfBotsThatAreGoneWhenTheirClockRunsOutAreTheCause) {
  v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
  SetPerMove(absl::Milliseconds(300), &request);
  Table table(&referee_, request);
  table.WaitForTurn();
  table.mover->Vanish();
  const v1::SeatForfeited out = table.other->Hear(v1::RefereeItem::kSeatForfeited).seat_forfeited();
  EXPECT_EQ(out.cause(), v1::FORFEIT_CAUSE_DISCONNECTED) << out.detail();
}

// A stream whose bot owes nothing is not read all the time.
TEST_F(Links, HearBotsThatSpeakWhileTheirOpponentsThink) {
  for (int i = 0; i < 3; ++i) {
    Table table(&referee_);
    for (int turn = 0; turn < 4; ++turn) {
      table.WaitForTurn();
      table.PlayTurn();
    }
    table.WaitForTurn();
    table.other->Say(ResignFrom(table.match_id));
    const v1::SeatForfeited out =
        table.mover->Hear(v1::RefereeItem::kSeatForfeited).seat_forfeited();
    EXPECT_EQ(out.cause(), v1::FORFEIT_CAUSE_RESIGNED);
    EXPECT_EQ(out.seat(), 1 - table.asked.seat());
    table.other->SayLast();
    EXPECT_TRUE(table.other->End().ok());
  }
}

// That it is not read all the time costs no bot its time: not where it has answered in one match
// and thinks in another.
TEST_F(Links, ReadAtOnceWhatBotsOwe) {
  constexpr size_t kRounds = 9;
  RawBot alice(&referee_, "alice", 2);
  RawBot bob(&referee_, "bob", 2);
  const std::vector<RawBot*> bots = {&alice, &bob};
  std::vector<absl::Duration> used;
  while (used.size() < kRounds) {
    // With the same dice: who begins in one begins in the other.
    const std::string ids[] = {referee_.Create({"alice", "bob"}),
                               referee_.Create({"alice", "bob"})};
    for (RawBot* bot : bots) {
      for (int i = 0; i < 2; ++i) bot->Hear(v1::RefereeItem::kMatchStart);
      bot->Say({ReadyFor(ids[0]), ReadyFor(ids[1])});
    }
    v1::RefereeItem item;
    RawBot* const mover = bots[RawBot::HearFirst(bots, v1::RefereeItem::kTurnRequest, &item)];
    RawBot* const other = mover == &alice ? &bob : &alice;
    const v1::TurnRequest first = item.turn_request();
    const v1::TurnRequest second = mover->Hear(v1::RefereeItem::kTurnRequest).turn_request();
    mover->Say(MoveIn(first.match_id(), first.turn(), first.legal_moves(0)));
    // Once this is heard, the referee has done with that answer.
    HearPlayed(other, first);
    mover->Say(MoveIn(second.match_id(), second.turn(), second.legal_moves(0)));
    used.push_back(replay::KnownFromWire(HearPlayed(other, second).time_used()));
    mover->Say({ResignFrom(ids[0]), ResignFrom(ids[1])});
    for (RawBot* bot : bots) {
      for (int i = 0; i < 2; ++i) bot->Hear(v1::RefereeItem::kMatchEnd);
    }
  }
  std::sort(used.begin(), used.end());
  EXPECT_LT(used[kRounds / 2], absl::Milliseconds(20)) << "two round trips, mostly";
}

TEST_F(Links, OfBotsThatComeBackAreToldTheWholeStateAndAskedAgain) {
  v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
  request.mutable_time_control()->mutable_bank()->set_seconds(600);
  Table table(&referee_, request);
  for (int i = 0; i < 3; ++i) {
    table.WaitForTurn();
    table.PlayTurn();
  }
  const v1::TurnRequest asked = table.WaitForTurn();
  const bool by_alice = table.mover == &table.alice;
  table.mover->SayLast();
  EXPECT_TRUE(table.mover->End().ok());

  RawBot back(&referee_, by_alice ? "alice" : "bob");
  const v1::MatchStart start = back.Hear().match_start();
  EXPECT_EQ(start.seat(), asked.seat());
  ASSERT_TRUE(start.has_resumed());
  const v1::Snapshot& state = start.resumed();
  EXPECT_EQ(state.match().match_id(), table.match_id);
  EXPECT_EQ(state.match().turns_played(), asked.turn() - 1);
  EXPECT_EQ(state.turn(), asked.turn());
  EXPECT_EQ(state.seat_to_move(), asked.seat());
  EXPECT_EQ(state.position_text(), asked.position_text());
  EXPECT_EQ(state.position().SerializeAsString(), asked.position().SerializeAsString());
  EXPECT_THAT(state.dice(), ::testing::ElementsAreArray(asked.dice()));
  EXPECT_EQ(state.bank_left_size(), 2);
  EXPECT_EQ(state.last_turn().turn(), asked.turn() - 1);

  const v1::TurnRequest again = back.Hear().turn_request();
  EXPECT_EQ(again.turn(), asked.turn());
  EXPECT_EQ(again.legal_moves_size(), asked.legal_moves_size());
  EXPECT_LT(replay::KnownFromWire(again.limit()), replay::KnownFromWire(asked.limit()))
      << "the clock has run";
  EXPECT_GT(replay::KnownFromWire(again.limit()), absl::ZeroDuration());

  back.Say(MoveIn(table.match_id, asked.turn(), asked.legal_moves(0)));
  EXPECT_EQ(table.other->Hear(v1::RefereeItem::kTurnPlayed).turn_played().turn(), asked.turn());
}

TEST_F(Links, OfBotsThatComeBackBeforeTheFirstTurnAreToldTheStartAgain) {
  RawBot bob(&referee_, "bob");
  auto alice = std::make_unique<RawBot>(&referee_, "alice");
  const std::string match_id = referee_.Create({"alice", "bob"});
  alice->Hear(v1::RefereeItem::kMatchStart);
  bob.Say(ReadyFor(match_id));
  alice->Vanish();
  alice = std::make_unique<RawBot>(&referee_, "alice");
  const v1::MatchStart start = alice->Hear().match_start();
  EXPECT_EQ(start.match().match_id(), match_id);
  EXPECT_FALSE(start.has_resumed());
  alice->Say(ReadyFor(match_id));
  v1::RefereeItem item;
  RawBot::HearFirst({alice.get(), &bob}, v1::RefereeItem::kTurnRequest, &item);
}

TEST_F(Links, AreTakenOverByASecondStreamOfTheBot) {
  Table table(&referee_);
  const v1::TurnRequest asked = table.WaitForTurn();
  RawBot second(&referee_, table.mover == &table.alice ? "alice" : "bob");
  const grpc::Status status = table.mover->End();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::ABORTED);
  EXPECT_THAT(status.error_message(), HasSubstr("another stream"));
  EXPECT_TRUE(second.Hear().match_start().has_resumed());
  EXPECT_EQ(second.Hear().turn_request().turn(), asked.turn());
  second.Say(MoveIn(table.match_id, asked.turn(), asked.legal_moves(0)));
  EXPECT_EQ(table.other->Hear(v1::RefereeItem::kTurnPlayed).turn_played().turn(), asked.turn());
}

TEST_F(Links, GoOnWhenASecondStreamOfTheBotIsToKeepThem) {
  Table table(&referee_);
  table.WaitForTurn();
  v1::BotItem hello = HelloAs(table.mover == &table.alice ? "alice" : "bob");
  hello.mutable_hello()->set_keeps_existing(true);
  {
    RawBot second(referee_.NewChannel());
    second.Say(hello);
    const grpc::Status status = second.End();
    EXPECT_EQ(status.error_code(), grpc::StatusCode::ALREADY_EXISTS);
    EXPECT_THAT(status.error_message(), HasSubstr("has a stream, which goes on"));
  }
  table.PlayTurn();
  EXPECT_EQ(table.other->Hear(v1::RefereeItem::kTurnPlayed).turn_played().turn(),
            table.asked.turn());
  table.mover->Vanish();
  const absl::Time until = absl::Now() + kPatience;
  while (referee_.host().connected(table.mover == &table.alice ? "alice" : "bob") &&
         absl::Now() < until) {
  }
  RawBot third(referee_.NewChannel());
  third.Say(hello);
  third.Hear(v1::RefereeItem::kWelcome);
}

TEST_F(Links, CountTheReplyToATurnOnceWhicheverStreamBringsIt) {
  Table table(&referee_);
  const v1::TurnRequest asked = table.WaitForTurn();
  const v1::BotItem reply = MoveIn(table.match_id, asked.turn(), asked.legal_moves(0));
  RawBot back(referee_.NewChannel());
  // Before it is asked again, and when it is.
  back.Say({HelloAs(table.mover == &table.alice ? "alice" : "bob"), reply});
  EXPECT_EQ(table.other->Hear(v1::RefereeItem::kTurnPlayed).turn_played().turn(), asked.turn());
  back.Say(reply);
  EXPECT_EQ(back.Hear(v1::RefereeItem::kFault).fault().kind(), v1::FAULT_KIND_WRONG_TURN);
  const v1::Snapshot now = referee_.Get(table.match_id);
  EXPECT_GT(now.turn(), asked.turn());
}

TEST_F(Links, ThatWereTakenOverManyTimesLeaveOneThatPlays) {
  RawBot bob(&referee_, "bob");
  std::vector<std::unique_ptr<RawBot>> storm;
  for (int i = 0; i < 50; ++i) storm.push_back(std::make_unique<RawBot>(&referee_, "alice"));
  for (int i = 0; i < 49; ++i) {
    EXPECT_EQ(storm[i]->End().error_code(), grpc::StatusCode::ABORTED);
  }
  referee_.Create({"alice", "bob"});
  const auto ends = PlayAll({storm.back().get(), &bob}, 1);
  EXPECT_EQ(ends[0][0].verdict().state(), v1::MATCH_STATE_FINISHED);
}

// A bot with many matches comes back to all of them at once. With a board of 60 KiB told in each,
// that is more than a client takes in one message.
TEST_F(Links, OfBotsThatComeBackToManyMatchesAreToldThemAll) {
  constexpr int kMatches = 100;
  RawBot bob(&referee_, "bob", kMatches);
  auto alice = std::make_unique<RawBot>(&referee_, "alice", kMatches);
  v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
  request.mutable_options()->mutable_hypnosia()->set_board(LargeBoard());
  std::vector<v1::BotItem> ready;
  for (int i = 0; i < kMatches; ++i) ready.push_back(ReadyFor(referee_.Create(request)));
  for (RawBot* bot : {alice.get(), &bob}) {
    for (int i = 0; i < kMatches; ++i) bot->Hear(v1::RefereeItem::kMatchStart);
    bot->Say(ready);
  }
  // All of them have begun.
  v1::RefereeItem item;
  for (int i = 0; i < kMatches; ++i) {
    RawBot::HearFirst({alice.get(), &bob}, v1::RefereeItem::kTurnRequest, &item);
  }
  alice->Vanish();
  alice = std::make_unique<RawBot>(&referee_, "alice", kMatches);
  for (int i = 0; i < kMatches; ++i) {
    const v1::RefereeItem start = alice->Hear(v1::RefereeItem::kMatchStart);
    ASSERT_TRUE(start.match_start().has_resumed()) << i;
    EXPECT_GT(start.ByteSizeLong(), 60'000u);
  }
}

}  // namespace
}  // namespace referee::testing

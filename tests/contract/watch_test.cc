// Claims about WatchMatch: an observer hears the whole state, then every turn, then the verdict.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

class Watching : public ::testing::Test {
 protected:
  // An observer of one match.
  struct Observer {
    Observer(RefereeUnderTest* referee, const std::string& match_id, bool from_start = false) {
      v1::WatchMatchRequest request;
      request.set_match_id(match_id);
      request.set_from_start(from_start);
      reader = referee->matches().WatchMatch(context.get(), request);
    }
    v1::WatchMatchResponse Hear() {
      v1::WatchMatchResponse event;
      EXPECT_TRUE(reader->Read(&event)) << "the stream has ended";
      return event;
    }
    // Nothing more is heard, and the call ends well.
    void ExpectEnd() {
      v1::WatchMatchResponse event;
      EXPECT_FALSE(reader->Read(&event)) << event.ShortDebugString();
      const grpc::Status status = reader->Finish();
      EXPECT_TRUE(status.ok()) << status.error_message();
    }

    ~Observer() { context->TryCancel(); }

    std::unique_ptr<grpc::ClientContext> context = NewContext("olga");
    std::unique_ptr<grpc::ClientReader<v1::WatchMatchResponse>> reader;
  };

  RefereeUnderTest referee_;
};

TEST_F(Watching, FollowsAMatchFromWaitingToItsVerdict) {
  v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
  request.mutable_options()->mutable_hypnosia()->set_turn_limit(30);
  const std::string match_id = referee_.Create(request);
  Observer observer(&referee_, match_id);
  EXPECT_EQ(observer.Hear().snapshot().match().state(), v1::MATCH_STATE_WAITING);

  RawBot alice(&referee_, "alice");
  RawBot bob(&referee_, "bob");
  const v1::Snapshot begun = observer.Hear().snapshot();
  EXPECT_EQ(begun.match().state(), v1::MATCH_STATE_RUNNING);
  EXPECT_EQ(begun.match().commitment().size(), 32u);
  std::thread players([&] { PlayAll({&alice, &bob}, 1); });
  uint32_t turn = 0;
  v1::WatchMatchResponse event = observer.Hear();
  for (; event.has_turn_played(); event = observer.Hear()) {
    EXPECT_EQ(event.turn_played().turn(), ++turn);
    EXPECT_EQ(event.turn_played().match_id(), match_id);
  }
  players.join();
  EXPECT_EQ(turn, 30u);
  ASSERT_TRUE(event.has_verdict());
  EXPECT_EQ(event.verdict().state(), v1::MATCH_STATE_FINISHED);
  observer.ExpectEnd();
}

TEST_F(Watching, BeginsWithTheWholeStateOfARunningMatch) {
  Table table(&referee_);
  for (int i = 0; i < 3; ++i) {
    table.WaitForTurn();
    table.PlayTurn();
  }
  const v1::TurnRequest asked = table.WaitForTurn();
  Observer observer(&referee_, table.match_id);
  const v1::Snapshot state = observer.Hear().snapshot();
  EXPECT_EQ(state.match().state(), v1::MATCH_STATE_RUNNING);
  EXPECT_EQ(state.turn(), asked.turn());
  EXPECT_EQ(state.position_text(), asked.position_text());
  EXPECT_EQ(state.seat_to_move(), asked.seat());
  EXPECT_THAT(state.dice(), ::testing::ElementsAreArray(asked.dice()));
  EXPECT_EQ(state.last_turn().turn(), asked.turn() - 1);

  table.PlayTurn();
  const v1::TurnPlayed played = observer.Hear().turn_played();
  EXPECT_EQ(played.turn(), asked.turn());
  EXPECT_THAT(played.dice(), ::testing::ElementsAreArray(asked.dice()));
  table.alice.Say(ResignFrom(table.match_id));
  v1::WatchMatchResponse event = observer.Hear();
  while (event.has_turn_played()) event = observer.Hear();  // a pass
  EXPECT_EQ(event.seat_forfeited().seat(), 0u);
  EXPECT_EQ(event.seat_forfeited().cause(), v1::FORFEIT_CAUSE_RESIGNED);
  EXPECT_EQ(observer.Hear().verdict().state(), v1::MATCH_STATE_FINISHED);
  observer.ExpectEnd();
}

TEST_F(Watching, FromTheStartHearsWhatWasPlayedBeforeAndWhatWasDrawn) {
  Table table(&referee_);
  Observer early(&referee_, table.match_id, /*from_start=*/true);
  v1::WatchMatchResponse started = early.Hear();
  if (!started.started()) started = early.Hear();  // it came before the start
  EXPECT_TRUE(started.started());
  EXPECT_NE(started.drawn_size(), 0);
  std::vector<std::string> heard;
  for (int i = 0; i < 4; ++i) {
    table.WaitForTurn();
    table.PlayTurn();
  }
  const uint32_t due = table.WaitForTurn().turn();
  for (uint32_t turn = 1; turn < due; ++turn) {
    const v1::WatchMatchResponse event = early.Hear();
    EXPECT_EQ(event.turn_played().turn(), turn);
    EXPECT_EQ(event.drawn_size(), 2) << "the dice of the next turn";
    heard.push_back(event.SerializeAsString());
  }
  Observer late(&referee_, table.match_id, /*from_start=*/true);
  const v1::WatchMatchResponse whole = late.Hear();
  EXPECT_TRUE(whole.started());
  EXPECT_THAT(whole.drawn(), ::testing::ElementsAreArray(started.drawn()));
  ASSERT_EQ(whole.history_size(), static_cast<int>(heard.size()));
  for (int i = 0; i < whole.history_size(); ++i) {
    EXPECT_EQ(whole.history(i).SerializeAsString(), heard[static_cast<size_t>(i)]);
  }
  // The dice that are due are the last that were drawn.
  const v1::WatchMatchResponse& last = whole.history(whole.history_size() - 1);
  EXPECT_THAT(last.drawn(), ::testing::ElementsAreArray(table.asked.dice()));

  table.alice.Say(ResignFrom(table.match_id));
  v1::WatchMatchResponse event = late.Hear();
  while (event.has_turn_played()) event = late.Hear();  // a pass
  EXPECT_TRUE(event.has_seat_forfeited());
  EXPECT_EQ(late.Hear().verdict().state(), v1::MATCH_STATE_FINISHED);
  late.ExpectEnd();
}

TEST_F(Watching, WithoutThatIsAsItWas) {
  Table table(&referee_);
  table.WaitForTurn();
  table.PlayTurn();
  table.WaitForTurn();
  Observer observer(&referee_, table.match_id);
  const v1::WatchMatchResponse state = observer.Hear();
  EXPECT_FALSE(state.started());
  EXPECT_EQ(state.drawn_size() + state.history_size(), 0);
  table.PlayTurn();
  EXPECT_EQ(observer.Hear().drawn_size(), 0);
}

TEST_F(Watching, ShowsAMatchThatIsOverAndItsVerdict) {
  Table table(&referee_);
  table.WaitForTurn();
  table.alice.Say(ResignFrom(table.match_id));
  referee_.WaitForVerdict(table.match_id);
  Observer observer(&referee_, table.match_id);
  const v1::Snapshot state = observer.Hear().snapshot();
  EXPECT_EQ(state.match().state(), v1::MATCH_STATE_FINISHED);
  EXPECT_NE(state.position_text(), "");
  EXPECT_FALSE(state.has_seat_to_move());
  const v1::Verdict verdict = observer.Hear().verdict();
  EXPECT_EQ(verdict.SerializeAsString(), state.match().verdict().SerializeAsString());
  EXPECT_EQ(verdict.seed().size(), 32u);
  observer.ExpectEnd();
}

TEST_F(Watching, EndsWithTheCancellationOfAWaitingMatch) {
  const std::string match_id = referee_.Create({"alice", "bob"});
  Observer observer(&referee_, match_id);
  observer.Hear();
  EXPECT_TRUE(referee_.host().Cancel(MatchId::Parse(match_id).value(), "rain").ok());
  EXPECT_EQ(observer.Hear().verdict().state(), v1::MATCH_STATE_CANCELLED);
  observer.ExpectEnd();
}

TEST_F(Watching, OfAMatchThatThereIsNotIsNotFound) {
  Observer observer(&referee_, "01arz3ndektsv4rrffq69g5fav");
  v1::WatchMatchResponse event;
  EXPECT_FALSE(observer.reader->Read(&event));
  EXPECT_EQ(observer.reader->Finish().error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(Watching, StopsWhenTheObserverLeavesAndTheMatchGoesOn) {
  Table table(&referee_);
  table.WaitForTurn();
  {
    Observer observer(&referee_, table.match_id);
    observer.Hear();
    observer.context->TryCancel();
    EXPECT_EQ(observer.reader->Finish().error_code(), grpc::StatusCode::CANCELLED);
  }
  table.PlayTurn();
  table.WaitForTurn();
}

TEST_F(Watching, IsForSoManyObserversAndNoMore) {
  RefereeUnderTest::Options options;
  options.call_limits.watches = 100;
  RefereeUnderTest referee(options);
  const std::string match_id = referee.Create({"alice", "bob"});
  std::vector<std::unique_ptr<Observer>> crowd;
  for (int i = 0; i < options.call_limits.watches; ++i) {
    crowd.push_back(std::make_unique<Observer>(&referee, match_id));
  }
  for (const auto& observer : crowd) observer->Hear();
  v1::WatchMatchResponse event;
  Observer late(&referee, match_id);
  EXPECT_FALSE(late.reader->Read(&event));
  EXPECT_EQ(late.reader->Finish().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);

  // The referee hears soon that they have left.
  for (const auto& observer : crowd) observer->context->TryCancel();
  const absl::Time until = absl::Now() + kPatience;
  bool let_in = false;
  while (!let_in && absl::Now() < until) {
    let_in = Observer(&referee, match_id).reader->Read(&event);
  }
  EXPECT_TRUE(let_in);
}

}  // namespace
}  // namespace referee::testing

// Tests of a client that plays: its messages, the calls to its bot, and when replies go out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/unit/sdk/client_under_test.h"

namespace referee::sdk {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Le;
using ::testing::SizeIs;

TEST_F(SdkClient, SaysHelloFirst) {
  options_.software = "test 1";
  options_.games = {"hypnosia"};
  options_.max_matches = 7;
  Start();
  const v1::Hello hello = referee_.Greet();
  EXPECT_EQ(hello.token(), "secret");
  EXPECT_EQ(hello.software(), "test 1");
  EXPECT_THAT(hello.games(), ElementsAre("hypnosia"));
  EXPECT_EQ(hello.max_matches(), 7);
  EXPECT_TRUE(hello.wants_legal_moves());
  EXPECT_TRUE(hello.news_may_wait());
}

TEST_F(SdkClient, TakesABlockOfMatchesAndSaysHowManyTurnsItThinksAboutUnlessToldOtherwise) {
  options_.threads = 3;
  options_.legal_moves = false;
  options_.news_may_wait = false;
  Start();
  const v1::Hello hello = referee_.Greet();
  EXPECT_EQ(hello.max_matches(), 8);
  EXPECT_EQ(hello.parallel_turns(), 3);
  EXPECT_FALSE(hello.wants_legal_moves());
  EXPECT_FALSE(hello.news_may_wait());
}

TEST_F(SdkClient, AnswersMatchStartWithReadyAndTheHashOfARandomNonce) {
  Begin();
  referee_.Say({StartItem("m1"), StartItem("m2")});
  const v1::BotItem first = referee_.Hear();
  const v1::BotItem second = referee_.Hear();
  EXPECT_EQ(first.ready().match_id(), "m1");
  EXPECT_EQ(second.ready().match_id(), "m2");
  EXPECT_THAT(first.ready().nonce_hash(), SizeIs(32));
  EXPECT_THAT(second.ready().nonce_hash(), SizeIs(32));
  EXPECT_NE(first.ready().nonce_hash(), second.ready().nonce_hash());
}

TEST_F(SdkClient, GivesTheBotTheTurnAndSendsItsMove) {
  bot_.choose = [](const Turn& turn) {
    EXPECT_EQ(turn.match_id(), "m1");
    EXPECT_EQ(turn.match().game(), "hypnosia");
    EXPECT_THAT(turn.match().opponents(), ElementsAre("carol", "alice"));
    EXPECT_EQ(turn.match().options().hypnosia().turn_limit(), 500);
    EXPECT_EQ(turn.number(), 5);
    EXPECT_EQ(turn.seat(), 1);
    EXPECT_THAT(turn.dice(), ElementsAre(1, 2));
    EXPECT_THAT(turn.position().hypnosia().points(), ElementsAre(3));
    EXPECT_EQ(turn.position_text(), "P");
    EXPECT_EQ(turn.legal_count(), 2);
    EXPECT_EQ(Notation(turn.legal_move(1)), "2:L1>A19");
    EXPECT_EQ(turn.limit(), absl::Seconds(30));
    EXPECT_EQ(turn.bank_left(), absl::Seconds(90));
    return turn.legal_move(1);
  };
  Begin({"m1"});
  referee_.Say({TurnItem("m1", 5)});
  const v1::BotItem reply = referee_.Hear();
  EXPECT_EQ(reply.move().match_id(), "m1");
  EXPECT_EQ(reply.move().turn(), 5);
  EXPECT_EQ(Notation(reply.move().move()), "2:L1>A19");
}

TEST_F(SdkClient, KeepsTheLinesOfProtobufFromTheScreen) {
  const Client client(bot_, options_);
  ::testing::internal::CaptureStderr();
  v1::Resign resign;
  EXPECT_FALSE(resign.ParseFromString("\x12\x01\xff"));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(SdkClient, PlaysWithoutThreadsOfItsOwnWhereTheTurnsAreRead) {
  options_.threads = 0;
  std::thread::id runs;
  bot_.choose = [&runs](const Turn& turn) {
    EXPECT_NE(std::this_thread::get_id(), runs);
    return turn.legal_move(1);
  };
  Start();
  runs = thread_.get_id();
  EXPECT_EQ(referee_.Greet().parallel_turns(), 1);
  StartMatch("m1");
  for (int number = 5; number < 50; ++number) {
    referee_.Say({TurnItem("m1", number)});
    EXPECT_EQ(referee_.Hear().move().turn(), number);
  }
  referee_.Say({EndItem("m1")});
  EXPECT_TRUE(Drain().ok());
}

TEST_F(SdkClient, TellsTheBotOfAllElseInOrder) {
  std::vector<std::string> heard;
  bot_.on_start = [&](const Match& match) { heard.push_back("start " + match.id()); };
  bot_.on_played = [&](const Match&, const TurnPlayed& turn) {
    heard.push_back("played " + std::to_string(turn.turn()));
  };
  bot_.on_forfeit = [&](const Match&, const SeatForfeited& forfeit) {
    heard.push_back("forfeit " + std::to_string(forfeit.seat()));
  };
  bot_.on_end = [&](const Match&, const Verdict& verdict) {
    heard.push_back("end " + verdict.reason());
  };
  Begin();
  referee_.Say({StartItem("m1"), PlayedItem("m1", 1), PlayedItem("m1", 2), ForfeitedItem("m1", 2),
                EndItem("m1")});
  EXPECT_TRUE(Drain().ok());
  EXPECT_THAT(heard, ElementsAre("start m1", "played 1", "played 2", "forfeit 2", "end NO_PAWNS"));
}

TEST_F(SdkClient, LogsWhyASeatIsOutAndWhoHasWon) {
  KeepLog(LogLevel::kInfo);
  Begin();
  const auto forfeit = [](int seat) {
    return Item(
        absl::StrCat("seat_forfeited { match_id: 'm1' turn: 4 detail: 'illegal move x' "
                     "cause: FORFEIT_CAUSE_ILLEGAL seat: ",
                     seat, " }"));
  };
  referee_.Say({StartItem("m1"), forfeit(0), forfeit(1),  // bob's seat is 1
                Item("match_end { match_id: 'm1' verdict { reason: 'NO_PAWNS' "
                     "state: MATCH_STATE_FINISHED ranks: [3, 2, 1] scores: [-1, 0, 5] } }")});
  Drain().IgnoreError();  // the verdict reveals no seed
  const std::string why = " forfeits in turn 4, ILLEGAL: illegal move x";
  EXPECT_THAT(log_.All(), Contains(HasSubstr("alice" + why)));
  EXPECT_THAT(log_.All(), Contains(HasSubstr("this bot" + why)));
  EXPECT_THAT(
      log_.All(),
      Contains(HasSubstr("ended: NO_PAWNS; lost to carol; scores: alice -1, bob 0, carol 5")));
}

TEST_F(SdkClient, LogsWhatTheRefereeWantsItsAuthorToKnow) {
  KeepLog(LogLevel::kWarning);
  Begin();
  referee_.Say({Item("notice { text: 'this bot takes 1 match at once' }")});
  EXPECT_TRUE(Drain().ok());
  EXPECT_THAT(log_.All(), Contains("the referee says: this bot takes 1 match at once"));
}

TEST_F(SdkClient, WarnsOnceAMatchOfATurnThatWaitedForAnotherMatch) {
  KeepLog(LogLevel::kWarning);
  const auto wait_until = [](const Turn& turn, absl::Duration left) {
    while (turn.time_left() > left) std::this_thread::yield();
  };
  bot_.choose = [&](const Turn& turn) {
    if (turn.match_id() == "m1") wait_until(turn, turn.limit() / 2);
    return turn.legal_move(0);
  };
  Begin({"m1", "m2"});
  v1::RefereeItem first = TurnItem("m1", 1);
  v1::RefereeItem second = TurnItem("m2", 1);
  for (v1::RefereeItem* turn : {&first, &second}) {
    turn->mutable_turn_request()->mutable_limit()->set_seconds(0);
    turn->mutable_turn_request()->mutable_limit()->set_nanos(200'000'000);
  }
  referee_.Say({first, second});
  referee_.Hear();
  referee_.Hear();
  EXPECT_TRUE(Drain().ok());
  EXPECT_THAT(log_.All(), Contains(AllOf(HasSubstr("m2"), HasSubstr("turn 1 has waited"),
                                         HasSubstr("of 200ms"), HasSubstr("--threads"))));
}

TEST_F(SdkClient, SendsWhatIsReadyWhileAWriteIsUnderWayInOneMessage) {
  constexpr int kMatches = 64;
  options_.max_matches = kMatches;
  int chosen = 0;
  Gate all_chosen;
  bot_.choose = [&](const Turn& turn) {
    if (++chosen == kMatches) all_chosen.Open();
    // The first is too long for the transport to take while the referee does not read.
    return chosen == 1 ? MoveFromNotation(std::string(2'000'000, 'x')) : turn.legal_move(0);
  };
  Begin();
  std::vector<v1::RefereeItem> turns;
  for (int i = 0; i < kMatches; ++i) {
    StartMatch("m" + std::to_string(i));
    turns.push_back(TurnItem("m" + std::to_string(i), 1));
  }
  referee_.HoldReading();
  // The read that was waiting when reading was held takes one more message.
  referee_.Say({StartItem("last")});
  EXPECT_EQ(referee_.Hear().ready().match_id(), "last");
  const size_t messages_before = referee_.batch_sizes().size();

  referee_.Say(turns);
  all_chosen.WaitUntilOpen();
  referee_.ResumeReading();
  std::set<std::string> answered;
  for (int i = 0; i < kMatches; ++i) answered.insert(referee_.Hear().move().match_id());
  EXPECT_THAT(answered, SizeIs(kMatches));
  // The long one, the batch, and at most one that was not said yet when reading went on.
  EXPECT_THAT(referee_.batch_sizes().size() - messages_before, Le(3u));
}

TEST_F(SdkClient, SendsAReplyWhileTheBotThinksInAnotherMatchOnTheSameThread) {
  options_.threads = 1;
  options_.max_matches = 2;
  Gate first_heard;
  bot_.choose = [&](const Turn& turn) {
    if (turn.match_id() == "m2") first_heard.WaitUntilOpen();
    return turn.legal_move(0);
  };
  Begin({"m1", "m2"});
  referee_.Say({TurnItem("m1", 1), TurnItem("m2", 1)});
  EXPECT_EQ(referee_.Hear().move().match_id(), "m1");
  first_heard.Open();
  EXPECT_EQ(referee_.Hear().move().match_id(), "m2");
}

TEST_F(SdkClient, AnswersPingsWhileTheBotThinks) {
  Gate pong_heard;
  bot_.choose = [&](const Turn& turn) {
    pong_heard.WaitUntilOpen();
    return turn.legal_move(0);
  };
  Begin({"m1"});
  referee_.Say({TurnItem("m1", 1), PingItem(7)});
  const v1::BotItem first = referee_.Hear();
  EXPECT_EQ(first.pong().number(), 7u) << first.ShortDebugString();
  referee_.Say({PingItem(8)});
  EXPECT_EQ(referee_.Hear().pong().number(), 8u);
  pong_heard.Open();
  EXPECT_TRUE(referee_.Hear().has_move());
}

TEST_F(SdkClient, DoesNotSendAnAnswerToAPositionThatHasChangedMeanwhile) {
  options_.threads = 2;
  Gate asked_again;
  bot_.choose = [&](const Turn& turn) {
    if (turn.match_id() == "other") {
      asked_again.Open();
    } else if (turn.position_text() == "before") {
      asked_again.WaitUntilOpen();
    }
    return turn.legal_move(turn.position_text() == "before" ? 0 : 1);
  };
  Begin({"m1", "other"});
  referee_.Say({TurnItem("m1", 1, "before")});
  referee_.Say({TurnItem("m1", 1, "after"), TurnItem("other", 1)});
  std::set<std::string> moves;
  for (int i = 0; i < 2; ++i) {
    const v1::BotItem reply = referee_.Hear();
    moves.insert(reply.move().match_id() + " " + Notation(reply.move().move()));
  }
  EXPECT_THAT(moves, ElementsAre("m1 2:L1>A19", "other 2:L1>A19"));
}

TEST_F(SdkClient, NamesTheRequestThatItAnswers) {
  Begin({"m1"});
  for (uint32_t request : {0u, 2u}) {
    v1::RefereeItem asked = TurnItem("m1", 1, absl::StrCat("position ", request));
    asked.mutable_turn_request()->set_request(request);
    referee_.Say({asked});
    const v1::BotItem reply = referee_.Hear();
    EXPECT_EQ(reply.move().turn(), 1u);
    EXPECT_EQ(reply.move().request(), request);
  }
}

TEST_F(SdkClient, AsksTheBotAgainAfterAnIllegalMoveWhereTheMatchAllowsAnotherTry) {
  int tries = 0;
  bot_.choose = [&tries](const Turn& turn) { return turn.legal_move(tries++); };
  Begin();
  v1::RefereeItem start = StartItem("m1");
  start.mutable_match_start()
      ->mutable_match()
      ->mutable_policies()
      ->mutable_on_illegal()
      ->set_action(v1::FAULT_ACTION_RETRY);
  referee_.Say({start});
  referee_.Hear();
  referee_.Say({TurnItem("m1", 1)});
  EXPECT_EQ(Notation(referee_.Hear().move().move()), "1:L1>A18");
  v1::RefereeItem fault = Item("fault { match_id: 'm1' turn: 1 kind: FAULT_KIND_ILLEGAL_MOVE }");
  referee_.Say({fault});
  const v1::BotItem second = referee_.Hear();
  EXPECT_EQ(Notation(second.move().move()), "2:L1>A19");
  EXPECT_EQ(second.move().turn(), 1u);
  // Of a turn that is over, nothing is said.
  fault.mutable_fault()->set_turn(7);
  referee_.Say({fault, PingItem(3)});
  EXPECT_EQ(referee_.Hear().pong().number(), 3u);
}

TEST_F(SdkClient, ResignsOnlyTheMatchInWhichTheBotThrows) {
  bot_.choose = [](const Turn& turn) -> Move {
    if (turn.match_id() == "bad") throw std::runtime_error("no idea");
    return turn.legal_move(0);
  };
  Begin({"bad", "good"});
  referee_.Say({TurnItem("bad", 1), TurnItem("good", 1)});
  const v1::Resign resign = referee_.Hear().resign();
  EXPECT_EQ(resign.match_id(), "bad");
  EXPECT_EQ(resign.reason(), "ChooseTurn threw: no idea");
  EXPECT_EQ(referee_.Hear().move().match_id(), "good");
  referee_.Say({TurnItem("bad", 2), TurnItem("good", 2)});
  EXPECT_EQ(referee_.Hear().move().match_id(), "good");
}

TEST_F(SdkClient, ResignsInsteadOfBeingReadyWhenTheBotThrowsAsAMatchStarts) {
  bot_.on_start = [](const Match&) { throw std::runtime_error("the model file is missing"); };
  Begin();
  referee_.Say({StartItem("m")});
  EXPECT_EQ(referee_.Hear().resign().match_id(), "m");
}

TEST_F(SdkClient, ResignsWithAReasonThatIsOneLineOfPlainTextWhateverWasThrown) {
  bot_.choose = [](const Turn& turn) -> Move {
    if (turn.match_id() == "m1") {
      throw std::runtime_error("no\nsuch\x1b \xff " + std::string(999, 'x'));
    }
    throw 7;
  };
  Begin({"m1", "m2"});
  referee_.Say({TurnItem("m1", 1)});
  const std::string reason = referee_.Hear().resign().reason();
  EXPECT_THAT(reason, HasSubstr("ChooseTurn threw: no such? ? xxx"));
  EXPECT_EQ(reason.size(), 200u);
  referee_.Say({TurnItem("m2", 1)});
  EXPECT_THAT(referee_.Hear().resign().reason(), HasSubstr("threw something"));
}

TEST_F(SdkClient, IgnoresWhatItDoesNotKnow) {
  v1::RefereeItem unknown;
  unknown.GetReflection()->MutableUnknownFields(&unknown)->AddLengthDelimited(500, "news");
  v1::RefereeItem turn = TurnItem("m1", 1);
  turn.GetReflection()->MutableUnknownFields(&turn)->AddVarint(501, 1);
  Begin();
  referee_.Say({unknown});
  StartMatch("m1");
  referee_.Say({unknown, TurnItem("never heard of", 1), turn, unknown});
  EXPECT_EQ(referee_.Hear().move().match_id(), "m1");
}

TEST_F(SdkClient, GivesEachMatchABotOfItsOwnThatGoesWithIt) {
  struct Counts {
    int made = 0;
    int gone = 0;
    std::vector<int> turns;
  };
  class OwnBot : public Bot {
   public:
    explicit OwnBot(Counts* counts) : counts_(counts) {}
    ~OwnBot() override { ++counts_->gone; }
    Move ChooseTurn(const Turn& turn) override {
      counts_->turns.push_back(++turns_);
      return turn.legal_move(0);
    }

   private:
    Counts* const counts_;
    int turns_ = 0;
  };
  class Factory : public ScriptedBot {
   public:
    explicit Factory(Counts* counts) : counts_(counts) {}
    std::unique_ptr<Bot> ForMatch(const Match&) override {
      ++counts_->made;
      return std::make_unique<OwnBot>(counts_);
    }

   private:
    Counts* const counts_;
  };
  Counts counts;
  Factory factory(&counts);
  Start(factory);
  referee_.Greet();
  StartMatch("m1");
  StartMatch("m2");
  referee_.Say({TurnItem("m1", 1), TurnItem("m2", 1)});
  referee_.Hear();
  referee_.Hear();
  referee_.Say({TurnItem("m1", 2)});
  referee_.Hear();
  referee_.Say({EndItem("m1"), EndItem("m2")});
  EXPECT_TRUE(Drain().ok());
  EXPECT_THAT(counts.turns, ElementsAre(1, 1, 2));
  EXPECT_EQ(counts.made, 2);
  EXPECT_EQ(counts.gone, 2);
}

}  // namespace
}  // namespace referee::sdk

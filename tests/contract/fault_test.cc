// Claims about what a bot may not do, and whom it costs what.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/replay/messages.h"
#include "referee/replay/verifier.h"
#include "tests/contract/byte_stream.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Faults : public ::testing::Test {
 protected:
  // Ends the match that is at `table`, to show that it goes on.
  void ExpectGoesOn(Table* table) {
    table->PlayTurn();
    for (int i = 0; i < 5; ++i) {
      table->WaitForTurn();
      table->PlayTurn();
    }
    table->alice.Say(ResignFrom(table->match_id));
    const v1::Verdict verdict = referee_.WaitForVerdict(table->match_id);
    EXPECT_EQ(verdict.state(), v1::MATCH_STATE_FINISHED);
    ASSERT_EQ(verdict.forfeits_size(), 1);
    EXPECT_EQ(verdict.forfeits(0).cause(), v1::FORFEIT_CAUSE_RESIGNED);
  }
  // Plays `item` as the due move; the seat must be out for an illegal move. Returns the detail.
  std::string ForfeitBy(const v1::Move& move) {
    Table table(&referee_);
    const uint32_t turn = table.WaitForTurn().turn();
    table.mover->Say(MoveIn(table.match_id, turn, move));
    for (RawBot* bot : {table.mover, table.other}) {
      const v1::SeatForfeited out = bot->Hear(v1::RefereeItem::kSeatForfeited).seat_forfeited();
      EXPECT_EQ(out.cause(), v1::FORFEIT_CAUSE_ILLEGAL);
      EXPECT_EQ(out.seat(), table.asked.seat());
      EXPECT_EQ(out.turn(), turn);
      EXPECT_EQ(out.match_id(), table.match_id);
    }
    const v1::Verdict verdict = table.other->Hear(v1::RefereeItem::kMatchEnd).match_end().verdict();
    EXPECT_EQ(verdict.ranks(static_cast<int>(table.asked.seat())), 2u);
    EXPECT_EQ(verdict.forfeits_size(), 1);
    std::string bytes;
    EXPECT_TRUE(referee_.Fetch(table.match_id, &bytes).ok());
    EXPECT_TRUE(replay::Verify(bytes).ok) << replay::Verify(bytes).problem;
    return verdict.forfeits_size() == 1 ? verdict.forfeits(0).detail() : "";
  }
  std::string ForfeitByNotation(const std::string& notation) {
    v1::Move move;
    move.set_notation(notation);
    return ForfeitBy(move);
  }

  RefereeUnderTest referee_;
};

TEST_F(Faults, InAMatchThatThereIsNotAreAnswered) {
  RawBot alice(&referee_, "alice");
  for (const std::string& match_id :
       {std::string("nonsense"), std::string("01arz3ndektsv4rrffq69g5fav"), std::string()}) {
    alice.Say({MoveIn(match_id, 3, "-"), ReadyFor(match_id), ResignFrom(match_id)});
    for (uint32_t turn : {3u, 0u, 0u}) {
      const v1::Fault fault = alice.Hear().fault();
      EXPECT_EQ(fault.kind(), v1::FAULT_KIND_UNKNOWN_MATCH);
      EXPECT_EQ(fault.turn(), turn);
      EXPECT_THAT(fault.message(), HasSubstr(absl::StrCat("'", match_id, "'")));
    }
  }
}

TEST_F(Faults, EchoNoLongMatchIds) {
  RawBot alice(&referee_, "alice");
  alice.Say(ResignFrom(std::string(100'000, 'x')));
  EXPECT_LT(alice.Hear().fault().ByteSizeLong(), 500u);
}

TEST_F(Faults, InAMatchOfOthersAreAnsweredAndTouchNothing) {
  Table table(&referee_);
  RawBot carol(&referee_, "carol");
  const v1::TurnRequest asked = table.WaitForTurn();
  carol.Say({MoveIn(table.match_id, asked.turn(), asked.legal_moves(0)), ReadyFor(table.match_id),
             ResignFrom(table.match_id)});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(carol.Hear().fault().kind(), v1::FAULT_KIND_UNKNOWN_MATCH);
  }
  EXPECT_EQ(referee_.Get(table.match_id).turn(), asked.turn());
  ExpectGoesOn(&table);
}

TEST_F(Faults, ByTheOtherSeatOfTheMatchAreWrongTurns) {
  Table table(&referee_);
  const v1::TurnRequest asked = table.WaitForTurn();
  table.other->Say(MoveIn(table.match_id, asked.turn(), asked.legal_moves(0)));
  const v1::Fault fault = table.other->Hear(v1::RefereeItem::kFault).fault();
  EXPECT_EQ(fault.kind(), v1::FAULT_KIND_WRONG_TURN);
  EXPECT_EQ(fault.match_id(), table.match_id);
  EXPECT_EQ(fault.turn(), asked.turn());
  EXPECT_EQ(referee_.Get(table.match_id).turn(), asked.turn());
  ExpectGoesOn(&table);
}

TEST_F(Faults, OfTurnNumberAreAnsweredAndTheMatchGoesOn) {
  Table table(&referee_);
  for (int i = 0; i < 4; ++i) {
    table.WaitForTurn();
    table.PlayTurn();
  }
  const v1::TurnRequest asked = table.WaitForTurn();
  for (uint32_t turn : {0u, 1u, asked.turn() - 1, asked.turn() + 1, 4'000'000'000u}) {
    table.mover->Say(MoveIn(table.match_id, turn, asked.legal_moves(0)));
    const v1::Fault fault = table.mover->Hear(v1::RefereeItem::kFault).fault();
    EXPECT_EQ(fault.kind(), v1::FAULT_KIND_WRONG_TURN);
    EXPECT_EQ(fault.turn(), turn);
    EXPECT_THAT(fault.message(), HasSubstr(absl::StrCat("turn ", asked.turn())));
  }
  ExpectGoesOn(&table);
}

TEST_F(Faults, OfASecondMoveAreAnsweredAndTheFirstCounts) {
  Table table(&referee_);
  const v1::TurnRequest asked = table.WaitForTurn();
  RawBot* const mover = table.mover;
  const v1::BotItem first = MoveIn(table.match_id, asked.turn(), asked.legal_moves(0));
  const v1::BotItem second =
      MoveIn(table.match_id, asked.turn(), asked.legal_moves(asked.legal_moves_size() - 1));
  mover->Say({first, second});
  EXPECT_EQ(mover->Hear(v1::RefereeItem::kFault).fault().kind(), v1::FAULT_KIND_WRONG_TURN);
  const v1::TurnPlayed played = table.other->Hear(v1::RefereeItem::kTurnPlayed).turn_played();
  EXPECT_EQ(played.turn(), asked.turn());
  EXPECT_EQ(played.move().SerializeAsString(), asked.legal_moves(0).SerializeAsString());
}

// A bot that answers a replaced request, however often and with whatever move, loses nothing by it.
TEST_F(Faults, OfAnAnswerToAPositionThatAForfeitHasChangedCostNothing) {
  RefereeUnderTest::Options options;
  options.stream_limits.faults = {1, 1};
  RefereeUnderTest referee(options);
  RawBot alice(&referee, "alice"), bob(&referee, "bob"), carol(&referee, "carol");
  const std::vector<RawBot*> bots = {&alice, &bob, &carol};
  const std::string match_id = referee.Create({"alice", "bob", "carol"});
  for (RawBot* bot : bots) bot->Hear(v1::RefereeItem::kMatchStart);
  for (RawBot* bot : bots) bot->Say(ReadyFor(match_id));
  v1::RefereeItem item;
  const size_t first = RawBot::HearFirst(bots, v1::RefereeItem::kTurnRequest, &item);
  RawBot* const mover = bots[first];
  const v1::TurnRequest before = item.turn_request();
  EXPECT_EQ(before.request(), 0u);
  bots[(first + 1) % 3]->Say(ResignFrom(match_id));
  const v1::TurnRequest asked = mover->Hear(v1::RefereeItem::kTurnRequest).turn_request();
  EXPECT_EQ(asked.turn(), before.turn());
  EXPECT_EQ(asked.request(), 1u);
  for (int i = 0; i < 4; ++i) {
    mover->Say(MoveIn(match_id, before.turn(), "-"));
    const v1::Fault fault = mover->Hear(v1::RefereeItem::kFault).fault();
    EXPECT_EQ(fault.kind(), v1::FAULT_KIND_REPLACED_REQUEST);
    EXPECT_THAT(fault.message(), HasSubstr("answer request 1"));
  }
  mover->Say(MoveIn(match_id, asked.turn(), asked.legal_moves(0), asked.request()));
  RawBot* const third = bots[(first + 2) % 3];
  const v1::TurnPlayed played = third->Hear(v1::RefereeItem::kTurnPlayed).turn_played();
  EXPECT_EQ(played.move().SerializeAsString(), asked.legal_moves(0).SerializeAsString());
}

TEST_F(Faults, OfANonceOrAHashOfAWrongLengthAreAnsweredAndABetterOneIsTaken) {
  RawBot alice(&referee_, "alice");
  RawBot bob(&referee_, "bob");
  alice.HearReveals();
  v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
  request.clear_dice();
  const std::string match_id = referee_.Create(request);
  alice.Hear(v1::RefereeItem::kMatchStart);
  v1::BotItem short_hash = ReadyFor(match_id);
  short_hash.mutable_ready()->mutable_nonce_hash()->pop_back();
  alice.Say(short_hash);
  const v1::Fault of_hash = alice.Hear().fault();
  EXPECT_EQ(of_hash.kind(), v1::FAULT_KIND_MALFORMED);
  EXPECT_EQ(of_hash.match_id(), match_id);
  EXPECT_THAT(of_hash.message(), HasSubstr("31 bytes"));
  const std::string nonce(32, 'x');
  alice.Say(ReadyFor(match_id, nonce));
  bob.Say(ReadyFor(match_id));
  EXPECT_EQ(alice.Hear().reveal_nonce().match_id(), match_id);
  alice.Say(NonceFor(match_id, nonce + "x"));
  const v1::Fault of_nonce = alice.Hear().fault();
  EXPECT_EQ(of_nonce.kind(), v1::FAULT_KIND_MALFORMED);
  EXPECT_THAT(of_nonce.message(), HasSubstr("33 bytes"));
  alice.Say(NonceFor(match_id, nonce));
  v1::RefereeItem item;
  RawBot::HearFirst({&alice, &bob}, v1::RefereeItem::kTurnRequest, &item);
}

TEST_F(Faults, OfASecondReadyAreAnswered) {
  RawBot alice(&referee_, "alice");
  RawBot bob(&referee_, "bob");
  const std::string match_id = referee_.Create({"alice", "bob"});
  alice.Hear(v1::RefereeItem::kMatchStart);
  alice.Say({ReadyFor(match_id), ReadyFor(match_id), MoveIn(match_id, 1, "-")});
  EXPECT_EQ(alice.Hear().fault().kind(), v1::FAULT_KIND_UNEXPECTED_READY);
  EXPECT_EQ(alice.Hear().fault().kind(), v1::FAULT_KIND_WRONG_TURN);
}

TEST_F(Faults, AgainstTheRulesCostTheMatchAndSayWhichRule) {
  EXPECT_THAT(ForfeitByNotation("6:A0>A6"), HasSubstr("illegal move 6:A0>A6 in turn "));
  EXPECT_THAT(ForfeitByNotation("-"), HasSubstr("illegal move - in turn "));
  EXPECT_THAT(ForfeitBy(v1::Move()), HasSubstr("in turn "));
}

TEST_F(Faults, ThatCannotBeReadCostTheMatchAndSayWhere) {
  EXPECT_THAT(ForfeitByNotation("e2e4"), HasSubstr("unreadable move in turn "));
  EXPECT_THAT(ForfeitByNotation(""), HasSubstr("unreadable move in turn "));
  EXPECT_THAT(ForfeitByNotation(std::string(100'000, 'x')), HasSubstr("unreadable move"));
  EXPECT_THAT(ForfeitByNotation("\x1b[2J\n"), Not(HasSubstr("\x1b")));
  std::string accents;
  for (int i = 0; i < 60; ++i) accents += "x\xc3\xa9";
  EXPECT_THAT(ForfeitByNotation(accents), HasSubstr("unreadable move"));
  v1::Move typed;
  typed.mutable_hypnosia()->add_steps()->set_die(7);
  EXPECT_THAT(ForfeitBy(typed), HasSubstr("steps[0].die"));
}

TEST_F(Faults, OfResigningCostTheMatchAtAnyTime) {
  Table table(&referee_);
  table.WaitForTurn();
  table.other->Say(ResignFrom(table.match_id));
  const v1::SeatForfeited out = table.mover->Hear(v1::RefereeItem::kSeatForfeited).seat_forfeited();
  EXPECT_EQ(out.cause(), v1::FORFEIT_CAUSE_RESIGNED);
  EXPECT_EQ(out.seat(), 1 - table.asked.seat());
  const v1::Verdict verdict = table.mover->Hear(v1::RefereeItem::kMatchEnd).match_end().verdict();
  EXPECT_EQ(verdict.ranks(static_cast<int>(table.asked.seat())), 1u);
}

TEST_F(Faults, OfALateReplyToAMatchThatIsOverSayHowLateItWas) {
  v1::CreateMatchRequest request = referee_.Request({"alice", "bob"});
  request.mutable_time_control()->mutable_per_move()->set_seconds(1);
  Table table(&referee_, request);
  const v1::TurnRequest asked = table.WaitForTurn();
  const v1::SeatForfeited out = table.mover->Hear(v1::RefereeItem::kSeatForfeited).seat_forfeited();
  EXPECT_EQ(out.cause(), v1::FORFEIT_CAUSE_TIMEOUT);
  table.mover->Hear(v1::RefereeItem::kMatchEnd);
  table.mover->Say(MoveIn(table.match_id, asked.turn(), asked.legal_moves(0)));
  const v1::Fault fault = table.mover->Hear(v1::RefereeItem::kFault).fault();
  EXPECT_EQ(fault.kind(), v1::FAULT_KIND_UNKNOWN_MATCH);
  EXPECT_EQ(fault.turn(), asked.turn());
  EXPECT_THAT(fault.message(),
              AllOf(HasSubstr("the move is late: it came "), HasSubstr("s after the limit of "),
                    HasSubstr("; the match is over")));
}

TEST_F(Faults, OfTooManyItemsEndTheStream) {
  RawBot alice(&referee_, "alice");
  alice.Say(std::vector<v1::BotItem>(4097));
  const grpc::Status status = alice.End();
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_THAT(status.error_message(), HasSubstr("4097"));
  RawBot bob(&referee_, "bob");
  bob.Say(std::vector<v1::BotItem>(4096));
  bob.Say(HelloAs("bob"));
  EXPECT_EQ(bob.Hear().fault().kind(), v1::FAULT_KIND_REPEATED_HELLO);
}

// --- Bytes that are no messages. ---

constexpr char kPlay[] = "/referee.v1.BotService/Play";

std::string HelloBytes(absl::string_view name) {
  v1::PlayRequest hello;
  *hello.add_items() = HelloAs(name);
  return hello.SerializeAsString();
}

TEST_F(Faults, OfGarbageEndTheStreamWithAnErrorAndNobodyElseNotices) {
  Table table(&referee_);
  table.WaitForTurn();
  for (const std::string& garbage :
       {std::string("\xff\xff\xff\xff"), std::string("\x0a\x7f"), std::string("\x0a\x00\x0a", 3),
        std::string(1'000, '\x0a'), HelloBytes("carol").substr(0, 9),
        // A name that is not UTF-8.
        std::string("\x0a\x05\x22\x03\x0a\x01\xff", 7)}) {
    ByteStream carol(referee_.NewChannel(), kPlay);
    ASSERT_TRUE(carol.Write(HelloBytes("carol")));
    ASSERT_TRUE(carol.Read());
    carol.Write(garbage);
    const grpc::Status status = carol.End();
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT) << status.error_message();
    ByteStream nobody(referee_.NewChannel(), kPlay);
    nobody.Write(garbage);
    EXPECT_FALSE(nobody.End().ok());
  }
  ExpectGoesOn(&table);
}

TEST_F(Faults, OfRequestsThatCannotBeReadAreInvalidArguments) {
  replay::SilenceProtobuf();
  ::testing::internal::CaptureStderr();
  for (const std::string& garbage :
       {std::string("\xff\xff\xff\xff"), std::string("\x0a\x01\xff")}) {  // no UTF-8
    ByteStream call(referee_.NewChannel(), "/referee.v1.MatchService/GetMatch", "alice");
    ASSERT_TRUE(call.Write(garbage));
    call.SayLast();
    const grpc::Status status = call.End();
    EXPECT_EQ(status.error_code(), grpc::StatusCode::INVALID_ARGUMENT);
    EXPECT_THAT(status.error_message(), HasSubstr("text must be UTF-8"));
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(Faults, OfHugeMessagesEndTheStreamWithAnErrorAndNobodyElseNotices) {
  Table table(&referee_);
  table.WaitForTurn();
  ByteStream carol(referee_.NewChannel(), kPlay);
  ASSERT_TRUE(carol.Write(HelloBytes("carol")));
  ASSERT_TRUE(carol.Read());
  carol.Write(std::string(4 << 20, 'x'));
  EXPECT_EQ(carol.End().error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  ExpectGoesOn(&table);
}

TEST_F(Faults, OfGarbageLoseTheBotItsOwnMatch) {
  RawBot alice(&referee_, "alice");
  ByteStream carol(referee_.NewChannel(), kPlay);
  ASSERT_TRUE(carol.Write(HelloBytes("carol")));
  ASSERT_TRUE(carol.Read());
  v1::CreateMatchRequest request = referee_.Request({"alice", "carol"});
  request.mutable_time_control()->mutable_per_move()->set_seconds(0);
  request.mutable_time_control()->mutable_per_move()->set_nanos(200'000'000);
  const std::string match_id = referee_.Create(request);
  v1::PlayRequest ready;
  *ready.add_items() = ReadyFor(match_id);
  ASSERT_TRUE(carol.Write(ready.SerializeAsString()));
  carol.Write("garbage");
  EXPECT_FALSE(carol.End().ok());
  const v1::MatchEnd end = alice.Play(1, FirstLegalMove)[0];
  ASSERT_EQ(end.verdict().forfeits_size(), 1);
  EXPECT_EQ(end.verdict().forfeits(0).seat(), 1u);
  EXPECT_EQ(end.verdict().forfeits(0).cause(), v1::FORFEIT_CAUSE_DISCONNECTED);
}

}  // namespace
}  // namespace referee::testing

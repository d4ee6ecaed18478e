// Claims about the order in which a session says things, over a transport that the test holds.
#include "referee/service/play/bot_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/games/catalogue.h"
#include "referee/service/errors.h"
#include "tests/support/memory_recorder.h"
#include "tests/support/simulated_time.h"

namespace referee::service {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr absl::Duration kRoundTrip = absl::Milliseconds(40);

std::string Word(const v1::RefereeItem& item) {
  switch (item.kind_case()) {
    case v1::RefereeItem::kWelcome:
      return "welcome";
    case v1::RefereeItem::kMatchStart:
      return item.match_start().has_resumed() ? "resumed" : "start";
    case v1::RefereeItem::kTurnRequest:
      return absl::StrCat("ask ", item.turn_request().turn());
    case v1::RefereeItem::kTurnPlayed:
      return absl::StrCat("played ", item.turn_played().turn());
    case v1::RefereeItem::kMatchEnd:
      return "end";
    case v1::RefereeItem::kFault:
      return absl::StrCat("fault ", item.fault().turn());
    case v1::RefereeItem::kPing:
      return "ping";
    default:
      return "other";
  }
}

// Writes down what it is to do, and does it when the test says so.
class HeldTransport final : public Transport {
 public:
  void Write(const v1::PlayResponse& message) override {
    EXPECT_FALSE(writing) << "two writes at once";
    std::vector<std::string> words;
    for (const v1::RefereeItem& item : message.items()) {
      words.push_back(Word(item));
      if (item.has_turn_request()) asked = item.turn_request();
      if (item.has_turn_played()) played = item.turn_played();
      if (item.has_ping()) ping = item.ping().number();
      if (item.has_notice()) notices.push_back(item.notice().text());
      if (item.has_fault()) faults.push_back(item.fault().message());
    }
    log.push_back(absl::StrJoin(words, ", "));
    writing = true;
    if (ends_at_once) EndWrite();
  }
  void Read() override {
    EXPECT_FALSE(reading) << "two reads at once";
    reading = true;
    log.push_back("read");
  }
  void Finish(const absl::Status& status) override {
    EXPECT_FALSE(writing) << "finished while something is being written";
    finished = std::string(absl::StatusCodeToString(status.code()));
    why = std::string(status.message());
  }
  void Cancel() override { cancelled = true; }

  void EndWrite(bool ok = true) {
    ASSERT_TRUE(writing);
    writing = false;
    session->OnWriteDone(ok);
  }
  // What it has done since this was asked for last.
  std::vector<std::string> Log() { return std::exchange(log, {}); }

  BotSession* session = nullptr;
  bool ends_at_once = false;
  bool writing = false;
  bool reading = false;
  bool cancelled = false;
  std::string finished;  // the code; empty: it is not
  std::string why;       // the message
  std::vector<std::string> notices;
  std::vector<std::string> faults;  // their messages
  v1::TurnRequest asked;
  v1::TurnPlayed played;
  uint64_t ping = 0;
  std::vector<std::string> log;
};

// A token is a name.
class NamesAsTokens final : public Authenticator {
 public:
  absl::StatusOr<Identity> Find(const TokenHash& hash) const override {
    for (const char* name : {"alice", "bob"}) {
      if (HashToken(name) == hash) return Identity{name, Role::kBot};
    }
    return UnknownToken();
  }
  absl::Status Recheck(absl::string_view, const TokenHash&) const override {
    return absl::OkStatus();
  }
  bool KnowsBot(absl::string_view) const override { return true; }
  bool HasOrganiser() const override { return true; }
};

class BotSessionTest : public ::testing::Test {
 protected:
  struct Guest {
    HeldTransport* transport;
    std::shared_ptr<BotSession> session;
    HeldTransport* operator->() const { return transport; }
  };

  BotSessionTest() {
    host::HostOptions options;
    options.clock = &clock_;
    options.timers = &timers_;
    options.executor = &executor_;
    options.recorder = &recorder_;
    options.entropy = [next = uint8_t{0}](absl::Span<uint8_t> bytes) mutable {
      for (uint8_t& byte : bytes) byte = next++;
    };
    options.software = "test";
    options.max_running = 10;
    host_ = std::make_unique<host::Host>(options);
    environment_ = {&limits_,    &admission_, &sessions_, &authenticator_,
                    host_.get(), &clock_,     &timers_,   &connections_};
  }
  ~BotSessionTest() override {
    executor_.Release();
    host_->Drain(absl::ZeroDuration(), host::Host::Rest::kVoid);
  }

  // A stream that has begun and said Hello; its Welcome is being written.
  Guest Come(const std::string& name) {
    Guest guest;
    transports_.push_back(std::make_unique<HeldTransport>());
    guest.transport = transports_.back().get();
    guest.session = std::make_shared<BotSession>(&environment_, guest.transport);
    guest->session = guest.session.get();
    guest.session->Begin(absl::StrCat("unix:", name));
    v1::BotItem item;
    item.mutable_hello()->set_token(name);
    item.mutable_hello()->set_wants_legal_moves(true);
    item.mutable_hello()->set_news_may_wait(news_may_wait_);
    item.mutable_hello()->set_max_matches(max_matches_);
    for (const std::string& game : games_) item.mutable_hello()->add_games(game);
    Say(guest, item);
    return guest;
  }
  void Say(const Guest& guest, const v1::BotItem& item) {
    ASSERT_TRUE(guest->reading);
    guest->reading = false;
    v1::PlayRequest request;
    *request.add_items() = item;
    guest.session->OnRead(request, clock_.Now());
  }
  void SayReady(const Guest& guest) {
    v1::BotItem item;
    item.mutable_ready()->set_match_id(id_);
    Say(guest, item);
  }
  void SayMove(const Guest& guest, uint32_t turn, const v1::Move& move) {
    v1::BotItem item;
    item.mutable_move()->set_match_id(id_);
    item.mutable_move()->set_turn(turn);
    *item.mutable_move()->mutable_move() = move;
    Say(guest, item);
  }
  void SayNonsense(const Guest& guest, uint32_t turn) {
    v1::Move move;
    move.set_notation("nonsense");
    SayMove(guest, turn, move);
  }
  // What it was asked last.
  void SayLegalMove(const Guest& guest) {
    SayMove(guest, guest->asked.turn(), guest->asked.legal_moves(0));
  }
  void SayPong(const Guest& guest) {
    v1::BotItem item;
    item.mutable_pong()->set_number(guest->ping);
    Say(guest, item);
  }

  void CreateMatch(const match::Policies& policies = {}) {
    host::MatchRequest request;
    request.game = games::Find("hypnosia")->type->Create(2, {{"turn_limit", "4"}}).value();
    request.bots = {"alice", "bob"};
    request.dice_source.pinned_number = 7;
    request.time_control.per_move = absl::Seconds(10);
    request.policies = policies;
    id_ = host_->Create(std::move(request), "").value().text();
  }
  // Alice and Bob in a match that begins: their starts are being written, and the first turn waits.
  void Begin(const match::Policies& policies = {}) {
    alice_ = Come("alice");
    bob_ = Come("bob");
    alice_->EndWrite();
    bob_->EndWrite();
    CreateMatch(policies);
    alice_->Log();
    bob_->Log();
    clock_.Advance(kRoundTrip);  // no reply is faster
    SayReady(alice_);
    SayReady(bob_);
  }
  // Plays all turns of a match that begins, while its end is not sealed. Returns who was told of
  // the last turn, or is to be. `busy`: each time, something else is being written to that bot
  // meanwhile.
  Guest& PlayToTheEnd(bool busy = false) {
    executor_.Hold();
    for (Guest* guest : {&alice_, &bob_}) {
      (*guest)->ends_at_once = true;
      (*guest)->EndWrite();
    }
    Guest* other = nullptr;
    for (uint32_t turn = 1; turn <= 20; ++turn) {
      for (Guest* guest : {&alice_, &bob_}) {
        if ((*guest)->asked.turn() != turn) continue;
        other = guest == &alice_ ? &bob_ : &alice_;
        (*other)->ends_at_once = !busy;
        if (busy) other->session->TellNotice("something else");
        other->session->Flush();
        (*other)->Log();
        SayLegalMove(*guest);
        (*other)->ends_at_once = true;
        if (busy) (*other)->EndWrite();
        break;
      }
    }
    return *other;
  }
  bool IsFirst(const Guest& guest) const {
    return guest.session->bot()->FindSlot(id_).seat == FirstSeat();
  }
  Seat FirstSeat() const {
    Seat first = Seat::None();
    host_->Find(MatchId::Parse(id_).value())->Inspect([&](const host::MatchRunner& runner) {
      first = runner.match()->seat_to_move();
    });
    return first;
  }
  Guest& First() { return IsFirst(alice_) ? alice_ : bob_; }
  Guest& Second() { return IsFirst(alice_) ? bob_ : alice_; }

  testing::SimulatedClock clock_;
  testing::SimulatedTimers timers_{&clock_};
  testing::HeldExecutor executor_;
  testing::MemoryRecorder recorder_;
  NamesAsTokens authenticator_;
  StreamLimits limits_;
  Admission admission_{limits_};
  Sessions sessions_{&authenticator_};
  Connections connections_{ConnectionLimits(), {}};
  std::unique_ptr<host::Host> host_;
  BotSession::Environment environment_;
  std::vector<std::unique_ptr<HeldTransport>> transports_;
  std::string id_;
  bool news_may_wait_ = false;
  uint32_t max_matches_ = 1;
  std::vector<std::string> games_;
  Guest alice_;
  Guest bob_;
};

// --- Writing ---

TEST_F(BotSessionTest, WhatIsToldWhileNothingIsWrittenGoesOutAtOnce) {
  const Guest alice = Come("alice");
  EXPECT_THAT(alice->Log(), ElementsAre("read", "welcome", "read"));
}

TEST_F(BotSessionTest, WhatIsToldDuringAWriteGoesOutWhenThatEnds) {
  Begin();
  const Guest& first = First();
  EXPECT_THAT(first->Log(), ElementsAre("read"));
  first->EndWrite();
  EXPECT_THAT(first->Log(), ElementsAre("ask 1, ping"));
  first->EndWrite();
  EXPECT_THAT(first->Log(), IsEmpty());
}

TEST_F(BotSessionTest, AWriteMayEndBeforeTheCallThatStartsItReturns) {
  Begin();
  for (Guest* guest : {&alice_, &bob_}) {
    (*guest)->ends_at_once = true;
    (*guest)->EndWrite();
  }
  for (uint32_t turn = 1; turn <= 20; ++turn) {
    const Guest& mover = alice_->asked.turn() == turn ? alice_ : bob_;
    if (mover->asked.turn() == turn) SayLegalMove(mover);
  }
  for (Guest* guest : {&alice_, &bob_}) {
    EXPECT_THAT(absl::StrJoin((*guest)->Log(), ", "), HasSubstr("end"));
  }
}

TEST_F(BotSessionTest, AFaultFollowsTheRequestThatItIsAbout) {
  match::Policies policies;
  policies.on_illegal.action = match::FaultPolicy::Action::kRetry;
  policies.on_illegal.max_tries = 3;
  Begin(policies);
  const Guest& first = First();
  first->Log();
  SayNonsense(first, 1);  // before it was asked
  first->EndWrite();
  EXPECT_THAT(first->Log(), ElementsAre("read", "ask 1, fault 1, ping"));
}

// --- Mistakes that only other languages make ---

TEST_F(BotSessionTest, ATokenThatIsEmptySaysWhereToGetOne) {
  for (const char* token : {"", " \n"}) {
    const Guest nobody = Come(token);
    EXPECT_EQ(nobody->finished, "UNAUTHENTICATED");
    EXPECT_THAT(nobody->why, AllOf(HasSubstr("hello.token: empty"), HasSubstr("REFEREE_TOKEN")));
  }
}

TEST_F(BotSessionTest, ATokenWithALineEndSaysSo) {
  EXPECT_THAT(Come("alice\n")->why, HasSubstr("white space before or after it"));
  EXPECT_THAT(Come("mallory")->why, HasSubstr("it was mistyped"));
}

TEST_F(BotSessionTest, AGameThatThereIsNotIsToldInANotice) {
  games_ = {"hypnosia", "hypnosa"};
  const Guest alice = Come("alice");
  alice->EndWrite();
  EXPECT_THAT(alice->notices,
              ElementsAre(AllOf(HasSubstr("hello.games: game 'hypnosa'"),
                                HasSubstr("known: hypnosia, isaac"), HasSubstr("mend the name"))));
}

TEST_F(BotSessionTest, AnItemWithoutAMatchIdSaysThatItIsEmpty) {
  const Guest alice = Come("alice");
  alice->EndWrite();
  alice->ends_at_once = true;
  SayMove(alice, 1, {});
  EXPECT_THAT(alice->faults, ElementsAre(AllOf(HasSubstr("match_id: '' is empty"),
                                               HasSubstr("is misspelt comes empty"))));
}

// --- News that may wait ---

TEST_F(BotSessionTest, NewsGoesOutAtOnceUnlessItMayWait) {
  Begin();
  const Guest& other = PlayToTheEnd();
  EXPECT_THAT(other->Log(), ElementsAre(HasSubstr("played"), "read"));
  executor_.Release();
  EXPECT_THAT(other->Log(), ElementsAre("end"));
}

TEST_F(BotSessionTest, NewsThatMayWaitGoesOutWithWhatTheBotIsToldNext) {
  news_may_wait_ = true;
  Begin();
  const Guest& other = PlayToTheEnd();
  EXPECT_THAT(other->Log(), IsEmpty());
  timers_.Advance(absl::Milliseconds(20));
  EXPECT_THAT(other->Log(), IsEmpty());
  executor_.Release();
  EXPECT_THAT(other->Log(), ElementsAre(AllOf(HasSubstr("played"), HasSubstr("end")), "read"));
}

TEST_F(BotSessionTest, NewsWaitsATenthOfASecondAtMost) {
  news_may_wait_ = true;
  Begin();
  const Guest& other = PlayToTheEnd();
  timers_.Advance(absl::Milliseconds(100));
  EXPECT_THAT(other->Log(), ElementsAre(HasSubstr("played"), "read"));
}

TEST_F(BotSessionTest, NewsThatMayWaitDoesSoAlsoWhenAWriteEnds) {
  news_may_wait_ = true;
  Begin();
  const Guest& other = PlayToTheEnd(/*busy=*/true);
  EXPECT_THAT(other->Log(), IsEmpty());
  timers_.Advance(absl::Milliseconds(100));
  EXPECT_THAT(other->Log(), ElementsAre(HasSubstr("played")));
}

// --- Turns of several matches ---

class BotSessionOfManyMatches : public BotSessionTest {
 protected:
  // Begins five matches, in all of which the same bot is asked first.
  void Begin() {
    news_may_wait_ = true;
    max_matches_ = 5;
    alice_ = Come("alice");
    bob_ = Come("bob");
    for (Guest* guest : {&alice_, &bob_}) {
      (*guest)->ends_at_once = true;
      (*guest)->EndWrite();
    }
    for (v1::TurnRequest& asked : asked_) {
      CreateMatch();
      SayReady(alice_);
      SayReady(bob_);
      timers_.Advance(absl::Milliseconds(1));
      asked = First()->asked;
      ASSERT_EQ(asked.match_id(), id_);
    }
    First()->Log();
  }
  void Answer(const Guest& guest, const v1::TurnRequest& asked) {
    id_ = asked.match_id();
    SayMove(guest, asked.turn(), asked.legal_moves(0));
  }
  // The first bot answers the turn that it was asked for last after `thinking`, and is to be asked
  // for the next of that match, while it owes the others.
  void AnswerOne(absl::Duration thinking) {
    const Guest first = First();
    const Guest second = Second();
    clock_.Advance(thinking);
    Answer(first, asked_.back());
    first->Log();
    Answer(second, second->asked);
  }

  std::array<v1::TurnRequest, 5> asked_;
};

TEST_F(BotSessionOfManyMatches, ATurnWaitsForAnswersToOthersOfABotThatAnswersAtOnce) {
  Begin();
  const Guest first = First();
  AnswerOne(absl::Microseconds(500));
  EXPECT_THAT(first->Log(), Not(Contains(HasSubstr("ask"))));
  Answer(first, asked_[0]);  // four are not worth a wait
  EXPECT_THAT(first->Log(), Contains(HasSubstr("ask 3")));
}

TEST_F(BotSessionOfManyMatches, ATurnWaitsAMillisecondAtMostAndIsChargedFromItsHandover) {
  Begin();
  const Guest first = First();
  const Guest second = Second();
  AnswerOne(absl::Microseconds(500));
  timers_.Advance(absl::Microseconds(500));
  EXPECT_THAT(first->Log(), Contains(HasSubstr("ask 3")));
  clock_.Advance(absl::Microseconds(200));
  Answer(first, first->asked);
  EXPECT_EQ(second->played.turn(), 3u);
  EXPECT_EQ(second->played.time_used().nanos(), 200'000);
}

TEST_F(BotSessionOfManyMatches, ATurnOfABotThatThinksDoesNotWait) {
  Begin();
  const Guest first = First();
  AnswerOne(absl::Milliseconds(3));
  EXPECT_THAT(first->Log(), Contains(HasSubstr("ask 3")));
}

// --- Bots that do not read ---

TEST_F(BotSessionTest, ABotThatDoesNotReadIsDisconnectedWhenTooMuchWaitsForAll) {
  limits_.queued_bytes_of_all = 2'000;
  const Guest bob = Come("bob");
  const Guest alice = Come("alice");  // she never takes her welcome, and provokes faults
  v1::BotItem provoking;
  provoking.mutable_resign()->set_match_id("no such match");
  for (int i = 0; i < 100 && alice->reading; ++i) Say(alice, provoking);
  EXPECT_FALSE(alice->reading);
  timers_.Advance(absl::Seconds(6));
  EXPECT_TRUE(alice->cancelled);
  EXPECT_FALSE(bob->cancelled);
  EXPECT_EQ(bob->finished, "");
}

TEST_F(BotSessionTest, ABotThatReadsIsNotDisconnectedHoweverMuchIsSaid) {
  limits_.queued_bytes_of_all = 20'000;
  const Guest alice = Come("alice");
  v1::BotItem provoking;
  provoking.mutable_resign()->set_match_id("no such match");
  for (int i = 0; i < 1'000; ++i) {
    Say(alice, provoking);
    if (i % 50 == 0) alice->EndWrite();
    if (!alice->reading) timers_.Advance(absl::Milliseconds(101));
  }
  EXPECT_FALSE(alice->cancelled);
  EXPECT_EQ(alice->finished, "");
}

TEST_F(BotSessionTest, ABotThatDoesNotReadHasNoMoreTimeThanItsLimit) {
  Begin();
  timers_.Advance(absl::Seconds(10) + absl::Milliseconds(5));
  bool over = false;
  host_->Find(MatchId::Parse(id_).value())->Inspect([&](const host::MatchRunner& runner) {
    over = runner.ended() != nullptr;
  });
  EXPECT_TRUE(over);
}

TEST_F(BotSessionTest, ARequestThatABotTakesLateIsChargedFromWhenItsTurnWasDue) {
  Begin();
  Guest& first = First();
  Guest& second = Second();
  second->ends_at_once = true;
  second->EndWrite();
  clock_.Advance(absl::Milliseconds(300));
  first->EndWrite();  // "ask 1" goes out
  clock_.Advance(absl::Milliseconds(100));
  first->EndWrite();
  SayLegalMove(first);
  EXPECT_EQ(second->played.turn(), 1u);
  EXPECT_EQ(second->played.time_used().nanos(), 400'000'000);
}

TEST_F(BotSessionTest, ARequestThatWaitsForAnotherWriteIsChargedFromItsHandover) {
  Begin();
  Guest& first = First();
  Guest& second = Second();
  second->ends_at_once = true;
  second->EndWrite();
  clock_.Advance(absl::Milliseconds(3));
  first->EndWrite();
  clock_.Advance(absl::Milliseconds(100));
  first->EndWrite();
  SayLegalMove(first);
  EXPECT_EQ(second->played.time_used().nanos(), 100'000'000);
}

TEST_F(BotSessionTest, AFailedWriteEndsTheStream) {
  Begin();
  const Guest& first = First();
  first->EndWrite(/*ok=*/false);
  EXPECT_EQ(first->finished, "CANCELLED");
  EXPECT_FALSE(first->writing);
  first.session->OnDone();  // as a transport does then
}

TEST_F(BotSessionTest, ABotToWhichAWriteFailsHasLostItsLink) {
  Begin();
  Guest& first = First();
  Guest& second = Second();
  const Seat seat = second.session->bot()->FindSlot(id_).seat;
  first->ends_at_once = true;
  first->EndWrite();
  second->EndWrite(/*ok=*/false);
  SayLegalMove(first);
  timers_.Advance(absl::Seconds(10) + absl::Milliseconds(5));
  std::vector<match::SeatForfeit> forfeits;
  host_->Find(MatchId::Parse(id_).value())->Inspect([&](const host::MatchRunner& runner) {
    if (runner.ended() != nullptr) forfeits = runner.ended()->forfeits;
  });
  EXPECT_THAT(forfeits, ElementsAre(match::SeatForfeit{seat, match::Cause::kDisconnected}));
  second.session->OnDone();
}

// --- Links that are replaced ---

TEST_F(BotSessionTest, AReplacingSessionIsAskedWhatTheOtherHadNotSent) {
  Begin();
  Guest& first = First();
  const Guest again = Come(IsFirst(alice_) ? "alice" : "bob");
  EXPECT_THAT(again->Log(), ElementsAre("read", "welcome, resumed, ask 1, ping", "read"));
  EXPECT_EQ(first->finished, "");
  first->EndWrite();
  EXPECT_TRUE(first->writing) << "what was told before goes out";
  first->EndWrite();
  EXPECT_EQ(first->finished, "ABORTED");
}

// The first session knows a round trip, and hands its request over after it was replaced;
// the second knows none.
TEST_F(BotSessionTest, ARequestThatGoesOutAfterCloseCreditsNothing) {
  match::Policies policies;
  policies.lag.per_move = absl::Milliseconds(30);
  policies.lag.per_match = absl::Seconds(10);
  Begin(policies);
  Guest& first = First();
  Guest& second = Second();
  const std::string name = &first == &alice_ ? "alice" : "bob";
  first->EndWrite();
  clock_.Advance(kRoundTrip);
  SayPong(first);
  SayLegalMove(first);
  second->EndWrite();
  second->EndWrite();
  SayLegalMove(second);  // while "ask 1" is being written still
  ASSERT_TRUE(first->writing);
  const Guest again = Come(name);
  ASSERT_EQ(again->asked.turn(), 3u);
  first->EndWrite();  // hands over turn 3, too
  clock_.Advance(absl::Milliseconds(25));
  again->EndWrite();
  second->ends_at_once = true;
  if (second->writing) second->EndWrite();
  SayLegalMove(again);
  EXPECT_EQ(second->played.turn(), 3u);
  EXPECT_EQ(second->played.time_used().nanos(), 25'000'000);
}

TEST_F(BotSessionTest, AFarewellThatIsNotTakenIsCutShort) {
  const Guest alice = Come("alice");
  alice.session->Close(absl::AbortedError("enough"));
  EXPECT_EQ(alice->finished, "");
  timers_.Advance(absl::Seconds(4));
  EXPECT_FALSE(alice->cancelled);
  timers_.Advance(absl::Seconds(2));
  EXPECT_TRUE(alice->cancelled);
}

// --- Parking ---

TEST_F(BotSessionTest, ABotThatOwesNothingIsNotReadUntilItIsToldSomething) {
  const Guest alice = Come("alice");
  const Guest bob = Come("bob");
  for (const Guest* guest : {&alice, &bob}) {
    (*guest)->EndWrite();
    Say(*guest, v1::BotItem());
    EXPECT_FALSE((*guest)->reading);
    (*guest)->Log();
  }
  CreateMatch();
  EXPECT_THAT(alice->Log(), ElementsAre("start", "read"));
  EXPECT_THAT(bob->Log(), ElementsAre("start", "read"));
}

TEST_F(BotSessionTest, ABotThatOwesNothingIsReadAWhileLater) {
  const Guest alice = Come("alice");
  alice->EndWrite();
  Say(alice, v1::BotItem());
  EXPECT_FALSE(alice->reading);
  timers_.Advance(absl::Milliseconds(101));
  EXPECT_TRUE(alice->reading);
}

TEST_F(BotSessionTest, ABotThatOwesAnAnswerIsRead) {
  Begin();
  First()->EndWrite();
  EXPECT_TRUE(First()->reading);
}

}  // namespace
}  // namespace referee::service

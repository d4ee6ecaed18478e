// Tests of matches across two referees: the entry has the bots' streams, the owner the matches.
//
// A stream with a delay joins the referees. The bots' streams have no delay.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_join.h"
#include "referee/base/limits.h"
#include "referee/games/catalogue.h"
#include "referee/service/peer/entry_session.h"
#include "referee/service/peer/owner_session.h"
#include "tests/unit/service/bot_session_fixture.h"

namespace referee::service {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::Not;
using ::testing::SizeIs;

// What both ends of a stream have in common.
struct Wire {
  testing::SimulatedClock* clock;
  host::Timers* timers;
  absl::Duration delay;
  bool cut = false;  // nothing arrives any more
  std::vector<host::Timer> arrivals = {};
};

// One direction: takes messages at once, and delivers them to `To` after the delay, in order.
template <typename Message, typename From, typename To>
class Direction final : public PeerTransport<Message> {
 public:
  explicit Direction(Wire* wire) : wire_(*wire) {}

  void Write(const Message& message) override {
    last_ = std::max(last_, wire_.clock->Now() + wire_.delay);
    wire_.arrivals.push_back(wire_.timers->At(last_, [this, message] {
      if (!wire_.cut) to->OnRead(message, wire_.clock->Now());
    }));
    from->OnWriteDone(true);
  }
  void Finish(const absl::Status& status) override { finished = status; }

  From* from = nullptr;
  To* to = nullptr;
  absl::optional<absl::Status> finished;

 private:
  Wire& wire_;
  Instant last_;
};

class TwoReferees : public BotSessionTest {
 protected:
  using ToOwner = Direction<peer::v1::AttachRequest, EntrySession, OwnerSession>;
  using ToEntry = Direction<peer::v1::AttachResponse, OwnerSession, EntrySession>;
  // A stream between the two.
  struct Joined {
    explicit Joined(Wire wire_between) : wire(std::move(wire_between)) {}
    Wire wire;
    ToOwner to_owner{&wire};
    ToEntry to_entry{&wire};
    std::shared_ptr<EntrySession> entry;
    std::shared_ptr<OwnerSession> owner;
  };

  TwoReferees() {
    host::HostOptions options;
    options.clock = &clock_;
    options.timers = &timers_;
    options.executor = &executor_;
    options.recorder = &owner_recorder_;
    options.entropy = [next = uint8_t{100}](absl::Span<uint8_t> bytes) mutable {
      for (uint8_t& byte : bytes) byte = next++;
    };
    options.software = "owner";
    owner_host_ = std::make_unique<host::Host>(options);
    at_entry_ = {host_.get(), &clock_, &timers_, "entry-1", "secret"};
    at_owner_ = {owner_host_.get(), &clock_, &timers_, "owner-1", "secret"};
    on_connection_ = [this](absl::string_view bot) {
      if (stream_ != nullptr && stream_->entry != nullptr) stream_->entry->BotChanged(bot);
    };
  }
  ~TwoReferees() override {
    on_connection_ = nullptr;
    if (stream_ != nullptr) Lose();
    timers_.Advance(limits::kEntryPatience * 2);
    owner_host_->Drain(absl::ZeroDuration(), host::Host::Rest::kVoid);
  }

  // Joins the two referees by a stream with such a delay.
  void Dial(absl::Duration delay) {
    streams_.push_back(std::make_unique<Joined>(Wire{&clock_, &timers_, delay}));
    stream_ = streams_.back().get();
    stream_->entry = std::make_shared<EntrySession>(&at_entry_, &stream_->to_owner);
    stream_->owner = std::make_shared<OwnerSession>(&at_owner_, &stream_->to_entry);
    stream_->to_owner.from = stream_->entry.get();
    stream_->to_owner.to = stream_->owner.get();
    stream_->to_entry.from = stream_->owner.get();
    stream_->to_entry.to = stream_->entry.get();
    stream_->owner->Begin();
    stream_->entry->Begin();
  }
  // Both ends learn that their stream is lost.
  void Lose() {
    stream_->wire.cut = true;
    stream_->owner->OnDone();
    stream_->entry->OnDone();
    stream_ = nullptr;
  }
  void ComeAndDial(absl::Duration delay) {
    ComeBoth();
    Dial(delay);
    timers_.Advance(delay * 2 + absl::Milliseconds(1));
  }

  // A match of the owner, with so much time for each move.
  MatchId CreateAtOwner(absl::Duration per_move = absl::Seconds(10)) {
    host::MatchRequest request;
    request.game = games::Find("hypnosia")->type->Create(2, {{"turn_limit", "4"}}).value();
    request.bots = {"alice", "bob"};
    request.dice_source.pinned_number = 7;
    request.time_control.per_move = per_move;
    return owner_host_->Create(std::move(request), "").value();
  }
  // Lets time pass, in which both bots are ready at once, and move `thinking` after they are asked.
  void PlayFor(absl::Duration time, absl::Duration thinking) {
    constexpr absl::Duration kStep = absl::Milliseconds(1);
    for (absl::Duration passed; passed < time; passed += kStep) {
      timers_.Advance(kStep);
      for (Guest* guest : {&alice_, &bob_}) Answer(guest, thinking);
    }
  }
  const match::Ended* EndOf(const MatchId& id) {
    ended_.reset();
    owner_host_->Find(id)->Inspect([this](const host::MatchRunner& runner) {
      if (runner.ended() != nullptr) ended_ = *runner.ended();
    });
    return ended_ ? &*ended_ : nullptr;
  }
  // What was charged for the turns of the match that were no passes.
  std::vector<absl::Duration> ChargedIn(const MatchId& id) {
    std::vector<absl::Duration> charged;
    for (const match::Record& record : owner_recorder_.matches().at(id.text()).records) {
      const auto* const played = std::get_if<match::Played>(&record);
      if (played != nullptr && played->timing) charged.push_back(played->used);
    }
    return charged;
  }
  std::string LogOf(const Guest& guest) { return absl::StrJoin(logs_[guest.transport], ", "); }

  PeerEnvironment at_entry_;
  PeerEnvironment at_owner_;
  testing::MemoryRecorder owner_recorder_;
  std::unique_ptr<host::Host> owner_host_;
  std::vector<std::unique_ptr<Joined>> streams_;
  Joined* stream_ = nullptr;  // the latest

 private:
  void Answer(Guest* guest, absl::Duration thinking) {
    std::vector<std::string>& log = logs_[guest->transport];
    for (const std::string& word : (*guest)->Log()) {
      log.push_back(word);
      if (word.find("start") != std::string::npos) ready_.insert(guest);
      if (word.find("ask") != std::string::npos) move_at_[guest] = clock_.Now() + thinking;
    }
    if (!(*guest)->reading) return;
    if (ready_.erase(guest) > 0) return SayReady(*guest);
    const auto due = move_at_.find(guest);
    if (due == move_at_.end() || due->second > clock_.Now()) return;
    move_at_.erase(due);
    id_ = (*guest)->asked.match_id();
    SayLegalMove(*guest);
  }

  std::map<HeldTransport*, std::vector<std::string>> logs_;
  std::set<Guest*> ready_;             // are to say that they are
  std::map<Guest*, Instant> move_at_;  // when they are to move
  absl::optional<match::Ended> ended_;
};

class TwoRefereesApart : public TwoReferees, public ::testing::WithParamInterface<int> {
 protected:
  absl::Duration delay() const { return absl::Milliseconds(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Delays, TwoRefereesApart, ::testing::Values(1, 30, 400));

TEST_P(TwoRefereesApart, PlayAMatchToItsEndAndChargeTheBotsTimeAlone) {
  ComeAndDial(delay());
  const MatchId id = CreateAtOwner();
  id_ = id.text();
  PlayFor(absl::Seconds(20), absl::Milliseconds(25));
  const match::Ended* const ended = EndOf(id);
  ASSERT_NE(ended, nullptr);
  EXPECT_EQ(ended->ending, match::Ending::kFinished);
  EXPECT_THAT(ended->forfeits, IsEmpty());
  EXPECT_THAT(ChargedIn(id), Not(IsEmpty()));
  EXPECT_THAT(ChargedIn(id), Each(absl::Milliseconds(25)));
  for (Guest* guest : {&alice_, &bob_}) {
    EXPECT_THAT(LogOf(*guest), HasSubstr("end"));
    EXPECT_THAT((*guest)->faults, IsEmpty());
    EXPECT_EQ(host_->FindBot(guest->session->bot()->name())->taken_slots(), 0);
  }
}

TEST_P(TwoRefereesApart, DoNotJudgeABotThatIsInTimeByItsOwnClock) {
  ComeAndDial(delay());
  const MatchId id = CreateAtOwner(/*per_move=*/absl::Milliseconds(100));
  id_ = id.text();
  PlayFor(absl::Seconds(30), absl::Milliseconds(90));
  const match::Ended* const ended = EndOf(id);
  ASSERT_NE(ended, nullptr);
  EXPECT_EQ(ended->ending, match::Ending::kFinished);
  EXPECT_THAT(ended->forfeits, IsEmpty());
}

TEST_P(TwoRefereesApart, TakeABotOutThatIsLateByItsOwnClock) {
  ComeAndDial(delay());
  const MatchId id = CreateAtOwner(/*per_move=*/absl::Milliseconds(100));
  id_ = id.text();
  PlayFor(absl::Seconds(5), absl::Milliseconds(120));
  const match::Ended* const ended = EndOf(id);
  ASSERT_NE(ended, nullptr);
  ASSERT_THAT(ended->forfeits, SizeIs(1));
  EXPECT_EQ(ended->forfeits[0].cause, match::Cause::kTimeout);
}

TEST_P(TwoRefereesApart, TakeABotOutThatSaysNothing) {
  ComeAndDial(delay());
  const MatchId id = CreateAtOwner(/*per_move=*/absl::Milliseconds(100));
  id_ = id.text();
  PlayFor(delay() * 10 + absl::Seconds(1), absl::Hours(1));
  const match::Ended* const ended = EndOf(id);
  ASSERT_NE(ended, nullptr);
  ASSERT_THAT(ended->forfeits, SizeIs(1));
  EXPECT_EQ(ended->forfeits[0].cause, match::Cause::kTimeout);
}

TEST_F(TwoReferees, PlayTwoMatchesOneAfterTheOtherForABotThatPlaysOneAtATime) {
  ComeAndDial(absl::Milliseconds(5));
  CreateMatch();  // of the entry itself; nobody is ready for it
  const std::string own = id_;
  const MatchId id = CreateAtOwner();
  timers_.Advance(absl::Seconds(2));
  EXPECT_FALSE(owner_host_->Find(id)->begun()) << "its bots play here";
  EXPECT_EQ(EndOf(id), nullptr);
  host_->Cancel(MatchId::Parse(own).value(), "").IgnoreError();
  alice_->Log();
  bob_->Log();
  id_ = id.text();
  PlayFor(absl::Seconds(5), absl::Milliseconds(1));
  const match::Ended* const ended = EndOf(id);
  ASSERT_NE(ended, nullptr);
  EXPECT_EQ(ended->ending, match::Ending::kFinished);
}

TEST_F(TwoReferees, GoOnWithAMatchAfterTheirStreamWasLostAndDoNotChargeForIt) {
  ComeAndDial(absl::Milliseconds(5));
  const MatchId id = CreateAtOwner(/*per_move=*/absl::Seconds(1));
  id_ = id.text();
  PlayFor(absl::Milliseconds(60), absl::Milliseconds(20));
  Lose();
  timers_.Advance(absl::Seconds(10));
  EXPECT_EQ(EndOf(id), nullptr);
  Dial(absl::Milliseconds(5));
  PlayFor(absl::Seconds(5), absl::Milliseconds(20));
  const match::Ended* const ended = EndOf(id);
  ASSERT_NE(ended, nullptr);
  EXPECT_EQ(ended->ending, match::Ending::kFinished);
  EXPECT_THAT(ended->forfeits, IsEmpty());
  EXPECT_THAT(ChargedIn(id), Each(Le(absl::Milliseconds(60)))) << "it thinks twice about one turn";
}

TEST_F(TwoReferees, GiveAMatchUpWhenTheyDoNotFindEachOtherAgain) {
  ComeAndDial(absl::Milliseconds(5));
  const MatchId id = CreateAtOwner(/*per_move=*/absl::Seconds(1));
  id_ = id.text();
  PlayFor(absl::Milliseconds(60), absl::Milliseconds(20));
  Lose();
  PlayFor(limits::kEntryPatience + absl::Seconds(2), absl::Milliseconds(20));
  const match::Ended* const ended = EndOf(id);
  ASSERT_NE(ended, nullptr);
  EXPECT_EQ(ended->ending, match::Ending::kVoid);
  EXPECT_THAT(ended->forfeits, IsEmpty());
  EXPECT_THAT(LogOf(alice_), HasSubstr("end"));
  EXPECT_THAT(LogOf(bob_), HasSubstr("end"));
  EXPECT_EQ(host_->FindBot("alice")->taken_slots(), 0);
}

TEST_F(TwoReferees, FindOutByThemselvesThatNothingArrives) {
  ComeAndDial(absl::Milliseconds(5));
  stream_->wire.cut = true;
  timers_.Advance(limits::kPeerSilence + limits::kPeerBeat * 2);
  EXPECT_TRUE(stream_->to_owner.finished.has_value());
  EXPECT_TRUE(stream_->to_entry.finished.has_value());
}

}  // namespace
}  // namespace referee::service

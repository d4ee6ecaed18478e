// Tests of matches of an earlier process that go on, of stalls, and of a changed limit of matches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/host/host_fixture.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr absl::Duration kLimit = absl::Seconds(60);

// A match of ada and bob as it was when its referee was killed.
struct Left {
  match::Setup setup;
  dice::Seed seed;
  std::vector<match::Record> records;
};

Left KilledAfterTheFirstTurn() {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada"), bob = hall.Come("bob");
  const MatchId id = hall.Create({"ada", "bob"});
  hall.Ready(id, ada);
  hall.Ready(id, bob);
  hall.Reply(id, ada, 1);
  const MemoryRecorder::Match& recorded = hall.recorder.matches().at(id.text());
  return {recorded.setup, recorded.seed, recorded.records};
}

absl::Status Resume(HostFixture* hall, const Left& left) {
  auto recording = hall->recorder.Open(left.setup, left.seed);
  return hall->host->Resume({left.setup, left.seed, left.records, *std::move(recording)}, kLimit);
}

TEST(HostResume, BotsThatComeBackHearTheWholeStateAndGoOn) {
  const Left left = KilledAfterTheFirstTurn();
  HostFixture hall;
  ASSERT_TRUE(Resume(&hall, left).ok());
  const HostFixture::Guest ada = hall.Come("ada");
  EXPECT_THAT(ada.link->notes, ElementsAre("resumed"));
  const HostFixture::Guest bob = hall.Come("bob");
  EXPECT_THAT(bob.link->notes, ElementsAre("resumed", "ask 2"));
  hall.Reply(left.setup.id, bob, 2, 3);
  EXPECT_THAT(ada.link->notes, ElementsAre("resumed", "played 2", "ask 3"));
  hall.Reply(left.setup.id, ada, 3, 2);
  EXPECT_EQ(hall.EndOf(left.setup.id)->scores, (std::vector<int>{3, 3}));
  EXPECT_EQ(hall.host->running(), 0);
}

TEST(HostResume, MatchTakesItsPlacesAtOnce) {
  const Left left = KilledAfterTheFirstTurn();
  HostFixture hall;
  ASSERT_TRUE(Resume(&hall, left).ok());
  EXPECT_EQ(hall.host->running(), 1);
  EXPECT_EQ(hall.Come("ada").bot->free_slots(), 0);
}

TEST(HostResume, IsVoidWhenNobodyComesBack) {
  const Left left = KilledAfterTheFirstTurn();
  HostFixture hall;
  ASSERT_TRUE(Resume(&hall, left).ok());
  hall.timers.Advance(kLimit + absl::Seconds(1));
  EXPECT_EQ(hall.EndOf(left.setup.id)->ending, match::Ending::kVoid);
}

TEST(HostResume, RefusesWhatTheSeedDoesNotLeadTo) {
  Left left = KilledAfterTheFirstTurn();
  std::get<match::Played>(left.records.back()).digest ^= 1;
  HostFixture hall;
  EXPECT_EQ(Resume(&hall, left).code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(hall.host->Find(left.setup.id), nullptr);
}

TEST(HostResume, MatchThatADrainLeavesCanBeResumed) {
  Left left;
  {
    HostFixture hall;
    const HostFixture::Guest ada = hall.Come("ada"), bob = hall.Come("bob");
    const MatchId id = hall.Create({"ada", "bob"});
    hall.Ready(id, ada);
    hall.Ready(id, bob);
    hall.Reply(id, ada, 1);
    hall.host->Drain(absl::ZeroDuration(), host::Host::Rest::kLeft);
    EXPECT_EQ(hall.host->running(), 0);
    EXPECT_THAT(bob.link->notes, ElementsAre("start", "played 1", "ask 2", "draining, to return"));
    EXPECT_TRUE(absl::IsUnavailable(bob.link->closed.value()));
    const MemoryRecorder::Match& recorded = hall.recorder.matches().at(id.text());
    EXPECT_FALSE(recorded.sealed);
    left = {recorded.setup, recorded.seed, recorded.records};
  }
  HostFixture hall;
  ASSERT_TRUE(Resume(&hall, left).ok());
  hall.Come("ada");
  EXPECT_THAT(hall.Come("bob").link->notes, ElementsAre("resumed", "ask 2"));
}

// A match of ada and bob as it was when its referee was killed before it began.
Left KilledWhileItWaits(absl::string_view request_id) {
  HostFixture hall;
  const MatchId id = hall.host->Create(hall.Request({"ada", "bob"}), request_id).value();
  const MemoryRecorder::Match recorded = hall.recorder.matches().at(id.text());
  return {recorded.setup, recorded.seed, recorded.records};
}

TEST(HostResume, MatchThatHadNotBegunIsRecordedAndWaitsAgain) {
  const Left left = KilledWhileItWaits("");
  EXPECT_TRUE(left.records.empty());
  HostFixture hall;
  ASSERT_TRUE(Resume(&hall, left).ok());
  EXPECT_EQ(hall.host->running(), 0);
  hall.Come("ada");
  hall.timers.Advance(2 * kLimit);
  EXPECT_THAT(hall.Come("bob").link->notes, ElementsAre("start"));
}

TEST(HostResume, CallThatMadeAMatchBeforeTheRestartMakesNoOther) {
  const Left left = KilledWhileItWaits("monday");
  HostFixture hall;
  ASSERT_TRUE(Resume(&hall, left).ok());
  EXPECT_EQ(hall.host->Create(hall.Request({"ada", "bob"}), "monday").value(), left.setup.id);
  EXPECT_TRUE(
      absl::IsAlreadyExists(hall.host->Create(hall.Request({"bob", "ada"}), "monday").status()));
}

TEST(HostResume, CallThatMadeAMatchThatEndedBeforeTheRestartMakesNoOther) {
  const Left left = KilledWhileItWaits("monday");
  HostFixture hall;
  match::Ended ended;
  ended.scores = {3, 3};
  hall.host->Remember(left.setup, ended, 2);
  EXPECT_EQ(hall.host->Create(hall.Request({"ada", "bob"}), "monday").value(), left.setup.id);
  EXPECT_EQ(hall.EndOf(left.setup.id)->scores, ended.scores);
  EXPECT_EQ(hall.host->Find(left.setup.id)->turns_played(), 2u);
  EXPECT_TRUE(absl::IsFailedPrecondition(hall.host->Cancel(left.setup.id, "")));
}

// The matches of the block that a call makes in `hall`, as they are before they begin.
std::vector<Left> BlockMadeBy(HostFixture* hall, absl::string_view request_id) {
  host::BlockRequest request;
  request.match = hall->Request({"ada", "bob"});
  const std::vector<MatchId> ids = hall->host->CreateBlock(request, request_id).value();
  std::vector<Left> block;
  for (const MatchId& id : ids) {
    const MemoryRecorder::Match& recorded = hall->recorder.matches().at(id.text());
    block.push_back({recorded.setup, recorded.seed, recorded.records});
  }
  return block;
}

// Killed while it made a block, of which one match had been recorded; started again, it makes the
// block of that call once, and after every start knows it.
TEST(HostResume, CallThatMadeABlockAgainAfterATornOneMakesNoThird) {
  HostFixture killed;
  const Left torn = BlockMadeBy(&killed, "monday")[0];
  HostFixture second;
  second.Create({"cid", "dan"});  // ids are others from here on
  ASSERT_TRUE(Resume(&second, torn).ok());
  second.host->EndResuming();
  const std::vector<Left> made = BlockMadeBy(&second, "monday");
  EXPECT_NE(made[0].setup.block->block, torn.setup.block->block);
  match::Ended ended;
  ended.ending = match::Ending::kVoid;
  {
    HostFixture third;
    for (const Left& left : made) ASSERT_TRUE(Resume(&third, left).ok());
    third.host->EndResuming();
    third.host->Remember(torn.setup, ended, 0);
    EXPECT_EQ(BlockMadeBy(&third, "monday")[0].setup.id, made[0].setup.id);
  }
  HostFixture third;
  for (const Left& left : made) third.host->Remember(left.setup, ended, 2);
  third.host->Remember(torn.setup, ended, 0);  // from the log: the archive was full
  const host::BlockRequest again{third.Request({"ada", "bob"}), {}};
  EXPECT_THAT(third.host->CreateBlock(again, "monday").value(),
              ElementsAre(made[0].setup.id, made[1].setup.id));
}

// A block of three, as it was when its referee was killed: the games of the first `games_over`
// matches were over.
std::vector<Left> BlockKilledWith(int games_over) {
  HostFixture hall;
  const std::vector<std::string> names = {"ada", "bob", "cid"};
  std::vector<HostFixture::Guest> guests;
  for (const std::string& name : names) guests.push_back(hall.Come(name, 3));
  host::BlockRequest request;
  request.match = hall.Request(names, /*target=*/1);  // over with the first move
  const std::vector<MatchId> ids = hall.host->CreateBlock(request, "").value();
  std::vector<Left> block;
  for (int i = 0; i < 3; ++i) {
    for (const HostFixture::Guest& guest : guests) hall.Ready(ids[i], guest);
  }
  for (int i = 0; i < 3; ++i) {
    const MemoryRecorder::Match& recorded = hall.recorder.matches().at(ids[i].text());
    // Seat 0 of rotation i is the bot that has seat i in rotation 0.
    if (i < games_over) hall.Reply(ids[i], guests[i], 1);
    block.push_back({recorded.setup, recorded.seed, recorded.records});
  }
  return block;
}

match::Ending EndingAfter(HostFixture* hall, const Left& left) {
  const absl::optional<match::Ended> ended = hall->EndOf(left.setup.id);
  return ended ? ended->ending : match::Ending::kCancelled;
}

TEST(HostResume, MatchWhoseGameWasOverKeepsItsResultWhenAnotherOfItsBlockIsLost) {
  const std::vector<Left> block = BlockKilledWith(1);
  HostFixture hall;
  ASSERT_TRUE(Resume(&hall, block[0]).ok());
  ASSERT_TRUE(Resume(&hall, block[1]).ok());
  hall.host->EndResuming();
  EXPECT_EQ(EndingAfter(&hall, block[0]), match::Ending::kFinished);
  EXPECT_EQ(EndingAfter(&hall, block[1]), match::Ending::kVoid);
}

TEST(HostResume, MatchesWhoseGamesWereOverKeepTheirResultsHoweverTheRestOfTheirBlockEnded) {
  const std::vector<Left> block = BlockKilledWith(2);
  for (const match::Ending archived : {match::Ending::kFinished, match::Ending::kVoid}) {
    HostFixture hall;
    ASSERT_TRUE(Resume(&hall, block[0]).ok());
    ASSERT_TRUE(Resume(&hall, block[1]).ok());
    match::Ended ended;
    ended.ending = archived;
    hall.host->Remember(block[2].setup, ended, 1);
    hall.host->EndResuming();
    EXPECT_EQ(EndingAfter(&hall, block[0]), match::Ending::kFinished);
    EXPECT_EQ(EndingAfter(&hall, block[1]), match::Ending::kFinished);
  }
}

TEST(HostResume, BotHearsNothingOfAMatchBeforeItsWholeState) {
  CountingRules rules;
  rules.limits = {3, 0};  // bob only passes
  Left left;
  {
    HostFixture hall;
    host::MatchRequest request = hall.Request({"ada", "bob"});
    request.game = NewCountingGame(rules);
    const HostFixture::Guest ada = hall.Come("ada"), bob = hall.Come("bob");
    const MatchId id = hall.host->Create(request, "").value();
    hall.Ready(id, ada);
    hall.Ready(id, bob);
    hall.Reply(id, ada, 1);
    const MemoryRecorder::Match& recorded = hall.recorder.matches().at(id.text());
    left = {recorded.setup, recorded.seed, recorded.records};
  }
  left.records.pop_back();  // the pass, which is played again when both are back
  HostFixture hall;
  ASSERT_TRUE(Resume(&hall, left).ok());
  const HostFixture::Guest bob = hall.Come("bob");
  EXPECT_THAT(hall.Come("ada").link->notes, ElementsAre("resumed", "ask 3"));
  EXPECT_THAT(bob.link->notes, ElementsAre("resumed", "played 2"));
}

TEST(HostResume, MatchThatWaitsWhenADrainBeginsIsLeft) {
  HostFixture hall;
  const MatchId id = hall.Create({"ada", "bob"});
  hall.host->Drain(absl::ZeroDuration(), host::Host::Rest::kLeft);
  EXPECT_TRUE(hall.recorder.matches().at(id.text()).records.empty());
  EXPECT_FALSE(hall.recorder.matches().at(id.text()).sealed);
}

TEST(HostStall, IsGivenBackToTheReplyThatItDelayed) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada"), bob = hall.Come("bob");
  const MatchId id = hall.Create({"ada", "bob"});
  hall.Ready(id, ada);
  hall.Ready(id, bob);
  // Everything stands still from 490 ms to 510 ms; the reply is read first, then the timer runs.
  hall.clock.Advance(absl::Milliseconds(510));
  hall.stalls.Looked(hall.clock.Now(), absl::Milliseconds(20));
  hall.Reply(id, ada, 1);
  EXPECT_FALSE(hall.EndOf(id).has_value());
  EXPECT_EQ(hall.LastTurnOf(id).used, absl::Milliseconds(490));
}

TEST(HostStall, BeforeTheClockStartedIsNotGivenBack) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada"), bob = hall.Come("bob");
  const MatchId id = hall.Create({"ada", "bob"});
  hall.clock.Advance(absl::Seconds(1));
  hall.stalls.Looked(hall.clock.Now(), absl::Milliseconds(20));
  hall.Ready(id, ada);
  hall.Ready(id, bob);
  hall.clock.Advance(absl::Milliseconds(100));
  hall.Reply(id, ada, 1);
  EXPECT_EQ(hall.LastTurnOf(id).used, absl::Milliseconds(100));
}

TEST(HostStall, BeyondTheQuotaThatMayHaveCostTheMatchMakesItVoid) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada"), bob = hall.Come("bob");
  const MatchId id = hall.Create({"ada", "bob"});
  hall.Ready(id, ada);
  hall.Ready(id, bob);
  hall.clock.Advance(absl::Milliseconds(2500));
  hall.stalls.Looked(hall.clock.Now(), absl::Milliseconds(2400));
  hall.Reply(id, ada, 1);
  const auto ended = hall.EndOf(id);
  ASSERT_TRUE(ended.has_value());
  EXPECT_EQ(ended->ending, match::Ending::kVoid);
  EXPECT_THAT(ended->reason, HasSubstr("the referee itself stood still for 2400 ms"));
}

TEST(HostStall, BotThatIsJustSlowLosesAllTheSame) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada"), bob = hall.Come("bob");
  const MatchId id = hall.Create({"ada", "bob"});
  hall.Ready(id, ada);
  hall.Ready(id, bob);
  hall.clock.Advance(absl::Milliseconds(200));
  hall.stalls.Looked(hall.clock.Now(), absl::Milliseconds(20));
  hall.timers.Advance(absl::Milliseconds(1000));
  EXPECT_EQ(hall.EndOf(id)->ending, match::Ending::kFinished);
}

TEST(HostLoad, FewerMatchesAtOnceLetThoseThatRunGoOn) {
  HostFixture hall(2);
  hall.Come("ada", 9);
  hall.Come("bob", 9);
  hall.Create({"ada", "bob"});
  hall.Create({"ada", "bob"});
  hall.host->SetMaxRunning(1);
  hall.Create({"ada", "bob"});
  EXPECT_EQ(hall.host->running(), 2);
}

TEST(HostLoad, MoreMatchesAtOnceStartThoseThatWait) {
  HostFixture hall(1);
  hall.Come("ada", 9);
  hall.Come("bob", 9);
  hall.Create({"ada", "bob"});
  hall.Create({"ada", "bob"});
  EXPECT_EQ(hall.host->running(), 1);
  hall.host->SetMaxRunning(2);
  EXPECT_EQ(hall.host->running(), 2);
}

}  // namespace
}  // namespace referee::testing

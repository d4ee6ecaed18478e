// Tests of matches whose records or replays cannot be written.
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "tests/unit/host/duel.h"
#include "tests/unit/host/host_fixture.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(HostDisk, MatchWhoseRecordFailsIsVoidAndItsTurnIsToldToNobody) {
  Duel duel;
  duel.BothReady();
  duel.recorder.flush_status = absl::ResourceExhaustedError("no space left in /data");
  duel.Reply(duel.id, duel.ada, 1);
  EXPECT_THAT(duel.bob.link->notes, ElementsAre("start", "ended"));
  EXPECT_EQ(duel.EndOf(duel.id)->ending, match::Ending::kVoid);
  EXPECT_THAT(duel.EndOf(duel.id)->reason, HasSubstr("no space left in /data"));
  EXPECT_FALSE(duel.recorded().sealed);
  // Nor does a referee that is started again go on with it.
  EXPECT_THAT(duel.recorded().set_aside, HasSubstr("no space left in /data"));
  // What comes after is not heard.
  duel.timers.Advance(absl::Seconds(60));
  EXPECT_THAT(duel.bob.link->notes, SizeIs(2));
}

TEST(HostDisk, MatchWhoseVeryEndCouldNotBeRecordedIsVoidAndNotSealed) {
  Duel duel(1);
  duel.BothReady();
  duel.recorder.flush_status = absl::ResourceExhaustedError("no space left in /data");
  duel.Reply(duel.id, duel.ada, 1);  // the last turn
  EXPECT_EQ(duel.EndOf(duel.id)->ending, match::Ending::kVoid);
  EXPECT_FALSE(duel.recorded().sealed);
}

TEST(HostDisk, FullDiskStopsNewMatchesUntilItIsWritableAgain) {
  Duel duel;
  duel.recorder.open_status = absl::ResourceExhaustedError("no space left in /data");
  duel.ada.link->notes.clear();
  ASSERT_TRUE(duel.host->Cancel(duel.id, "").ok());
  EXPECT_THAT(duel.host->Create(duel.Request({"ada", "bob"}), "").status().message(),
              HasSubstr("no space left in /data"));
  duel.recorder.open_status = absl::OkStatus();
  EXPECT_TRUE(duel.host->Create(duel.Request({"ada", "bob"}), "").ok());
}

TEST(HostDisk, ResultStandsWhenOnlyTheArchiveFails) {
  Duel duel(1);
  duel.recorder.seal_status = absl::ResourceExhaustedError("no space left in /data");
  duel.BothReady();
  duel.Reply(duel.id, duel.ada, 1);
  EXPECT_EQ(duel.EndOf(duel.id)->ending, match::Ending::kFinished);
  EXPECT_EQ(duel.ada.link->notes.back(), "ended");
}

TEST(HostDisk, MatchThatCouldNotBeArchivedIsTriedAgainUntilItIs) {
  Duel duel(1);
  duel.recorder.seal_status = absl::ResourceExhaustedError("no space left in /data");
  duel.BothReady();
  duel.Reply(duel.id, duel.ada, 1);
  ASSERT_EQ(duel.finished.size(), 1u);
  EXPECT_THAT(duel.finished[0].message(), HasSubstr("no space left in /data"));
  // After 1, 2, 4, ... seconds; said once, not at each try.
  duel.timers.Advance(absl::Minutes(10));
  EXPECT_GT(duel.recorder.seals(), 10);
  EXPECT_LT(duel.recorder.seals(), 20);
  EXPECT_FALSE(duel.recorded().sealed);
  EXPECT_EQ(duel.finished.size(), 1u);
  EXPECT_TRUE(duel.archived.empty());
  duel.recorder.seal_status = absl::OkStatus();
  duel.timers.Advance(limits::kLastSealRetry);
  EXPECT_TRUE(duel.recorded().sealed);
  EXPECT_EQ(duel.archived, std::vector<MatchId>{duel.id});
  const int seals = duel.recorder.seals();
  duel.timers.Advance(absl::Hours(1));
  EXPECT_EQ(duel.recorder.seals(), seals);
}

TEST(HostDisk, MatchThatCouldNotBeArchivedIsTriedOnceMoreByADrain) {
  Duel duel(1);
  duel.recorder.seal_status = absl::ResourceExhaustedError("no space left in /data");
  duel.BothReady();
  duel.Reply(duel.id, duel.ada, 1);
  ASSERT_EQ(duel.finished.size(), 1u);
  duel.host->Drain(absl::ZeroDuration(), host::Host::Rest::kVoid);
  EXPECT_TRUE(duel.archived.empty()) << "the disk is full";
  const int seals = duel.recorder.seals();
  duel.recorder.seal_status = absl::OkStatus();
  duel.host->Drain(absl::ZeroDuration(), host::Host::Rest::kVoid);
  EXPECT_EQ(duel.archived, std::vector<MatchId>{duel.id});
  EXPECT_EQ(duel.recorder.seals(), seals + 1);
}

TEST(HostDisk, StorageIsWellAgainOnceWhatFailedIsArchived) {
  Duel duel(1);
  duel.recorder.seal_status = absl::ResourceExhaustedError("no space left in /data");
  duel.BothReady();
  duel.Reply(duel.id, duel.ada, 1);
  duel.timers.Advance(limits::kFirstSealRetry);
  EXPECT_TRUE(duel.host->Count().storage_failed);
  duel.recorder.seal_status = absl::OkStatus();
  duel.timers.Advance(limits::kLastSealRetry);
  EXPECT_FALSE(duel.host->Count().storage_failed) << "and no match was made or has ended since";
}

TEST(HostDisk, StorageIsWellAgainOnceAnotherMatchIsArchived) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada");
  const MatchId broken = hall.Create({"ada", "bob"});
  const MatchId whole = hall.Create({"ada", "bob"});
  hall.recorder.never_seals = broken.text();
  ASSERT_TRUE(hall.host->Cancel(broken, "").ok());
  EXPECT_TRUE(hall.host->Count().storage_failed);
  ASSERT_TRUE(hall.host->Cancel(whole, "").ok());
  EXPECT_FALSE(hall.host->Count().storage_failed);
}

TEST(HostDisk, MatchesThatCouldNotBeArchivedDoNotHoldUpEachOther) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada", 3);
  const HostFixture::Guest bob = hall.Come("bob", 3);
  hall.recorder.seal_status = absl::ResourceExhaustedError("no space left in /data");
  std::vector<MatchId> ids;
  for (int i = 0; i < 3; ++i) {
    ids.push_back(hall.Create({"ada", "bob"}));
    ASSERT_TRUE(hall.host->Cancel(ids.back(), "").ok());
  }
  hall.recorder.never_seals = ids[0].text();
  hall.recorder.seal_status = absl::OkStatus();
  hall.timers.Advance(limits::kFirstSealRetry);
  EXPECT_FALSE(hall.recorder.matches().at(ids[0].text()).sealed);
  EXPECT_TRUE(hall.recorder.matches().at(ids[1].text()).sealed);
  EXPECT_TRUE(hall.recorder.matches().at(ids[2].text()).sealed);
}

TEST(HostDisk, MatchThatIsNotArchivedYetStaysKnownHoweverManyEndAfterIt) {
  HostFixture hall;
  const HostFixture::Guest ada = hall.Come("ada");
  const MatchId first = hall.Create({"ada", "bob"});
  hall.recorder.never_seals = first.text();
  ASSERT_TRUE(hall.host->Cancel(first, "").ok());
  const auto end_many = [&] {
    for (int i = 0; i <= limits::kMaxRememberedMatches; ++i) {
      hall.clock.Advance(absl::Milliseconds(1));  // another id for each
      ASSERT_TRUE(hall.host->Cancel(hall.Create({"ada", "bob"}), "").ok());
    }
  };
  end_many();
  EXPECT_NE(hall.host->Find(first), nullptr);
  hall.recorder.never_seals.clear();
  hall.timers.Advance(limits::kFirstSealRetry);
  EXPECT_TRUE(hall.recorder.matches().at(first.text()).sealed);
  end_many();
  EXPECT_EQ(hall.host->Find(first), nullptr);
}

TEST(HostDisk, RefereeThatStopsLeavesWhatIsNotArchivedToTheNext) {
  Duel duel(1);
  duel.recorder.seal_status = absl::ResourceExhaustedError("no space left in /data");
  duel.BothReady();
  duel.Reply(duel.id, duel.ada, 1);
  duel.host->Drain(absl::ZeroDuration(), host::Host::Rest::kLeft);
  const int seals = duel.recorder.seals();
  duel.host = nullptr;
  duel.timers.Advance(absl::Hours(1));
  EXPECT_EQ(duel.recorder.seals(), seals);
}

}  // namespace
}  // namespace referee::testing

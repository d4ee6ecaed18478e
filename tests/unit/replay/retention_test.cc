// Tests of retention: which packs are removed, and what remains of the archive.
#include "referee/replay/retention.h"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/pack_shelf.h"
#include "referee/replay/summary.h"
#include "tests/support/match_id.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

const absl::Time kFirstDay = absl::FromUnixSeconds(1'700'000'000);

PackName PackOfDay(int day) { return PackName::OfDay(kFirstDay + absl::Hours(24) * day); }

// --- Which go. ---

class PacksToGoTest : public ::testing::Test {
 protected:
  std::vector<PackName> Go(const Retention& retention) const {
    return PacksToGo(packs_, retention, kFirstDay + absl::Hours(24) * 4);
  }
  std::vector<PackSize> packs_ = {
      {PackOfDay(0), 100}, {PackOfDay(0).next(), 10}, {PackOfDay(2), 50}, {PackOfDay(4), 200}};
};

TEST_F(PacksToGoTest, NoneWithoutALimit) { EXPECT_THAT(Go({}), IsEmpty()); }

TEST_F(PacksToGoTest, ThoseOfDaysThatAreTooOld) {
  EXPECT_THAT(Go({absl::Hours(24) * 4, {}}), IsEmpty());
  EXPECT_THAT(Go({absl::Hours(24) * 3, {}}), ElementsAre(PackOfDay(0), PackOfDay(0).next()));
}

TEST_F(PacksToGoTest, TheOldestUntilTheRestFits) {
  EXPECT_THAT(Go({{}, 360}), IsEmpty());
  EXPECT_THAT(Go({{}, 359}), ElementsAre(PackOfDay(0)));
  EXPECT_THAT(Go({{}, 259}), ElementsAre(PackOfDay(0), PackOfDay(0).next()));
}

TEST_F(PacksToGoTest, NeverTheLast) {
  EXPECT_THAT(Go({absl::ZeroDuration(), 0}),
              ElementsAre(PackOfDay(0), PackOfDay(0).next(), PackOfDay(2)));
}

TEST_F(PacksToGoTest, NotThoseThatAreHeld) {
  packs_[0].held = true;
  EXPECT_THAT(Go({{}, 359}), ElementsAre(PackOfDay(0).next()));
}

// --- What is left. ---

class PackRemoval : public ::testing::Test {
 protected:
  void SetUp() override { Open(); }
  void Open() {
    shelf_ = nullptr;
    shelf_ = PackShelf::Open({directory_.path()}).value();
  }
  MatchId Put(int day, uint8_t number, const std::string& request_id) {
    Replay replay = SampleAs(testing::NumberedId(number, kFirstDay + absl::Hours(24) * day));
    replay.setup.request_id = request_id;
    const absl::Status put = shelf_->Put(Summarise(replay), Encode(replay, SampleSigner()));
    EXPECT_TRUE(put.ok()) << put;
    return replay.setup.id;
  }
  PackShelf::Removal Remove(PackName name) {
    const auto removal = RemoveIf(name, absl::OkStatus());
    EXPECT_TRUE(removal.ok()) << removal.status();
    return removal.ok() ? *removal : PackShelf::Removal();
  }
  // `may_go` is what is said just before anything goes.
  absl::StatusOr<PackShelf::Removal> RemoveIf(PackName name, const absl::Status& may_go) {
    return shelf_->RemovePack(
        name, kFirstDay + absl::Hours(240),
        {[](absl::string_view request_id) { return absl::StartsWith(request_id, "keep"); },
         [&](const absl::flat_hash_set<std::string>& match_ids) {
           EXPECT_TRUE(std::filesystem::exists(PackPath(directory_.path(), name)));
           removing_ = match_ids;
           return may_go;
         }});
  }
  bool IndexHas(const MatchId& id) const {
    const auto index = PackIndex::OpenToRead(directory_.path());
    EXPECT_TRUE(index.ok()) << index.status();
    return (*index)->Find(id).value().has_value();
  }

  const testing::TempFolder directory_{testing::TempFolderOn::kMemory};
  std::unique_ptr<PackShelf> shelf_;
  absl::flat_hash_set<std::string> removing_;  // as it was told
};

TEST_F(PackRemoval, RemovesAPackAndWhatTheIndexSaysOfIt) {
  const MatchId old = Put(0, 1, "");
  const MatchId young = Put(1, 2, "");
  EXPECT_EQ(Remove(PackOfDay(0)).gone, 1);
  EXPECT_FALSE(shelf_->Has(old));
  EXPECT_TRUE(shelf_->Has(young));
  EXPECT_THAT(PacksIn(directory_.path()).value(), ElementsAre(PackOfDay(1)));
  EXPECT_FALSE(IndexHas(old));
  EXPECT_TRUE(IndexHas(young));
  Open();
  EXPECT_FALSE(shelf_->Has(old));
}

TEST_F(PackRemoval, MovesWhatIsKeptToAnotherPackOfTheDay) {
  const MatchId gone = Put(0, 1, "");
  const MatchId kept = Put(0, 2, "keep");
  const std::string file = shelf_->Read(kept).value();
  const Archive elsewhere(directory_.path());
  EXPECT_TRUE(elsewhere.Has(kept));
  const PackShelf::Removal removal = Remove(PackOfDay(0));
  EXPECT_EQ(removal.gone, 1);
  EXPECT_EQ(removal.moved, 1);
  EXPECT_THAT(removing_, UnorderedElementsAre(gone.text()));
  EXPECT_FALSE(shelf_->Has(gone));
  EXPECT_EQ(shelf_->Read(kept).value(), file);
  EXPECT_EQ(elsewhere.Read(kept).value(), file);
  EXPECT_THAT(PacksIn(directory_.path()).value(), ElementsAre(PackOfDay(0).next()));
  EXPECT_TRUE(IndexHas(kept));
  const MatchId late = Put(0, 3, "");
  Open();
  EXPECT_EQ(shelf_->Read(kept).value(), file);
  EXPECT_TRUE(shelf_->Has(late));
}

TEST_F(PackRemoval, LeavesAPackInWhichAllIsKept) {
  const MatchId kept = Put(0, 1, "keep");
  EXPECT_TRUE(Remove(PackOfDay(0)).held);
  EXPECT_TRUE(shelf_->Has(kept));
  EXPECT_THAT(ReadRemovals(directory_.path()).value(), IsEmpty());
}

TEST_F(PackRemoval, LeavesAllThereIsWhenItIsToldAtTheLastMoment) {
  const MatchId old = Put(0, 1, "");
  const MatchId kept = Put(0, 2, "keep");
  for (int attempt = 0; attempt < 2; ++attempt) {
    EXPECT_TRUE(absl::IsAborted(RemoveIf(PackOfDay(0), absl::AbortedError("stays")).status()));
    EXPECT_TRUE(shelf_->Has(old));
    EXPECT_TRUE(shelf_->Has(kept));
    ASSERT_TRUE(shelf_->WaitForIndex().ok());
    EXPECT_TRUE(IndexHas(old));
    EXPECT_THAT(ReadRemovals(directory_.path()).value(), IsEmpty());
    Open();
  }
  EXPECT_EQ(Remove(PackOfDay(0)).gone, 1);
  EXPECT_FALSE(shelf_->Has(old));
  EXPECT_TRUE(shelf_->Has(kept));
}

TEST_F(PackRemoval, LeavesADamagedPackToPeople) {
  const MatchId damaged = Put(0, 1, "");
  const MatchId ends_badly = Put(1, 2, "");
  const std::string pack = PackPath(directory_.path(), PackOfDay(0));
  std::fstream(pack, std::ios::binary | std::ios::in | std::ios::out).seekp(100) << "bad";
  std::ofstream(PackPath(directory_.path(), PackOfDay(1)), std::ios::binary | std::ios::app)
      << std::string(100, '\0');
  for (const int day : {0, 1}) {
    EXPECT_TRUE(Remove(PackOfDay(day)).held) << day;
  }
  EXPECT_THAT(PacksIn(directory_.path()).value(), ElementsAre(PackOfDay(0), PackOfDay(1)));
  EXPECT_TRUE(shelf_->Has(damaged));
  EXPECT_TRUE(shelf_->Read(ends_badly).ok());
}

// A trigger fails each row that is removed, as damage would.
TEST_F(PackRemoval, IsDoneInAnIndexThatIsMadeAnewMeanwhile) {
  const MatchId gone = Put(0, 1, "");
  const MatchId young = Put(1, 2, "");
  ASSERT_TRUE(shelf_->WaitForIndex().ok());
  {
    const auto index = PackIndex::Open(directory_.path());
    ASSERT_TRUE(index.ok()) << index.status();
    const char* const trigger =
        "CREATE TRIGGER broken BEFORE DELETE ON replay BEGIN SELECT RAISE(ABORT, 'broken'); END;";
    ASSERT_TRUE((*index)->db()->RunScript(trigger).ok());
  }
  EXPECT_EQ(Remove(PackOfDay(0)).gone, 1);
  EXPECT_FALSE(IndexHas(gone));
  EXPECT_TRUE(IndexHas(young));
  EXPECT_FALSE(shelf_->Has(gone));
}

TEST_F(PackRemoval, GoesOnRecordAfterALineThatWasNotFinished) {
  const std::string& dir = directory_.path();
  ASSERT_TRUE(RecordRemoval(dir, {PackOfDay(0), 3, kFirstDay}).ok());
  std::ofstream(dir + "/replays/removed", std::ios::app) << PackOfDay(1).text() << " 1";
  EXPECT_THAT(ReadRemovals(dir).value(), ElementsAre(std::pair(PackOfDay(0), 3)));
  ASSERT_TRUE(RecordRemoval(dir, {PackOfDay(2), 4, kFirstDay}).ok());
  EXPECT_THAT(ReadRemovals(dir).value(),
              ElementsAre(std::pair(PackOfDay(0), 3), std::pair(PackOfDay(2), 4)));
}

TEST_F(PackRemoval, IsOnRecord) {
  Put(0, 1, "");
  Put(0, 2, "keep");
  Put(1, 3, "");
  Put(1, 4, "");
  Remove(PackOfDay(0));
  Remove(PackOfDay(1));
  EXPECT_THAT(ReadRemovals(directory_.path()).value(),
              ElementsAre(std::pair(PackOfDay(0), 1), std::pair(PackOfDay(1), 2)));
}

TEST_F(PackRemoval, ThatWasInterruptedIsDoneAgain) {
  const MatchId gone = Put(0, 1, "");
  const MatchId kept = Put(0, 2, "keep");
  const std::string pack = PackPath(directory_.path(), PackOfDay(0));
  const std::string copy = directory_.path() + "/copy";
  std::filesystem::copy_file(pack, copy);
  Remove(PackOfDay(0));
  // As if the pack had not gone yet.
  shelf_ = nullptr;
  std::filesystem::rename(copy, pack);
  Open();
  EXPECT_TRUE(shelf_->Has(gone));
  EXPECT_EQ(Remove(PackOfDay(0)).gone, 1);
  EXPECT_FALSE(shelf_->Has(gone));
  EXPECT_TRUE(shelf_->Has(kept));
}

}  // namespace
}  // namespace referee::replay

// Tests of an archive that is kept within its limits: old replays go, and needed ones stay.
#include "referee/node/archive_keeper.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/mutex.h"
#include "referee/replay/summary.h"
#include "tests/support/change_spec.h"
#include "tests/support/match_id.h"
#include "tests/support/memory_store.h"
#include "tests/unit/replay/sample.h"

namespace referee::node {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

const absl::Time kFirstDay = absl::FromUnixSeconds(1'700'000'000);

// A store that somebody else changes, or that is away, when it is asked for its competitions.
class WatchedStore : public test::MemoryStore {
 public:
  // Called first, with how often it was asked. May be null.
  std::function<absl::Status(int lists)> at_list;
  int lists = 0;

  absl::StatusOr<std::vector<store::Competition>> ListCompetitions(
      const store::CompetitionId& before, int limit) override {
    if (before == store::CompetitionId() && at_list) {
      if (absl::Status asked = at_list(++lists); !asked.ok()) return asked;
    }
    return MemoryStore::ListCompetitions(before, limit);
  }
};

class ArchiveKeeperTest : public ::testing::Test {
 protected:
  void SetUp() override {
    shelf_ = replay::PackShelf::Open({directory_.path()}).value();
    for (const char* const name : {"spring", "summer"}) {
      store::Competition competition;
      competition.id = store::CompetitionId(
          testing::NumberedId(static_cast<uint64_t>(name[1]), kFirstDay).text());
      competition.spec.name = name;
      competition.spec.game = "hypnosia";
      competition.spec.entrants = {"ann", "bob"};
      competition.create_time = kFirstDay;
      ids_.push_back(store_.CreateCompetition(competition, absl::nullopt).value().id.text());
    }
  }
  MatchId Put(int day, uint8_t number, const std::string& request_id) {
    replay::Replay replay =
        replay::SampleAs(testing::NumberedId(number, kFirstDay + absl::Hours(24) * day));
    replay.setup.request_id = request_id;
    const absl::Status put =
        shelf_->Put(replay::Summarise(replay), replay::Encode(replay, replay::SampleSigner()));
    EXPECT_TRUE(put.ok()) << put;
    return replay.setup.id;
  }
  // Has one block, the first, begun and counted, so that none of its replays is needed any more.
  void CountABlock(const std::string& name) {
    const store::CompetitionId id(name);
    const store::Competition row =
        store_
            .SetState(id, store::CompetitionState::kNew, store::CompetitionState::kRunning,
                      kFirstDay, absl::nullopt)
            .value();
    const store::Lease lease{"daemon", store_.RenewLease("daemon", absl::Hours(1)).value()};
    ASSERT_TRUE(store_.TakeHomes(lease, {id}).ok());
    const absl::Status counted = store_.Apply(
        lease,
        {store::BeginBlock{id, row.version, 0, rating::Pairing{{0, 1}}, kFirstDay},
         store::DropBlock{id, 0, 0, kFirstDay}, store::CountBlocks{id, row.version, 0, 1, {}, {}}});
    ASSERT_TRUE(counted.ok()) << counted;
  }
  absl::Status KeepReplays(const std::string& id, bool keep) {
    return testing::ChangeSpec(&store_, store::CompetitionId(id),
                               [&](schedule::Spec* spec) { spec->keep_replays = keep; })
        .status();
  }
  // Has it look once, and ends it.
  void Keep(const replay::Retention& retention) {
    {
      const MutexLock lock(&mutex_);
      log_.clear();
      store_.lists = 0;
    }
    ArchiveKeeper::Options options;
    options.shelf = shelf_.get();
    options.store = &store_;
    options.clock = &clock_;
    options.data_dir = directory_.path();
    options.retention = retention;
    options.on_removing = [this](const absl::flat_hash_set<std::string>& match_ids) {
      removing_ = match_ids;
    };
    options.log = [this](const log::Event& event) {
      const MutexLock lock(&mutex_);
      log_.push_back(event.message);
      logged_.NotifyAll();
    };
    const ArchiveKeeper keeper(options);
    const MutexLock lock(&mutex_);
    while (log_.empty()) logged_.Wait(&mutex_);
  }
  std::vector<std::string> Logged() {
    const MutexLock lock(&mutex_);
    return log_;
  }

  const testing::TempFolder directory_{testing::TempFolderOn::kMemory};
  const SystemClock clock_{};
  Mutex mutex_;
  CondVar logged_;
  std::vector<std::string> log_ ABSL_GUARDED_BY(mutex_);
  WatchedStore store_;
  std::unique_ptr<replay::PackShelf> shelf_;
  absl::flat_hash_set<std::string> removing_;  // as the keeper told
  std::vector<std::string> ids_;               // of spring and summer, in which no block is counted
};

TEST_F(ArchiveKeeperTest, RemovesWhatIsTooOldAndKeepsWhatIsNotCounted) {
  const MatchId old = Put(0, 1, "");
  const MatchId uncounted = Put(0, 2, absl::StrCat("c/", ids_[0], "/0/0"));
  const MatchId last = Put(1, 3, "");
  Keep({absl::Hours(24), {}});
  EXPECT_THAT(removing_, UnorderedElementsAre(old.text()));
  EXPECT_FALSE(shelf_->Has(old));
  EXPECT_TRUE(shelf_->Has(uncounted));
  EXPECT_TRUE(shelf_->Has(last));
  EXPECT_THAT(Logged(),
              Contains(HasSubstr("removed 2023-11-14.0.pack, with 1 replays; kept of it: 1")));
}

TEST_F(ArchiveKeeperTest, GoesOnAfterAPackThatCannotBeRead) {
  const MatchId old = Put(1, 1, "");
  Put(2, 2, "");
  const replay::PackName bad = replay::PackName::OfDay(kFirstDay);
  std::filesystem::create_directory(replay::PackPath(directory_.path(), bad));
  Keep({absl::Hours(24), {}});
  EXPECT_FALSE(shelf_->Has(old));
  EXPECT_THAT(replay::PacksIn(directory_.path()).value(), Contains(bad));
}

TEST_F(ArchiveKeeperTest, SaysOfAPackInWhichAllIsKeptThatItStays) {
  const MatchId kept = Put(0, 1, absl::StrCat("c/", ids_[1], "/0/0"));
  Put(1, 2, "");
  ASSERT_TRUE(KeepReplays(ids_[1], true).ok());
  Keep({{}, 0});
  EXPECT_TRUE(shelf_->Has(kept));
  EXPECT_THAT(Logged(), Contains(HasSubstr("2023-11-14.0.pack stays")));
}

TEST_F(ArchiveKeeperTest, RemovesNothingWhileTheStoreIsAway) {
  const MatchId old = Put(0, 1, "");
  Put(1, 2, "");
  for (const int read : {1, 2}) {
    store_.at_list = [&](int reads) {
      return reads >= read ? absl::UnavailableError("the store is away") : absl::OkStatus();
    };
    Keep({absl::Hours(24), {}});
    ASSERT_TRUE(shelf_->Has(old)) << read;
    EXPECT_THAT(Logged(), Contains(HasSubstr("stays for now: the store is away")));
  }
  store_.at_list = nullptr;
  Keep({absl::Hours(24), {}});
  EXPECT_FALSE(shelf_->Has(old));
}

TEST_F(ArchiveKeeperTest, RemovesNothingThatIsToBeKeptSinceItLookedFirst) {
  CountABlock(ids_[1]);
  const MatchId replay = Put(0, 1, absl::StrCat("c/", ids_[1], "/0/0"));
  Put(1, 2, "");
  store_.at_list = [&](int reads) {
    return reads == 2 ? KeepReplays(ids_[1], true) : absl::OkStatus();
  };
  Keep({absl::Hours(24), {}});
  ASSERT_TRUE(shelf_->Has(replay));
  store_.at_list = nullptr;
  Keep({absl::Hours(24), {}});
  ASSERT_TRUE(shelf_->Has(replay));
  ASSERT_TRUE(KeepReplays(ids_[1], false).ok());
  Keep({absl::Hours(24), {}});
  EXPECT_FALSE(shelf_->Has(replay));
}

}  // namespace
}  // namespace referee::node

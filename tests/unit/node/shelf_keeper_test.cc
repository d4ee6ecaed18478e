// Tests of uploads to a shared replay store, and of look-ups there, with and without failures.
#include "referee/node/shelf_keeper.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/match_id.h"
#include "tests/support/simulated_time.h"

namespace referee::node {
namespace {

using ::referee::testing::NumberedId;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A shelf in memory, which fails as it is told.
class FailingShelf final : public shelf::SharedShelf {
 public:
  absl::Status failure;  // of all calls; OK: none
  int calls = 0;
  std::map<MatchId, std::string> files;

  absl::Status Put(const MatchId& id, absl::string_view file) override {
    ++calls;
    if (!failure.ok()) return failure;
    const auto there = files.emplace(id, file).first;
    return there->second == file ? absl::OkStatus() : absl::AlreadyExistsError("another is there");
  }
  absl::StatusOr<std::string> Get(const MatchId& id) override {
    ++calls;
    if (!failure.ok()) return failure;
    const auto found = files.find(id);
    if (found == files.end()) return absl::NotFoundError("nobody has put it");
    return found->second;
  }
  absl::StatusOr<shelf::ShelfPage> List(absl::string_view, int, absl::string_view) override {
    return absl::UnimplementedError("");
  }
  const std::string& name() const override { return name_; }

 private:
  const std::string name_ = "shelf of the test";
};

class CountingExecutor final : public testing::HeldExecutor {
 public:
  int runs = 0;
  void Run(std::function<void()> work) override {
    ++runs;
    HeldExecutor::Run(std::move(work));
  }
};

class ShelfKeeperTest : public ::testing::Test {
 protected:
  ShelfKeeperTest() {
    ShelfKeeper::Options options;
    options.shelf = &shelf_;
    options.clock = &clock_;
    options.timers = &timers_;
    options.executor = &executor_;
    options.read = [this](const MatchId& id) -> absl::StatusOr<std::string> {
      const auto found = archive_.find(id);
      if (found != archive_.end()) return found->second;
      if (comes_while_looked_for_) Archive(id);
      return absl::NotFoundError("it is not in the archive");
    };
    options.log = [this](const log::Event& event) { log_.push_back(event.message); };
    keeper_ = ShelfKeeper::Make(std::move(options));
  }
  ~ShelfKeeperTest() override { keeper_->Close(); }

  void Keep(uint8_t number) {
    keeper_->Keep(NumberedId(number), [this, number] { kept_.push_back(number); });
  }
  void KeepArchived(uint8_t number) {
    archive_[NumberedId(number)] = "file " + std::to_string(number);
    Keep(number);
  }

  // It comes there late.
  void Archive(const MatchId& id) {
    archive_[id] = "file";
    keeper_->Archived(id);
  }

  testing::SimulatedClock clock_;
  testing::SimulatedTimers timers_{&clock_};
  CountingExecutor executor_;
  FailingShelf shelf_;
  std::map<MatchId, std::string> archive_;
  bool comes_while_looked_for_ = false;
  std::vector<int> kept_;
  std::vector<std::string> log_;
  std::shared_ptr<ShelfKeeper> keeper_;
};

TEST_F(ShelfKeeperTest, PutsWhatIsInTheArchiveAndThenSaysSo) {
  executor_.Hold();
  KeepArchived(1);
  EXPECT_THAT(kept_, IsEmpty());
  executor_.Release();
  EXPECT_THAT(kept_, ElementsAre(1));
  EXPECT_EQ(shelf_.files.at(NumberedId(1)), "file 1");
  EXPECT_THAT(log_, IsEmpty());
}

TEST_F(ShelfKeeperTest, AskedAgainItPutsOnceAndSaysSoOnceATime) {
  executor_.Hold();
  KeepArchived(1);
  Keep(1);
  executor_.Release();
  EXPECT_THAT(kept_, ElementsAre(1));
  EXPECT_EQ(shelf_.calls, 1);
  Keep(1);
  EXPECT_THAT(kept_, ElementsAre(1, 1));
}

TEST_F(ShelfKeeperTest, ShelfThatFailsIsAskedForOneMatchAtATimeAndLessAndLessOften) {
  shelf_.failure = absl::UnavailableError("the disk is away");
  for (uint8_t number = 1; number <= 20; ++number) KeepArchived(number);
  EXPECT_EQ(shelf_.calls, 1);
  timers_.Advance(absl::Minutes(10));
  EXPECT_GT(shelf_.calls, 10);
  EXPECT_LT(shelf_.calls, 20);
  EXPECT_THAT(kept_, IsEmpty());
  EXPECT_THAT(log_, ElementsAre(HasSubstr("the disk is away")));
  EXPECT_THAT(keeper_->WhyWaiting(NumberedId(1)), HasSubstr("the disk is away"));
  EXPECT_TRUE(keeper_->any_waits());

  shelf_.failure = absl::OkStatus();
  timers_.Advance(limits::kLastShelfPause);
  EXPECT_THAT(kept_, SizeIs(20));
  EXPECT_THAT(log_, SizeIs(2));
  EXPECT_THAT(log_[1], HasSubstr("answers again"));
  EXPECT_THAT(keeper_->WhyWaiting(NumberedId(1)), IsEmpty());
  EXPECT_FALSE(keeper_->any_waits());
}

TEST_F(ShelfKeeperTest, SaysSinceWhenTheShelfFailsUntilItAnswers) {
  EXPECT_EQ(keeper_->WhyFailing(absl::ZeroDuration()), "");
  shelf_.failure = absl::UnavailableError("the disk is away");
  KeepArchived(1);
  EXPECT_EQ(keeper_->WhyFailing(absl::ZeroDuration()), "the disk is away");
  EXPECT_EQ(keeper_->WhyFailing(absl::Seconds(30)), "");
  timers_.Advance(absl::Seconds(40));
  EXPECT_EQ(keeper_->WhyFailing(absl::Seconds(30)), "the disk is away");
  shelf_.failure = absl::OkStatus();
  timers_.Advance(limits::kLastShelfPause);
  EXPECT_EQ(keeper_->WhyFailing(absl::ZeroDuration()), "");
}

TEST_F(ShelfKeeperTest, ShelfThatAnswersIsAskedForSeveralAtOnce) {
  executor_.Hold();
  for (uint8_t number = 1; number <= 20; ++number) KeepArchived(number);
  EXPECT_EQ(executor_.runs, limits::kShelfTries);
  executor_.Release();
  EXPECT_THAT(kept_, SizeIs(20));
  EXPECT_EQ(shelf_.calls, 20);
}

TEST_F(ShelfKeeperTest, SeveralThatFailAtOnceMakeOnePauseAndOneLine) {
  executor_.Hold();
  for (uint8_t number = 1; number <= 20; ++number) KeepArchived(number);
  shelf_.failure = absl::UnavailableError("the disk is away");
  executor_.Release();
  EXPECT_EQ(shelf_.calls, limits::kShelfTries);
  EXPECT_THAT(log_, SizeIs(1));
  timers_.Advance(limits::kFirstShelfPause);
  EXPECT_EQ(shelf_.calls, limits::kShelfTries + 1);
}

TEST_F(ShelfKeeperTest, MatchThatIsNotInTheArchiveYetHoldsUpNoOther) {
  Keep(1);
  KeepArchived(2);
  EXPECT_THAT(kept_, ElementsAre(2));
  archive_[NumberedId(1)] = "file 1";
  timers_.Advance(limits::kFirstShelfPause);
  EXPECT_THAT(kept_, ElementsAre(2, 1));
}

TEST_F(ShelfKeeperTest, MatchThatComesToTheArchiveLateIsPutAtOnce) {
  Keep(1);
  Archive(NumberedId(1));
  EXPECT_THAT(kept_, ElementsAre(1));
  comes_while_looked_for_ = true;
  Keep(2);
  EXPECT_THAT(kept_, ElementsAre(1, 2));
}

TEST_F(ShelfKeeperTest, MatchOfWhichAnotherReplayIsThereWaitsAndHoldsUpNoOther) {
  shelf_.files[NumberedId(1)] = "another";
  KeepArchived(1);
  KeepArchived(2);
  timers_.Advance(absl::Hours(1));
  EXPECT_THAT(kept_, ElementsAre(2));
  EXPECT_THAT(log_,
              ElementsAre(HasSubstr("the block of match " + NumberedId(1).text() + " waits")));
  EXPECT_EQ(shelf_.files[NumberedId(1)], "another");
}

TEST_F(ShelfKeeperTest, FindsWhatOthersHavePutAndSaysWhatNobodyHas) {
  shelf_.files[NumberedId(1)] = "of another daemon";
  std::vector<absl::StatusOr<std::string>> found;
  const auto take = [&](const absl::StatusOr<std::string>& file) { found.push_back(file); };
  shelf_.failure = absl::UnavailableError("it is away");
  keeper_->Find(NumberedId(1), take);
  keeper_->Find(NumberedId(2), take);
  EXPECT_THAT(found, IsEmpty());
  shelf_.failure = absl::OkStatus();
  timers_.Advance(absl::Minutes(1));
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].value(), "of another daemon");
  EXPECT_TRUE(absl::IsNotFound(found[1].status()));
}

TEST_F(ShelfKeeperTest, ClosedItCallsNobodyBack) {
  executor_.Hold();
  KeepArchived(1);
  keeper_->Close();
  executor_.Release();
  KeepArchived(2);
  executor_.Release();
  EXPECT_THAT(kept_, IsEmpty());
  EXPECT_EQ(shelf_.calls, 0);
}

}  // namespace
}  // namespace referee::node

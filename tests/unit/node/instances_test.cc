// Tests of the names that a referee has had, and of their leases.
#include "referee/node/instances.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "referee/base/limits.h"
#include "tests/support/memory_store.h"
#include "tests/support/simulated_time.h"
#include "tests/support/temp_folder.h"

namespace referee::node {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class InstancesTest : public ::testing::Test {
 protected:
  absl::StatusOr<Instances> Begin(const std::string& boot = "boot",
                                  const std::string& lock = "259:1:17") {
    return Instances::Begin(folder_.path(), absl::UnixEpoch(), {boot, lock});
  }
  void Put(const std::string& text) { std::ofstream(folder_.Path("instances")) << text; }

  testing::TempFolder folder_{testing::TempFolderOn::kMemory};
};

TEST_F(InstancesTest, EachStartHasANameOfItsOwn) {
  const std::string first = Begin()->name();
  EXPECT_FALSE(first.empty());
  EXPECT_NE(Begin()->name(), first);
}

TEST_F(InstancesTest, DirectoryWithoutAFileHasNoFormerNames) {
  EXPECT_THAT(Instances::Find(folder_.path()).value(), IsEmpty());
  const Instances first = Begin().value();
  EXPECT_THAT(first.former(), IsEmpty());
  EXPECT_TRUE(first.former_have_ended());
}

TEST_F(InstancesTest, NamesStayKnownUntilTheirBlocksHaveBeenTakenOver) {
  const std::string first = Begin()->name();
  const std::string second = Begin()->name();  // which did not get as far
  Instances third = Begin().value();
  EXPECT_THAT(third.former(), ElementsAre(second, first));
  ASSERT_TRUE(third.ForgetFormer().ok());
  EXPECT_THAT(third.former(), IsEmpty());
  EXPECT_THAT(Begin()->former(), ElementsAre(third.name()));
}

TEST_F(InstancesTest, CopyOfADirectoryHasNoFormerNames) {
  Begin().value();
  ASSERT_TRUE(Instances::Disown(folder_.path()).ok());
  EXPECT_THAT(Begin()->former(), IsEmpty());
}

TEST_F(InstancesTest, FormerOnesOfThisBootHaveEnded) {
  EXPECT_FALSE(BootId().empty());
  Begin("one").value();
  EXPECT_TRUE(Begin("one")->former_have_ended());
  EXPECT_FALSE(Begin("two")->former_have_ended());
  EXPECT_FALSE(Begin("two")->former_have_ended()) << "the one of the first boot is still there";
  Begin("two")->ForgetFormer().IgnoreError();
  EXPECT_TRUE(Begin("two")->former_have_ended());
  EXPECT_FALSE(Begin("")->former_have_ended());
  EXPECT_FALSE(Begin("")->former_have_ended());
}

TEST_F(InstancesTest, HolderOfAnotherLockFileMayStillRun) {
  const std::string first = Begin("boot", "259:1:17")->name();
  const Instances copy = Begin("boot", "0:52:17").value();  // an overlay, with the same inode
  EXPECT_THAT(copy.former(), ElementsAre(first));
  EXPECT_FALSE(copy.former_have_ended());
  EXPECT_FALSE(Begin("boot", "0:52:17")->former_have_ended()) << "the first is not forgotten";
  Begin("boot", "0:52:17")->ForgetFormer().IgnoreError();
  EXPECT_TRUE(Begin("boot", "0:52:17")->former_have_ended());
  EXPECT_FALSE(Begin("boot", "259:1:17")->former_have_ended());
}

TEST_F(InstancesTest, HolderOfAnUnknownLockFileMayStillRun) {
  Begin("boot", "").value();
  EXPECT_FALSE(Begin("boot", "")->former_have_ended());
  EXPECT_FALSE(Begin()->former_have_ended());
  Begin()->ForgetFormer().IgnoreError();
  EXPECT_TRUE(Begin()->former_have_ended());
}

TEST_F(InstancesTest, NamesOfUnknownBootsMayStillRun) {
  const std::string first = Begin("")->name();
  const Instances second = Begin().value();
  EXPECT_THAT(second.former(), ElementsAre(first));
  EXPECT_FALSE(second.former_have_ended());
}

TEST_F(InstancesTest, OnlySoManyAreKept) {
  for (int i = 0; i < limits::kMaxFormerInstances + 2; ++i) ASSERT_TRUE(Begin().ok());
  EXPECT_THAT(Begin()->former(), SizeIs(limits::kMaxFormerInstances));
}

TEST_F(InstancesTest, FileThatIsNoneIsNamedWithWhatToDo) {
  for (const std::string& text :
       {std::string(1'000'000, 'x'), std::string(65, 'x'), "x " + std::string(65, 'x'),
        "x x " + std::string(65, 'x'), std::string("name\n\x01\n")}) {
    Put(text);
    const absl::Status status = Begin().status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("instances: "));
    EXPECT_THAT(std::string(status.message()), HasSubstr("remove it"));
  }
}

// --- Waiting for the end of a lease that a referee had before ---

class FormerLeaseTest : public ::testing::Test {
 protected:
  void Renew(const std::string& owner) {
    ASSERT_TRUE(store_.RenewLease(owner, absl::Seconds(15)).ok());
  }
  // Calls `meanwhile`, if it is not null, after each wait. Returns how long it waited.
  absl::StatusOr<absl::Duration> Await(std::vector<std::string> owners,
                                       const std::function<void()>& meanwhile = nullptr) {
    const Instant begun = clock_.Now();
    const absl::Status ended = AwaitLeaseEnd(&store_, owners, [&](absl::Duration duration) {
      clock_.Advance(duration);
      if (meanwhile) meanwhile();
    });
    if (!ended.ok()) return ended;
    return clock_.Now() - begun;
  }

  testing::SimulatedClock clock_;
  test::MemoryStore store_{&clock_};
};

TEST_F(FormerLeaseTest, WaitsForNobodyWhoHasNone) {
  EXPECT_EQ(Await({"one"}).value(), absl::ZeroDuration());
  Renew("other");
  EXPECT_EQ(Await({"one"}).value(), absl::ZeroDuration());
  EXPECT_EQ(Await({}).value(), absl::ZeroDuration());
}

TEST_F(FormerLeaseTest, WaitsUntilAllHaveEnded) {
  Renew("one");
  clock_.Advance(absl::Seconds(5));
  Renew("two");
  EXPECT_EQ(Await({"one", "two"}, [this] { Renew("other"); }).value(), absl::Seconds(15));
}

TEST_F(FormerLeaseTest, WhoRenewsItStillRuns) {
  Renew("one");
  int waits = 0;
  const absl::Status status = Await({"one"}, [&] {
                                if (++waits == 5) Renew("one");
                              }).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("'one'"));
  EXPECT_EQ(waits, 5);
}

}  // namespace
}  // namespace referee::node

// Claims about the names that a daemon has had.
#include "referee/node/instances.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "referee/base/limits.h"
#include "tests/support/temp_folder.h"

namespace referee::node {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class InstancesTest : public ::testing::Test {
 protected:
  absl::StatusOr<Instances> Begin(const std::string& boot = "boot") {
    return Instances::Begin(folder_.path(), absl::UnixEpoch(), boot);
  }
  void Put(const std::string& text) { std::ofstream(folder_.Path("instances")) << text; }

  testing::TempFolder folder_;
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
  for (const std::string& text : {std::string(1'000'000, 'x'), std::string(65, 'x'),
                                  "x " + std::string(65, 'x'), std::string("name\n\x01\n")}) {
    Put(text);
    const absl::Status status = Begin().status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("instances: "));
    EXPECT_THAT(std::string(status.message()), HasSubstr("remove it"));
  }
}

}  // namespace
}  // namespace referee::node

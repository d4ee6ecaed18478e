// Tests of inspecting a store file before it is used.
#include "referee/store/found_store.h"

#include <fstream>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/store/schema.h"
#include "tests/support/temp_folder.h"

namespace referee::store {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FoundStoreTest : public ::testing::Test {
 protected:
  FoundStore Find() { return FindStore({folder_.path(), ""}); }
  std::unique_ptr<Connection> Make() {
    return OpenStoreFile(folder_.Path("store.db"), absl::Seconds(1)).value();
  }

  const testing::TempFolder folder_{testing::TempFolderOn::kMemory};
};

TEST_F(FoundStoreTest, IsOfNoVersionWhereThereIsNone) {
  const FoundStore found = Find();
  EXPECT_EQ(found.version, 0);
  EXPECT_EQ(found.refusal, absl::OkStatus());
  EXPECT_FALSE(std::ifstream(folder_.Path("store.db")).good());
}

TEST_F(FoundStoreTest, HasItsVersionAndStaysAsItIs) {
  Make();
  for (int i = 0; i < 2; ++i) {
    const FoundStore found = Find();
    EXPECT_EQ(found.version, kStoreVersion);
    EXPECT_EQ(found.refusal, absl::OkStatus());
    EXPECT_THAT(found.open_blocks, IsEmpty());
  }
}

TEST_F(FoundStoreTest, OfAnotherVersionIsRefusedWithBothVersions) {
  ASSERT_TRUE(Make()->RunScript("PRAGMA user_version = 99").ok());
  const FoundStore found = Find();
  EXPECT_EQ(found.version, 99);
  EXPECT_TRUE(absl::IsFailedPrecondition(found.refusal)) << found.refusal;
  EXPECT_THAT(std::string(found.refusal.message()),
              HasSubstr(absl::StrCat("works with version ", kStoreVersion)));
}

TEST_F(FoundStoreTest, OfAnotherProgramHasNoVersion) {
  ASSERT_TRUE(Make()->RunScript("PRAGMA application_id = 1").ok());
  const FoundStore found = Find();
  EXPECT_EQ(found.version, 0);
  EXPECT_TRUE(absl::IsInvalidArgument(found.refusal)) << found.refusal;
}

}  // namespace
}  // namespace referee::store

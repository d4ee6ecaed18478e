// What a store of a file is found to be, before anything is done with it.
#include "referee/store/found_store.h"

#include <cstddef>
#include <cstdint>
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
  std::unique_ptr<Connection> Make(size_t version) {
    return OpenStoreFile(folder_.Path("store.db"), absl::Seconds(1),
                         Migrations().subspan(0, version))
        .value();
  }
  const int64_t known_ = static_cast<int64_t>(Migrations().size());

  const testing::TempFolder folder_;
};

TEST_F(FoundStoreTest, IsOfNoVersionWhereThereIsNone) {
  const FoundStore found = Find();
  EXPECT_EQ(found.version, 0);
  EXPECT_EQ(found.known, known_);
  EXPECT_EQ(found.refusal, absl::OkStatus());
  EXPECT_FALSE(std::ifstream(folder_.Path("store.db")).good());
}

TEST_F(FoundStoreTest, IsFoundInEveryVersionThatThereEverWasAndStaysInIt) {
  for (int64_t version = 1; version <= known_; ++version) {
    const testing::TempFolder folder;
    const std::string path = folder.Path("store.db");
    OpenStoreFile(path, absl::Seconds(1), Migrations().subspan(0, static_cast<size_t>(version)))
        .value();
    for (int i = 0; i < 2; ++i) {
      const FoundStore found = FindStore({folder.path(), ""});
      EXPECT_EQ(found.version, version);
      EXPECT_EQ(found.refusal, absl::OkStatus()) << version;
      EXPECT_THAT(found.open_blocks, IsEmpty());
    }
  }
}

TEST_F(FoundStoreTest, OfANewerVersionIsRefusedWithBothVersions) {
  ASSERT_TRUE(Make(Migrations().size())->RunScript("PRAGMA user_version = 99").ok());
  const FoundStore found = Find();
  EXPECT_EQ(found.version, 99);
  EXPECT_TRUE(absl::IsFailedPrecondition(found.refusal)) << found.refusal;
  EXPECT_THAT(std::string(found.refusal.message()), HasSubstr(absl::StrCat(known_)));
}

TEST_F(FoundStoreTest, OfAnotherProgramHasNoVersion) {
  ASSERT_TRUE(Make(Migrations().size())->RunScript("PRAGMA application_id = 1").ok());
  const FoundStore found = Find();
  EXPECT_EQ(found.version, 0);
  EXPECT_TRUE(absl::IsInvalidArgument(found.refusal)) << found.refusal;
}

}  // namespace
}  // namespace referee::store

// Tests of finding a referee's store.
#include "referee/store/place.h"

#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/temp_folder.h"

namespace referee::store {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Nobody listens there.
constexpr char kUrl[] = "postgresql://me:secret@127.0.0.1:1/games";

std::string MessageOf(const absl::Status& status) { return std::string(status.message()); }

TEST(Place, IsTheDataDirectoryWithoutAUrl) {
  const testing::TempFolder folder;
  ASSERT_TRUE(OpenStore({folder.path(), ""}, {}).ok());
  EXPECT_TRUE(OpenStoreToRead({folder.path(), ""}).ok());
  EXPECT_EQ(Elsewhere(folder.path()).value(), "");
  EXPECT_TRUE(std::ifstream(folder.Path("store.db")).good());
}

TEST(Place, ThatIsElsewhereIsNotTheFileThatWasLeft) {
  const testing::TempFolder folder;
  ASSERT_TRUE(OpenStore({folder.path(), ""}, {}).ok());
  ASSERT_TRUE(NoteElsewhere(folder.path(), "database games on db1").ok());
  EXPECT_EQ(Elsewhere(folder.path()).value(), "database games on db1");
  for (const absl::Status& refused :
       {OpenStore({folder.path(), ""}, {}).status(), OpenStoreToRead({folder.path(), ""}).status(),
        CheckPlace({folder.path(), ""})}) {
    EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
    EXPECT_THAT(MessageOf(refused),
                AllOf(HasSubstr(folder.Path("store.elsewhere")), HasSubstr("games on db1")));
  }
}

TEST(Place, WithAUrlIsRefusedWhileTheDirectoryHasAStoreOfItsOwn) {
  const testing::TempFolder folder;
  ASSERT_TRUE(OpenStore({folder.path(), ""}, {}).ok());
  EXPECT_TRUE(absl::IsFailedPrecondition(CheckPlace({folder.path(), kUrl})));
  EXPECT_THAT(MessageOf(OpenStore({folder.path(), kUrl}, {}).status()),
              HasSubstr("refctl store copy"));
  ASSERT_TRUE(NoteElsewhere(folder.path(), "database games on 127.0.0.1:1").ok());
  EXPECT_TRUE(CheckPlace({folder.path(), kUrl}).ok());
}

TEST(Place, ThatCannotBeReachedIsNamedWithoutItsPassword) {
  const testing::TempFolder folder;
  const absl::Status refused = OpenStore({folder.path(), kUrl}, {}).status();
  EXPECT_TRUE(absl::IsUnavailable(refused)) << refused;
  EXPECT_THAT(MessageOf(refused), AllOf(HasSubstr("database games on 127.0.0.1:1"),
                                        HasSubstr("see that"), Not(HasSubstr("secret"))));
  EXPECT_EQ(Elsewhere(folder.path()).value(), "");
}

TEST(Place, IsNamedByAUrlAndNothingElse) {
  for (const char* other : {"host=127.0.0.1 password=secret", "mysql://me:secret@db1", "secret"}) {
    const absl::Status refused = CheckPlace({"", other});
    EXPECT_TRUE(absl::IsInvalidArgument(refused)) << other;
    EXPECT_THAT(MessageOf(refused),
                AllOf(HasSubstr("postgresql://user@host"), Not(HasSubstr("secret"))));
  }
}

}  // namespace
}  // namespace referee::store

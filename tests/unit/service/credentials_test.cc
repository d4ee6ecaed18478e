// Tests of authentication against a list in memory.
#include "referee/service/access/credentials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace referee::service {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Credentials, KnowEverybodyByTheirToken) {
  Credentials credentials;
  ASSERT_TRUE(credentials.Add("a", {"alice", Role::kBot}).ok());
  ASSERT_TRUE(credentials.Add("o", {"oscar", Role::kObserver}).ok());
  EXPECT_EQ(credentials.Find(HashToken("a"))->name, "alice");
  EXPECT_EQ(credentials.Find(HashToken("o"))->role, Role::kObserver);
  EXPECT_TRUE(absl::IsUnauthenticated(credentials.Find(HashToken("b")).status()));
  EXPECT_TRUE(credentials.Recheck("alice", HashToken("a")).ok());
}

TEST(Credentials, TellBotsFromOthers) {
  Credentials credentials;
  ASSERT_TRUE(credentials.Add("a", {"alice", Role::kBot}).ok());
  EXPECT_FALSE(credentials.HasOrganiser());
  ASSERT_TRUE(credentials.Add("o", {"olga", Role::kOrganiser}).ok());
  EXPECT_TRUE(credentials.HasOrganiser());
  EXPECT_TRUE(credentials.KnowsBot("alice"));
  EXPECT_FALSE(credentials.KnowsBot("olga"));
  EXPECT_FALSE(credentials.KnowsBot("bob"));
}

TEST(Credentials, HaveEachNameAndEachTokenOnce) {
  Credentials credentials;
  ASSERT_TRUE(credentials.Add("t1", {"alice", Role::kBot}).ok());
  EXPECT_TRUE(absl::IsAlreadyExists(credentials.Add("t1", {"bob", Role::kBot})));
  EXPECT_TRUE(absl::IsAlreadyExists(credentials.Add("t2", {"alice", Role::kBot})));
  EXPECT_EQ(credentials.Find(HashToken("t1"))->name, "alice");
}

TEST(Credentials, RefuseNamesThatAreNoneAndDoNotShowThemAsTheyAre) {
  Credentials credentials;
  for (const std::string& name :
       {std::string(), std::string(65, 'x'), std::string("\x1b[2J"), std::string("\xff")}) {
    const absl::Status added = credentials.Add("t", {name, Role::kBot});
    EXPECT_TRUE(absl::IsInvalidArgument(added)) << added;
    EXPECT_THAT(std::string(added.message()), Not(HasSubstr("\x1b")));
  }
  EXPECT_TRUE(credentials.Add("t", {"Zo\xc3\xab", Role::kBot}).ok());
  EXPECT_TRUE(credentials.Add("u", {std::string(64, 'x'), Role::kBot}).ok());
}

}  // namespace
}  // namespace referee::service

#include "referee/base/passwords.h"

#include "gtest/gtest.h"

namespace referee {
namespace {

TEST(Passwords, OfUrlsAreHiddenWhereverTheyStand) {
  EXPECT_EQ(WithoutPasswords("no '--stroe=postgresql://me:secret@db1/games' here"),
            "no '--stroe=postgresql://me:***@db1/games' here");
  EXPECT_EQ(WithoutPasswords("postgresql:///games?password=secret&user=me\n"),
            "postgresql:///games?password=***&user=me\n");
}

TEST(Passwords, ThatAreWrittenWronglyAreHiddenAsAWhole) {
  for (const char* password : {"sec@ret", "sec/ret", "sec:ret", "sec?ret"}) {
    EXPECT_EQ(WithoutPasswords(std::string("x://me:") + password + "@db1"), "x://me:***@db1");
  }
}

TEST(Passwords, AreNowhereElse) {
  for (const char* text : {"", "see 'refctl --help'", "unix:/run/a@b", "s3://replays/spring?x=y",
                           "postgresql://me@db1:5432/games", "a:b@c"}) {
    EXPECT_EQ(WithoutPasswords(text), text);
  }
}

}  // namespace
}  // namespace referee

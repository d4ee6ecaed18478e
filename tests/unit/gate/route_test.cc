// Tests of parsing the route of a request, for arbitrary bytes.
#include "referee/gate/route.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace referee::gate {
namespace {

using ::testing::HasSubstr;

constexpr char kId[] = "01arz3ndektsv4rrffq69g5fav";

absl::StatusCode CodeOf(absl::string_view target) { return ReadTarget(target).status().code(); }

TEST(Routes, AreReadWithTheirNamesAndParameters) {
  const auto route =
      ReadTarget("/api/v1/competitions/spring%2D1/pairs?bot=a%20b&size=7&page=%2B%3D");
  ASSERT_TRUE(route.ok()) << route.status();
  EXPECT_EQ(route->resource, Resource::kPairs);
  EXPECT_EQ(route->name, "spring-1");
  EXPECT_EQ(route->Parameter("bot"), "a b");
  EXPECT_EQ(route->Number("size"), 7u);
  EXPECT_EQ(route->Parameter("page"), "+=");
  EXPECT_EQ(route->Parameter("season"), "");
}

TEST(Routes, OfAMatchAreItsPageItsViewAndItsEvents) {
  EXPECT_EQ(ReadTarget(absl::StrCat("/matches/", kId))->resource, Resource::kMatchPage);
  EXPECT_EQ(ReadTarget(absl::StrCat("/api/v1/matches/", kId))->resource, Resource::kMatch);
  EXPECT_EQ(ReadTarget(absl::StrCat("/api/v1/matches/", kId, "/events?after=3"))->resource,
            Resource::kMatchEvents);
}

TEST(Routes, ThatAreNoneAreNotFound) {
  for (const char* target : {"/x", "//", "/api", "/api/v1/matches/", "/matches/a/b",
                             "/../etc/passwd", "/api/v1/matches/../replays", "/livez/"}) {
    EXPECT_EQ(CodeOf(target), absl::StatusCode::kNotFound) << target;
  }
}

TEST(Routes, OfIdsThatNoMatchCanHaveSayThatThereIsNone) {
  for (const char* target : {"/matches/nothing", "/api/v1/matches/nothing/events"}) {
    EXPECT_EQ(CodeOf(target), absl::StatusCode::kNotFound) << target;
    EXPECT_EQ(ReadTarget(target).status().message(), "there is no match 'nothing' here");
  }
  for (const char* target : {"/replays/nothing", "/api/v1/replays/nothing/view"}) {
    EXPECT_EQ(CodeOf(target), absl::StatusCode::kNotFound) << target;
    EXPECT_EQ(ReadTarget(target).status().message(), "there is no replay of match 'nothing' here");
  }
}

TEST(Routes, ThatAreMalformedAreRefused) {
  for (const std::string target :
       {"", "x", "http://host/", "/competitions/%", "/competitions/%4", "/competitions/%zz",
        "/competitions/%00", "/competitions/a%0d%0ab", "/competitions/%ff", "/api/v1/matches?state",
        "/api/v1/matches?size=0", "/api/v1/matches?size=101", "/api/v1/matches?size=-1",
        "/api/v1/matches?size=1&size=1", "/api/v1/matches?bot=ann", "/livez?x=1"}) {
    const absl::StatusCode code = CodeOf(target);
    // An empty state is the same as none.
    if (target == "/api/v1/matches?state") {
      EXPECT_EQ(code, absl::StatusCode::kOk);
    } else {
      EXPECT_EQ(code, absl::StatusCode::kInvalidArgument) << target;
    }
  }
  EXPECT_EQ(CodeOf(absl::StrCat("/competitions/", std::string(65, 'a'))),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(absl::StrCat("/api/v1/matches?page=", std::string(600, 'a'))),
            absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(std::string("/competitions/a\0b", 17)), absl::StatusCode::kInvalidArgument);
}

TEST(Routes, MayEachHaveATicketWhichIsNoPartOfWhatIsAskedFor) {
  const auto with = ReadTarget("/api/v1/matches?ticket=t&state=running");
  const auto without = ReadTarget("/api/v1/matches?state=running");
  ASSERT_TRUE(with.ok() && without.ok());
  EXPECT_EQ(with->ticket, "t");
  EXPECT_EQ(with->Key(), without->Key());
  EXPECT_NE(with->Key(), ReadTarget("/api/v1/matches?state=waiting")->Key());
}

TEST(Routes, FindATicketAmongCookies) {
  std::string ticket;
  EXPECT_TRUE(TicketFromCookies("a=b; ticket=5-ab ;c=d", &ticket));
  EXPECT_EQ(ticket, "5-ab");
  EXPECT_FALSE(TicketFromCookies("notticket=5", &ticket));
  EXPECT_FALSE(TicketFromCookies("", &ticket));
}

}  // namespace
}  // namespace referee::gate

// Tests of tickets, cached answers, and events of which only the latest counts.

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/gate/call_budget.h"
#include "referee/gate/content.h"
#include "referee/gate/latest_topic.h"
#include "referee/gate/ticket.h"
#include "tests/support/inflate.h"

namespace referee::gate {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const absl::Time kNow = absl::FromUnixSeconds(1'800'000'000);
constexpr char kKey[] = "a key of thirty-two bytes, or so.";

TEST(Tickets, AreTakenUntilTheirEnd) {
  const std::string ticket = MakeTicket(kKey, kNow + absl::Hours(1));
  const absl::StatusOr<absl::Time> end = CheckTicket(kKey, ticket, kNow);
  ASSERT_TRUE(end.ok()) << end.status();
  EXPECT_EQ(*end, kNow + absl::Hours(1));
  EXPECT_THAT(CheckTicket(kKey, ticket, kNow + absl::Hours(1)).status().message(),
              HasSubstr("over"));
}

TEST(Tickets, AreNotTakenWhenAnythingOfThemIsChanged) {
  const std::string ticket = MakeTicket(kKey, kNow + absl::Hours(1));
  for (size_t i = 0; i < ticket.size(); ++i) {
    std::string other = ticket;
    other[i] = other[i] == '1' ? '2' : '1';
    EXPECT_FALSE(CheckTicket(kKey, other, kNow).ok()) << other;
  }
  for (const std::string& other :
       {std::string(), std::string("-"), std::string("1800003600"), ticket + "0", "0" + ticket}) {
    EXPECT_FALSE(CheckTicket(kKey, other, kNow).ok()) << other;
  }
  EXPECT_FALSE(CheckTicket("another key of thirty-two bytes..", ticket, kNow).ok());
}

TEST(Contents, AreCompressedWhereThatIsWorthIt) {
  const std::string text(10'000, 'x');
  const SharedContent content = MakeContent(kJsonType, text);
  ASSERT_NE(content->gzip, nullptr);
  EXPECT_LT(content->gzip->size(), 200u);
  EXPECT_EQ(testing::Inflate(*content->gzip, MAX_WBITS + 16), text);
  EXPECT_EQ(MakeContent(kJsonType, "{}")->gzip, nullptr);
}

SharedContent Sized(size_t bytes) {
  return MakeContent(kTextType, std::string(bytes, 'x'), "", /*compress=*/false);
}

TEST(KeptContents, GoWhenTheyAreOld) {
  ContentCache cache(10'000);
  const Instant now = Instant::FromNanos(0);
  cache.Add("a", Sized(10), now + absl::Seconds(1));
  EXPECT_NE(cache.Find("a", now), nullptr);
  EXPECT_EQ(cache.Find("a", now + absl::Seconds(1)), nullptr);
  EXPECT_EQ(cache.bytes(), 0u);
}

TEST(KeptContents, AreThoseThatWereAskedForLastInSoManyBytes) {
  ContentCache cache(10'000);
  const Instant now = Instant::FromNanos(0);
  for (const char* key : {"a", "b", "c"}) cache.Add(key, Sized(3'000), Instant::InfiniteFuture());
  EXPECT_NE(cache.Find("a", now), nullptr);
  cache.Add("d", Sized(3'000), Instant::InfiniteFuture());
  EXPECT_EQ(cache.Find("b", now), nullptr);
  EXPECT_NE(cache.Find("a", now), nullptr);
  EXPECT_LE(cache.bytes(), 10'000u);
  cache.Add("huge", Sized(20'000), Instant::InfiniteFuture());
  EXPECT_EQ(cache.Find("huge", now), nullptr);
  EXPECT_NE(cache.Find("d", now), nullptr);
  cache.Add("d", Sized(1'000), Instant::InfiniteFuture());
  EXPECT_EQ(cache.Find("d", now)->plain.size(), 1'000u);
}

TEST(LatestEvents, AreToldOnceEach) {
  LatestTopic topic("standings");
  Place place = topic.PlaceOf("");
  EXPECT_EQ(topic.Next(&place), nullptr);
  topic.Set("{\"a\":1}", false);
  const std::string event = topic.Next(&place)->Text();
  EXPECT_THAT(event, StartsWith("id: "));
  EXPECT_THAT(event, HasSubstr("\nevent: standings\ndata: {\"a\":1}\n\n"));
  EXPECT_EQ(topic.Next(&place), nullptr);
  topic.Set("{\"a\":1}", false);
  EXPECT_EQ(topic.Next(&place), nullptr);
}

TEST(LatestEvents, AreNotToldToWhoComesBackKnowingThem) {
  LatestTopic topic("standings");
  topic.Set("{\"a\":1}", false);
  Place place = topic.PlaceOf("");
  const std::string event = topic.Next(&place)->Text();
  const std::string id = event.substr(4, event.find('\n') - 4);
  Place again = topic.PlaceOf(id);
  EXPECT_EQ(topic.Next(&again), nullptr);
  EXPECT_FALSE(again.ended);
  topic.Set("{\"a\":2}", true);
  EXPECT_NE(topic.Next(&again), nullptr);
  EXPECT_TRUE(again.ended);
  EXPECT_TRUE(topic.over());
}

constexpr char kVisitor[] = "192.0.2.1";

// How many of twenty questions for things that were not answered before are taken.
int TakenOfNew(CallBudget* budget, Instant now) {
  int taken = 0;
  for (int i = 0; i < 20; ++i) {
    taken += budget->Take(absl::StrCat("made up ", i), kVisitor, now).ok() ? 1 : 0;
  }
  return taken;
}

TEST(CallBudgets, LeaveHalfToWhatWasAnsweredBefore) {
  Bounds bounds;
  bounds.calls_burst = 8;
  bounds.calls_per_second = 2;
  Instant now;
  CallBudget budget(bounds, now);
  budget.Settle("known", "", absl::OkStatus());
  EXPECT_EQ(TakenOfNew(&budget, now), 4);
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(budget.Take("known", kVisitor, now).ok()) << i;
  EXPECT_FALSE(budget.Take("known", kVisitor, now).ok()) << "all is used up";
  now = now + absl::Seconds(1);
  EXPECT_TRUE(budget.Take("made up", kVisitor, now).ok());
  EXPECT_FALSE(budget.Take("made up, too", kVisitor, now).ok());
  EXPECT_TRUE(budget.Take("known", kVisitor, now).ok());
}

TEST(CallBudgets, KnowTheLastThatWereAnswered) {
  Bounds bounds;
  bounds.known_keys = 3;
  CallBudget budget(bounds, Instant());
  for (int i = 0; i < 100; ++i) budget.Settle(absl::StrCat(i), "", absl::OkStatus());
  for (int i = 97; i < 100; ++i) EXPECT_TRUE(budget.Knows(absl::StrCat(i))) << i;
  EXPECT_FALSE(budget.Knows("1"));
}

TEST(CallBudgets, MakeWhoMakesUpIdsWaitAndNobodyElse) {
  Bounds bounds;
  bounds.visitor_burst = 4;
  bounds.visitor_calls_per_second = 1;
  Instant now;
  CallBudget budget(bounds, now);
  EXPECT_EQ(TakenOfNew(&budget, now), 4);
  EXPECT_TRUE(absl::IsResourceExhausted(budget.Take("made up", kVisitor, now)));
  EXPECT_TRUE(budget.Take("made up", "192.0.2.2", now).ok());
  now = now + absl::Seconds(1);
  EXPECT_TRUE(budget.Take("made up", kVisitor, now).ok());
  EXPECT_FALSE(budget.Take("made up", kVisitor, now).ok());
}

TEST(CallBudgets, AreUsedLittleByWhoAsksForWhatThereIs) {
  Bounds bounds;
  bounds.visitor_burst = 4;
  CallBudget budget(bounds, Instant());
  int taken = 0;
  while (budget.Take("new", kVisitor, Instant()).ok()) {
    budget.Settle("new", kVisitor, absl::FailedPreconditionError("it exists"));
    ++taken;
  }
  EXPECT_EQ(taken, 13);
}

TEST(CallBudgets, ForgetWhoAskedLongAgo) {
  Bounds bounds;
  bounds.visitor_burst = 2;
  bounds.visitors = 3;
  Instant now;
  CallBudget budget(bounds, now);
  const auto take = [&](const char* visitor) { return budget.Take("new", visitor, now).ok(); };
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(take("a"));
  budget.Sweep(now);
  EXPECT_FALSE(take("a")) << "it was a moment ago";
  now = now + absl::Seconds(60);
  budget.Sweep(now);
  EXPECT_TRUE(take("a"));
  EXPECT_TRUE(take("a"));
  EXPECT_FALSE(take("a"));
  for (const char* other : {"b", "c", "d"}) EXPECT_TRUE(take(other));
  EXPECT_TRUE(take("a")) << "more than are kept: all begin anew";
}

}  // namespace
}  // namespace referee::gate

// Tests of when each reader may see the events of a match.
#include "referee/service/telling.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace referee::service {
namespace {

using ::testing::ElementsAre;

constexpr absl::Duration kDelay = absl::Seconds(30);
const std::vector<std::string>& Bots() {
  static const auto* const bots = new std::vector<std::string>{"alice", "bob"};
  return *bots;
}
absl::Time At(int seconds) { return absl::FromUnixSeconds(1'700'000'000 + seconds); }

Telling To(absl::string_view name, Role role, bool for_observers = false) {
  return Telling({name, role, for_observers}, Bots(), kDelay);
}

TEST(Telling, OrganisersAndTheBotsThatPlayAreToldAtOnce) {
  EXPECT_EQ(To("olga", Role::kOrganiser).delay(), absl::ZeroDuration());
  EXPECT_EQ(To("alice", Role::kBot).delay(), absl::ZeroDuration());
  EXPECT_EQ(To("bob", Role::kBot).delay(), absl::ZeroDuration());
}

TEST(Telling, EverybodyElseIsToldLater) {
  EXPECT_EQ(To("carol", Role::kBot).delay(), kDelay);
  EXPECT_EQ(To("oscar", Role::kObserver).delay(), kDelay);
  EXPECT_EQ(To("", Role::kObserver).delay(), kDelay);
  EXPECT_EQ(To("alice", Role::kObserver).delay(), kDelay) << "an observer of a bot's name";
}

TEST(Telling, WhoReadsForObserversIsToldWhatTheyMayBeTold) {
  EXPECT_EQ(To("olga", Role::kOrganiser, true).delay(), kDelay);
  EXPECT_EQ(To("alice", Role::kBot, true).delay(), kDelay);
  EXPECT_FALSE((Audience{"olga", Role::kOrganiser, true}.hears_all()));
  EXPECT_FALSE((Audience{"alice", Role::kBot, false}.hears_all()));
}

TEST(Telling, WithoutADelayAllIsToldThatHappens) {
  const Telling all({"", Role::kObserver, false}, Bots(), absl::ZeroDuration());
  EXPECT_TRUE(all.IsTold(At(5), At(5)));
  EXPECT_TRUE(all.IsTold(absl::nullopt, At(5))) << "what a match is while it runs";
}

TEST(Telling, NothingIsToldBeforeTheDelayHasPassedAndAllWhenItHas) {
  const Telling late = To("oscar", Role::kObserver);
  EXPECT_FALSE(late.IsTold(At(0), At(30) - absl::Nanoseconds(1)));
  EXPECT_TRUE(late.IsTold(At(0), At(30)));
  EXPECT_FALSE(late.IsTold(absl::nullopt, At(9999))) << "it has not happened";
  EXPECT_EQ(late.WhenTold(At(0)), At(30));
}

// A turn that was answered so long after it became due.
match::Record Turn(uint32_t number, absl::Duration read) {
  match::Played played;
  played.number = number;
  played.timing.emplace();
  played.timing->read = read;
  return played;
}

match::Record Pass(uint32_t number) {
  match::Played played;
  played.number = number;
  return played;
}

match::Record Fault(uint32_t number) {
  match::Faulted faulted;
  faulted.number = number;
  return faulted;
}

TEST(LeastAges, AreWhatTheTurnsTookThatBecameDueLater) {
  const std::vector<match::Record> records = {match::Started(),          match::Drawn(),
                                              Turn(1, absl::Seconds(4)), Pass(2),
                                              Turn(3, absl::Seconds(2)), Turn(4, absl::Seconds(1))};
  EXPECT_THAT(LeastAges(records),
              ElementsAre(absl::Seconds(7), absl::Seconds(7), absl::Seconds(3), absl::Seconds(3),
                          absl::Seconds(1), absl::ZeroDuration()));
}

TEST(LeastAges, OfAFaultDoNotCountTheTurnInWhichItWasMade) {
  // When in the five seconds it was made, nothing says.
  const std::vector<match::Record> records = {Turn(1, absl::Seconds(4)), Fault(2),
                                              Turn(2, absl::Seconds(5)), Fault(3)};
  EXPECT_THAT(LeastAges(records), ElementsAre(absl::Seconds(5), absl::ZeroDuration(),
                                              absl::ZeroDuration(), absl::ZeroDuration()));
}

TEST(LeastAges, GoOnAcrossARestart) {
  const std::vector<match::Record> records = {Turn(1, absl::Seconds(4)), match::Resumed(),
                                              Turn(2, absl::Seconds(5))};
  EXPECT_THAT(LeastAges(records),
              ElementsAre(absl::Seconds(5), absl::ZeroDuration(), absl::ZeroDuration()));
}

}  // namespace
}  // namespace referee::service

// Claims about how a bot follows a referee that refers it to others: whom, and with how many of its
// places.
#include "sdk/cpp/src/refer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "sdk/cpp/src/places.h"
#include "tests/unit/sdk/client_under_test.h"

namespace referee::sdk {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// --- What is pure ---

std::vector<json> Vectors(const std::string& kind) {
  std::ifstream file(REFEREE_SOURCE_DIR "/tests/golden/referral.jsonl");
  std::vector<json> found;
  for (std::string line; std::getline(file, line);) {
    json vector = json::parse(line);
    if (vector["kind"] == kind) found.push_back(std::move(vector));
  }
  EXPECT_FALSE(found.empty());
  return found;
}

Share ShareOf(const json& pair) { return {pair[0].get<int>(), pair[1].get<int>()}; }
std::vector<Share> SharesOf(const json& pairs) {
  std::vector<Share> shares;
  for (const json& pair : pairs) shares.push_back(ShareOf(pair));
  return shares;
}

TEST(SdkPlaces, AreDividedAsByTheOtherSdks) {
  for (const json& line : Vectors("divide")) {
    EXPECT_EQ(Divide(ShareOf(line["promised"]), line["homes"].get<int>(), line["here"].get<bool>()),
              SharesOf(line["shares"]))
        << line;
  }
}

TEST(SdkPlaces, AreEnoughForABlockOrNone) {
  for (int places = 1; places < 40; ++places) {
    for (int homes = 1; homes <= 8; ++homes) {
      for (const int turns : {0, 1, places / 2, places}) {
        const std::vector<Share> shares = Divide({places, turns}, homes, /*here=*/false);
        const int served = Served({places, turns}, homes);
        for (int i = 0; i < homes; ++i) {
          if (i < served) {
            EXPECT_GE(shares[i].places, std::min(kBlock, places));
          } else {
            EXPECT_EQ(shares[i], Share());
          }
        }
      }
    }
  }
}

TEST(SdkPlaces, HaveTheWeightsThatTheOtherSdksGiveThem) {
  for (const json& line : Vectors("weight")) {
    EXPECT_EQ(Weight(line["shift"].get<int64_t>(), line["address"].get<std::string>()),
              line["weight"].get<uint32_t>())
        << line;
  }
}

TEST(SdkPlaces, AreGrantedAsByTheOtherSdks) {
  for (const json& line : Vectors("grant")) {
    EXPECT_EQ(Grant(ShareOf(line["promised"]), SharesOf(line["wanted"]), SharesOf(line["held"])),
              SharesOf(line["granted"]))
        << line;
  }
}

TEST(SdkPlaces, AreNeverMoreInSumThanPromised) {
  for (int places = 1; places < 40; ++places) {
    for (int homes = 0; homes <= 8; ++homes) {
      for (const int turns : {0, 1, places / 2, places}) {
        Share sum;
        for (const Share& share : Divide({places, turns}, homes, places % 2 == 0)) {
          EXPECT_LE(share.turns, share.places);
          sum.places += share.places;
          sum.turns += share.turns;
        }
        EXPECT_EQ(sum, (Share{places, turns}));
      }
    }
  }
}

TEST(SdkRefer, FollowsAsTheOtherSdksDo) {
  for (const json& line : Vectors("follow")) {
    Options options;
    options.address = line["address"].get<std::string>();
    options.refer_domain = line["refer_domain"].get<std::string>();
    options.tls = line["tls"].get<bool>();
    options.insecure = line["insecure"].get<bool>();
    const std::string to = line["to"].get<std::string>();
    EXPECT_EQ(WhyNotFollowed(to, options).empty(), line["follows"].get<bool>()) << line;
  }
}

std::vector<std::string> AddressesOf(const std::vector<SettledOptions>& places) {
  std::vector<std::string> addresses;
  for (const SettledOptions& place : places) addresses.push_back(place.address);
  return addresses;
}

TEST(SdkRefer, MakesTheCircleThatTheOtherSdksMake) {
  for (const json& line : Vectors("circle")) {
    SettledOptions options;
    options.address = line["address"].get<std::string>();
    options.refer_domain = line["refer_domain"].get<std::string>();
    options.tls = line["tls"].get<bool>();
    SettledOptions own = options;
    own.address = line["own"].get<std::string>();
    v1::Refer refer;
    for (const std::string other : line["others"]) refer.add_others(other);
    const Logger log(LogLevel::kNone, {});
    EXPECT_EQ(AddressesOf(Referral(&options, &log).Circle(refer, own)),
              line["circle"].get<std::vector<std::string>>())
        << line;
  }
}

TEST(SdkRefer, DialsTheNextInTheCircleAsTheOtherSdksDo) {
  for (const json& line : Vectors("next")) {
    std::vector<SettledOptions> circle;
    for (const std::string address : line["circle"]) circle.emplace_back().address = address;
    const SettledOptions* const next = NextInCircle(circle, line["current"], line["homes"]);
    EXPECT_EQ(next == nullptr ? "" : next->address, line["next"].get<std::string>()) << line;
  }
}

// --- Streams ---

v1::RefereeItem ReferItem(const std::vector<std::string>& addresses,
                          const std::vector<std::string>& others = {},
                          absl::Duration patience = absl::ZeroDuration()) {
  v1::RefereeItem item;
  item.mutable_refer();
  for (const std::string& other : others) item.mutable_refer()->add_others(other);
  google::protobuf::Duration* const told = item.mutable_refer()->mutable_patience();
  told->set_seconds(absl::ToInt64Seconds(patience));
  told->set_nanos(static_cast<int32_t>(absl::ToInt64Nanoseconds(patience % absl::Seconds(1))));
  for (const std::string& address : addresses) {
    v1::Home* home = item.mutable_refer()->add_homes();
    home->set_address(address);
    home->add_competitions("cup");
  }
  return item;
}

// The client's referee is its letter box.
class SdkReferral : public SdkClient {
 protected:
  SdkReferral() { options_.max_matches = options_.parallel_turns = 8; }
  // Streams must end before the homes are gone.
  ~SdkReferral() override {
    if (!thread_.joinable()) return;
    client_->Stop();
    thread_.join();
  }

  void Refer(const std::vector<std::string>& addresses) { referee_.Say({ReferItem(addresses)}); }
  // Hears how much the bot takes, and answers.
  static std::pair<int, int> TakeCapacity(FakeReferee& fake) {
    const v1::BotItem told = fake.Hear();
    EXPECT_TRUE(told.has_capacity()) << told.ShortDebugString();
    v1::RefereeItem item;
    *item.mutable_capacity() = told.capacity();
    fake.Say({item});
    return {told.capacity().max_matches(), told.capacity().parallel_turns()};
  }
  static void Begin(FakeReferee& fake, const std::string& match_id) {
    fake.Say({StartItem(match_id)});
    EXPECT_EQ(fake.Hear().ready().match_id(), match_id);
  }
  // Refers the bot to the first home.
  void GoHome() {
    Start();
    referee_.Greet();
    Refer({one_.address()});
    EXPECT_EQ(TakeCapacity(referee_), std::make_pair(1, 0));
    EXPECT_EQ(one_.Greet().max_matches(), 7);
  }

  FakeReferee one_;
  FakeReferee two_;
};

v1::RefereeItem DrainingForAWhile() {
  v1::RefereeItem item = DrainingItem();
  item.mutable_draining()->set_will_return(true);
  return item;
}

TEST_F(SdkReferral, PlaysAtAHomeAndAtItsLetterBox) {
  GoHome();
  Begin(one_, "m");
  Begin(referee_, "n");
  one_.Say({TurnItem("m", 1)});
  referee_.Say({TurnItem("n", 1)});
  EXPECT_EQ(one_.Hear().move().match_id(), "m");
  EXPECT_EQ(referee_.Hear().move().match_id(), "n");
}

TEST_F(SdkReferral, GivesAHomeNoPlaceBeforeTheLetterBoxHasGivenItUp) {
  options_.max_matches = 8;
  Start();
  referee_.Greet();
  for (const char* id : {"a", "b", "c"}) Begin(referee_, id);
  Refer({one_.address()});
  // It plays three, and was told one: of eight places five are free.
  EXPECT_EQ(TakeCapacity(referee_), std::make_pair(1, 0));
  EXPECT_EQ(one_.Greet().max_matches(), 5);
  referee_.Say({EndItem("a")});
  EXPECT_EQ(TakeCapacity(one_), std::make_pair(6, 0));
  referee_.Say({EndItem("b")});
  EXPECT_EQ(TakeCapacity(one_), std::make_pair(7, 0));
}

TEST_F(SdkReferral, IsWithOneRefereeAtATimeWhenItThinksAboutOneTurn) {
  options_.max_matches = options_.parallel_turns = 0;
  Start();
  EXPECT_EQ(referee_.Greet().parallel_turns(), 1);
  Begin(referee_, "m");
  Refer({one_.address()});
  EXPECT_EQ(TakeCapacity(referee_), std::make_pair(0, 0));
  referee_.Say({TurnItem("m", 1)});
  EXPECT_TRUE(referee_.Hear().has_move());
  EXPECT_EQ(one_.streams(), 0);
  referee_.Say({EndItem("m")});
  const v1::Hello hello = one_.Greet();
  EXPECT_EQ(hello.max_matches(), 8);
  EXPECT_EQ(hello.parallel_turns(), 1);
  referee_.EndStream(grpc::Status::OK);
  EXPECT_TRUE(referee_.Greet().takes_none());
}

TEST_F(SdkReferral, IsWithOneHomeAfterTheOtherWhenItTakesTooLittleForAllAtATime) {
  options_.max_matches = options_.parallel_turns = 0;
  options_.shift = absl::Milliseconds(50);
  Start();
  referee_.Greet();
  Refer({one_.address(), two_.address()});
  EXPECT_EQ(TakeCapacity(referee_), std::make_pair(0, 0));
  // Both are answered until each has had it twice.
  FakeReferee* const homes[] = {&one_, &two_};
  bool greeted[2] = {};
  int turns[2] = {};
  const absl::Time deadline = absl::Now() + absl::Seconds(20);
  while (turns[0] < 2 || turns[1] < 2) {
    ASSERT_LT(absl::Now(), deadline);
    std::this_thread::yield();
    for (const int i : {0, 1}) {
      if (homes[i]->hears_nothing()) continue;
      const bool has = greeted[i] ? TakeCapacity(*homes[i]) == std::make_pair(8, 1)
                                  : !homes[i]->Greet().takes_none();
      greeted[i] = true;
      turns[i] += has ? 1 : 0;
    }
  }
}

TEST_F(SdkReferral, FinishesTheMatchesOfAHomeThatIsNotNamedAnyMore) {
  GoHome();
  Begin(one_, "m");
  Refer({two_.address()});
  EXPECT_EQ(TakeCapacity(one_), std::make_pair(0, 0));
  EXPECT_EQ(two_.Greet().max_matches(), 6);
  one_.Say({TurnItem("m", 1)});
  EXPECT_TRUE(one_.Hear().has_move());
  one_.Say({EndItem("m")});
  EXPECT_EQ(TakeCapacity(two_), std::make_pair(7, 0));
  EXPECT_EQ(one_.streams(), 1);
}

TEST_F(SdkReferral, ComesBackToALostHomeThatItLeavesToFinishItsMatches) {
  GoHome();
  Begin(one_, "m");
  Refer({});
  EXPECT_EQ(TakeCapacity(one_), std::make_pair(0, 0));
  EXPECT_EQ(TakeCapacity(referee_), std::make_pair(7, 0));
  one_.EndStream(grpc::Status::OK);
  EXPECT_TRUE(one_.Greet().takes_none());
  one_.Say({ResumedItem("m"), TurnItem("m", 7)});
  EXPECT_TRUE(one_.Hear().has_move());
  one_.Say({EndItem("m")});
  EXPECT_EQ(TakeCapacity(referee_), std::make_pair(8, 0));
}

TEST_F(SdkReferral, GivesUpTheMatchesOfALostHomeWhenItsLeaseHasEnded) {
  options_.max_matches = 1;
  options_.backoff = [](int attempt) {
    return attempt > 0 ? absl::Hours(1) : absl::ZeroDuration();
  };
  const std::vector<std::string> others = {one_.address(), two_.address()};
  Start();
  referee_.Greet();
  referee_.Say({ReferItem({one_.address()}, others, absl::Milliseconds(50))});
  EXPECT_EQ(TakeCapacity(referee_), std::make_pair(0, 0));
  EXPECT_EQ(one_.Greet().max_matches(), 1);
  Begin(one_, "m");
  one_.Stop();
  referee_.Say({ReferItem({two_.address()}, others, absl::Milliseconds(50))});
  EXPECT_EQ(two_.Greet().max_matches(), 1);  // the place that the match had
}

TEST_F(SdkReferral, ComesBackToALostHomeInItsLease) {
  const std::vector<std::string> others = {one_.address(), two_.address()};
  GoHome();
  Begin(one_, "m");
  referee_.Say({ReferItem({two_.address()}, others, absl::Hours(1))});
  EXPECT_EQ(TakeCapacity(one_), std::make_pair(0, 0));
  EXPECT_EQ(two_.Greet().max_matches(), 6);
  for (int i = 0; i < 5; ++i) {
    one_.EndStream(grpc::Status(grpc::UNAVAILABLE, "not yet"));
    EXPECT_TRUE(one_.Hear().hello().takes_none());
  }
  one_.Say({WelcomeItem(), ResumedItem("m"), TurnItem("m", 7)});
  EXPECT_TRUE(one_.Hear().has_move());
}

TEST_F(SdkReferral, DialsALostHomeAtOnceThatItLeftAndIsReferredToAgain) {
  options_.backoff = [](int attempt) {
    return attempt > 0 ? absl::Hours(1) : absl::ZeroDuration();
  };
  GoHome();
  Begin(one_, "m");
  one_.Stop();
  Refer({});
  EXPECT_EQ(TakeCapacity(referee_), std::make_pair(7, 0));
  one_.StartAgain();
  Refer({one_.address()});
  one_.Greet();
}

TEST_F(SdkReferral, ComesBackWithEachStreamByItself) {
  GoHome();
  Begin(one_, "m");
  referee_.EndStream(grpc::Status(grpc::UNAVAILABLE, "gone"));
  EXPECT_EQ(referee_.Hear().hello().max_matches(), 1);
  one_.Say({TurnItem("m", 1)});
  EXPECT_TRUE(one_.Hear().has_move());
  EXPECT_EQ(one_.streams(), 1);
}

TEST_F(SdkReferral, LeavesAHomeAloneThatDrainsForGoodButNotOneThatMeansToBeBack) {
  GoHome();
  one_.Say({DrainingForAWhile()});
  EXPECT_EQ(TakeCapacity(one_), std::make_pair(0, 0));
  EXPECT_EQ(TakeCapacity(referee_), std::make_pair(8, 0));
  one_.EndStream(grpc::Status(grpc::UNAVAILABLE, "stopping"));
  EXPECT_EQ(TakeCapacity(referee_), std::make_pair(1, 0));
  EXPECT_EQ(one_.Greet().max_matches(), 7);
  one_.Say({DrainingItem()});
  EXPECT_EQ(TakeCapacity(one_), std::make_pair(0, 0));
  EXPECT_EQ(TakeCapacity(referee_), std::make_pair(8, 0));
  one_.EndStream(grpc::Status::OK);
  Begin(referee_, "m");
  EXPECT_EQ(one_.streams(), 2);
}

TEST_F(SdkReferral, LeavesAHomeAloneThatRefusesItUntilItIsNamedAnew) {
  Start();
  referee_.Greet();
  Refer({one_.address()});
  EXPECT_EQ(TakeCapacity(referee_), std::make_pair(1, 0));
  EXPECT_TRUE(one_.Hear().has_hello());
  one_.EndStream(grpc::Status(grpc::UNAUTHENTICATED, "the reason"));
  EXPECT_EQ(TakeCapacity(referee_), std::make_pair(8, 0));
  Refer({});
  Refer({one_.address()});
  EXPECT_EQ(TakeCapacity(referee_), std::make_pair(1, 0));
  one_.Greet();
}

TEST_F(SdkReferral, EndsWhenAnotherProcessTakesItsPlaceAtAHome) {
  GoHome();
  one_.EndStream(grpc::Status(grpc::ABORTED, "another"));
  EXPECT_TRUE(absl::IsAborted(Finish()));
}

TEST_F(SdkReferral, EndsWhenTheLetterBoxIsDoneAndTheMatchesOfHomesAre) {
  GoHome();
  Begin(one_, "m");
  referee_.Say({DrainingItem()});
  referee_.EndStream(grpc::Status::OK);
  EXPECT_EQ(TakeCapacity(one_), std::make_pair(0, 0));
  one_.Say({TurnItem("m", 1)});
  EXPECT_TRUE(one_.Hear().has_move());
  one_.Say({EndItem("m")});
  EXPECT_TRUE(Finish().ok());
}

TEST_F(SdkReferral, DoesNotFollowWhatAHomeRefersTo) {
  GoHome();
  one_.Say({ReferItem({two_.address()})});
  Begin(one_, "m");
  EXPECT_EQ(two_.streams(), 0);
}

// --- When its referee is gone ---

TEST_F(SdkReferral, DialsAnotherWhenItsRefereeIsGoneAndIsReferredByThatOne) {
  Start();
  referee_.Greet();
  referee_.Say({ReferItem({}, {one_.address()})});
  Begin(referee_, "m");  // it has heard that
  referee_.Stop();
  EXPECT_EQ(one_.Greet().max_matches(), 8);
  Begin(one_, "n");
  one_.Say({ReferItem({two_.address()})});
  EXPECT_EQ(TakeCapacity(one_), std::make_pair(1, 0));
  EXPECT_EQ(two_.Greet().max_matches(), 7);
}

TEST_F(SdkReferral, GoesRoundUntilOneIsThere) {
  Start();
  referee_.Greet();
  referee_.Say({ReferItem({}, {one_.address(), two_.address()})});
  Begin(referee_, "m");
  one_.Stop();
  referee_.Stop();
  two_.Greet();
  two_.Stop();
  referee_.StartAgain();
  referee_.Greet();
}

TEST_F(SdkReferral, DialsNoHomeWhoseStreamThatWouldEnd) {
  GoHome();
  referee_.Say({ReferItem({one_.address()}, {one_.address(), two_.address()})});
  Begin(referee_, "m");  // it has heard that
  referee_.Stop();
  two_.Greet();
  EXPECT_EQ(one_.streams(), 1);
}

TEST_F(SdkReferral, WaitsForTheRefereeOfTheMatchesThatItPlays) {
  Start();
  referee_.Greet();
  referee_.Say({ReferItem({}, {one_.address()}, absl::Hours(1))});
  Begin(referee_, "m");
  referee_.EndStream(grpc::Status(grpc::UNAVAILABLE, "gone"));
  for (int i = 0; i < 5; ++i) {
    EXPECT_TRUE(referee_.Hear().has_hello());
    referee_.EndStream(grpc::Status(grpc::UNAVAILABLE, "not yet"));
  }
  referee_.Greet();
  referee_.Say({ResumedItem("m"), TurnItem("m", 7)});
  EXPECT_TRUE(referee_.Hear().has_move());
  EXPECT_EQ(one_.streams(), 0);
}

TEST_F(SdkReferral, DialsOftenWhileItWaitsSoThatItIsBackInTime) {
  options_.backoff = [](int) { return absl::Hours(1); };
  Start();
  referee_.Greet();
  referee_.Say({ReferItem({}, {one_.address()}, absl::Hours(1))});
  Begin(referee_, "m");
  for (int i = 0; i < 2; ++i) {
    referee_.EndStream(grpc::Status(grpc::UNAVAILABLE, "not yet"));
    EXPECT_TRUE(referee_.Hear().has_hello());
  }
}

TEST_F(SdkReferral, DialsAnotherAsSoonAsItHasWaitedHoweverSeldomItDialsThen) {
  options_.backoff = [](int attempt) {
    return attempt > 3 ? absl::Hours(1) : absl::ZeroDuration();
  };
  Start();
  referee_.Greet();
  referee_.Say({ReferItem({}, {one_.address()}, absl::Milliseconds(50))});
  Begin(referee_, "m");
  referee_.Stop();
  EXPECT_EQ(one_.Greet().max_matches(), 8);
}

TEST_F(SdkReferral, GoesToAnotherWhenItsRefereeEndsForGood) {
  Start();
  referee_.Greet();
  referee_.Say({ReferItem({}, {one_.address()}), DrainingItem()});
  referee_.EndStream(grpc::Status::OK);
  EXPECT_EQ(one_.Greet().max_matches(), 8);
  Begin(one_, "m");
}

TEST_F(SdkReferral, IsNotEndedByWhatListensWhereAnotherRefereeWas) {
  Start();
  referee_.Greet();
  referee_.Say({ReferItem({}, {one_.address()}), DrainingItem()});
  referee_.EndStream(grpc::Status::OK);
  EXPECT_TRUE(one_.Hear().has_hello());
  one_.EndStream(grpc::Status(grpc::UNIMPLEMENTED, "a web server"));
  referee_.Greet();
}

TEST_F(SdkReferral, SaysOnceWhatItDoesNotFollowAndWhy) {
  KeepLog(LogLevel::kWarning);
  Start();
  referee_.Greet();
  for (int i = 0; i < 2; ++i) {
    Refer({"evil.example.net:443", "\n", referee_.address(), one_.address(), one_.address()});
  }
  EXPECT_EQ(TakeCapacity(referee_), std::make_pair(1, 0));
  one_.Greet();
  Begin(referee_, "m");
  EXPECT_THAT(log_.All(), ElementsAre(HasSubstr("\"evil.example.net:443\": it is outside of"),
                                      HasSubstr("it is not host:port")));
  EXPECT_EQ(referee_.streams(), 1);
}

}  // namespace
}  // namespace referee::sdk

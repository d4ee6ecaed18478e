// Tests of a bot with several referees: which it trusts, and which it dials when.
#include "sdk/cpp/src/fleet.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "tests/unit/sdk/client_under_test.h"

namespace referee::sdk {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// --- What is pure ---

std::vector<json> Vectors(const std::string& kind) {
  std::ifstream file(REFEREE_SOURCE_DIR "/tests/golden/fleet.jsonl");
  std::vector<json> found;
  for (std::string line; std::getline(file, line);) {
    json vector = json::parse(line);
    if (vector["kind"] == kind) found.push_back(std::move(vector));
  }
  EXPECT_FALSE(found.empty());
  return found;
}

TEST(SdkFleet, TrustsAsTheOtherSdksDo) {
  for (const json& line : Vectors("trust")) {
    Options options;
    options.address = line["address"].get<std::string>();
    options.fleet_domain = line["fleet_domain"].get<std::string>();
    options.tls = line["tls"].get<bool>();
    options.insecure = line["insecure"].get<bool>();
    const std::string to = line["to"].get<std::string>();
    EXPECT_EQ(WhyNotTrusted(to, options).empty(), line["trusted"].get<bool>()) << line;
  }
}

TEST(SdkFleet, MakesTheCircleThatTheOtherSdksMake) {
  for (const json& line : Vectors("circle")) {
    SettledOptions options;
    options.address = line["address"].get<std::string>();
    options.fleet_domain = line["fleet_domain"].get<std::string>();
    options.tls = line["tls"].get<bool>();
    SettledOptions own = options;
    own.address = line["own"].get<std::string>();
    v1::Fleet named;
    for (const std::string other : line["others"]) named.add_addresses(other);
    const Logger log(LogLevel::kNone, {});
    std::vector<std::string> circle;
    for (const SettledOptions& referee : Fleet(&options, &log).Circle(named.addresses(), own)) {
      circle.push_back(referee.address);
    }
    EXPECT_EQ(circle, line["circle"].get<std::vector<std::string>>()) << line;
  }
}

TEST(SdkFleet, DialsTheNextInTheCircleAsTheOtherSdksDo) {
  for (const json& line : Vectors("next")) {
    std::vector<SettledOptions> circle;
    for (const std::string address : line["circle"]) circle.emplace_back().address = address;
    const SettledOptions* const next = NextInCircle(circle, line["current"]);
    EXPECT_EQ(next == nullptr ? "" : next->address, line["next"].get<std::string>()) << line;
  }
}

// --- Streams ---

const grpc::Status kGone(grpc::UNAVAILABLE, "gone");

// The client's own referee has two others beside it.
class SdkFleetClient : public SdkClient {
 protected:
  // The stream must end before the referees are gone.
  ~SdkFleetClient() override {
    if (!thread_.joinable()) return;
    client_->Stop();
    thread_.join();
  }

  static v1::RefereeItem WelcomeWith(const std::vector<std::string>& others) {
    v1::RefereeItem item = WelcomeItem();
    for (const std::string& other : others) item.mutable_welcome()->add_addresses(other);
    return item;
  }
  // Hears Hello, and names others in Welcome.
  static v1::Hello Greet(FakeReferee& referee, const std::vector<std::string>& others) {
    const v1::BotItem first = referee.Hear();
    EXPECT_TRUE(first.has_hello()) << first.ShortDebugString();
    referee.Say({WelcomeWith(others)});
    return first.hello();
  }
  // Starts, and has the bot know these others.
  void Begin(const std::vector<std::string>& others) {
    Start();
    Greet(referee_, others);
  }
  // Waits until the bot has heard what was said.
  static void Sync(FakeReferee& referee) {
    referee.Say({PingItem(1)});
    EXPECT_TRUE(referee.Hear().has_pong());
  }
  // Has the bot leave its own referee.
  void Leave() {
    referee_.Say({Item("draining { will_return: true }")});
    referee_.EndStream(kGone);
  }

  FakeReferee one_;
  FakeReferee two_;
};

TEST_F(SdkFleetClient, GoesOnWithItsMatchesAtAnotherWhenItsRefereeIsGone) {
  options_.max_matches = 8;
  Begin({one_.address()});
  StartMatch("m");
  referee_.Stop();
  EXPECT_EQ(one_.Greet().max_matches(), 8);
  one_.Say({ResumedItem("m"), TurnItem("m", 7)});
  EXPECT_EQ(one_.Hear().move().turn(), 7);
}

TEST_F(SdkFleetClient, HasOneStream) {
  Begin({one_.address(), two_.address()});
  Sync(referee_);
  EXPECT_EQ(one_.streams() + two_.streams(), 0);
}

TEST_F(SdkFleetClient, DialsTheSameRefereeFirstWhenAStreamIsLost) {
  Begin({one_.address()});
  referee_.EndStream(kGone);
  referee_.Greet();
  EXPECT_EQ(one_.streams(), 0);
}

TEST_F(SdkFleetClient, DialsTheNextAfterEachDialThatFails) {
  Begin({one_.address(), two_.address()});
  referee_.EndStream(kGone);
  for (FakeReferee* referee : {&referee_, &one_, &two_, &referee_}) {
    EXPECT_TRUE(referee->Hear().has_hello());
    referee->EndStream(kGone);
  }
  one_.Greet();
}

TEST_F(SdkFleetClient, LeavesARefereeThatDrainsAtOnce) {
  Begin({one_.address()});
  Leave();
  Greet(one_, {referee_.address(), two_.address()});
  one_.Say({DrainingItem()});
  one_.EndStream(grpc::Status::OK);
  referee_.Greet();  // it is the next
  EXPECT_EQ(referee_.streams(), 2);
  EXPECT_EQ(one_.streams(), 1);
}

TEST_F(SdkFleetClient, ComesBackToARefereeThatEndedForGoodWhenTheCircleDoes) {
  Begin({one_.address()});
  referee_.Say({DrainingItem()});
  referee_.EndStream(grpc::Status::OK);
  EXPECT_TRUE(one_.Hear().has_hello());
  one_.EndStream(kGone);
  referee_.Greet();
}

TEST_F(SdkFleetClient, GoesByWhatItWasToldLast) {
  Begin({one_.address()});
  v1::RefereeItem fleet;
  fleet.mutable_fleet()->add_addresses(two_.address());
  referee_.Say({fleet});
  Leave();
  two_.Greet();  // names no others: those are the bot's own referee and this one
  two_.Say({DrainingItem()});
  two_.EndStream(grpc::Status::OK);
  referee_.Greet();
  EXPECT_EQ(one_.streams(), 0);
}

TEST_F(SdkFleetClient, EndsWithItsLastReferee) {
  Begin({one_.address()});
  referee_.Say({Item("fleet {}"), DrainingItem()});
  referee_.EndStream(grpc::Status::OK);
  EXPECT_TRUE(Finish().ok());
  EXPECT_EQ(one_.streams(), 0);
}

TEST_F(SdkFleetClient, WaitsLongerWithEachRoundOfTheCircle) {
  std::vector<int> attempts;
  Gate third_round;
  options_.backoff = [&](int attempt) {
    attempts.push_back(attempt);
    if (attempts.size() == 7) third_round.Open();
    return attempts.size() < 7 ? absl::ZeroDuration() : absl::Hours(1);
  };
  Begin({one_.address(), two_.address()});
  Sync(referee_);
  one_.Stop();
  two_.Stop();
  referee_.Stop();
  third_round.WaitUntilOpen();
  client_->Stop();
  EXPECT_TRUE(Finish().ok());
  EXPECT_THAT(attempts, ElementsAre(0, 0, 0, 1, 1, 1, 2));
}

TEST_F(SdkFleetClient, IsNotEndedByARefusalOfAnother) {
  Begin({one_.address()});
  Leave();
  EXPECT_TRUE(one_.Hear().has_hello());
  one_.EndStream(grpc::Status(grpc::UNIMPLEMENTED, "a web server"));
  referee_.Greet();
}

TEST_F(SdkFleetClient, IsEndedByARefusalAtTheAddressThatItWasGiven) {
  Begin({one_.address()});
  Leave();
  EXPECT_TRUE(one_.Hear().has_hello());
  one_.EndStream(kGone);
  EXPECT_TRUE(referee_.Hear().has_hello());
  referee_.EndStream(grpc::Status(grpc::UNAUTHENTICATED, "the reason"));
  EXPECT_TRUE(absl::IsUnauthenticated(Finish()));
}

TEST_F(SdkFleetClient, EndsWhenAnotherProcessTakesItsPlaceAnywhere) {
  Begin({one_.address()});
  Leave();
  one_.Greet();
  one_.EndStream(grpc::Status(grpc::ABORTED, "another"));
  EXPECT_TRUE(absl::IsAborted(Finish()));
}

TEST_F(SdkFleetClient, TakesAStreamThatExistsForItsOwnOnceItWasWelcomedAnywhere) {
  options_.keeps_existing = true;
  Begin({one_.address()});
  Leave();
  for (FakeReferee* referee : {&one_, &referee_}) {
    EXPECT_TRUE(referee->Hear().has_hello());
    referee->EndStream(grpc::Status(grpc::ALREADY_EXISTS, "not noticed yet"));
  }
  one_.Greet();
}

TEST_F(SdkFleetClient, GivesUpInTimeWhoeverElseThereIs) {
  options_.give_up_after = absl::ZeroDuration();
  Begin({one_.address()});
  Leave();
  EXPECT_TRUE(absl::IsUnavailable(Finish()));
}

TEST_F(SdkFleetClient, SaysOnceWhomItDoesNotTrustAndWhoElseThereIs) {
  KeepLog(LogLevel::kInfo);
  const std::vector<std::string> named = {"evil.example.net:443", "\n", referee_.address(),
                                          one_.address(), one_.address()};
  Begin(named);
  v1::RefereeItem again;
  for (const std::string& address : named) again.mutable_fleet()->add_addresses(address);
  referee_.Say({again, Item("fleet {}")});
  Sync(referee_);
  EXPECT_THAT(log_.All(), ElementsAre(HasSubstr("connected to"),
                                      HasSubstr("\"evil.example.net:443\": it is outside of"),
                                      HasSubstr("it is not host:port"),
                                      "other referees of the fleet: " + one_.address(),
                                      "other referees of the fleet: none"));
}

}  // namespace
}  // namespace referee::sdk

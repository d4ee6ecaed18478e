// Claims about the server as a whole: health, reflection, one address for one referee, its
// end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "referee/base/mutex.h"
#include "referee/replay/log_folder.h"
#include "tests/contract/byte_stream.h"
#include "tests/contract/moved_time.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"

namespace referee::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Server, RefusesAnAddressThatIsTaken) {
  RefereeUnderTest::Options options;
  options.listen = "127.0.0.1:0";
  const RefereeUnderTest first(options);
  const absl::Status second = first.StartAnother(first.address());
  EXPECT_TRUE(absl::IsUnavailable(second)) << second;
  EXPECT_THAT(std::string(second.message()), HasSubstr("another referee"));
}

TEST(Server, EndsInOrderWithMatchesRunning) {
  RefereeUnderTest referee;
  Table table(&referee);
  table.WaitForTurn();
  referee.Stop();
  for (RawBot* bot : {&table.alice, &table.bob}) {
    EXPECT_TRUE(bot->Hear(v1::RefereeItem::kDraining).has_draining());
    const v1::Verdict verdict = bot->Hear(v1::RefereeItem::kMatchEnd).match_end().verdict();
    EXPECT_EQ(verdict.state(), v1::MATCH_STATE_VOID);
    EXPECT_EQ(verdict.seed().size(), 32u);
    const grpc::Status status = bot->End();
    EXPECT_TRUE(status.ok()) << status.error_message();
  }
}

TEST(Server, LetsRunningMatchesEndWhileItDrains) {
  RefereeUnderTest referee;
  Table table(&referee);
  table.WaitForTurn();
  std::thread stopping([&] { referee.Stop(kPatience); });
  EXPECT_GT(table.other->Hear(v1::RefereeItem::kDraining).draining().time_left().seconds(), 0);
  table.PlayTurn();
  table.alice.Say(ResignFrom(table.match_id));
  for (RawBot* bot : {&table.alice, &table.bob}) {
    EXPECT_EQ(bot->Hear(v1::RefereeItem::kMatchEnd).match_end().verdict().state(),
              v1::MATCH_STATE_FINISHED);
    EXPECT_TRUE(bot->End().ok());
  }
  stopping.join();
}

// A disk that writes nothing until it is told to.
class StuckDisk {
 public:
  replay::WriteHook Hook() {
    return [this](const replay::WritePoint& point) {
      MutexLock lock(&mutex_);
      ++waiting_;
      changed_.NotifyAll();
      while (stuck_) changed_.Wait(&mutex_);
      return point.bytes;
    };
  }
  // Returns false if there are not as many.
  bool WaitForWrites(int count) {
    const absl::Time until = absl::Now() + kPatience;
    MutexLock lock(&mutex_);
    while (waiting_ < count && absl::Now() < until) {
      changed_.WaitFor(&mutex_, std::chrono::seconds(1));
    }
    return waiting_ >= count;
  }
  void Work() {
    MutexLock lock(&mutex_);
    stuck_ = false;
    changed_.NotifyAll();
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  int waiting_ = 0;
  bool stuck_ = true;
};

TEST(Server, HearsBotsWhileCallsWaitForTheDisk) {
  constexpr int kCalls = host::kSyncingThreads;
  StuckDisk disk;
  RefereeUnderTest::Options options;
  options.at_write = disk.Hook();
  RefereeUnderTest referee(options);
  std::vector<std::thread> calls;
  for (int i = 0; i < kCalls; ++i) {
    calls.emplace_back([&] { referee.Create({"alice", "bob"}); });
  }
  // The others wait for this one.
  EXPECT_TRUE(disk.WaitForWrites(1));
  RawBot alice(&referee, "alice");
  disk.Work();
  for (std::thread& call : calls) call.join();
}

TEST(Server, EndsNoCallBecauseItsOwnDiskIsSlow) {
  MovedTime time;
  StuckDisk disk;
  RefereeUnderTest::Options options;
  options.at_write = disk.Hook();
  options.clock = &time.clock();
  options.timers = &time.timers();
  options.call_limits.patience = absl::Seconds(1);
  RefereeUnderTest referee(options);
  std::string match_id;
  std::thread call([&] { match_id = referee.Create({"alice", "bob"}); });
  EXPECT_TRUE(disk.WaitForWrites(1));
  std::promise<void> later;
  const host::Timer after =
      time.timers().At(time.clock().Now() + absl::Seconds(2), [&] { later.set_value(); });
  time.Pass(absl::Seconds(2));
  later.get_future().wait();
  disk.Work();
  call.join();
  EXPECT_THAT(match_id, Not(::testing::IsEmpty()));
}

// --- What tools expect of any server. ---

TEST(Server, IsHealthy) {
  const RefereeUnderTest referee;
  ByteStream check(referee.NewChannel(), "/grpc.health.v1.Health/Check");
  ASSERT_TRUE(check.Write(""));
  std::string response;
  ASSERT_TRUE(check.Read(&response));
  EXPECT_EQ(response, "\x08\x01") << "status: SERVING";
}

TEST(Server, ListsItsServices) {
  const RefereeUnderTest referee;
  ByteStream reflection(referee.NewChannel(),
                        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo");
  ASSERT_TRUE(reflection.Write(std::string("\x3a\x00", 2)));  // list_services: ""
  std::string response;
  ASSERT_TRUE(reflection.Read(&response));
  for (const char* service : {"referee.v1.BotService", "referee.v1.MatchService",
                              "referee.v1.ReplayService", "grpc.health.v1.Health"}) {
    EXPECT_THAT(response, HasSubstr(service));
  }
}

TEST(Server, TakesNoCompressedMessages) {
  const RefereeUnderTest referee;
  for (const char* method :
       {"/referee.v1.BotService/Play", "/referee.v1.MatchService/CreateMatch",
        "/referee.v1.MatchService/WatchMatch", "/referee.v1.ReplayService/GetReplay",
        "/grpc.health.v1.Health/Check", "/grpc.health.v1.Health/Watch",
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"}) {
    for (const grpc_compression_algorithm packed : {GRPC_COMPRESS_GZIP, GRPC_COMPRESS_DEFLATE}) {
      ByteStream call(referee.NewChannel(), method, "olga", packed);
      call.Write(std::string(10'000, '\0'));
      call.SayLast();
      EXPECT_EQ(call.End().error_code(), grpc::StatusCode::UNIMPLEMENTED) << method;
    }
  }
}

// gRPC asks for memory back wherever a part of a message is given up. It may refuse these bots what
// they want, but not end.
TEST(Server, GoesOnWhenItsTransportIsOutOfMemory) {
  RefereeUnderTest::Options options;
  options.transport_bytes = 64 * 1024;
  RefereeUnderTest referee(options);
  const v1::BotItem large = MoveIn("x", 1, std::string(50'000, 'x'));
  for (int i = 0; i < 300; ++i) {
    RawBot carol(referee.NewChannel());
    if (!carol.Say(HelloAs("carol"))) continue;
    for (int j = 0; j < 5 && carol.Say(large); ++j) continue;
  }
}

// What reflection says to somebody, and how it ends.
std::pair<std::string, grpc::Status> Reflect(const RefereeUnderTest& referee,
                                             const std::string& name) {
  ByteStream reflection(referee.NewChannel(),
                        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", name);
  reflection.Write(std::string("\x3a\x00", 2));  // list_services: ""
  std::string response;
  reflection.Read(&response);
  reflection.SayLast();
  return {response, reflection.End()};
}

TEST(Server, ReflectsOnlyToThoseWhoMayRead) {
  RefereeUnderTest::Options options;
  options.readers = service::Readers::kObservers;
  const RefereeUnderTest referee(options);
  for (const char* name : {"", "nobody"}) {
    const auto [said, status] = Reflect(referee, name);
    EXPECT_THAT(said, Not(HasSubstr("referee.v1.")));
    EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAUTHENTICATED);
  }
  const auto [said, status] = Reflect(referee, "oscar");
  EXPECT_THAT(said, HasSubstr("referee.v1.BotService"));
  EXPECT_TRUE(status.ok()) << status.error_message();
}

TEST(Server, IsAskedForItsHealthByAnybody) {
  RefereeUnderTest::Options options;
  options.readers = service::Readers::kObservers;
  const RefereeUnderTest referee(options);
  ByteStream health(referee.NewChannel(), "/grpc.health.v1.Health/Check");
  health.Write("");
  health.SayLast();
  EXPECT_TRUE(health.End().ok());
}

TEST(Server, BoundsHowOftenItIsAskedForItsHealth) {
  RefereeUnderTest::Options options;
  options.call_limits.address.rate = {0, 3};
  const RefereeUnderTest referee(options);
  const auto ask = [&] {
    ByteStream health(referee.NewChannel(), "/grpc.health.v1.Health/Check");
    health.Write("");
    health.SayLast();
    return health.End().error_code();
  };
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ask(), grpc::StatusCode::OK);
  EXPECT_EQ(ask(), grpc::StatusCode::RESOURCE_EXHAUSTED);
}

}  // namespace
}  // namespace referee::testing

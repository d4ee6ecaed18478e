// refgate in front of refereed, with real bots: what watchers hear when either is killed.

#include <signal.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/program.h"
#include "tests/support/accounts.h"
#include "tests/support/http_client.h"

namespace referee::end_to_end {
namespace {

using ::referee::testing::AddAccount;
using ::referee::testing::Event;
using ::referee::testing::EventStream;
using ::referee::testing::Get;
using ::testing::HasSubstr;
using Json = nlohmann::json;

class GateProgram : public SandboxTest {
 protected:
  void SetUp() override {
    for (const std::string name : {"alice", "bob"}) AddAccount(Path("data"), name, name + "-token");
    AddAccount(Path("data"), "olga", "olga-token", store::Role::kOrganiser);
    StartReferee();
    StartGate("127.0.0.1:0");
  }
  void TearDown() override {
    for (const pid_t pid : {gate_, referee_}) {
      kill(pid, SIGTERM);
      const Ran ran = sandbox_.Await(pid);
      EXPECT_EQ(ran.status, 0) << ran.err;
    }
  }

  void StartReferee() {
    referee_ = sandbox_.Start(
        {"refereed", "--listen", socket_, "--data-dir", Path("data"), "--drain-timeout", "0s"});
    ASSERT_TRUE(Eventually([this] { return Match({"list"}).status == 0; }));
  }
  void StartGate(const std::string& listen, std::vector<std::string> more = {}) {
    std::remove(Path("port").c_str());
    std::vector<std::string> command = {"refgate", "--referee",   socket_,     "--listen",
                                        listen,    "--port-file", Path("port")};
    command.insert(command.end(), more.begin(), more.end());
    gate_ = sandbox_.Start(command);
    int port = 0;
    ASSERT_TRUE(Eventually([&] { return static_cast<bool>(std::ifstream(Path("port")) >> port); }))
        << sandbox_.Written(gate_).err;
    address_ = absl::StrCat("127.0.0.1:", port);
  }
  void KillGate() {
    kill(gate_, SIGKILL);
    sandbox_.Await(gate_);
  }

  Ran Match(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"refctl", "match"});
    return sandbox_.Run(arguments, {{"REFEREE_ADDRESS", socket_}, {"REFEREE_TOKEN", "olga-token"}});
  }
  // Makes a match of some seconds, always the same one of 60 turns, and returns its id.
  std::string Create() {
    const Ran ran = Match({"create", "--game", "hypnosia", "--bot", "alice", "--bot", "bob",
                           "--option", "turn_limit=60", "--time", "10s", "--seed", "1"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    for (const char* name : {"alice", "bob"}) {
      sandbox_.Start(
          {"tests/faulty", "--late-ms=20"},
          {{"REFEREE_ADDRESS", socket_}, {"REFEREE_TOKEN", absl::StrCat(name, "-token")}});
    }
    return std::string(absl::StripAsciiWhitespace(ran.out));
  }

  // A watcher that comes back as a browser does, and what it has heard in all.
  struct Watched {
    Json frames = Json::array();
    std::string id;
    bool over = false;

    // Hears up to `events` events, fewer if the stream ends.
    void Hear(EventStream* stream, int events) {
      for (int i = 0; i < events && !over; ++i) {
        const absl::optional<Event> event = stream->Hear();
        if (!event) return;
        id = event->id;
        over = event->name == "verdict";
        if (event->name == "view") frames = Json::parse(event->data).value("frames", Json::array());
        if (event->name == "frame") {
          for (const Json& frame : Json::parse(event->data)) frames.push_back(frame);
        }
      }
    }
  };
  Json FramesOfReplay(const std::string& match_id) {
    const auto answer = Get(address_, absl::StrCat("/api/v1/replays/", match_id, "/view"));
    EXPECT_EQ(answer.code, 200) << answer.body;
    return Json::parse(answer.body)["frames"];
  }

  const std::string socket_ = "unix:" + Path("socket");
  std::string address_;
  pid_t referee_ = -1;
  pid_t gate_ = -1;
};

TEST_F(GateProgram, IsKilledAndWhoComesBackMissesNothing) {
  const std::string match_id = Create();
  const std::string target = absl::StrCat("/api/v1/matches/", match_id, "/events");
  Watched watched;
  {
    EventStream stream(address_, target);
    watched.Hear(&stream, 4);
    EXPECT_FALSE(watched.over);
    KillGate();
  }
  const size_t before = watched.frames.size();
  StartGate(address_);
  EventStream again(address_, target, watched.id);
  const absl::optional<Event> next = again.Hear();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->name, "frame") << "not all of it anew";
  for (const Json& frame : Json::parse(next->data)) watched.frames.push_back(frame);
  EXPECT_GT(watched.frames.size(), before);
  watched.Hear(&again, 10'000);
  EXPECT_TRUE(watched.over);
  EXPECT_EQ(watched.frames.size(), 61u);
  EXPECT_EQ(watched.frames, FramesOfReplay(match_id));
}

TEST_F(GateProgram, GoesOnWhenTheRefereeIsKilledAndStartedAgain) {
  const std::string match_id = Create();
  EventStream stream(address_, absl::StrCat("/api/v1/matches/", match_id, "/events"));
  Watched watched;
  watched.Hear(&stream, 4);
  kill(referee_, SIGKILL);
  sandbox_.Await(referee_);
  StartReferee();
  // These bots do not come back; others do.
  for (const char* name : {"alice", "bob"}) {
    sandbox_.Start({"bots/random"},
                   {{"REFEREE_ADDRESS", socket_}, {"REFEREE_TOKEN", absl::StrCat(name, "-token")}});
  }
  watched.Hear(&stream, 10'000);
  EXPECT_TRUE(watched.over);
  EXPECT_EQ(watched.frames, FramesOfReplay(match_id));
}

TEST_F(GateProgram, TakesTicketsThatRefctlMakes) {
  KillGate();
  std::ofstream(Path("key")) << std::string(32, 'k');
  StartGate(address_, {"--ticket-key-file", Path("key")});
  EXPECT_EQ(Get(address_, "/api/v1/matches").code, 403);
  const Ran ran =
      sandbox_.Run({"refctl", "gate", "ticket", "--key-file", Path("key"), "--for", "1h"});
  ASSERT_EQ(ran.status, 0) << ran.err;
  const std::string ticket(absl::StripAsciiWhitespace(ran.out));
  EXPECT_EQ(Get(address_, "/api/v1/matches?ticket=" + ticket).code, 200);
}

TEST_F(GateProgram, SaysWhatIsWrongWithItsCommandLine) {
  const auto refused = [this](std::vector<std::string> more) {
    more.insert(more.begin(), "refgate");
    const Ran ran = sandbox_.Run(more, {{"REFEREE_TOKEN", ""}});
    EXPECT_EQ(ran.status, 2) << ran.err;
    return ran.err;
  };
  EXPECT_THAT(refused({"--listen", "nowhere"}), HasSubstr("--listen"));
  EXPECT_THAT(refused({"--listen", address_}), HasSubstr("cannot listen"));
  EXPECT_THAT(refused({"--max-connections", "0"}), HasSubstr("1 to"));
  EXPECT_THAT(refused({"--export", Path("site"), "--listen", address_}), HasSubstr("excludes"));
  EXPECT_THAT(refused({"--export", ""}), HasSubstr("--export"));
  EXPECT_THAT(refused({"--title", "Games"}), HasSubstr("requires --export"));
  std::ofstream(Path("short")) << "short";
  EXPECT_THAT(refused({"--ticket-key-file", Path("short")}), HasSubstr("at least 32 bytes"));
  std::ofstream(Path("accent")) << "rfb_\xc3\xa9";
  EXPECT_THAT(refused({"--public", "--token-file", Path("accent")}), HasSubstr("byte 5"));
  std::ofstream(Path("token")) << "oscar-token";
  EXPECT_THAT(refused({"--token-file", Path("token")}), HasSubstr("--public"));
}

}  // namespace
}  // namespace referee::end_to_end

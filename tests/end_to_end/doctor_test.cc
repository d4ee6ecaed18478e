// refctl doctor with the sample bots, and with bots that have one fault each.
#include <signal.h>
#include <sys/types.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/program.h"

namespace referee::end_to_end {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using Json = nlohmann::json;

class Doctor : public SandboxTest {
 protected:
  ~Doctor() override {
    EXPECT_TRUE(Eventually([this] { return sandbox_.Running().empty(); }));
    EXPECT_TRUE(sandbox_.TempIsEmpty());
  }

  Ran Visit(const std::string& bot, const std::vector<std::string>& more = {}) {
    std::vector<std::string> command = {"refctl", "doctor", "--bot", bot};
    command.insert(command.end(), more.begin(), more.end());
    return sandbox_.Run(command);
  }

  Json VisitForJson(const std::string& bot, std::vector<std::string> more = {}) {
    more.push_back("--json");
    const Ran ran = Visit(bot, more);
    Json json = Json::parse(ran.out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << ran.out << ran.err;
    json["status"] = ran.status;
    return json;
  }

  static Json Find(const Json& visit, const std::string& check) {
    for (const Json& one : visit["checks"]) {
      if (one["name"] == check) return one;
    }
    return {};
  }

  // The checks of a verdict, with what was seen.
  static std::vector<std::string> Of(const Json& visit, const std::string& verdict) {
    std::vector<std::string> found;
    for (const Json& one : visit["checks"]) {
      if (one["verdict"] == verdict)
        found.push_back(one["name"].dump() + ": " + one["seen"].dump());
    }
    return found;
  }

  const std::string ailing_ = Program("tests/ailing");
};

// --- Bots that are well ---

class WellBot : public Doctor, public ::testing::WithParamInterface<const char*> {};

TEST_P(WellBot, PassesEveryCheck) {
  const Json visit = VisitForJson(Program(GetParam()));
  EXPECT_THAT(Of(visit, "fail"), IsEmpty());
  EXPECT_THAT(Of(visit, "skipped"), IsEmpty());
  EXPECT_EQ(visit["status"], 0);
}
INSTANTIATE_TEST_SUITE_P(Bots, WellBot,
                         ::testing::Values("bots/random", "bots/greedy", "bots/strong",
                                           "tests/ailing", "tests/ailing notations"));

TEST_F(Doctor, TellsPeopleWhatItSawAndWhatWouldBeRight) {
  const Ran well = Visit(ailing_, {"--check", "pong"});
  EXPECT_EQ(well.status, 0) << well.err;
  EXPECT_THAT(well.out, HasSubstr("pass     pong          after "));
  EXPECT_THAT(well.out, HasSubstr("ailing: 3 passed, 0 failed"));
  EXPECT_THAT(well.out, Not(HasSubstr("\x1b")));
  const Ran ill = Visit(ailing_ + " pong-after-move", {"--check", "pong"});
  EXPECT_EQ(ill.status, 1) << ill.err;
  EXPECT_THAT(ill.out, HasSubstr("FAIL     pong          it answers pings after its move"));
  EXPECT_THAT(ill.out, HasSubstr("right: a ping comes after a turn request"));
}

// A doctor that waits for a bot that somebody else starts.
class WaitingDoctor : public Doctor {
 protected:
  void Wait(const std::string& listen) {
    doctor_ = sandbox_.Start({"refctl", "doctor", "--listen", listen, "--json", "--check", "moves",
                              "--check", "the end"});
    const std::string named = "REFEREE_ADDRESS=";
    ASSERT_TRUE(Eventually([&] {
      const std::string said = sandbox_.Written(doctor_).err;
      const size_t at = said.find(named);
      const size_t end = said.find(' ', at);
      if (at == std::string::npos || end == std::string::npos) return false;
      address_ = said.substr(at + named.size(), end - at - named.size());
      return true;
    }));
  }

  // What a bot has in its environment.
  Sandbox::Environment Place() const {
    return {{"REFEREE_ADDRESS", address_}, {"REFEREE_TOKEN", "whatever"}};
  }

  Json Visited() {
    const Ran ran = sandbox_.Await(doctor_);
    Json json = Json::parse(ran.out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << ran.out << ran.err;
    json["status"] = ran.status;
    return json;
  }

  std::string address_;  // that the doctor names
  pid_t doctor_ = -1;
};

TEST_F(WaitingDoctor, TakesABotAtAUnixSocket) {
  const std::string listen = absl::StrCat("unix:", sandbox_.path(), "/socket");
  Wait(listen);
  EXPECT_EQ(address_, listen);
  const Ran bot = sandbox_.Run({"bots/random"}, Place());
  EXPECT_EQ(bot.status, 0) << bot.err;
  const Json visit = Visited();
  EXPECT_EQ(Find(visit, "the end")["seen"], "it stays away") << visit;
  EXPECT_EQ(visit["status"], 0);
}

TEST_F(WaitingDoctor, TakesABotAtAFreePortThatItNames) {
  Wait("127.0.0.1:0");
  EXPECT_THAT(address_, MatchesRegex("127\\.0\\.0\\.1:[1-9][0-9]*"));
  const Ran bot = sandbox_.Run({"bots/random"}, Place());
  EXPECT_EQ(bot.status, 0) << bot.err;
  const Json visit = Visited();
  EXPECT_EQ(Find(visit, "moves")["verdict"], "pass") << visit;
  EXPECT_EQ(Find(visit, "the end")["seen"], "it stays away") << visit;
  EXPECT_EQ(visit["status"], 0);
}

TEST_F(Doctor, ListensOnlyWhereItCan) {
  for (const char* const address : {"127.0.0.1:70000", "127.0.0.1", "unix:/nowhere/socket"}) {
    const Ran ran = sandbox_.Run({"refctl", "doctor", "--listen", address});
    EXPECT_EQ(ran.status, 2) << address;
    EXPECT_THAT(ran.err, HasSubstr(address));
  }
}

// --- Bots that somebody starts again whenever they end ---

std::string StartedAgain(const std::string& bot) {
  return absl::StrCat("again=while :; do ", bot, "; done");
}

TEST_F(Doctor, SeesThatABotEndsThatIsStartedAgain) {
  const Json visit = VisitForJson(StartedAgain(ailing_), {"--check", "SIGTERM", "--check",
                                                          "final status", "--check", "the end"});
  EXPECT_THAT(Of(visit, "fail"), IsEmpty());
  EXPECT_EQ(Find(visit, "final status")["verdict"], "note") << visit;
  EXPECT_EQ(Find(visit, "the end")["seen"], "it ended, and whoever starts it goes on");
  EXPECT_EQ(visit["status"], 0);
}

TEST_F(Doctor, SeesThatABotDoesNotEndThoughItWouldBeStartedAgain) {
  const Json visit = VisitForJson(StartedAgain(ailing_ + " knows-no-end"), {"--check", "the end"});
  EXPECT_EQ(Find(visit, "the end")["seen"], "it came back") << visit;
  EXPECT_EQ(visit["status"], 1);
}

TEST_F(WaitingDoctor, DoesNotBlameABotThatMayHaveBeenStartedAgain) {
  Wait("127.0.0.1:0");
  const pid_t again =
      sandbox_.Start({"tests/ailing", "knows-no-end"}, Place());  // to TCP it looks the same
  const Json visit = Visited();
  EXPECT_EQ(Find(visit, "the end")["verdict"], "note") << visit;
  EXPECT_EQ(visit["status"], 0);
  kill(again, SIGKILL);
  sandbox_.Await(again);
}

// --- Faults, one a bot ---

struct Fault {
  const char* name;   // as tests/ailing takes it
  const char* check;  // that is made for it
  const char* seen;
};

// ctest names the test by this.
void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.check; }

class IllBot : public Doctor, public ::testing::WithParamInterface<Fault> {};

TEST_P(IllBot, IsFoundOutByTheCheckMadeForIt) {
  const Fault& fault = GetParam();
  const Json visit = VisitForJson(absl::StrCat(ailing_, " ", fault.name), {"--check", fault.check});
  const Json check = Find(visit, fault.check);
  EXPECT_EQ(check["verdict"], "fail") << visit;
  EXPECT_THAT(check["seen"].get<std::string>(), HasSubstr(fault.seen));
  EXPECT_NE(check["right"], "");
  EXPECT_EQ(visit["status"], 1);
}
INSTANTIATE_TEST_SUITE_P(
    Faults, IllBot,
    ::testing::Values(Fault{"ready-before-hello", "hello", "something else before Hello"},
                      Fault{"minds-the-unknown", "unknown", "closed the stream"},
                      Fault{"no-hash", "ready", "ready.nonce_hash has 0 bytes"},
                      Fault{"other-nonce", "nonces", "is not the hash that it told"},
                      Fault{"no-second-ready", "told again", "did not say Ready"},
                      Fault{"plays-eight", "at once", "of 64 matches"},
                      Fault{"rotation-zero", "block", "rotation 1"},
                      Fault{"passes", "moves", "is illegal"},
                      Fault{"ready-when-resumed", "resumed", "Ready for a match under way"},
                      Fault{"pong-after-move", "pong", "after its move"},
                      Fault{"no-second-try", "retry", "answer the turn again"},
                      Fault{"first-request", "forfeits", "took the place of another"},
                      Fault{"ignores-limit", "bank", "with 400 ms left"},
                      Fault{"hammers", "comes back", "attempts within"},
                      Fault{"leaves-for-good", "comes back", "come back"},
                      Fault{"hangs-up-on-draining", "draining", "while the referee drains"},
                      Fault{"knows-no-end", "final status",
                            "came back after the status UNAUTHENTICATED"},
                      Fault{"ignores-sigterm", "SIGTERM", "did not end within two seconds"}),
    [](const auto& info) {
      std::string name = info.param.name;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST_F(Doctor, SaysThatABotNeverConnects) {
  const Ran ran = Visit("exit 3", {"--json"});
  EXPECT_EQ(ran.status, 1);
  const Json visit = Json::parse(ran.out);
  EXPECT_THAT(Find(visit, "connects")["seen"].get<std::string>(),
              HasSubstr("exited with status 3"));
  EXPECT_EQ(Find(visit, "moves")["verdict"], "skipped");
}

TEST_F(Doctor, NeedsABotOrAnAddress) {
  const Ran ran = sandbox_.Run({"refctl", "doctor"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_THAT(ran.err, HasSubstr("--listen"));
}

}  // namespace
}  // namespace referee::end_to_end

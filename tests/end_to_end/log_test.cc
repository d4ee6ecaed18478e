// The log of a referee that plays a tournament: lines of JSON that tell its course, and no token.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/competition_fixture.h"

namespace referee::end_to_end {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using Json = nlohmann::json;

class Log : public CompetitionFixture {
 protected:
  // What was said so far, by event. Every line is to be JSON; the last one may not be whole yet.
  std::multimap<std::string, Json> Events() const {
    std::multimap<std::string, Json> events;
    std::string said = RefereeSaid();
    said.resize(said.rfind('\n') + 1);
    for (const absl::string_view line : absl::StrSplit(said, '\n', absl::SkipEmpty())) {
      const Json json = Json::parse(line.begin(), line.end(), nullptr, false);
      EXPECT_TRUE(json.is_object()) << line;
      if (!json.is_object()) continue;
      for (const char* always : {"time", "level", "event", "message"}) {
        EXPECT_TRUE(json.contains(always)) << line;
      }
      events.emplace(json.value("event", ""), json);
    }
    return events;
  }
  static std::set<std::string> Values(const std::multimap<std::string, Json>& events,
                                      const std::string& event, const std::string& field) {
    std::set<std::string> values;
    const auto [begin, end] = events.equal_range(event);
    for (auto it = begin; it != end; ++it) values.insert(it->second.value(field, ""));
    return values;
  }
};

TEST_F(Log, TellsTheCourseOfATournamentInJson) {
  StartReferee({"--log-format", "json"});
  for (const char* name : {"alice", "bob"}) AddBot(name);
  Well({"create", "spring", "--format", "round-robin", "--game", "hypnosia", "--bots", "alice,bob",
        "--option", "turn_limit=20", "--time", "30s", "--start"});
  StartBot("alice", {"bots/random"});
  StartBot("bob", {"tests/faulty", "--illegal-at=5"});
  ASSERT_TRUE(Eventually([&] {
    return absl::StrContains(Well({"show", "spring", "--json"}), "_FINISHED\"");
  }));
  // The log is written by a thread of its own.
  ASSERT_TRUE(Eventually([&] {
    const auto so_far = Events();
    return so_far.count("match_begun") >= 2 &&
           so_far.count("match_ended") == so_far.count("match_begun");
  }));
  const auto events = Events();
  EXPECT_EQ(events.count("started"), 1);
  EXPECT_EQ(Values(events, "bot_connected", "bot"), (std::set<std::string>{"alice", "bob"}));
  EXPECT_EQ(Values(events, "match_ended", "match"), Values(events, "match_begun", "match"));
  EXPECT_EQ(Values(events, "forfeit", "bot"), std::set<std::string>{"bob"});
  const auto competitions = Values(events, "match_ended", "competition");
  EXPECT_THAT(competitions, SizeIs(1));
  EXPECT_EQ(competitions.count(""), 0);
  EXPECT_EQ(Values(events, "match_ended", "block").count(""), 0);
}

TEST_F(Log, NamesWhoIsRefusedAndNeverAToken) {
  StartReferee({"--log-format", "json"});
  const std::string token = "rfb_not-a-token-of-anybody";
  const auto refused = [&](const std::vector<std::string>& command) {
    sandbox_.Run(command,
                 {{"REFEREE_ADDRESS", "unix:" + Path("socket")}, {"REFEREE_TOKEN", token}});
  };
  refused({"refctl", "bot", "list"});
  refused({"tests/faulty"});
  ASSERT_TRUE(Eventually([&] { return absl::StrContains(RefereeSaid(), "bot_refused"); }));
  const auto events = Events();
  EXPECT_EQ(Values(events, "bot_refused", "level"), std::set<std::string>{"warning"});
  EXPECT_EQ(Values(events, "bot_refused", "address"), std::set<std::string>{"unix"});
  EXPECT_EQ(Values(events, "call_refused", "address"), std::set<std::string>{"unix"});
  EXPECT_THAT(RefereeSaid(), Not(HasSubstr(token)));
}

TEST_F(Log, SaysInJsonWhyItDoesNotStart) {
  StartReferee({"--log-format", "json"});
  const Ran second = sandbox_.Run({"refereed", "--listen", "127.0.0.1:0", "--data-dir",
                                   Path("data"), "--log-format", "json", "--log-level", "error"});
  EXPECT_EQ(second.status, 2);
  EXPECT_EQ(Json::parse(second.err, nullptr, false).value("event", ""), "cannot_start")
      << second.err;
}

}  // namespace
}  // namespace referee::end_to_end

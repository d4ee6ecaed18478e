// The metrics of a referee that plays a tournament of real bots: they say what its archive says.

#include <map>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/competition_fixture.h"
#include "tests/support/http_client.h"
#include "tests/support/metrics_text.h"

namespace referee::end_to_end {
namespace {

using ::referee::testing::Get;
using ::referee::testing::MetricsText;
using ::referee::testing::ParseMetrics;

class Metrics : public CompetitionFixture {
 protected:
  void SetUp() override {
    StartReferee({"--metrics", "0", "--durability", "match"});
    const std::string said = RefereeSaid();
    const size_t begin = said.find("http://") + 7;
    address_ = said.substr(begin, said.find('/', begin) - begin);
    for (const char* name : {"alice", "bob", "carol"}) AddBot(name);
  }

  MetricsText Scrape() const {
    const testing::HttpAnswer answer = Get(address_, "/metrics");
    EXPECT_EQ(answer.code, 200);
    const auto text = ParseMetrics(answer.body);
    EXPECT_TRUE(text) << answer.body;
    return text.value_or(MetricsText());
  }
  static double SumOf(const MetricsText& text, const std::string& metric) {
    double sum = 0;
    for (const auto& [sample, value] : text.samples) {
      if (sample.substr(0, sample.find('{')) == metric) sum += value;
    }
    return sum;
  }

  // The same counts from the archive.
  std::map<std::string, double> Archived() {
    const Ran ran =
        Refctl({"archive", "list", "--json", "--limit", "1000", "--data-dir", Path("data")});
    EXPECT_EQ(ran.status, 0) << ran.err;
    std::map<std::string, double> counts;
    for (const absl::string_view line : absl::StrSplit(ran.out, '\n', absl::SkipEmpty())) {
      const auto match = nlohmann::json::parse(line);
      const std::string game = absl::StrCat("{game=\"", match["game"].get<std::string>(), "\"");
      counts[absl::StrCat("referee_turns_total", game, "}")] += match["turns"].get<double>();
      ++counts[absl::StrCat("referee_matches_ended_total", game, ",ending=\"",
                            match["ending"].get<std::string>(), "\"}")];
      for (const auto& seat : match["seats"]) {
        if (!seat.contains("forfeit")) continue;
        ++counts[absl::StrCat("referee_forfeits_total", game, ",cause=\"",
                              seat["forfeit"].get<std::string>(), "\"}")];
      }
    }
    return counts;
  }

  std::string address_;
};

TEST_F(Metrics, SayWhatTheArchiveSays) {
  Well({"create", "spring", "--format", "round-robin", "--game", "hypnosia", "--bots",
        "alice,bob,carol", "--option", "turn_limit=20", "--time", "30s", "--start"});
  EXPECT_EQ(Scrape()["referee_bots_connected"], 0);
  EXPECT_TRUE(Eventually([&] { return Scrape()["referee_competitions"] == 1; }));
  StartBot("alice", {"bots/random"});
  StartBot("bob", {"bots/random"});
  StartBot("carol", {"tests/faulty", "--illegal-at=5"});
  ASSERT_TRUE(Eventually([&] {
    return absl::StrContains(Well({"show", "spring", "--json"}), "_FINISHED\"");
  }));
  EXPECT_TRUE(Eventually([&] { return Scrape()["referee_competitions"] == 0; }));
  const std::map<std::string, double> archived = Archived();
  EXPECT_GT(archived.at("referee_forfeits_total{game=\"hypnosia\",cause=\"ILLEGAL\"}"), 0);
  MetricsText text = Scrape();
  for (const char* metric :
       {"referee_turns_total", "referee_matches_ended_total", "referee_forfeits_total"}) {
    double all = 0;
    for (const auto& [sample, value] : archived) {
      if (!absl::StartsWith(sample, metric)) continue;
      EXPECT_EQ(text[sample], value) << sample;
      all += value;
    }
    EXPECT_EQ(SumOf(text, metric), all) << metric;
  }
  EXPECT_EQ(SumOf(text, "referee_blocks_total"), BlocksCounted("spring"));
  EXPECT_EQ(text["referee_bots_connected"], 3);
  EXPECT_EQ(SumOf(text, "referee_matches_running"), 0);
  EXPECT_EQ(SumOf(text, "referee_matches_waiting"), 0);
  // A turn that was asked for has each of the three times; a pass has none.
  EXPECT_GT(text["referee_turn_bot_seconds_count"], 0);
  EXPECT_LE(text["referee_turn_bot_seconds_count"], SumOf(text, "referee_turns_total"));
  EXPECT_EQ(text["referee_turn_own_seconds_count"], text["referee_turn_bot_seconds_count"]);
  EXPECT_EQ(text["referee_turn_network_seconds_count"], text["referee_turn_bot_seconds_count"]);
  const std::string play =
      "{grpc_service=\"referee.v1.BotService\",grpc_method=\"Play\",grpc_type=\"bidi_stream\"}";
  EXPECT_EQ(text["grpc_server_started_total" + play], 3);
  EXPECT_GT(text["grpc_server_msg_received_total" + play], 3);
  EXPECT_GT(text["grpc_server_msg_sent_total" + play], 3);
  EXPECT_EQ(text["referee_blocks_uncounted"], 0);
  EXPECT_GT(text["referee_lease_remaining_seconds"], 0);
  EXPECT_EQ(text["referee_leases_lost_total"], 0);
  EXPECT_GT(text["referee_log_sync_seconds_count"], 0);
  EXPECT_GT(text["referee_store_apply_seconds_count"], 0);
  EXPECT_EQ(text["referee_store_up"], 1);
}

TEST_F(Metrics, CountCallsByMethodAndCode) {
  const auto of = [](const std::string& service, const std::string& method) {
    return absl::StrCat("{grpc_service=\"referee.v1.", service, "\",grpc_method=\"", method,
                        "\",grpc_type=\"unary\"");
  };
  EXPECT_EQ(Competition({"show", "nothing"}).status, 1);
  const MetricsText text = Scrape();
  const std::string shown = of("CompetitionService", "GetCompetition");
  EXPECT_EQ(text[absl::StrCat("grpc_server_started_total", shown, "}")], 1);
  EXPECT_EQ(text[absl::StrCat("grpc_server_handled_total", shown, ",grpc_code=\"NOT_FOUND\"}")], 1);
  EXPECT_EQ(text[absl::StrCat("grpc_server_handled_total", of("AdminService", "AddBot"),
                              ",grpc_code=\"OK\"}")],
            3)
      << "bots that were added";
  EXPECT_EQ(text["grpc_server_handling_seconds_count{grpc_type=\"unary\"}"], 4);
}

}  // namespace
}  // namespace referee::end_to_end

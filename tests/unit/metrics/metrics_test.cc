#include "referee/metrics/metrics.h"

#include <unistd.h>

#include <ctime>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "tests/support/metrics_text.h"

namespace referee::metrics {
namespace {

using ::referee::testing::MetricsText;
using ::referee::testing::ParseMetrics;

constexpr size_t kMethods = 60;
constexpr size_t kStreams = 5;

// As many of each as there may be.
Names MostNames() {
  Names names;
  names.version = "refereed 1.0";
  for (size_t i = 0; i < 3 * kMaxGames; ++i) names.games.push_back(absl::StrCat("game-", i));
  names.causes = {"TIMEOUT", "ILLEGAL", "DISCONNECTED", "RESIGNED"};
  names.endings = {"FINISHED", "VOID", "CANCELLED"};
  names.block_outcomes = {"PLAYED", "FORFEITED", "DROPPED", "VOID"};
  for (size_t i = 0; i < kMethods; ++i) {
    names.methods.push_back({"S", absl::StrCat("M", i), i < kStreams ? "bidi_stream" : "unary"});
  }
  names.syncs_log = true;
  names.has_store = true;
  return names;
}

MetricsText Read(const Metrics& metrics) {
  const auto text = ParseMetrics(metrics.Text());
  EXPECT_TRUE(text) << metrics.Text();
  return text.value_or(MetricsText());
}

TEST(Metrics, TextIsWellFormedAndExplainsEachMetric) {
  const MetricsText text = Read(Metrics(MostNames()));
  EXPECT_GT(text.types.size(), 25);
  for (const auto& [name, type] : text.types) {
    EXPECT_EQ(type == "counter", absl::EndsWith(name, "_total")) << name;
    EXPECT_EQ(text.helps.count(name), 1) << name;
  }
  EXPECT_EQ(text["referee_build_info{version=\"refereed 1.0\"}"], 1);
}

TEST(Metrics, SeriesAreBoundedWithAllGamesAndCausesAndEndsOfCalls) {
  const Metrics metrics(MostNames());
  for (size_t method = 0; method < kMethods; ++method) {
    for (size_t code = 0; code < EndFamily::kCodes; ++code) metrics.calls_handled.Add(method, code);
  }
  EXPECT_LE(metrics.series(), kMaxSeries);
  EXPECT_EQ(Read(metrics).samples.size(), metrics.series());
}

TEST(Metrics, GamesBeyondTheBoundShareSeries) {
  const Metrics metrics(MostNames());
  metrics.turns.at(metrics.GameIndex("game-0")).Add();
  metrics.turns.at(metrics.GameIndex(absl::StrCat("game-", kMaxGames))).Add();
  metrics.turns.at(metrics.GameIndex("unheard-of")).Add();
  const MetricsText text = Read(metrics);
  EXPECT_EQ(text["referee_turns_total{game=\"game-0\"}"], 1);
  EXPECT_EQ(text["referee_turns_total{game=\"other\"}"], 2);
}

TEST(Metrics, CallsAreCountedByMethodAndCode) {
  const Metrics metrics(MostNames());
  metrics.calls_started.at(metrics.MethodIndex("S.M7")).Add();
  metrics.calls_handled.Add(metrics.MethodIndex("S.M7"), 5);
  metrics.messages_sent.at(metrics.MethodIndex("S.M0")).Add(3);
  const MetricsText text = Read(metrics);
  const std::string unary = "{grpc_service=\"S\",grpc_method=\"M7\",grpc_type=\"unary\"";
  EXPECT_EQ(text[absl::StrCat("grpc_server_started_total", unary, "}")], 1);
  EXPECT_EQ(text[absl::StrCat("grpc_server_handled_total", unary, ",grpc_code=\"NOT_FOUND\"}")], 1);
  EXPECT_EQ(text[absl::StrCat("grpc_server_handled_total", unary, ",grpc_code=\"OK\"}")], 0);
  EXPECT_EQ(text.samples.count(absl::StrCat("grpc_server_msg_sent_total", unary, "}")), 0);
  EXPECT_EQ(text["grpc_server_msg_sent_total{grpc_service=\"S\",grpc_method=\"M0\","
                 "grpc_type=\"bidi_stream\"}"],
            3);
}

TEST(Metrics, EndsOfCallsBeyondTheBoundAreCountedTogether) {
  const Metrics metrics(MostNames());
  double added = 0;
  for (size_t method = 0; method < kMethods; ++method) {
    for (size_t code = 0; code < EndFamily::kCodes; ++code, ++added) {
      metrics.calls_handled.Add(method, code);
    }
  }
  const MetricsText text = Read(metrics);
  double all = 0;
  double series = 0;
  for (const auto& [sample, value] : text.samples) {
    if (!absl::StartsWith(sample, "grpc_server_handled_total")) continue;
    all += value;
    ++series;
  }
  EXPECT_EQ(all, added);
  EXPECT_EQ(series, kMethods + EndFamily::kMaxOtherEnds + EndFamily::kCodes);
  EXPECT_GT(text["grpc_server_handled_total{grpc_service=\"other\",grpc_method=\"other\","
                 "grpc_type=\"other\",grpc_code=\"INTERNAL\"}"],
            0);
}

TEST(Metrics, SeriesOfTwoLabelsAreApart) {
  const Metrics metrics(MostNames());
  metrics.forfeits.at(2, 3).Add(7);
  const MetricsText text = Read(metrics);
  EXPECT_EQ(text["referee_forfeits_total{game=\"game-2\",cause=\"RESIGNED\"}"], 7);
  double all = 0;
  for (const auto& [sample, value] : text.samples) {
    if (absl::StartsWith(sample, "referee_forfeits_total")) all += value;
  }
  EXPECT_EQ(all, 7);
}

TEST(Metrics, BucketsOfTheTextAreCumulative) {
  const Metrics metrics(MostNames());
  metrics.turn_bot.at().Observe(absl::Microseconds(10));
  metrics.turn_bot.at().Observe(absl::Milliseconds(2));
  metrics.turn_bot.at().Observe(absl::Hours(1));
  const MetricsText text = Read(metrics);
  const auto bucket = [&](const std::string& bound) {
    return text[absl::StrCat("referee_turn_bot_seconds_bucket{le=\"", bound, "\"}")];
  };
  EXPECT_EQ(bucket("1e-05"), 1);
  EXPECT_EQ(bucket("0.001"), 1);
  EXPECT_EQ(bucket("0.003"), 2);
  EXPECT_EQ(bucket("100"), 2);
  EXPECT_EQ(bucket("+Inf"), 3);
  EXPECT_EQ(text["referee_turn_bot_seconds_count"], 3);
  EXPECT_NEAR(text["referee_turn_bot_seconds_sum"], 3600.00201, 1e-6);
}

TEST(Metrics, RefreshSetsGaugesBeforeEachScrapeUntilItIsTakenAway) {
  Metrics metrics(MostNames());
  double connected = 0;
  metrics.RefreshBy([&] { metrics.bots_connected.at().Set(++connected); });
  EXPECT_EQ(Read(metrics)["referee_bots_connected"], 1);
  EXPECT_EQ(Read(metrics)["referee_bots_connected"], 2);
  metrics.RefreshBy(nullptr);
  EXPECT_EQ(Read(metrics)["referee_bots_connected"], 2);
}

TEST(Metrics, WhatIsNotThereHasNoSeries) {
  Names names = MostNames();
  names.syncs_log = false;
  names.has_store = false;
  const MetricsText text = Read(Metrics(names));
  EXPECT_EQ(text.types.count("referee_log_sync_seconds"), 0);
  EXPECT_EQ(text.types.count("referee_store_up"), 0);
  EXPECT_EQ(text.types.count("referee_blocks_total"), 0);
}

TEST(Metrics, ProcessHasItsUsualNames) {
  const MetricsText text = Read(Metrics(MostNames()));
  const double page = static_cast<double>(sysconf(_SC_PAGESIZE));
  EXPECT_GT(text["process_resident_memory_bytes"], 100 * page);
  EXPECT_GT(text["process_cpu_seconds_total"], 0);
  EXPECT_GE(text["process_open_fds"], 3);
  EXPECT_GE(text["process_max_fds"], text["process_open_fds"]);
  const double now = static_cast<double>(std::time(nullptr));
  EXPECT_LE(text["process_start_time_seconds"], now + 2);
  EXPECT_GT(text["process_start_time_seconds"], now - 3'600);
}

}  // namespace
}  // namespace referee::metrics

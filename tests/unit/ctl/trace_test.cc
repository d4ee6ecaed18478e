// refctl replay trace: what it writes is OTLP, and says what the records say.
#include "referee/ctl/replay/trace.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "referee/ctl/program.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/replay/sample.h"

namespace referee::ctl {
namespace {

using Json = nlohmann::json;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

constexpr char kTraceParent[] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

// One that was made at the end of all the time that a replay can name, and to which nobody came.
replay::Replay NobodyCame(absl::Time time) {
  replay::Replay replay;
  replay.setup = replay::SampleSetup({});
  replay.setup.create_time = time;
  match::Ended ended;
  ended.ending = match::Ending::kVoid;
  ended.reason = "no bot came";
  ended.time = time + absl::Seconds(10);
  replay.records.push_back(ended);
  return replay;
}

std::vector<replay::Replay> Samples() {
  replay::SampleOptions block;
  block.rotation = 1;
  return {replay::PlaySample({}),
          replay::PlaySample(replay::EventfulSample()),
          replay::PlaySample(replay::TimedOutSample()),
          replay::PlaySample(replay::StalledSample()),
          replay::PlaySample(block),
          NobodyCame(absl::FromUnixSeconds(1'795'300'000))};
}

// The spans of what is to be a request with one resource and one scope.
std::vector<Json> SpansOf(const std::string& text) {
  const Json request = Json::parse(text);
  EXPECT_EQ(request.size(), 1u);
  EXPECT_EQ(request["resourceSpans"].size(), 1u);
  const Json& resource = request["resourceSpans"][0];
  EXPECT_EQ(resource["resource"]["attributes"][0]["key"], "service.name");
  EXPECT_EQ(resource["scopeSpans"].size(), 1u);
  return resource["scopeSpans"][0]["spans"];
}

int64_t Nanos(const Json& time) {
  int64_t nanos = -1;
  EXPECT_TRUE(time.is_string() && absl::SimpleAtoi(time.get<std::string>(), &nanos)) << time;
  return nanos;
}

int64_t Length(const Json& span) {
  return Nanos(span["endTimeUnixNano"]) - Nanos(span["startTimeUnixNano"]);
}

// The value of an attribute as text; empty if there is none.
std::string Value(const Json& span, const std::string& key) {
  for (const Json& attribute : span["attributes"]) {
    if (attribute["key"] == "referee." + key) return attribute["value"].items().begin().value();
  }
  return "";
}

std::vector<Json> Named(const std::vector<Json>& spans, const std::string& name) {
  std::vector<Json> named;
  for (const Json& span : spans) {
    if (span["name"] == name) named.push_back(span);
  }
  return named;
}

// Says what in a span, or in an event of it, is not as trace.proto and common.proto of OTLP have
// it.
void ExpectFields(const Json& object, const std::set<std::string>& known) {
  for (const auto& [name, value] : object.items()) EXPECT_EQ(known.count(name), 1u) << name;
}

void ExpectAttributes(const Json& attributes) {
  std::set<std::string> keys;
  for (const Json& attribute : attributes) {
    ExpectFields(attribute, {"key", "value"});
    EXPECT_TRUE(keys.insert(attribute["key"].get<std::string>()).second) << attribute;
    const Json& value = attribute["value"];
    ASSERT_EQ(value.size(), 1u) << attribute;
    ExpectFields(value, {"stringValue", "boolValue", "intValue", "arrayValue"});
    if (value.contains("intValue")) Nanos(value["intValue"]);  // a text, too
    EXPECT_TRUE(!value.contains("stringValue") || value["stringValue"].is_string());
    EXPECT_TRUE(!value.contains("boolValue") || value["boolValue"].is_boolean());
    EXPECT_TRUE(!value.contains("arrayValue") || value["arrayValue"]["values"].is_array());
  }
}

void ExpectIsOtlp(const Json& span) {
  ExpectFields(span, {"traceId", "spanId", "parentSpanId", "name", "kind", "startTimeUnixNano",
                      "endTimeUnixNano", "attributes", "events", "status"});
  EXPECT_THAT(span["traceId"].get<std::string>(), MatchesRegex("[0-9a-f]{32}"));
  EXPECT_THAT(span["spanId"].get<std::string>(), MatchesRegex("[0-9a-f]{16}"));
  EXPECT_NE(span["spanId"], std::string(16, '0'));
  EXPECT_EQ(span["kind"], 1);
  EXPECT_GE(Length(span), 0) << span;
  ExpectAttributes(span["attributes"]);
  for (const Json& event : span.value("events", Json::array())) {
    ExpectFields(event, {"timeUnixNano", "name", "attributes"});
    EXPECT_GE(Nanos(event["timeUnixNano"]), Nanos(span["startTimeUnixNano"]));
    EXPECT_LE(Nanos(event["timeUnixNano"]), Nanos(span["endTimeUnixNano"]));
    ExpectAttributes(event["attributes"]);
  }
  if (span.contains("status")) ExpectFields(span["status"], {"code", "message"});
}

TEST(Trace, IsOtlp) {
  for (const replay::Replay& replay : Samples()) {
    for (const Json& span : SpansOf(TraceJson(replay, ""))) ExpectIsOtlp(span);
  }
}

TEST(Trace, HasEverySpanWithinItsParentAndAfterTheOneBefore) {
  for (const replay::Replay& replay : Samples()) {
    const std::vector<Json> spans = SpansOf(TraceJson(replay, ""));
    std::map<std::string, Json> known;
    std::map<std::string, int64_t> reached;  // by parent
    for (const Json& span : spans) {
      if (known.empty()) {
        EXPECT_FALSE(span.contains("parentSpanId"));
      } else {
        const std::string parent = span["parentSpanId"];
        ASSERT_EQ(known.count(parent), 1u) << span;
        EXPECT_GE(Nanos(span["startTimeUnixNano"]), Nanos(known[parent]["startTimeUnixNano"]));
        EXPECT_LE(Nanos(span["endTimeUnixNano"]), Nanos(known[parent]["endTimeUnixNano"]));
        EXPECT_GE(Nanos(span["startTimeUnixNano"]), reached[parent]);
        reached[parent] = Nanos(span["endTimeUnixNano"]);
      }
      EXPECT_TRUE(known.emplace(span["spanId"], span).second) << span;
      EXPECT_EQ(span["traceId"], spans[0]["traceId"]);
    }
  }
}

TEST(Trace, AccountsForAllTheTimeOfTheMatch) {
  for (const replay::Replay& replay : Samples()) {
    const std::vector<Json> spans = SpansOf(TraceJson(replay, ""));
    std::map<std::string, int64_t> parts;  // by parent
    for (const Json& span : spans) parts[span.value("parentSpanId", "")] += Length(span);
    EXPECT_EQ(parts[spans[0]["spanId"]], Length(spans[0]));
    for (const Json& turn : Named(spans, "turn")) EXPECT_EQ(parts[turn["spanId"]], Length(turn));
  }
}

TEST(Trace, SaysWhoseTheTimeOfATurnWas) {
  const replay::Replay replay = replay::PlaySample(replay::EventfulSample());
  const std::vector<Json> spans = SpansOf(TraceJson(replay, ""));
  std::vector<const match::Played*> timed;
  for (const match::Record& record : replay.records) {
    const auto* const played = std::get_if<match::Played>(&record);
    if (played != nullptr && played->timing) timed.push_back(played);
  }
  std::map<std::string, Json> turns;  // by their numbers, the last of each
  for (const Json& turn : Named(spans, "turn")) turns[Value(turn, "turn")] = turn;
  for (const match::Played* const played : timed) {
    const Json& turn = turns[std::to_string(played->number)];
    EXPECT_EQ(Value(turn, "bot"), replay.setup.bots[played->seat.index()]);
    EXPECT_EQ(Value(turn, "charged_ns"), std::to_string(absl::ToInt64Nanoseconds(played->used)));
    std::map<std::string, int64_t> whose;
    for (const Json& span : spans) {
      if (span.value("parentSpanId", "") == turn["spanId"]) {
        whose[Value(span, "whose")] += Length(span);
      }
    }
    const match::Timing& timing = *played->timing;
    EXPECT_EQ(whose["referee"],
              absl::ToInt64Nanoseconds(timing.started + timing.stalled + timing.own_delay()));
    EXPECT_EQ(whose["bot"] + whose["network"],
              absl::ToInt64Nanoseconds(timing.read - timing.started - timing.stalled));
  }
  EXPECT_GT(timed.size(), 10u);
}

TEST(Trace, HasRestartsAndIllegalTriesAsEvents) {
  const std::vector<Json> spans =
      SpansOf(TraceJson(replay::PlaySample(replay::EventfulSample()), ""));
  const std::string events = spans[0]["events"].dump();
  EXPECT_THAT(events, HasSubstr("the referee was started again"));
  EXPECT_THAT(events, HasSubstr("illegal after"));
}

TEST(Trace, MarksTurnsThatWereLostAndMatchesThatAreVoid) {
  const std::vector<Json> lost =
      SpansOf(TraceJson(replay::PlaySample(replay::EventfulSample()), ""));
  bool played_for = false;
  for (const Json& turn : Named(lost, "turn")) {
    if (Value(turn, "mark") != "played for, TIMEOUT") continue;
    played_for = true;
    EXPECT_EQ(turn["status"]["code"], 2);
  }
  EXPECT_TRUE(played_for);
  const std::vector<Json> none =
      SpansOf(TraceJson(NobodyCame(absl::FromUnixSeconds(1'795'300'000)), ""));
  ASSERT_EQ(none.size(), 2u);
  EXPECT_EQ(none[0]["status"], Json({{"code", 2}, {"message", "no bot came"}}));
  EXPECT_EQ(none[1]["name"], "ready");
}

TEST(Trace, OfAMatchOfAnyTimeIsOfAPossibleOne) {
  for (const absl::Time time : {absl::UnixEpoch(), absl::FromUnixSeconds(253402300790)}) {
    for (const Json& span : SpansOf(TraceJson(NobodyCame(time), ""))) ExpectIsOtlp(span);
  }
}

TEST(Trace, IsTheMatchsOwnOrBelowTheSpanOfTheCall) {
  const replay::Replay replay = replay::PlaySample({});
  const Json own = SpansOf(TraceJson(replay, ""))[0];
  EXPECT_EQ(own["traceId"], replay.setup.id.hex());
  EXPECT_EQ(Value(own, "match_id"), replay.setup.id.text());
  const Json given = SpansOf(TraceJson(replay, kTraceParent))[0];
  EXPECT_EQ(given["traceId"], "4bf92f3577b34da6a3ce929d0e0e4736");
  EXPECT_EQ(given["parentSpanId"], "00f067aa0ba902b7");
}

TEST(Trace, IsPrintedOfAFileAndARefusedTraceparentSaysHowItShouldBe) {
  const testing::TempFolder folder;
  const replay::Replay replay = replay::PlaySample({});
  std::ofstream(folder.Path("x.rpl"), std::ios::binary)
      << replay::Encode(replay, replay::SampleSigner());
  const auto run = [&](const std::string& trace_parent, std::string* said) {
    std::ostringstream out;
    std::ostringstream err;
    const Exit exit =
        RunProgram({"replay", "trace", folder.Path("x.rpl"), "--traceparent", trace_parent},
                   Output(&out, &err, false));
    *said = out.str() + err.str();
    return exit;
  };
  std::string said;
  EXPECT_EQ(run(kTraceParent, &said), Exit::kOk);
  EXPECT_EQ(said, TraceJson(replay, kTraceParent));
  EXPECT_EQ(run("01", &said), Exit::kUsage);
  EXPECT_THAT(said, ContainsRegex("--traceparent: '01' is not .*'00-4bf92f"));
}

}  // namespace
}  // namespace referee::ctl

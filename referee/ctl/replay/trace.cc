#include "referee/ctl/replay/trace.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"
#include "referee/base/trace_context.h"
#include "referee/replay/summary.h"
#include "referee/view/ledger.h"

namespace referee::ctl {
namespace {

using Json = nlohmann::ordered_json;
using view::TurnTimes;

constexpr int kInternal = 1;  // SPAN_KIND_INTERNAL
constexpr int kError = 2;     // STATUS_CODE_ERROR

// --- Values, as OTLP writes them: numbers of 64 bits are texts ---

Json Nanos(absl::Time time) { return absl::StrCat(absl::ToUnixNanos(time)); }

Json Attribute(absl::string_view name, Json value) {
  return {{"key", absl::StrCat("referee.", name)}, {"value", std::move(value)}};
}
Json Text(absl::string_view name, absl::string_view value) {
  return Attribute(name, {{"stringValue", std::string(value)}});
}
Json Number(absl::string_view name, int64_t value) {
  return Attribute(name, {{"intValue", absl::StrCat(value)}});
}
Json Duration(absl::string_view name, absl::Duration value) {
  return Number(absl::StrCat(name, "_ns"), absl::ToInt64Nanoseconds(value));
}
Json Texts(absl::string_view name, const std::vector<std::string>& values) {
  Json array = Json::array();
  for (const std::string& value : values) array.push_back({{"stringValue", value}});
  return Attribute(name, {{"arrayValue", {{"values", std::move(array)}}}});
}

// Places the spans of a match one after another.
class Spans {
 public:
  Spans(const replay::Replay& replay, absl::string_view trace_parent)
      : replay_(replay),
        trace_id_(TraceOfMatch(replay.setup.id, trace_parent)),
        now_(replay.setup.create_time) {
    const std::string half = replay.setup.id.hex().substr(16);
    static_cast<void>(absl::SimpleHexAtoi(half, &last_span_));
    last_span_ |= uint64_t{1} << 63;  // none is 0
    match_ = Add("match", trace_parent.empty() ? "" : ParentSpanIdOf(trace_parent), now_);
  }

  Json Place() && {
    PlaceReadiness();
    const std::vector<TurnTimes> turns = view::TimesOfTurns(replay_);
    auto row = turns.begin();
    for (const match::Record& record : replay_.records) {
      if (std::holds_alternative<match::Started>(record) ||
          std::holds_alternative<match::Drawn>(record) ||
          std::holds_alternative<match::Ended>(record)) {
        continue;
      }
      // Each other record has its row.
      if (const auto* resumed = std::get_if<match::Resumed>(&record)) WaitUntil(resumed->time);
      if (row->timing) {
        PlaceTurn(*row);
      } else {
        PlaceEvent(*row);
      }
      ++row;
    }
    PlaceEnd();
    return std::move(spans_);
  }

 private:
  // Adds a span that begins and ends at `start`; returns its index.
  size_t Add(absl::string_view name, absl::string_view parent, absl::Time start) {
    Json span = {{"traceId", trace_id_}, {"spanId", absl::StrFormat("%016x", last_span_++)}};
    if (!parent.empty()) span["parentSpanId"] = std::string(parent);
    span["name"] = std::string(name);
    span["kind"] = kInternal;
    span["startTimeUnixNano"] = Nanos(start);
    span["endTimeUnixNano"] = Nanos(start);
    span["attributes"] = Json::array();
    spans_.push_back(std::move(span));
    return spans_.size() - 1;
  }
  size_t AddBelow(size_t parent, absl::string_view name) {
    const auto id = spans_[parent]["spanId"].get<std::string>();
    return Add(name, id, now_);
  }
  void EndAt(size_t span, absl::Time end) {
    now_ = std::max(now_, end);
    spans_[span]["endTimeUnixNano"] = Nanos(now_);
  }
  void Fail(size_t span, absl::string_view why) {
    spans_[span]["status"] = {{"message", std::string(why)}, {"code", kError}};
  }

  void PlaceReadiness() {
    const match::Started* const started = replay_.started();
    if (started == nullptr && replay_.ended() == nullptr) return;
    const size_t ready = AddBelow(match_, "ready");
    EndAt(ready, started != nullptr ? started->time : replay_.ended()->time);
    if (started == nullptr) Fail(ready, "the match ended before its bots were ready");
  }

  void WaitUntil(absl::Time time) {
    if (now_ < time) EndAt(AddBelow(match_, "wait"), time);
  }

  Json About(const TurnTimes& row) const {
    Json attributes = Json::array();
    if (row.turn == 0) return attributes;
    attributes.push_back(Number("turn", row.turn));
    attributes.push_back(Text("seat", row.seat.text()));
    attributes.push_back(Text("bot", replay_.setup.bots[static_cast<size_t>(row.seat.index())]));
    return attributes;
  }

  void PlaceEvent(const TurnTimes& row) {
    Json attributes = About(row);
    if (!row.detail.empty()) attributes.push_back(Text("detail", row.detail));
    spans_[match_]["events"].push_back(
        {{"timeUnixNano", Nanos(now_)}, {"name", row.mark}, {"attributes", std::move(attributes)}});
  }

  void PlaceTurn(const TurnTimes& row) {
    const match::Timing& timing = *row.timing;
    const size_t turn = AddBelow(match_, "turn");
    Json attributes = About(row);
    attributes.push_back(Duration("charged", row.charged));
    if (row.limit < absl::InfiniteDuration()) attributes.push_back(Duration("limit", row.limit));
    if (timing.round_trip > absl::ZeroDuration()) {
      attributes.push_back(Duration("round_trip", timing.round_trip));
    }
    attributes.push_back(Duration("credited", timing.credit));
    attributes.push_back(Attribute("link_lost", {{"boolValue", timing.link_lost}}));
    if (!row.mark.empty()) attributes.push_back(Text("mark", row.mark));
    spans_[turn]["attributes"] = std::move(attributes);
    if (!row.mark.empty()) Fail(turn, row.detail.empty() ? row.mark : row.detail);

    const absl::Time end = now_ + timing.taken;
    const view::TimeSplit split = view::Split(timing);
    PlacePart(turn, "request", "referee", timing.started);
    PlacePart(turn, "network", "network", split.network);
    PlacePart(turn, "bot", "bot", split.bot);
    PlacePart(turn, "paused", "network", split.paused);
    PlacePart(turn, "stalled", "referee", timing.stalled);
    PlacePart(turn, "reply", "referee", timing.own_delay());
    EndAt(turn, end);
  }

  void PlacePart(size_t turn, absl::string_view name, absl::string_view whose,
                 absl::Duration duration) {
    if (duration <= absl::ZeroDuration()) return;
    const size_t part = AddBelow(turn, name);
    spans_[part]["attributes"].push_back(Text("whose", whose));
    EndAt(part, now_ + duration);
  }

  void PlaceEnd() {
    const match::Setup& setup = replay_.setup;
    Json& attributes = spans_[match_]["attributes"];
    attributes = {Text("match_id", setup.id.text()), Text("game", setup.game->name()),
                  Texts("bots", setup.bots),
                  Text("time_control", match::TimeControlText(setup.time_control))};
    if (setup.block) {
      attributes.push_back(Text("block_id", setup.block->block.text()));
      attributes.push_back(Number("rotation", setup.block->rotation));
    }
    if (const match::Ended* const ended = replay_.ended()) {
      WaitUntil(ended->time);
      attributes.push_back(Text("ending", replay::EndingName(ended->ending)));
      attributes.push_back(Text("reason", ended->reason));
      if (ended->ending == match::Ending::kVoid) Fail(match_, ended->reason);
    }
    EndAt(match_, now_);
  }

  const replay::Replay& replay_;
  const std::string trace_id_;
  uint64_t last_span_ = 0;
  size_t match_ = 0;
  absl::Time now_;  // up to where spans are placed
  Json spans_ = Json::array();
};

}  // namespace

std::string TraceJson(const replay::Replay& replay, absl::string_view trace_parent) {
  const Json service = {{"key", "service.name"}, {"value", {{"stringValue", "refereed"}}}};
  const Json scope = {{"name", "referee.replay"}, {"version", replay.setup.referee}};
  const Json request = {
      {"resourceSpans",
       Json::array(
           {{{"resource", {{"attributes", Json::array({service})}}},
             {"scopeSpans", Json::array({{{"scope", scope},
                                          {"spans", Spans(replay, trace_parent).Place()}}})}}})}};
  return absl::StrCat(request.dump(1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace),
                      "\n");
}

}  // namespace referee::ctl

#include "referee/log/line.h"

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"
#include "referee/base/errors.h"
#include "referee/log/limits.h"

namespace referee::log {
namespace {

std::string TimeText(absl::Time time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", time, absl::UTCTimeZone());
}

// The first `most` bytes of `text`, cut between two characters.
absl::string_view Cut(absl::string_view text, size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  return text.substr(0, most);
}

std::string Shown(absl::string_view text) {
  return IsPlainText(text) ? std::string(text) : absl::CHexEscape(text);
}

// Quotes values with a space: names may have one.
std::string ShownValue(absl::string_view text) {
  return absl::StrContains(text, ' ') ? Quoted(text) : Shown(text);
}

}  // namespace

absl::string_view LevelName(Level level) {
  switch (level) {
    case Level::kDebug:
      return "debug";
    case Level::kInfo:
      return "info";
    case Level::kWarning:
      return "warning";
    case Level::kError:
      return "error";
  }
  return "";
}

std::string TextLine(const Event& event, absl::Time now) {
  std::string line = absl::StrCat(TimeText(now), " ", LevelName(event.level), " ",
                                  Shown(Cut(event.message, limits::kMaxLogMessageBytes)));
  for (size_t i = 0; i < event.fields.size(); ++i) {
    if (event.fields[i].empty()) continue;
    const absl::string_view value = Cut(event.fields[i], limits::kMaxLogFieldBytes);
    absl::StrAppend(&line, " ", kFieldNames[i], "=", ShownValue(value));
  }
  if (event.left_out > 0) {
    absl::StrAppend(&line, " (", event.left_out, " more were left out before)");
  }
  return absl::StrCat(line, "\n");
}

std::string JsonLine(const Event& event, absl::Time now) {
  using Json = nlohmann::ordered_json;
  const auto text = [](absl::string_view value) { return std::string(value); };
  Json json;
  json["time"] = TimeText(now);
  json["level"] = text(LevelName(event.level));
  json["event"] = text(event.name);
  json["message"] = text(Cut(event.message, limits::kMaxLogMessageBytes));
  for (size_t i = 0; i < event.fields.size(); ++i) {
    if (event.fields[i].empty()) continue;
    json[text(kFieldNames[i])] = text(Cut(event.fields[i], limits::kMaxLogFieldBytes));
  }
  if (event.left_out > 0) json["left_out"] = event.left_out;
  constexpr bool kAscii = true;
  return absl::StrCat(json.dump(-1, ' ', kAscii, Json::error_handler_t::replace), "\n");
}

}  // namespace referee::log

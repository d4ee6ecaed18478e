#include "tests/support/metrics_text.h"

#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace referee::testing {
namespace {

bool IsName(absl::string_view name) {
  if (name.empty() || absl::ascii_isdigit(static_cast<unsigned char>(name[0]))) return false;
  for (const char c : name) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) && c != '_' && c != ':') return false;
  }
  return true;
}

// Whether `labels` is `a="b",c="d"`. Values may not have quotation marks or backslashes here.
bool AreLabels(absl::string_view labels) {
  for (const absl::string_view label : absl::StrSplit(labels, ',', absl::SkipEmpty())) {
    const std::vector<absl::string_view> parts = absl::StrSplit(label, absl::MaxSplits('=', 1));
    if (parts.size() != 2 || !IsName(parts[0])) return false;
    absl::string_view value = parts[1];
    if (!absl::ConsumePrefix(&value, "\"") || !absl::ConsumeSuffix(&value, "\"")) return false;
    if (absl::StrContains(value, '"') || absl::StrContains(value, '\\')) return false;
  }
  return true;
}

// The metric to which a sample of this name belongs.
std::string MetricOf(absl::string_view name, const std::map<std::string, std::string>& types) {
  for (const absl::string_view suffix : {"", "_bucket", "_sum", "_count"}) {
    absl::string_view metric = name;
    if (!absl::ConsumeSuffix(&metric, suffix)) continue;
    const auto found = types.find(std::string(metric));
    if (found == types.end()) continue;
    if (suffix.empty() == (found->second != "histogram")) return std::string(metric);
  }
  return "";
}

bool ParseSample(absl::string_view line, MetricsText* out) {
  const size_t space = line.rfind(' ');
  if (space == absl::string_view::npos) return false;
  const absl::string_view sample = line.substr(0, space);
  double value;
  absl::string_view number = line.substr(space + 1);
  if (!absl::SimpleAtod(number, &value)) return false;
  absl::string_view name = sample.substr(0, sample.find('{'));
  absl::string_view labels = sample.substr(name.size());
  if (!labels.empty() &&
      (!absl::ConsumePrefix(&labels, "{") || !absl::ConsumeSuffix(&labels, "}"))) {
    return false;
  }
  if (!IsName(name) || !AreLabels(labels) || MetricOf(name, out->types).empty()) return false;
  return out->samples.emplace(std::string(sample), value).second;
}

}  // namespace

absl::optional<MetricsText> ParseMetrics(absl::string_view text) {
  MetricsText out;
  if (!absl::EndsWith(text, "\n")) return absl::nullopt;
  for (const absl::string_view line : absl::StrSplit(text, '\n')) {
    if (line.empty()) continue;
    const std::vector<std::string> words = absl::StrSplit(line, absl::MaxSplits(' ', 3));
    if (words[0] == "#") {
      if (words.size() < 4 || !IsName(words[2])) return absl::nullopt;
      auto* const into = words[1] == "HELP" ? &out.helps : &out.types;
      if (words[1] != "HELP" && words[1] != "TYPE") return absl::nullopt;
      if (!into->emplace(words[2], words[3]).second) return absl::nullopt;
    } else if (!ParseSample(line, &out)) {
      return absl::nullopt;
    }
  }
  return out;
}

}  // namespace referee::testing

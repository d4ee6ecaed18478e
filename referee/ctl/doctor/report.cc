#include "referee/ctl/doctor/report.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "referee/ctl/terminal/print.h"

namespace referee::ctl {
namespace {

using FindingKind = conformance::Finding::Kind;

// The word and the colour of a verdict.
struct Look {
  const char* word;
  const char* colour;
};

Look LookOf(FindingKind kind) {
  switch (kind) {
    case FindingKind::kPass:
      return {"pass", "\x1b[32m"};
    case FindingKind::kFail:
      return {"FAIL", "\x1b[31m"};
    case FindingKind::kNote:
      return {"note", "\x1b[33m"};
    case FindingKind::kSkipped:
      return {"skipped", "\x1b[2m"};
  }
  return {"", ""};
}

auto CountOf(const std::vector<conformance::Result>& all, FindingKind kind) {
  return std::count_if(all.begin(), all.end(), [kind](const conformance::Result& result) {
    return result.finding.kind == kind;
  });
}

}  // namespace

int CountFailed(const std::vector<conformance::Result>& all) {
  return static_cast<int>(CountOf(all, FindingKind::kFail));
}

std::string FindingText(const conformance::Result& result, bool colour) {
  const conformance::Finding& finding = result.finding;
  const Look look = LookOf(finding.kind);
  const std::string indent(23, ' ');
  std::string text = absl::StrFormat(
      "%s%-7s%s  %-12s  %s\n", colour ? look.colour : "", look.word, colour ? "\x1b[0m" : "",
      result.check.name, absl::StrReplaceAll(finding.seen, {{"\n", absl::StrCat("\n", indent)}}));
  if (!finding.remedy.empty()) absl::StrAppend(&text, indent, "right: ", finding.remedy, "\n");
  return text;
}

std::string SummaryText(absl::string_view bot, const std::vector<conformance::Result>& all) {
  return absl::StrFormat("%s: %d passed, %d failed, %d notes, %d skipped\n", bot,
                         CountOf(all, FindingKind::kPass), CountFailed(all),
                         CountOf(all, FindingKind::kNote), CountOf(all, FindingKind::kSkipped));
}

std::string VisitJson(absl::string_view bot, const std::vector<conformance::Result>& all) {
  Json checks = Json::array();
  for (const conformance::Result& result : all) {
    const FindingKind kind = result.finding.kind;
    checks.push_back({{"name", result.check.name},
                      {"demand", result.check.demand},
                      {"verdict", kind == FindingKind::kFail ? "fail" : LookOf(kind).word},
                      {"seen", result.finding.seen},
                      {"right", result.finding.remedy}});
  }
  return JsonLine(
      Json{{"bot", std::string(bot)}, {"failed", CountFailed(all)}, {"checks", checks}});
}

}  // namespace referee::ctl

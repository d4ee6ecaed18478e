// refctl archive audit: checks a store against the archive.

#include <memory>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/types/optional.h"
#include "referee/base/errors.h"
#include "referee/base/progress.h"
#include "referee/ctl/archive/commands.h"
#include "referee/ctl/archive/shelf.h"
#include "referee/ctl/command.h"
#include "referee/ctl/data_dir.h"
#include "referee/ctl/terminal/print.h"
#include "referee/replay/key_files.h"
#include "referee/store/audit.h"
#include "referee/store/place.h"

namespace referee::ctl {
namespace {

struct Flags {
  store::Place place;
  std::string shelf;
  bool json = false;
};

std::string FindingJson(const store::Finding& finding) {
  Json json = Json::object();
  if (!finding.competition.empty()) json["competition"] = finding.competition;
  if (finding.block) json["block"] = *finding.block;
  if (!finding.match_id.empty()) json["match_id"] = finding.match_id;
  json["problem"] = finding.problem;
  return JsonLine(json);
}

std::string FindingText(const store::Finding& finding) {
  std::string text;
  if (!finding.competition.empty()) {
    absl::StrAppend(&text, "competition ", Quoted(finding.competition), ": ");
  }
  if (finding.block) absl::StrAppend(&text, "block ", *finding.block, ": ");
  if (!finding.match_id.empty()) absl::StrAppend(&text, "match ", finding.match_id, ": ");
  return absl::StrCat(text, finding.problem, "\n");
}

Json EndingsJson(const store::Endings& endings) {
  Json void_ones = Json::object();
  for (const auto& [cause, count] : endings.void_ones) {
    void_ones[absl::AsciiStrToLower(store::VoidCauseName(cause))] = count;
  }
  return {{"cancelled_by", endings.cancelled},
          {"cancelled_by_referee", endings.cancelled_by_referee},
          {"void", std::move(void_ones)}};
}

// Who cancelled matches, and what made others void; empty if there are none.
std::string EndingsText(const store::Endings& endings) {
  std::vector<std::string> cancelled;
  for (const auto& [by, count] : endings.cancelled) {
    cancelled.push_back(absl::StrCat(count, " by ", Quoted(by)));
  }
  if (endings.cancelled_by_referee > 0) {
    cancelled.push_back(absl::StrCat(endings.cancelled_by_referee, " by the referee itself"));
  }
  std::vector<std::string> void_ones;
  for (const auto& [cause, count] : endings.void_ones) {
    void_ones.push_back(absl::StrCat(count, " ", store::VoidCauseName(cause)));
  }
  std::string text;
  if (!cancelled.empty()) {
    absl::StrAppend(&text, "matches cancelled: ", absl::StrJoin(cancelled, ", "), "\n");
  }
  if (!void_ones.empty()) {
    absl::StrAppend(&text, "matches void: ", absl::StrJoin(void_ones, ", "), "\n");
  }
  return text;
}

Json MessagesOf(const std::vector<absl::Status>& problems) {
  Json messages = Json::array();
  for (const absl::Status& problem : problems) messages.push_back(std::string(problem.message()));
  return messages;
}

std::string ReportJson(const store::AuditReport& report) {
  return JsonLine(Json{{"ok", report.findings == 0 && report.problems.empty()},
                       {"competitions", report.competitions},
                       {"blocks", report.blocks},
                       {"replays", report.replays},
                       {"void_replays", report.void_replays},
                       {"running_replays", report.running_replays},
                       {"unrecorded_matches", report.unrecorded},
                       {"other_replays", report.other_replays},
                       {"removed_replays", report.removed_replays},
                       {"expired_replays", report.expired_replays},
                       {"endings", EndingsJson(report.endings)},
                       {"findings", report.findings},
                       {"unread", MessagesOf(report.problems)}});
}

std::string ReportText(const store::AuditReport& report) {
  // The text of a count, or nothing if it is zero.
  const auto some = [](absl::string_view before, int64_t count, absl::string_view after) {
    return count == 0 ? "" : absl::StrCat(before, count, after);
  };
  return absl::StrCat(
      EndingsText(report.endings),
      some("matches void since their recording failed: ", report.unrecorded, "\n"),
      some("replays that were removed (refereed --keep-replays), of which the store's results are "
           "taken as they are: ",
           report.expired_replays, "\n"),
      "competitions: ", report.competitions, ", blocks played: ", report.blocks,
      ", their replays: ", report.replays, ", of blocks that do not count: ", report.void_replays,
      some(", of blocks that are being played: ", report.running_replays, ""),
      ", of no competition: ", report.other_replays,
      some(", of removed competitions: ", report.removed_replays, ""), "; ",
      report.findings > 0       ? absl::StrCat(report.findings, " findings")
      : report.problems.empty() ? "OK"
                                : "no findings, but not all could be read",
      "\n");
}

absl::StatusOr<Exit> Audit(const Flags& flags, const Output& output) {
  const absl::Status folder = CheckFolder(flags.place.data_dir);
  if (!folder.ok()) return folder;
  absl::StatusOr<replay::KeyRing> keys = replay::ReadKeysOf(flags.place.data_dir);
  if (!keys.ok()) return At("--data-dir", keys.status());
  const absl::StatusOr<std::unique_ptr<store::Store>> opened = store::OpenStoreToRead(flags.place);
  if (!opened.ok()) return AtStoreFlag(flags.place, opened.status());

  store::AuditOptions options;
  options.store = opened->get();
  options.data_dir = flags.place.data_dir;
  options.keys = *std::move(keys);
  std::unique_ptr<shelf::SharedShelf> shelf;
  if (!flags.shelf.empty()) {
    absl::StatusOr<std::unique_ptr<shelf::SharedShelf>> opened_shelf = OpenShelf(flags.shelf);
    if (!opened_shelf.ok()) return opened_shelf.status();
    shelf = *std::move(opened_shelf);
    options.find_elsewhere = [&shelf](const MatchId& id) { return shelf->Get(id); };
  }
  Progress progress(&output.err(), output.progress_style(), "replays");
  const SystemClock clock;
  options.progress = [&](int64_t verified, int64_t total) {
    progress.Show(verified, total, absl::nullopt, clock.Now());
  };
  const absl::StatusOr<store::AuditReport> report =
      store::Audit(options, [&](const store::Finding& finding) {
        progress.Clear();
        output.out() << (flags.json ? FindingJson(finding) : FindingText(finding)) << std::flush;
      });
  progress.Clear();
  if (!report.ok()) return report.status();
  output.out() << (flags.json ? ReportJson(*report) : ReportText(*report));
  if (ReportProblems(report->problems, output) != Exit::kOk) return Exit::kUsage;
  return report->findings == 0 ? Exit::kOk : Exit::kNegative;
}

}  // namespace

void AddArchiveAudit(CLI::App* archive, Chosen* chosen) {
  const auto [audit, flags] = AddSubcommand(
      archive, chosen, "audit",
      "Checks that results, tallies and ratings are what the replays say\n\n"
      "Every replay in the archive is verified, and all that the store says of its competitions is "
      "reckoned again from the replays alone. Reads only; the daemon may go on meanwhile. Prints "
      "what is wrong, a line each, then who cancelled matches and what made others void, and what "
      "was looked at. Exit status 1 if anything is wrong, 2 if something could not be read, such "
      "as the torn end of a pack: that is named at the end.",
      Audit);
  AddDataDirFlag(audit, &flags->place.data_dir);
  AddStoreFlag(audit, &flags->place.url,
               "The database that its store is in (refereed --store); default: the data directory");
  AddShelfFlag(audit, &flags->shelf,
               "The shelf that the daemons share: replays that are not in this one's archive are "
               "looked for there");
  audit->add_flag("--json", flags->json, "Prints a JSON object a line, the summary last");
}

}  // namespace referee::ctl

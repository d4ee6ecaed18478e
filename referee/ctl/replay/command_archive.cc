// refctl archive: looks at a referee's data directory, beside the daemon or without it.

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "nlohmann/json.hpp"
#include "referee/base/errors.h"
#include "referee/ctl/command.h"
#include "referee/ctl/terminal/progress.h"
#include "referee/replay/signer.h"
#include "referee/store/audit.h"
#include "referee/store/sqlite_store.h"

namespace referee::ctl {
namespace {

using Json = nlohmann::ordered_json;

struct Flags {
  std::string data_dir;
  bool json = false;
};

std::string JsonLine(const Json& json) {
  return absl::StrCat(json.dump(-1, ' ', false, Json::error_handler_t::replace), "\n");
}

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

std::string ReportJson(const store::AuditReport& report) {
  return JsonLine({{"ok", report.findings == 0},
                   {"competitions", report.competitions},
                   {"blocks", report.blocks},
                   {"replays", report.replays},
                   {"void_replays", report.void_replays},
                   {"other_replays", report.other_replays},
                   {"findings", report.findings}});
}

std::string ReportText(const store::AuditReport& report) {
  const std::string checked =
      absl::StrCat("competitions: ", report.competitions, ", blocks played: ", report.blocks,
                   ", their replays: ", report.replays, ", of void blocks: ", report.void_replays,
                   ", of no competition: ", report.other_replays, "; ");
  return absl::StrCat(
      checked, report.findings == 0 ? "OK" : absl::StrCat(report.findings, " findings"), "\n");
}

absl::StatusOr<Exit> Audit(const Flags& flags, const Output& output) {
  const absl::StatusOr<replay::PublicKey> key = replay::ReadPublicKey(flags.data_dir + "/key.pub");
  if (!key.ok()) return At("--data-dir", key.status());
  const std::string path = flags.data_dir + "/store.db";
  const absl::StatusOr<std::unique_ptr<store::Store>> opened = store::OpenSqliteStoreToRead(path);
  if (!opened.ok()) return At("--data-dir", opened.status());

  store::AuditOptions options;
  options.store = opened->get();
  options.data_dir = flags.data_dir;
  options.key = *key;
  Progress progress(&output.err(),
                    output.err_is_terminal() ? Progress::Style::kTerminal : Progress::Style::kLines,
                    "replays");
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
  return report->findings == 0 ? Exit::kOk : Exit::kNegative;
}

}  // namespace

void AddArchiveCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* const archive =
      app->add_subcommand("archive", "Looks at a referee's data directory, on its machine");
  archive->require_subcommand(1);
  const auto flags = std::make_shared<Flags>();
  CLI::App* const audit = archive->add_subcommand(
      "audit",
      "Checks that results, tallies and ratings are what the replays say\n\n"
      "Every replay in the archive is verified, and all that the store says of its competitions "
      "is\n"
      "reckoned again from the replays alone. Reads only; the daemon may go on meanwhile. Prints\n"
      "what is wrong, a line each, then what was looked at. Exit status 1 if anything is wrong, 2\n"
      "if it could not be looked at.");
  audit->add_option("--data-dir", flags->data_dir, "The daemon's data directory")
      ->required()
      ->type_name("DIR");
  audit->add_flag("--json", flags->json, "Prints a JSON object a line, the summary last");
  OnChosen(audit, chosen, [flags](const Output& output) { return Audit(*flags, output); });
}

}  // namespace referee::ctl

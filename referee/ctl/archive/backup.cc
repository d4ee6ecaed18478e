// refctl backup, refctl restore: copy a referee's data directory, and put a copy back.
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "referee/base/clock.h"
#include "referee/ctl/archive/commands.h"
#include "referee/ctl/command.h"
#include "referee/ctl/data_dir.h"
#include "referee/ctl/terminal/print.h"
#include "referee/store/backup.h"

namespace referee::ctl {
namespace {

struct BackupFlags {
  std::string backup;
  std::string data_dir;
  bool json = false;
};

std::string Megabytes(uint64_t bytes) {
  return absl::StrFormat("%.1f MB", static_cast<double>(bytes) / 1e6);
}

std::string BackupJson(const store::BackupReport& report) {
  return JsonLine(Json{{"backup", report.number},
                       {"files", report.files},
                       {"bytes", report.bytes},
                       {"copied_bytes", report.copied}});
}

absl::StatusOr<Exit> MakeBackup(const BackupFlags& flags, const Output& output) {
  if (absl::Status folder = CheckFolder(flags.data_dir); !folder.ok()) return folder;
  const absl::StatusOr<store::BackupReport> report =
      store::Backup(flags.data_dir, flags.backup, SystemClock().WallNow());
  if (!report.ok()) return report.status();
  const Exit exit = ReportProblems(report->problems, output);
  output.out() << (flags.json ? BackupJson(*report)
                              : absl::StrCat("backup ", report->number, " in ", flags.backup, ": ",
                                             report->files, " files, ", Megabytes(report->bytes),
                                             ", of which ", Megabytes(report->copied),
                                             " were copied now\n"));
  return exit;
}

absl::StatusOr<Exit> RestoreBackup(const BackupFlags& flags, const Output& output) {
  const absl::StatusOr<store::BackupReport> report = store::Restore(flags.backup, flags.data_dir);
  if (!report.ok()) return report.status();
  output.out() << (flags.json ? BackupJson(*report)
                              : absl::StrCat(flags.data_dir, ": restored from backup ",
                                             report->number, ": ", report->files, " files, ",
                                             Megabytes(report->bytes), "\n"));
  return Exit::kOk;
}

}  // namespace

void AddBackupCommands(CLI::App* app, Chosen* chosen) {
  const auto [backup, flags] = AddSubcommand(
      app, chosen, "backup",
      "Copies a referee's data directory while the referee runs\n\n"
      "Makes DIR a backup of the data directory as it is now: accounts, competitions, replays and "
      "keys. Again with the same DIR it copies only what is new; until it has ended the former "
      "backup in DIR counts, also if it is interrupted. Matches that run are not in it, and their "
      "secret seeds neither: a restored referee plays their blocks again. DIR is for its owner "
      "only: it has the referee's secret key and the hashes of tokens. What of a pack is torn or "
      "damaged is named; all else is copied, and the exit status is 2.",
      MakeBackup);
  AddOption(backup, "DIR", "", &flags->backup,
            "The directory of the backup: a new or empty one, or one of an earlier backup")
      ->required();
  AddDataDirFlag(backup, &flags->data_dir);
  backup->add_flag("--json", flags->json, "Prints a JSON object");

  const auto [restore, restore_flags] = AddSubcommand(
      app, chosen, "restore",
      "Makes a data directory of a backup\n\n"
      "Checks every byte against the backup's manifest, and makes the archive's index anew. Then "
      "'refctl archive audit' looks whether all agrees, and a refereed that is started on the "
      "directory goes on with its competitions: what was running when the backup was made is "
      "played again. The same referee must not run on its former directory any more.",
      RestoreBackup);
  AddOption(restore, "DIR", "", &restore_flags->backup, "The directory of the backup")->required();
  AddOption(restore, "--data-dir", "NEW", &restore_flags->data_dir,
            "The directory to make; it must not be there, or be empty")
      ->required();
  restore->add_flag("--json", restore_flags->json, "Prints a JSON object");
}

}  // namespace referee::ctl

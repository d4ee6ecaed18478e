// refctl archive: a referee's archive of replays, beside the daemon or without it.
#include <sys/stat.h>

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "referee/ctl/archive/commands.h"
#include "referee/ctl/command.h"
#include "referee/ctl/data_dir.h"
#include "referee/replay/folders.h"

namespace referee::ctl {

absl::Status CheckArchiveIn(const std::string& data_dir) {
  if (absl::Status folder = CheckFolder(data_dir); !folder.ok()) return folder;
  struct stat info;
  const std::string replays = data_dir + "/replays";
  if (stat(replays.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat("--data-dir ", data_dir,
                                          ": there are no replays; name the data directory that a "
                                          "refereed was given"));
}

absl::StatusOr<replay::WholeIndex> LookIntoArchive(const std::string& data_dir,
                                                   const Output& output) {
  if (!replay::Folders(data_dir).Below(absl::nullopt, 1).empty()) {
    output.err() << "refctl: replays in folders of days are not counted; 'refctl archive pack' "
                    "moves them into packs\n";
  }
  absl::StatusOr<replay::WholeIndex> whole = replay::WholeIndex::Look(data_dir);
  if (!whole.ok()) return whole.status();
  for (const absl::Status& problem : whole->problems()) output.Error(problem);
  if (whole->missing() > 0) {
    output.err() << "refctl: " << whole->missing() << " replays are not in the index yet, and not "
                 << "counted; the daemon adds them, or 'refctl archive index' while none runs\n";
  }
  return whole;
}

absl::StatusOr<Exit> ExitOf(const replay::WholeIndex& whole, const replay::ReplayFilter& filter,
                            size_t found, const Output& output) {
  const Exit read = whole.is_whole() ? Exit::kOk : Exit::kUsage;
  if (found > 0) return read;
  absl::Status names;
  const absl::StatusOr<bool> asked =
      whole.Ask([&](replay::PackIndex* index) -> absl::StatusOr<bool> {
        names = replay::CheckNames(index, filter);
        return true;
      });
  if (!asked.ok()) return asked.status();
  output.Error(names.ok() ? absl::NotFoundError(
                                "no replay fits: none is as the flags say, or the archive is empty")
                          : names);
  return read == Exit::kOk ? Exit::kNegative : read;
}

Exit ReportProblems(const std::vector<absl::Status>& problems, const Output& output) {
  for (const absl::Status& problem : problems) output.Error(problem);
  return problems.empty() ? Exit::kOk : Exit::kUsage;
}

void AddArchiveCommands(CLI::App* app, Chosen* chosen) {
  CLI::App* const archive = app->add_subcommand(
      "archive", "Looks at a referee's archive of replays, and packs it, on its machine");
  archive->require_subcommand(1);
  AddArchiveList(archive, chosen);
  AddArchiveStats(archive, chosen);
  AddArchiveGet(archive, chosen);
  AddArchiveExport(archive, chosen);
  AddArchivePack(archive, chosen);
  AddArchiveAudit(archive, chosen);
}

}  // namespace referee::ctl

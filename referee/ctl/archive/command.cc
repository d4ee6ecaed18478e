// refctl archive: a referee's archive of replays, beside the daemon or without it.
#include <sys/stat.h>

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "referee/ctl/archive/commands.h"
#include "referee/ctl/command.h"
#include "referee/ctl/errors.h"
#include "referee/replay/folders.h"
#include "referee/replay/pack_index.h"
#include "referee/replay/packs.h"

namespace referee::ctl {

void AddDataDirFlag(CLI::App* command, std::string* data_dir) {
  command->add_option("--data-dir", *data_dir, "The daemon's data directory")
      ->required()
      ->type_name("DIR");
}

absl::Status CheckArchiveIn(const std::string& data_dir) {
  struct stat info;
  const std::string replays = data_dir + "/replays";
  if (stat(replays.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return absl::OkStatus();
  return NoArchive(data_dir);
}

void TellWhatIsMissing(const std::string& data_dir, const replay::ReplayFilter& filter,
                       const Output& output) {
  absl::Status names;
  const absl::StatusOr<replay::Covered> covered =
      replay::ReadIndex(data_dir, [&](replay::PackIndex* index) {
        names = replay::CheckNames(index, filter);
        return index->ReadCovered();
      });
  int64_t beyond = 0;
  if (covered.ok()) {
    const absl::Status scanned = replay::ScanBeyond(
        data_dir, *covered, [&](const replay::PackedReplay&) { ++beyond; },
        [](replay::PackName, const absl::StatusOr<replay::PackScan>& scan) {
          return scan.status();
        });
    if (!scanned.ok()) output.Error(scanned);
  }
  if (beyond > 0) {
    output.err() << "refctl: " << beyond << (beyond == 1 ? " replay is" : " replays are")
                 << " not in the index yet, and not counted\n";
  }
  if (!replay::Folders(data_dir).Below(absl::nullopt, 1).empty()) {
    output.err() << "refctl: replays in folders of days are not counted; 'refctl archive pack' "
                    "moves them into packs\n";
  }
  if (!names.ok()) output.Error(names);
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

// refctl archive: works on a referee's replay archive, whether or not the referee runs.
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "referee/base/errors.h"
#include "referee/base/progress.h"
#include "referee/ctl/archive/commands.h"
#include "referee/ctl/command.h"
#include "referee/ctl/data_dir.h"
#include "referee/replay/data_dir.h"
#include "referee/replay/folders.h"
#include "referee/replay/pack_index.h"
#include "referee/replay/pack_shelf.h"
#include "referee/replay/packing.h"
#include "referee/replay/packs.h"

namespace referee::ctl {
namespace {

struct PackFlags {
  std::string data_dir;
};

// The archive, locked against changes by others.
struct Opened {
  replay::File lock;
  std::unique_ptr<replay::PackShelf> shelf;
  bool lost = false;  // packs lacked replays in the index; this was reported
};

// Reports on stderr the packs that lack replays in the index. Returns whether there are any.
bool SayLost(const std::string& data_dir, const Output& output) {
  const absl::StatusOr<std::vector<replay::LostPack>> lost = replay::FindLostPacks(data_dir);
  if (!lost.ok()) return false;  // the index is unreadable, and will be rebuilt
  for (const replay::LostPack& pack : *lost) output.Error(pack.problem);
  return !lost->empty();
}

absl::StatusOr<Opened> OpenToChange(const std::string& data_dir, bool anew, const Output& output) {
  if (absl::Status s = CheckArchiveIn(data_dir); !s.ok()) return s;
  if (absl::Status s = CheckOwner(data_dir); !s.ok()) return s;
  absl::StatusOr<replay::File> lock = replay::LockDataDir(data_dir);
  if (!lock.ok()) return At("--data-dir", lock.status());
  // Runs before the index is rebuilt: a new index does not know lost replays.
  const bool lost = SayLost(data_dir, output);
  if (anew) {
    if (absl::Status s = replay::PackIndex::Remove(data_dir); !s.ok()) return s;
  }
  absl::StatusOr<std::unique_ptr<replay::PackShelf>> shelf = replay::PackShelf::Open(
      {data_dir, [&output](absl::string_view line) { output.err() << line << "\n"; }});
  if (!shelf.ok()) return shelf.status();
  return Opened{*std::move(lock), *std::move(shelf), lost};
}

// Waits until the index is complete.
absl::Status FinishIndex(replay::PackShelf* shelf, const Output& output) {
  Progress progress(&output.err(), output.progress_style(), "replays");
  const SystemClock clock;
  int64_t total = 0;
  const absl::Status indexed = shelf->WaitForIndex([&](size_t left) {
    total = std::max(total, static_cast<int64_t>(left));
    progress.Show(total - static_cast<int64_t>(left), total, absl::nullopt, clock.Now());
  });
  progress.Clear();
  return indexed;
}

absl::StatusOr<Exit> Pack(const PackFlags& flags, const Output& output) {
  absl::StatusOr<Opened> opened = OpenToChange(flags.data_dir, /*anew=*/false, output);
  if (!opened.ok()) return opened.status();
  Progress progress(&output.err(), output.progress_style(), "replays");
  const SystemClock clock;
  const absl::StatusOr<replay::PackingReport> report = replay::PackFolders(
      flags.data_dir, opened->shelf.get(),
      [&](int64_t done, int64_t total) { progress.Show(done, total, absl::nullopt, clock.Now()); });
  progress.Clear();
  if (!report.ok()) return report.status();
  if (absl::Status s = FinishIndex(opened->shelf.get(), output); !s.ok()) return s;
  for (const absl::Status& left : report->left) output.Error(left);
  output.out() << "packed: " << report->packed << ", left as they are: " << report->left.size()
               << "\n";
  if (opened->lost) return Exit::kUsage;
  return report->left.empty() ? Exit::kOk : Exit::kNegative;
}

absl::StatusOr<Exit> Index(const PackFlags& flags, const Output& output) {
  absl::StatusOr<Opened> opened = OpenToChange(flags.data_dir, /*anew=*/true, output);
  if (!opened.ok()) return opened.status();
  if (absl::Status s = FinishIndex(opened->shelf.get(), output); !s.ok()) return s;
  const absl::StatusOr<int64_t> replays = replay::ReadIndex(
      flags.data_dir,
      [](replay::PackIndex* index) { return index->db()->ReadInt("SELECT count(*) FROM replay"); });
  if (!replays.ok()) return replays.status();
  output.out() << "replays in the index: " << *replays << "\n";
  const Exit read = ReportProblems(opened->shelf->archive().ProblemsOfAll(), output);
  return opened->lost ? Exit::kUsage : read;
}

// Adds the commands that change an archive, while no referee runs on it.
void AddPack(CLI::App* archive, Chosen* chosen) {
  const auto [pack, flags] = AddSubcommand(
      archive, chosen, "pack",
      "Moves replays that are files in folders of days into packs\n\n"
      "Each file is removed once its replay is in a pack, on the disk, and reads as the same "
      "bytes. It may be interrupted at any moment and run again. What is no replay stays, is "
      "named, and the exit status is 1. If packs lack what the index had of them, they are named, "
      "and the exit status is 2. No referee may run on the directory meanwhile.",
      Pack);
  AddDataDirFlag(pack, &flags->data_dir);
  const auto [index, index_flags] = AddSubcommand(
      archive, chosen, "index",
      "Makes the archive's index anew, from its packs alone\n\n"
      "Needed only when the index is damaged while no referee can be started: the "
      "daemon does it by itself. It cuts off the torn end of a pack, as a start of "
      "the daemon does, and says so. It names what else cannot be read, and the packs "
      "that lack what the old index had of them; the exit status is 2 then. No referee may run on "
      "the directory meanwhile.",
      Index);
  AddDataDirFlag(index, &index_flags->data_dir);
}

}  // namespace

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
  AddPack(archive, chosen);
  AddArchiveAudit(archive, chosen);
}

}  // namespace referee::ctl

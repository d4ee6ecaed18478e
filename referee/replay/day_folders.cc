#include "referee/replay/day_folders.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/replay/errors.h"
#include "referee/replay/replay.h"

namespace referee::replay {
namespace {

constexpr size_t kMostDue = 10'000;  // files that are known by their names until they are synced

}  // namespace

absl::StatusOr<std::unique_ptr<DayFolders>> DayFolders::Make(const std::string& data_dir,
                                                             std::function<int(int fd)> sync) {
  const std::string root = data_dir + "/replays";
  if (absl::Status s = MakeDirectories(root, 0755); !s.ok()) return s;
  absl::StatusOr<File> open = OpenFile(root, O_RDONLY | O_DIRECTORY);
  if (!open.ok()) return open.status();
  return std::unique_ptr<DayFolders>(new DayFolders(data_dir, std::move(sync), *std::move(open)));
}

DayFolders::DayFolders(const std::string& data_dir, std::function<int(int fd)> sync, File root)
    : folders_(data_dir),
      root_path_(data_dir + "/replays"),
      sync_(std::move(sync)),
      root_(std::move(root)) {}

absl::Status DayFolders::Put(const ReplaySummary& summary, absl::string_view file) {
  if (absl::Status s = Write(summary.id, file); !s.ok()) return s;
  const MutexLock lock(&mutex_);
  if (due_.ids.size() < kMostDue) {
    due_.ids.push_back(summary.id);
  } else {
    due_.earlier = true;
  }
  return absl::OkStatus();
}

absl::Status DayFolders::Write(const MatchId& id, absl::string_view file) {
  const std::string path = folders_.PathOf(id);
  const std::string folder = path.substr(0, path.rfind('/'));
  bool made = false;
  {
    MutexLock lock(&mutex_);
    made = folder == made_;
  }
  if (made) {
    absl::Status written = WriteFileWhole(path, file, 0644, /*sync=*/false);
    if (!absl::IsNotFound(written)) return written;  // else somebody has removed the folder
  }
  if (absl::Status s = MakeDirectories(folder, 0755); !s.ok()) return s;
  {
    MutexLock lock(&mutex_);
    made_ = folder;
  }
  return WriteFileWhole(path, file, 0644, /*sync=*/false);
}

absl::StatusOr<std::string> DayFolders::Read(const MatchId& id) const { return folders_.Read(id); }

bool DayFolders::Has(const MatchId& id) const { return folders_.Has(id); }

absl::Status DayFolders::WriteAgain(const Due& due) {
  for (const MatchId& id : due.earlier ? folders_.Ids() : due.ids) {
    const absl::StatusOr<std::string> file = folders_.Read(id);
    if (absl::IsNotFound(file.status())) continue;  // somebody has removed it
    if (!file.ok()) return file.status();
    if (absl::IsInvalidArgument(Parse(*file).status())) {
      const bool was_whole = std::find(due.ids.begin(), due.ids.end(), id) != due.ids.end();
      if (was_whole)
        return absl::DataLossError(absl::StrCat(folders_.PathOf(id),
                                                ": was lost before it could be synced; restart the "
                                                "referee, which has its records in its log"));
      continue;
    }
    if (absl::Status s = Write(id, *file); !s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::Status DayFolders::SyncAll() const {
  return sync_(root_.fd()) == 0 ? absl::OkStatus() : FileError("cannot write", root_path_, errno);
}

absl::Status DayFolders::Sync() {
  const MutexLock syncing(&sync_mutex_);
  Due due;
  {
    const MutexLock lock(&mutex_);
    due = std::exchange(due_, Due{/*earlier=*/false, {}});
  }
  absl::Status synced;
  if (failed_) synced = WriteAgain(due);
  if (synced.ok()) synced = SyncAll();
  failed_ = !synced.ok();
  if (synced.ok()) return synced;
  const MutexLock lock(&mutex_);
  due_.earlier = due_.earlier || due.earlier;
  due_.ids.insert(due_.ids.end(), due.ids.begin(), due.ids.end());
  return synced;
}

}  // namespace referee::replay

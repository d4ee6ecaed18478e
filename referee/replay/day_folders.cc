#include "referee/replay/day_folders.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "referee/base/errors.h"
#include "referee/replay/errors.h"

namespace referee::replay {

absl::StatusOr<std::unique_ptr<DayFolders>> DayFolders::Make(const std::string& data_dir) {
  const std::string root = data_dir + "/replays";
  if (absl::Status s = MakeDirectories(root, 0755); !s.ok()) return s;
  absl::StatusOr<File> open = OpenFile(root, O_RDONLY | O_DIRECTORY);
  if (!open.ok()) return open.status();
  return std::unique_ptr<DayFolders>(new DayFolders(data_dir, *std::move(open)));
}

DayFolders::DayFolders(const std::string& data_dir, File root)
    : folders_(data_dir), root_path_(data_dir + "/replays"), root_(std::move(root)) {}

absl::Status DayFolders::Put(const ReplaySummary& summary, absl::string_view file) {
  const std::string path = folders_.PathOf(summary.id);
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

absl::Status DayFolders::Sync() {
  const bool failed = syncfs(root_.fd()) != 0;
  const int error = errno;
  MutexLock lock(&mutex_);
  if (failed && synced_.ok()) synced_ = FileError("cannot write", root_path_, error);
  return synced_;
}

}  // namespace referee::replay

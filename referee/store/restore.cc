// The part of backup.h that restores a data directory.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/replay/files.h"
#include "referee/replay/pack_shelf.h"
#include "referee/replay/packing.h"
#include "referee/store/backup.h"
#include "referee/store/backup_folder.h"
#include "referee/store/backup_manifest.h"
#include "referee/store/errors.h"
#include "referee/store/place.h"

namespace referee::store {
namespace {

absl::Status BackupDamaged(absl::string_view path) {
  return absl::DataLossError(
      absl::StrCat(path,
                   ": other bytes than the manifest says; take another copy of the backup, or have "
                   "'refctl backup' make a new one in another directory"));
}

// A folder that is removed again unless it is kept.
class NewFolder {
 public:
  explicit NewFolder(std::string path) : path_(std::move(path)) {}
  ~NewFolder() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove_all(path_, error);
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  const std::string& path() const { return path_; }
  void Keep() { path_.clear(); }

 private:
  std::string path_;
};

// Appends the bytes of a part to its file, and checks them.
absl::Status AppendPart(const std::string& from, const BackupPart& part, const std::string& path) {
  const std::string stored = absl::StrCat(from, "/", part.stored);
  const absl::StatusOr<replay::File> file = replay::OpenFile(stored, O_RDONLY);
  if (absl::IsNotFound(file.status())) return BackupDamaged(stored);
  if (!file.ok()) return file.status();
  const absl::Status made =
      replay::MakeDirectories(path.substr(0, path.rfind('/')), part.is_public ? 0755 : 0700);
  if (!made.ok()) return made;
  const absl::StatusOr<replay::File> to =
      replay::OpenFile(path, O_WRONLY | O_CREAT | O_APPEND, part.is_public ? 0644 : 0600);
  if (!to.ok()) return to.status();
  Checksum sum;
  const absl::Status copied = CopyBytes(*file, stored, 0, part.size, &*to, path, &sum).status();
  if (!copied.ok()) return copied;
  if (sum.Text() != part.checksum) return BackupDamaged(stored);
  return replay::SyncData(to->fd(), path);
}

absl::StatusOr<BackupReport> RestoreParts(const std::string& from, const BackupManifest& manifest,
                                          const std::string& data_dir) {
  for (const BackupPart& part : manifest.parts) {
    const absl::Status restored = AppendPart(from, part, absl::StrCat(data_dir, "/", part.path));
    if (!restored.ok()) return restored;
  }
  BackupReport report = ReportOf(manifest);
  report.copied = report.bytes;
  return report;
}

// Only replays in packs are indexed. Replays that cannot be packed stay files.
absl::Status PackAndIndex(const std::string& data_dir) {
  const absl::StatusOr<std::unique_ptr<replay::PackShelf>> shelf =
      replay::PackShelf::Open({data_dir});
  if (!shelf.ok()) return shelf.status();
  const absl::Status packed = replay::PackFolders(data_dir, shelf->get(), nullptr).status();
  return packed.ok() ? (*shelf)->WaitForIndex() : packed;
}

// The original may continue, and reveal the dice of blocks that the copy plays under the same
// numbers.
absl::Status BeginLifeOf(const std::string& data_dir) {
  std::error_code error;
  if (!std::filesystem::exists(absl::StrCat(data_dir, "/store.db"), error)) {
    return absl::OkStatus();
  }
  const absl::StatusOr<std::unique_ptr<Store>> store = OpenStore({data_dir, ""}, OpenOptions());
  return store.ok() ? (*store)->BeginLife(RandomLife()) : store.status();
}

}  // namespace

absl::StatusOr<BackupReport> Restore(const std::string& from, const std::string& data_dir) {
  const absl::StatusOr<replay::File> lock =
      replay::OpenFile(absl::StrCat(from, "/", kBackupLock), O_RDONLY);
  if (lock.ok() && flock(lock->fd(), LOCK_SH | LOCK_NB) != 0) return BackupInUse(from);
  const std::string path = absl::StrCat(from, "/", kBackupManifest);
  const absl::StatusOr<std::string> bytes = replay::ReadWholeFile(path, kMaxManifestBytes);
  if (absl::IsNotFound(bytes.status())) {
    return absl::NotFoundError(absl::StrCat(
        from,
        ": there is no backup: no file 'manifest'; name the DIR that 'refctl backup' was given"));
  }
  if (!bytes.ok()) return bytes.status();
  const absl::StatusOr<BackupManifest> manifest = ParseManifest(*bytes);
  if (!manifest.ok()) return At(path, manifest.status());

  absl::string_view name = data_dir;
  while (absl::ConsumeSuffix(&name, "/")) continue;
  const std::string target(name);
  std::error_code error;
  const bool there = std::filesystem::exists(target, error);
  if (there && !std::filesystem::is_empty(target, error)) {
    return absl::AlreadyExistsError(
        absl::StrCat(target, ": is there, and not empty; name a directory that is not there yet"));
  }
  const std::string making = target + ".restoring";
  if (access(making.c_str(), F_OK) == 0) {
    return absl::AlreadyExistsError(absl::StrCat(
        making, ": is left of a restore that was interrupted, or still goes on; remove it if not"));
  }
  if (absl::Status s = replay::MakeDirectories(making, 0755); !s.ok()) return s;
  NewFolder folder(making);
  absl::StatusOr<BackupReport> report = RestoreParts(from, *manifest, making);
  if (!report.ok()) return report;
  if (absl::Status s = PackAndIndex(making); !s.ok()) return s;
  if (absl::Status s = BeginLifeOf(making); !s.ok()) return s;
  if (rename(making.c_str(), target.c_str()) != 0) return FileError("cannot make", target, errno);
  folder.Keep();
  if (absl::Status s = replay::SyncFolderOf(target); !s.ok()) return s;
  return report;
}

}  // namespace referee::store

#include "referee/store/backup_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <vector>

#include "absl/strings/numbers.h"
#include "referee/base/errors.h"
#include "referee/store/errors.h"

namespace referee::store {
namespace {

namespace fs = std::filesystem;

constexpr size_t kCopiedAtOnce = 1024 * 1024;

}  // namespace

absl::StatusOr<uint64_t> CopyBytes(const replay::File& from, const std::string& path,
                                   uint64_t begin, uint64_t end, const replay::File* to,
                                   const std::string& to_path, Checksum* sum) {
  uint64_t at = begin;
  while (at < end) {
    const size_t size = std::min<uint64_t>(kCopiedAtOnce, end - at);
    const absl::StatusOr<std::string> bytes = replay::ReadAt(from.fd(), path, at, size);
    if (!bytes.ok()) return bytes.status();
    if (bytes->empty()) break;
    sum->Add(*bytes);
    if (to != nullptr) {
      if (absl::Status s = replay::WriteAll(to->fd(), *bytes, to_path); !s.ok()) return s;
    }
    at += bytes->size();
  }
  return at - begin;
}

BackupReport ReportOf(const BackupManifest& manifest) {
  BackupReport report;
  report.number = manifest.number;
  std::set<std::string> paths;
  for (const BackupPart& part : manifest.parts) {
    paths.insert(part.path);
    report.bytes += part.size;
  }
  report.files = static_cast<int64_t>(paths.size());
  return report;
}

absl::Status BackupFolder::Open(absl::Time now) {
  struct stat info;
  const std::string lock_path = absl::StrCat(path_, "/", kBackupLock);
  if (stat(lock_path.c_str(), &info) != 0) {
    std::error_code error;
    const bool empty = !fs::exists(path_, error) || fs::is_empty(path_, error);
    if (!empty) {
      return absl::FailedPreconditionError(absl::StrCat(
          path_, ": has files, and no 'manifest' of a backup; name an empty directory"));
    }
  }
  if (absl::Status s = replay::MakeDirectories(path_, 0700, /*sync=*/true); !s.ok()) return s;
  absl::StatusOr<replay::File> lock = replay::OpenFile(lock_path, O_RDWR | O_CREAT, 0600);
  if (!lock.ok()) return lock.status();
  if (flock(lock->fd(), LOCK_EX | LOCK_NB) != 0) return BackupInUse(path_);
  lock_ = *std::move(lock);
  const std::string path = absl::StrCat(path_, "/", kBackupManifest);
  const absl::StatusOr<std::string> bytes = replay::ReadWholeFile(path, kMaxManifestBytes);
  if (bytes.ok()) {
    absl::StatusOr<BackupManifest> former = ParseManifest(*bytes);
    if (!former.ok()) return At(path, former.status());
    former_ = *std::move(former);
  } else if (!absl::IsNotFound(bytes.status())) {
    return bytes.status();
  }
  manifest_.number = former_.number + 1;
  manifest_.time = now;
  RemoveWhatIsNotIn(former_);  // of an interrupted call
  return absl::OkStatus();
}

const BackupPart* BackupFolder::Former(const std::string& path) const {
  const auto same = [&](const BackupPart& part) { return part.path == path; };
  const auto part = std::find_if(former_.parts.begin(), former_.parts.end(), same);
  if (part == former_.parts.end()) return nullptr;
  struct stat stored;
  const bool is_there = stat(StoredPath(*part).c_str(), &stored) == 0 &&
                        static_cast<uint64_t>(stored.st_size) >= part->size;
  return is_there ? &*part : nullptr;
}

absl::StatusOr<BackupPart> BackupFolder::NewPart(const std::string& path, bool is_public,
                                                 absl::string_view suffix) const {
  BackupPart part;
  part.path = path;
  part.stored = absl::StrCat(manifest_.number, "/", path, suffix);
  part.is_public = is_public;
  const std::string stored = StoredPath(part);
  const absl::Status made =
      replay::MakeDirectories(stored.substr(0, stored.rfind('/')), 0700, /*sync=*/true);
  if (!made.ok()) return made;
  return part;
}

void BackupFolder::Add(BackupPart part, uint64_t copied) {
  copied_ += copied;
  manifest_.parts.push_back(std::move(part));
}

absl::Status BackupFolder::AddWhole(BackupPart part, absl::string_view bytes) {
  const absl::Status written = replay::WriteFileWhole(StoredPath(part), bytes, 0600, /*sync=*/true);
  if (!written.ok()) return written;
  Checksum sum;
  sum.Add(bytes);
  part.size = bytes.size();
  part.checksum = sum.Text();
  Add(std::move(part), bytes.size());
  return absl::OkStatus();
}

absl::StatusOr<BackupReport> BackupFolder::Commit() {
  const absl::Status written = replay::WriteFileWhole(
      absl::StrCat(path_, "/", kBackupManifest), EncodeManifest(manifest_), 0600, /*sync=*/true);
  if (!written.ok()) return written;
  RemoveWhatIsNotIn(manifest_);
  BackupReport report = ReportOf(manifest_);
  report.copied = copied_;
  return report;
}

void BackupFolder::RemoveWhatIsNotIn(const BackupManifest& manifest) const {
  std::set<std::string> kept;
  for (const BackupPart& part : manifest.parts) kept.insert(StoredPath(part));
  std::error_code error;
  for (fs::directory_iterator top(path_, error), end; !error && top != end; top.increment(error)) {
    int64_t number;
    if (!absl::SimpleAtoi(top->path().filename().string(), &number)) continue;
    std::vector<fs::path> folders = {top->path()};
    std::vector<fs::path> files;
    for (fs::recursive_directory_iterator i(top->path(), error), last; !error && i != last;
         i.increment(error)) {
      (i->is_directory(error) ? folders : files).push_back(i->path());
    }
    for (const fs::path& file : files) {
      if (kept.count(file.string()) == 0) fs::remove(file, error);
    }
    // Child folders come after their parents; rmdir keeps folders that are not empty.
    for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) {
      rmdir(folder->c_str());
    }
    error.clear();
  }
}

}  // namespace referee::store

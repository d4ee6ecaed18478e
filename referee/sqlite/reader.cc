#include "referee/sqlite/reader.h"

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::sqlite {
namespace {

// The files beside the database.
enum class Beside {
  kNoLog,
  kLogAndIndex,
  kLogAlone,
};

Beside LookBeside(const std::string& path) {
  struct stat log = {};
  struct stat index = {};
  const bool has_log = stat((path + "-wal").c_str(), &log) == 0;
  const bool has_index = stat((path + "-shm").c_str(), &index) == 0;
  if (has_log && has_index) return Beside::kLogAndIndex;
  // A process that opens a store makes the log first, and writes to it only when there is an index.
  return has_log && log.st_size > 0 ? Beside::kLogAlone : Beside::kNoLog;
}

bool SameFile(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

}  // namespace

absl::StatusOr<Reader> Reader::Open(const std::string& path, absl::Duration busy_limit) {
  struct stat file = {};
  if (stat(path.c_str(), &file) != 0) {
    if (errno != ENOENT) return FileError("cannot open", path, errno);
    return absl::NotFoundError(absl::StrCat(
        path, ": there is no such file; name the data directory that a refereed was given"));
  }
  // Look after stat of the file, so that a write after this look changes the file's time.
  const Beside beside = LookBeside(path);
  if (beside == Beside::kLogAlone) {
    return absl::UnavailableError(
        absl::StrCat(path,
                     ": its -wal file is there, but no -shm file, and to read it that would have "
                     "to be made; start refereed once on this data directory, which does that"));
  }
  const bool still = beside == Beside::kNoLog;
  absl::StatusOr<std::unique_ptr<Connection>> db = Connection::OpenToRead(path, still, busy_limit);
  if (!db.ok()) return db.status();
  return Reader(*std::move(db), still ? Way::kStill : Way::kLogged, file);
}

bool Reader::overtaken() const {
  if (way_ == Way::kShared) return false;
  const Beside beside = LookBeside(db_->path());
  // A log cannot be removed while it is read, so it was removed before.
  if (way_ == Way::kLogged) return beside != Beside::kLogAndIndex;
  struct stat now = {};
  return beside != Beside::kNoLog || stat(db_->path().c_str(), &now) != 0 || !SameFile(file_, now);
}

}  // namespace referee::sqlite

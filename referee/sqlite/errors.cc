#include "referee/sqlite/errors.h"

#include "absl/strings/str_cat.h"

namespace referee::sqlite {

absl::Status NoDatabase(absl::string_view path) {
  return absl::NotFoundError(absl::StrCat(
      path, ": there is no such file; name the data directory that a refereed was given"));
}

absl::Status NotADatabase(absl::string_view path) {
  return absl::InvalidArgumentError(
      absl::StrCat(path,
                   ": not a file of a referee; move it away and a new one is made, or name another "
                   "data directory"));
}

absl::Status DatabaseDamaged(absl::string_view path, absl::string_view why) {
  return absl::DataLossError(absl::StrCat(path, ": the file is damaged (", why,
                                          "); put back a copy of it, with its -wal file if "
                                          "there is one; what 'sqlite3 ",
                                          path, " .recover' prints is what can be read of it"));
}

absl::Status DatabaseFull(absl::string_view path) {
  return absl::ResourceExhaustedError(
      absl::StrCat(path,
                   ": no room for what was to be written, and nothing of it was; make room "
                   "on that disk"));
}

absl::Status DatabaseBusy(absl::string_view path) {
  return absl::UnavailableError(
      absl::StrCat(path, ": another process is writing to it for too long; try again"));
}

absl::Status DatabaseFailed(absl::string_view path, absl::string_view why) {
  return absl::InternalError(absl::StrCat(path, ": SQLite failed: ", why));
}

absl::Status DatabaseLogAlone(absl::string_view path) {
  return absl::UnavailableError(
      absl::StrCat(path,
                   ": its -wal file is there, but no -shm file, and to read it that would have to "
                   "be made; start refereed once on this data directory, which does that"));
}

}  // namespace referee::sqlite

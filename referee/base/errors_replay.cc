// Errors of files, keys, journals and replays. See errors.h.

#include "referee/base/errors.h"

#include <cerrno>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace referee {
absl::Status FileError(absl::string_view doing, absl::string_view path, int error_number) {
  const std::string what =
      absl::StrCat(doing, " ", path, ": ", std::generic_category().message(error_number));
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return absl::NotFoundError(absl::StrCat(what, "; check the path"));
    case EACCES:
    case EPERM:
    case EROFS:
      return absl::PermissionDeniedError(
          absl::StrCat(what, "; let the user that runs this program use it"));
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return absl::ResourceExhaustedError(absl::StrCat(what, "; make room on that disk"));
    default:
      return absl::UnavailableError(what);
  }
}

absl::Status FileTooLarge(absl::string_view path, size_t limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat(path, ": larger than the ", limit, " bytes that are read"));
}

absl::Status DataDirInUse(absl::string_view data_dir) {
  return absl::FailedPreconditionError(absl::StrCat(
      "data directory ", data_dir,
      ": another referee records matches there; stop it, or use a directory of its own"));
}

absl::Status BadKeyFile(absl::string_view path, absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat(path, ": not a key file: expected ", expected));
}

absl::Status NotAReplay(size_t offset, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat("byte ", offset, ": ", problem));
}

absl::Status NotAJournal(size_t offset, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat("byte ", offset, ": ", problem));
}

absl::Status BadRecord(absl::string_view problem) { return absl::InvalidArgumentError(problem); }

absl::Status ReplayTooLarge(size_t bytes, size_t limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat("the replay has ", bytes, " bytes; at most ", limit, " are read"));
}

absl::Status NoReplay(absl::string_view match_id) {
  return absl::NotFoundError(
      absl::StrCat("match ", match_id, ": there is no replay of it in the archive"));
}

absl::Status BadPageToken(absl::string_view text) {
  return BadValue("page token", text, "one that this list gave");
}

absl::Status NoReplaysBelow(absl::string_view directory) {
  return absl::NotFoundError(absl::StrCat(directory, ": there is no .rpl file in it"));
}

absl::Status NotATerminal() {
  return absl::FailedPreconditionError(
      "stdin and stdout: not a terminal, which keys would come from; add --turn N or --turn last");
}

absl::Status RecordingBroken(absl::string_view path, const absl::Status& cause) {
  return absl::Status(cause.code(),
                      absl::StrCat(path, ": takes no more records since ", cause.message()));
}

}  // namespace referee

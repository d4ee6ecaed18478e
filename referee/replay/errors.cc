#include "referee/replay/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::replay {

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

absl::Status RulesUnknown(absl::string_view game) {
  return absl::UnimplementedError(
      absl::StrCat("the rules of game ", Quoted(game), " are not in this program"));
}

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

absl::Status RecordingBroken(absl::string_view path, const absl::Status& cause) {
  return absl::Status(cause.code(),
                      absl::StrCat(path, ": takes no more records since ", cause.message()));
}

}  // namespace referee::replay

#include "referee/replay/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::replay {
absl::Status BadKeyFile(absl::string_view path, absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat(path, ": not a key file: expected ", expected));
}

absl::Status NoKeyYet(absl::string_view data_dir) {
  return absl::FailedPreconditionError(absl::StrCat(
      data_dir, ": there is no referee's key here; refereed makes one at its first start"));
}

absl::Status UnknownVersion(size_t offset, absl::string_view what, int version, int known) {
  return absl::FailedPreconditionError(absl::StrCat("byte ", offset, ": ", what,
                                                    " of format version ", version,
                                                    "; this program knows version ", known));
}

bool IsUnknownHere(const absl::Status& status) {
  return absl::IsFailedPrecondition(status) || absl::IsUnimplemented(status);
}

absl::Status UnknownLog(absl::string_view path, const absl::Status& why) {
  return absl::FailedPreconditionError(absl::StrCat(
      path, ": ", why.message(),
      "; use the program that wrote it, or a newer one, or give the flag --set-aside-unknown, "
      "which gives up the matches that are open there"));
}

absl::Status BadAtByte(size_t offset, absl::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat("byte ", offset, ": ", problem));
}

absl::Status OfTheDisk(const absl::Status& status) {
  if (status.ok() || absl::IsResourceExhausted(status)) return status;
  return absl::UnavailableError(status.message());
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

absl::Status PackNotWhole(absl::string_view path, absl::string_view problem) {
  return absl::DataLossError(absl::StrCat(
      path, ": ", problem,
      "; put back a copy of the file, then run 'refctl archive index' on the directory"));
}

}  // namespace referee::replay

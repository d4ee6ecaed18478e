#include "referee/replay/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::replay {
namespace {

constexpr absl::string_view kPutBack =
    "put back a copy of the file, then run 'refctl archive index' on the directory";
constexpr absl::string_view kMakeIndex =
    "the next start of refereed makes it, or 'refctl archive index' while none runs";

}  // namespace

absl::Status FileTooLarge(absl::string_view path, size_t limit) {
  return absl::ResourceExhaustedError(
      absl::StrCat(path, ": larger than the ", limit, " bytes that are read"));
}

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

absl::Status UnknownFields(absl::string_view why) { return absl::FailedPreconditionError(why); }

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

absl::Status PackDamaged(absl::string_view path, uint64_t offset, absl::string_view match_id) {
  return PackNotWhole(
      path, absl::StrCat("byte ", offset, ": the entry of match ", match_id, " is damaged"));
}

absl::Status PackNotWhole(absl::string_view path, absl::string_view problem) {
  return absl::DataLossError(absl::StrCat(path, ": ", problem, "; ", kPutBack));
}

absl::Status PackShorterThanIndex(absl::string_view path, uint64_t size, uint64_t covered) {
  return absl::DataLossError(absl::StrCat(path, ": ends at byte ", size,
                                          ", and the index has its entries up to byte ", covered,
                                          ": ", covered - size, " bytes are missing; ", kPutBack));
}

absl::Status PackMissing(absl::string_view path, uint64_t covered) {
  return absl::DataLossError(absl::StrCat(path,
                                          ": is missing, and the index has its entries up "
                                          "to byte ",
                                          covered, "; ", kPutBack));
}

absl::Status NoArchiveIndex(absl::string_view path) {
  return absl::NotFoundError(absl::StrCat(path, ": there is no index of an archive; ", kMakeIndex));
}

absl::Status BadArchiveIndex(absl::string_view path, absl::string_view why) {
  return absl::DataLossError(absl::StrCat(path, ": the index of the archive is damaged (", why,
                                          "); nothing is lost: ", kMakeIndex, " anew"));
}

}  // namespace referee::replay

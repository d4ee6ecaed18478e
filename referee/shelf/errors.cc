#include "referee/shelf/errors.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"

namespace referee::shelf {
namespace {

// What S3 says when the same request may succeed a moment later.
bool IsPassing(long status, absl::string_view code) {
  if (status >= 500) return status != 501;
  return status == 408 || status == 409 || status == 429 || code == "RequestTimeout" ||
         code == "SlowDown";
}

absl::string_view RemedyFor(absl::string_view code) {
  if (code == "NoSuchBucket") return "; make the bucket, or correct the address";
  if (code == "RequestTimeTooSkewed") return "; set this machine's clock";
  if (code == "InvalidAccessKeyId" || code == "SignatureDoesNotMatch") {
    return "; check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the file of credentials";
  }
  if (code == "ExpiredToken") return "; renew the session token";
  if (code == "AccessDenied") {
    return "; allow these credentials s3:GetObject, s3:PutObject and s3:ListBucket there";
  }
  if (code == "AuthorizationHeaderMalformed" || code == "PermanentRedirect") {
    return "; check region= and endpoint= of the address";
  }
  return "; check the address and the credentials";
}

}  // namespace

absl::Status NoReplayFile(absl::string_view match_id, size_t bytes) {
  return absl::InvalidArgumentError(absl::StrCat("match ", match_id, ": its replay has ", bytes,
                                                 " bytes; a shelf takes 1 to ",
                                                 limits::kMaxReplayBytes));
}

absl::Status OtherReplayShelved(absl::string_view shelf, absl::string_view match_id) {
  return absl::AlreadyExistsError(
      absl::StrCat(shelf, ": match ", match_id,
                   ": another replay of it is there; 'refctl replay verify' tells which is true"));
}

absl::Status ShelvedTooLarge(absl::string_view shelf, absl::string_view match_id) {
  return absl::FailedPreconditionError(
      absl::StrCat(shelf, ": match ", match_id, ": what is there has more than the ",
                   limits::kMaxReplayBytes, " bytes of a replay; take it away"));
}

absl::Status NotShelved(absl::string_view shelf, absl::string_view match_id) {
  return absl::NotFoundError(
      absl::StrCat(shelf, ": match ", match_id, ": there is no replay of it on the shelf"));
}

absl::Status NoShelfDirectory(absl::string_view directory) {
  return absl::NotFoundError(absl::StrCat(
      directory, ": there is no such directory for a shelf; make it, or mount what has it"));
}

absl::Status ShelfDirectoryGone(absl::string_view directory) {
  return absl::UnavailableError(
      absl::StrCat(directory, ": the directory of the shelf is not there; mount it"));
}

absl::Status CannotLink(absl::string_view path) {
  return absl::FailedPreconditionError(
      absl::StrCat("cannot write ", path,
                   ": its file system has neither link(2) nor a rename that keeps what is there; "
                   "put the shelf on another, such as NFS, ext4 or xfs"));
}

absl::Status BadShelfAddress(absl::string_view problem, absl::string_view remedy) {
  return absl::InvalidArgumentError(absl::StrCat("shelf address: ", problem, "; ", remedy));
}

absl::Status NoCredentials(absl::string_view looked_at) {
  return absl::FailedPreconditionError(
      absl::StrCat("there are no credentials for the shelf: set AWS_ACCESS_KEY_ID and "
                   "AWS_SECRET_ACCESS_KEY, or write them into ",
                   looked_at));
}

absl::Status HalfCredentials(absl::string_view where, absl::string_view missing) {
  return absl::FailedPreconditionError(
      absl::StrCat("credentials of the shelf: ", where, ": ", missing, " is missing beside it"));
}

absl::Status BadCredentialsFile(absl::string_view path, size_t line, absl::string_view expected) {
  return absl::FailedPreconditionError(
      absl::StrCat(path, ": line ", line, ": expected ", expected));
}

absl::Status BadCredential(absl::string_view where, absl::string_view name) {
  return absl::FailedPreconditionError(
      absl::StrCat("credentials of the shelf: ", where, ": ", name,
                   " has a character that none has; copy it anew"));
}

absl::Status RequestFailed(absl::string_view shelf, absl::string_view why) {
  return absl::UnavailableError(absl::StrCat(shelf, ": ", why));
}

absl::Status AnswerTooLarge(absl::string_view shelf, size_t limit) {
  return absl::FailedPreconditionError(
      absl::StrCat(shelf, ": the server's answer has more than the ", limit,
                   " bytes that are read; check what is at this address"));
}

absl::Status Answered(absl::string_view shelf, absl::string_view doing, long status,
                      absl::string_view code) {
  const std::string what = absl::StrCat(shelf, ": ", doing, ": the server answers ", status,
                                        code.empty() ? "" : absl::StrCat(" ", Quoted(code)));
  if (IsPassing(status, code)) return absl::UnavailableError(what);
  const std::string text = absl::StrCat(what, RemedyFor(code));
  if (status == 401 || status == 403) return absl::PermissionDeniedError(text);
  return absl::FailedPreconditionError(text);
}

absl::Status ListTakesLong(absl::string_view shelf) {
  return absl::UnavailableError(
      absl::StrCat(shelf,
                   ": the list takes too long; list a day of it, or take away what is there "
                   "beside replays"));
}

absl::Status BadListing(absl::string_view shelf, absl::string_view problem) {
  return absl::FailedPreconditionError(
      absl::StrCat(shelf, ": the server's list ", problem, "; check what is at this address"));
}

}  // namespace referee::shelf

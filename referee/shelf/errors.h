// Errors of shared shelves, one function each. base/errors.h says how errors are worded. None has
// anything secret in it: what an address or a file of credentials says is quoted only where it
// cannot be.
#ifndef REFEREE_SHELF_ERRORS_H_
#define REFEREE_SHELF_ERRORS_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::shelf {

// What is put. `shelf` is SharedShelf::name.
absl::Status NoReplayFile(absl::string_view match_id, size_t bytes);
absl::Status OtherReplayShelved(absl::string_view shelf, absl::string_view match_id);
absl::Status ShelvedTooLarge(absl::string_view shelf, absl::string_view match_id);
absl::Status NotShelved(absl::string_view shelf, absl::string_view match_id);

// Directories.
absl::Status NoShelfDirectory(absl::string_view directory);
absl::Status ShelfDirectoryGone(absl::string_view directory);
absl::Status CannotLink(absl::string_view path);

// Addresses. `problem` and `remedy` are of the part named.
absl::Status BadShelfAddress(absl::string_view problem, absl::string_view remedy);

// Credentials.
absl::Status NoCredentials(absl::string_view looked_at);
absl::Status HalfCredentials(absl::string_view where, absl::string_view missing);
absl::Status BadCredentialsFile(absl::string_view path, size_t line, absl::string_view expected);
absl::Status BadCredential(absl::string_view where, absl::string_view name);

// Servers.
absl::Status RequestFailed(absl::string_view shelf, absl::string_view why);
absl::Status AnswerTooLarge(absl::string_view shelf, size_t limit);
// `status` is that of HTTP, `code` what S3 says beside it; it may be empty.
absl::Status Answered(absl::string_view shelf, absl::string_view doing, long status,
                      absl::string_view code);
absl::Status ListTakesLong(absl::string_view shelf);
absl::Status BadListing(absl::string_view shelf, absl::string_view problem);

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_ERRORS_H_

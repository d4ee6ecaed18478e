#include "referee/shelf/errors.h"

#include "absl/strings/str_cat.h"

namespace referee::shelf {

absl::Status OtherReplayShelved(absl::string_view shelf, absl::string_view match_id) {
  return absl::AlreadyExistsError(
      absl::StrCat(shelf, ": match ", match_id,
                   ": another replay of it is there; 'refctl replay verify' tells which is true"));
}

absl::Status NotShelved(absl::string_view shelf, absl::string_view match_id) {
  return absl::NotFoundError(
      absl::StrCat(shelf, ": match ", match_id, ": there is no replay of it on the shelf"));
}

}  // namespace referee::shelf

// Errors that every kind of shelf raises, one function each. base/errors.h says how errors are
// worded.
#ifndef REFEREE_SHELF_ERRORS_H_
#define REFEREE_SHELF_ERRORS_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::shelf {

// `shelf` is SharedShelf::name.
absl::Status OtherReplayShelved(absl::string_view shelf, absl::string_view match_id);
absl::Status NotShelved(absl::string_view shelf, absl::string_view match_id);

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_ERRORS_H_

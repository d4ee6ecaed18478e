// The keys of replays in every kind of replay store: YYYY/MM/DD/<match-id>.rpl.
//
// The day (UTC) is that of the match's creation, as in the folders of an archive. Keys sort as
// their ids do. Pure.
#ifndef REFEREE_SHELF_LAYOUT_H_
#define REFEREE_SHELF_LAYOUT_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"

namespace referee::shelf {

// Returns a key such as "2026/11/24/01kax....rpl".
std::string KeyOf(const MatchId& id);
// Returns the match of a key; none if it is not the key of a match.
absl::optional<MatchId> IdOfKey(absl::string_view key);

// Returns InvalidArgument unless Put accepts the file.
absl::Status CheckFile(const MatchId& id, absl::string_view file);

// Errors of every kind of replay store. `shelf` is SharedShelf::name.
absl::Status OtherReplayShelved(absl::string_view shelf, const MatchId& id);
absl::Status NotShelved(absl::string_view shelf, const MatchId& id);

// The arguments of List.
struct Listing {
  std::string day;    // a key must begin with it and a slash; empty: any key
  std::string after;  // keys come after this one; empty: from the first
  size_t count = 0;   // limit
};
// Returns InvalidArgument that names the argument.
absl::StatusOr<Listing> ReadListing(absl::string_view day, int page_size,
                                    absl::string_view page_token);

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_LAYOUT_H_

// Where a replay is on a shelf, whatever the shelf is made of: YYYY/MM/DD/<match-id>.rpl, by the
// day (UTC) of the match's creation, as in the folders of an archive. Keys sort as their ids do.
// Pure.
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

// "2026/11/24/01kax....rpl"
std::string KeyOf(const MatchId& id);
// The match whose key this is; nothing if it is no match's.
absl::optional<MatchId> IdOfKey(absl::string_view key);

// Returns InvalidArgument unless this is what Put takes.
absl::Status CheckFile(const MatchId& id, absl::string_view file);

// Errors that every kind of shelf raises. `shelf` is SharedShelf::name.
absl::Status OtherReplayShelved(absl::string_view shelf, const MatchId& id);
absl::Status NotShelved(absl::string_view shelf, const MatchId& id);

// What a call of List asks for.
struct Listing {
  std::string day;    // keys begin with it and a slash; empty: with anything
  std::string after;  // keys come after this one; empty: from the first
  size_t count = 0;   // at most
};
// Returns InvalidArgument that names the argument.
absl::StatusOr<Listing> ReadListing(absl::string_view day, int page_size,
                                    absl::string_view page_token);

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_LAYOUT_H_

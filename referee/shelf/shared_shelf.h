// Interface of the replay store that a fleet of referees shares.
//
// It receives each sealed replay of a competition, by match id, in addition to the archive of each
// daemon (replay/archive.h). SHELF.md says where files are, and what is guaranteed.
//
//   std::unique_ptr<SharedShelf> shelf = OpenShelf("s3://replays/spring?region=eu-west-1").value();
//   Status put = shelf->Put(match_id, file);              // Unavailable: call again
//   StatusOr<std::string> file = shelf->Get(match_id);    // NotFound: it was never put
//
// Every call may also return:
//   Unavailable, ResourceExhausted         the store does not answer, or is full: call again later
//   PermissionDenied, FailedPrecondition   an operator must fix what the message says; another call
//                                          does no harm
#ifndef REFEREE_SHELF_SHARED_SHELF_H_
#define REFEREE_SHELF_SHARED_SHELF_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/base/ids.h"
#include "referee/shelf/limits.h"

namespace referee::shelf {

struct ShelvedReplay {
  MatchId id;
  uint64_t size = 0;  // of the file, in bytes
};

struct ShelfPage {
  std::vector<ShelvedReplay> replays;  // oldest match first
  std::string next_page_token;         // empty on the last page
};

// Thread-safe. Every call may wait for a disk or a network; each implementation says how long.
class SharedShelf {
 public:
  virtual ~SharedShelf() = default;

  // Stores the replay file of a match unless there is one. OK means that the store has exactly
  // these bytes, that they survive a loss of power, and that every reader finds them. The same
  // bytes again are OK. Never overwrites: returns AlreadyExists when the store has other bytes.
  // Returns InvalidArgument when the file is empty or larger than limits::kMaxReplayBytes. After
  // any other error the complete file may or may not exist.
  virtual absl::Status Put(const MatchId& id, absl::string_view file) = 0;

  // Returns the bytes of a replay file, or NotFound.
  virtual absl::StatusOr<std::string> Get(const MatchId& id) = 0;

  // Returns at most `page_size` replays, oldest match first. `day` selects matches created on a day
  // (UTC) "2026/11/24", in a month "2026/11" or in a year; empty: all. `page_token` is the token of
  // the page before; empty: begins with the oldest. `page_size` is clamped to 1 to
  // limits::kMaxPageSize; 0 means limits::kDefaultPageSize. A token is the id of the last match of
  // a page; any match id works. Returns InvalidArgument for an invalid `day` or token.
  virtual absl::StatusOr<ShelfPage> List(absl::string_view day, int page_size,
                                         absl::string_view page_token) = 0;

  // Returns the address for people, without secrets.
  virtual const std::string& name() const = 0;
};

// Opens the replay store at an address (address.h); missing parts come from the environment of this
// process. `call_limit`: how long a call repeats failed requests; zero: it tries once. Returns
// InvalidArgument for an invalid address, NotFound when its directory does not exist,
// FailedPrecondition when there are no credentials. Contacts no server.
absl::StatusOr<std::unique_ptr<SharedShelf>> OpenShelf(
    absl::string_view address, absl::Duration call_limit = limits::kShelfCallLimit);

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_SHARED_SHELF_H_

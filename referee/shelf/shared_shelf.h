// A shelf that a fleet of referees shares: one place to which each sealed replay of a competition
// goes, by match id, beside the archive that each daemon has for itself (replay/archive.h).
// SHELF.md says what is where, and what is promised.
//
//   std::unique_ptr<SharedShelf> shelf = OpenShelf("s3://replays/spring?region=eu-west-1").value();
//   Status put = shelf->Put(match_id, file);              // Unavailable: call again
//   StatusOr<std::string> file = shelf->Get(match_id);    // NotFound: nobody has put it
//
// What the calls return beside what they say:
//   Unavailable, ResourceExhausted   the place does not answer, or is full: call again, later
//   PermissionDenied, FailedPrecondition   somebody has to set something right; the message says
//                                    what. To call again does no harm.
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

  // Puts the replay file of a match there, unless there is one. OK means that the shelf has exactly
  // these bytes, and they survive a loss of power: whoever asks finds them. The same bytes again
  // are OK. Nothing is ever written over: returns AlreadyExists when the shelf has other bytes, and
  // InvalidArgument when the file is empty or has more than limits::kMaxReplayBytes. After any
  // other error the file may be there, whole, or not.
  virtual absl::Status Put(const MatchId& id, absl::string_view file) = 0;

  // The bytes of a replay file. Returns NotFound when there is none.
  virtual absl::StatusOr<std::string> Get(const MatchId& id) = 0;

  // The replays of matches that were made on a day (UTC), "2026/11/24", in a month, "2026/11", in a
  // year, or, if `day` is empty, all; at most `page_size`, oldest match first, from where
  // `page_token` says (empty: from the oldest). `page_size` is clamped to 1 to
  // limits::kMaxPageSize; 0 means limits::kDefaultPageSize. A token is the id of the last match of
  // a page, and that of any other match will do. Returns InvalidArgument for another `day` or
  // token.
  virtual absl::StatusOr<ShelfPage> List(absl::string_view day, int page_size,
                                         absl::string_view page_token) = 0;

  // Where it is, for people: without anything secret.
  virtual const std::string& name() const = 0;
};

// Takes what the address (address.h) leaves out from the environment of this process. `call_limit`
// is for how long a call tries again what fails; zero: it tries once. Returns InvalidArgument for
// another address, NotFound when its directory is not there, FailedPrecondition when there are no
// credentials. Asks nothing of a server.
absl::StatusOr<std::unique_ptr<SharedShelf>> OpenShelf(
    absl::string_view address, absl::Duration call_limit = limits::kShelfCallLimit);

}  // namespace referee::shelf

#endif  // REFEREE_SHELF_SHARED_SHELF_H_

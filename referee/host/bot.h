// What a host keeps of one bot, whom it knows by name: the link while the bot is connected, and its
// seats in matches that run. A place is such a seat; a bot says how many it can have at once.
#ifndef REFEREE_HOST_BOT_H_
#define REFEREE_HOST_BOT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/host/link.h"

namespace referee::host {

class MatchRunner;

// What a bot says of itself when it connects.
struct Hello {
  std::string software;
  std::vector<std::string> games;  // empty: all
  int max_matches = 1;
  // Whether a link that the bot has already is to go on; else the new one takes over.
  bool keeps_existing = false;
};

// How a bot is connected, from one change of it to the next.
struct Connection {
  uint64_t version = 0;        // counts the changes: of two, the later has the greater
  std::shared_ptr<Link> link;  // null: not at all
};

// Thread-safe.
class Bot {
 public:
  // A seat in a running match.
  struct Place {
    std::shared_ptr<MatchRunner> runner;  // null: there is no such place
    Seat seat;
  };

  explicit Bot(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  std::shared_ptr<Link> link() const;
  bool plays(absl::string_view game) const;
  // How many more matches it can take; 0 without a link.
  int free_places() const;
  // How many it takes at once, as it said last; 0 without a link.
  int max_matches() const;

  // How the bot is connected now.
  Connection connection() const;
  // The bot is connected by `link`. Returns how it is now, and how it was before.
  std::pair<Connection, Connection> SetLink(std::shared_ptr<Link> link, Hello hello);
  // `link` is lost. Returns how the bot is connected now; none if `link` is not its link (any
  // more).
  absl::optional<Connection> ClearLink(const Link* link);

  void AddPlace(absl::string_view match_id, Place place);
  // Returns false if there is none.
  bool RemovePlace(absl::string_view match_id);
  // Of matches whose end was told, there are places to be given up, and none to be found.
  Place FindPlace(absl::string_view match_id) const;
  // Oldest match first.
  std::vector<Place> places() const;

 private:
  const std::string name_;
  mutable Mutex mutex_;
  Connection connection_ ABSL_GUARDED_BY(mutex_);
  Hello hello_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, Place> places_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::host

#endif  // REFEREE_HOST_BOT_H_

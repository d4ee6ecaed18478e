// Keeps the archive of a node within its bounds: now and then it looks which packs are to go
// (replay/retention.h), and removes them, but for the replays that the store still needs or that
// are to be kept (store/known_blocks.h).
#ifndef REFEREE_NODE_ARCHIVE_KEEPER_H_
#define REFEREE_NODE_ARCHIVE_KEEPER_H_

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "referee/base/clock.h"
#include "referee/log/event.h"
#include "referee/node/repeater.h"
#include "referee/replay/pack_shelf.h"
#include "referee/replay/retention.h"
#include "referee/store/known_blocks.h"
#include "referee/store/store.h"

namespace referee::node {

// Thread-safe.
class ArchiveKeeper {
 public:
  struct Options {
    // All must outlive this.
    replay::PackShelf* shelf = nullptr;
    store::Store* store = nullptr;
    const Clock* clock = nullptr;  // of the wall

    std::string data_dir;
    replay::Retention retention;
    // Told which matches' replays are removed, before they are.
    std::function<void(const absl::flat_hash_set<std::string>& match_ids)> on_removing;
    log::Log log;
  };

  // Looks on a thread of its own, at once and every ten minutes, until it is destroyed.
  explicit ArchiveKeeper(Options options);

 private:
  void Work();
  absl::Status RemoveOld();
  // Removes one, unless the store says at the end that something of it is to be kept by now.
  absl::StatusOr<replay::PackShelf::Removal> Remove(replay::PackName name, absl::Time now) const;
  std::vector<replay::PackSize> Packs() const;
  void Tell(const replay::PackShelf::Removal& removal, replay::PackName name) const;

  const Options options_;
  // Of the thread: packs in which nothing could go, of this size, until the day is over.
  std::map<replay::PackName, uint64_t> held_;
  replay::PackName held_on_;
  std::string failed_;  // the last error
  Repeater repeater_;   // the last member, as its work uses the others
};

}  // namespace referee::node

#endif  // REFEREE_NODE_ARCHIVE_KEEPER_H_

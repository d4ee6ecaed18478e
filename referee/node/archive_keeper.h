// Removes old packs of replays from a node's archive, as its retention demands
// (replay/retention.h).
//
// It spares replays that the store still needs or that are to be kept (store/known_blocks.h).
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
    const Clock* clock = nullptr;  // only its wall time is used

    std::string data_dir;
    replay::Retention retention;
    // Called with the ids of the matches whose replays are about to be removed.
    std::function<void(const absl::flat_hash_set<std::string>& match_ids)> on_removing;
    log::Log log;
  };

  // Works on a thread of its own, at once and every ten minutes, until destroyed.
  explicit ArchiveKeeper(Options options);

 private:
  void Work();
  absl::Status RemoveOld();
  // Removes a pack, unless a check just before the removal finds that some of it must be kept.
  absl::StatusOr<replay::PackShelf::Removal> Remove(replay::PackName name, absl::Time now) const;
  std::vector<replay::PackSize> Packs() const;
  void Tell(const replay::PackShelf::Removal& removal, replay::PackName name) const;

  const Options options_;
  // Packs of which nothing could be removed, with their sizes, until the end of the day. Used by
  // the thread only.
  std::map<replay::PackName, uint64_t> held_;
  replay::PackName held_on_;
  std::string failed_;  // the last error
  Repeater repeater_;   // last, because its work uses the others
};

}  // namespace referee::node

#endif  // REFEREE_NODE_ARCHIVE_KEEPER_H_

// Moves replays that are files in folders of days into packs.
#ifndef REFEREE_REPLAY_PACKING_H_
#define REFEREE_REPLAY_PACKING_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/replay/pack_shelf.h"

namespace referee::replay {

struct PackingReport {
  int64_t packed = 0;
  // Errors for files that stay: not a replay, or different from the replay of the match in a pack.
  std::vector<absl::Status> left;
};

// Packs all files in folders below the data directory of the shelf, oldest first. Removes a file
// only after its replay is in a pack, is synced, and reads back as the same bytes. May be
// interrupted at any moment and called again. Calls `progress`, which may be null, now and then.
// Stops at an error of the shelf or the file system, and returns it.
absl::StatusOr<PackingReport> PackFolders(
    const std::string& data_dir, PackShelf* shelf,
    const std::function<void(int64_t done, int64_t total)>& progress);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_PACKING_H_

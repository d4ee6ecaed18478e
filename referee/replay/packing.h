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
  // Files that stay where they are, with why: they are no replays, or others than are in packs.
  std::vector<absl::Status> left;
};

// Packs all files in folders below the shelf's data directory, oldest first. Each file is removed
// once its replay is in a pack, on the disk, and reads as the same bytes. May be interrupted at any
// moment, and called again. `progress` is called now and then, and may be null. Returns the error
// of the shelf or the file system, at which it stops.
absl::StatusOr<PackingReport> PackFolders(
    const std::string& data_dir, PackShelf* shelf,
    const std::function<void(int64_t done, int64_t total)>& progress);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_PACKING_H_

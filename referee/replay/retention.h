// Decides which packs of an archive to remove, and records the removed ones.
//
// The record is <data_dir>/replays/removed; because of it an audit does not report removed replays
// as missing. The decision is pure. The functions of the record use the file, for one writer.
#ifndef REFEREE_REPLAY_RETENTION_H_
#define REFEREE_REPLAY_RETENTION_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/replay/pack.h"

namespace referee::replay {

// Limits of the archive; not set: unlimited.
struct Retention {
  absl::optional<absl::Duration> age;  // whole days
  absl::optional<uint64_t> bytes;      // of all packs
};

struct PackSize {
  PackName name;
  uint64_t bytes = 0;
  bool held = false;  // must not be removed
};

// Returns the packs to remove, oldest first, from the sorted `packs`. Selects packs of days that
// ended before `now` - age, then the oldest until the rest fits in `bytes`. Never selects held
// packs or the last pack.
std::vector<PackName> PacksToGo(absl::Span<const PackSize> packs, const Retention& retention,
                                absl::Time now);

// A pack that was removed.
struct RemovedPack {
  PackName name;
  int64_t replays = 0;  // removed with it
  absl::Time time;
};

// Appends to the record; it is on the disk when this returns.
absl::Status RecordRemoval(const std::string& data_dir, const RemovedPack& removed);
// Returns the number of removed replays for each day, by the first pack of that day. Empty without
// a record. Returns InvalidArgument that names the line that cannot be read.
absl::StatusOr<std::map<PackName, int64_t>> ReadRemovals(const std::string& data_dir);

// Returns whether the record says that this pack was removed.
bool WasPackRemoved(const std::string& data_dir, PackName name);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_RETENTION_H_

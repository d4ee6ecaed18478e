// Which packs of an archive are removed, so that it does not grow for ever; and the record of those
// that were, <data_dir>/replays/removed, so that an audit does not miss their replays. The decision
// is pure; the functions of the record are of the file, for one writer.
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

// How much is kept; what is not set, all.
struct Retention {
  absl::optional<absl::Duration> age;  // whole days
  absl::optional<uint64_t> bytes;      // of all packs
};

struct PackSize {
  PackName name;
  uint64_t bytes = 0;
  bool held = false;  // nothing in it may go
};

// Those of `packs`, which are in order, that go, oldest first: the ones of days that ended before
// `now` - age; and then as many as it takes until the others have at most so many bytes. Never
// those that are held, nor the last.
std::vector<PackName> PacksToGo(absl::Span<const PackSize> packs, const Retention& retention,
                                absl::Time now);

// A pack that was removed.
struct RemovedPack {
  PackName name;
  int64_t replays = 0;  // that went with it
  absl::Time time;
};

// Adds to the record; it is on the disk when this returns.
absl::Status RecordRemoval(const std::string& data_dir, const RemovedPack& removed);
// How many replays were removed of the matches of each day, by the first pack of that day. Empty if
// there is no record. Returns InvalidArgument that names the line that cannot be read.
absl::StatusOr<std::map<PackName, int64_t>> ReadRemovals(const std::string& data_dir);

// Whether the record says that this pack was removed.
bool WasPackRemoved(const std::string& data_dir, PackName name);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_RETENTION_H_

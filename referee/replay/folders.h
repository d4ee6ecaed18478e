// Replays as files in folders of days below a data directory: finds, lists and reads what
// day_folders.h writes. Stateless: it reads the directories each time. Thread-safe. archive.h reads
// these and packs.
#ifndef REFEREE_REPLAY_FOLDERS_H_
#define REFEREE_REPLAY_FOLDERS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/replay/archived_replay.h"

namespace referee::replay {

class Folders {
 public:
  explicit Folders(std::string data_dir) : root_(data_dir + "/replays") {}

  // <data_dir>/replays/YYYY/MM/DD/<match-id>.rpl, whether there is one or not.
  std::string PathOf(const MatchId& id) const;

  // At most `count` replays whose ids are below `before` (empty: from the newest), newest first.
  // Files that are added meanwhile do not disturb it.
  std::vector<ArchivedReplay> Below(const absl::optional<MatchId>& before, size_t count) const;

  // Where a replay is and how large; nothing when there is none.
  absl::optional<ArchivedReplay> Find(const MatchId& id) const;
  // Of all replays there are, in no order. Reads all directories, and no file.
  std::vector<MatchId> Ids() const;
  // At most `size` bytes of a replay file from `offset` on, and how many the whole file has.
  // Returns NotFound when there is none.
  absl::StatusOr<ReplayPart> ReadPart(const MatchId& id, uint64_t offset, size_t size) const;

  // Why folders of days could not be read: for each an error that names it. Reads all directories.
  std::vector<absl::Status> Problems() const;

  // Whether there is a replay file of the match.
  bool Has(const MatchId& id) const;

  // The bytes of a replay file. Returns NotFound when there is none.
  absl::StatusOr<std::string> Read(const MatchId& id) const;

 private:
  const std::string root_;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_FOLDERS_H_

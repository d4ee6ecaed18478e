// A replay of an archive, as lists and reads of it give it, in packs or in folders. Plain values.
#ifndef REFEREE_REPLAY_ARCHIVED_REPLAY_H_
#define REFEREE_REPLAY_ARCHIVED_REPLAY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "referee/base/ids.h"

namespace referee::replay {

struct ArchivedReplay {
  MatchId id;
  absl::Time create_time;
  uint64_t size = 0;  // of the replay, in bytes
  std::string path;   // of the file that it is, or the pack that it is in
};

struct ArchivePage {
  std::vector<ArchivedReplay> replays;  // newest first
  std::string next_page_token;          // empty on the last page
};

// A part of a replay, and how many bytes the whole has.
struct ReplayPart {
  std::string bytes;
  uint64_t total = 0;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_ARCHIVED_REPLAY_H_

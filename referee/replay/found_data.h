// What a data directory holds, for whoever asks before a referee starts there.
#ifndef REFEREE_REPLAY_FOUND_DATA_H_
#define REFEREE_REPLAY_FOUND_DATA_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace referee::replay {

// The files of one format.
struct FoundFormat {
  int64_t files = 0;
  int version = 0;  // the highest of them, known here or not; 0: there is no file
};

struct FoundData {
  FoundFormat log;      // segments, those that are free included
  FoundFormat replays;  // of the newest limits::kMaxRememberedMatches
  FoundFormat packs;
  // Whether this program goes on with each: what CheckLogVersions and CheckArchiveVersions say.
  absl::Status log_known;
  absl::Status archive_known;
  // What of the archive is torn or damaged, as Archive::Problems says; a start cuts torn ends off.
  std::vector<absl::Status> archive_problems;
  // Of the matches in the log that can be read here: those that go on, and those that are over and
  // have to be archived still.
  int64_t open_matches = 0;
  int64_t over_matches = 0;
  int64_t damaged_matches = 0;  // would be set aside
};

// Looks, and changes nothing; a referee may run there meanwhile. Nothing is found where there is no
// directory.
FoundData FindData(const std::string& data_dir);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_FOUND_DATA_H_

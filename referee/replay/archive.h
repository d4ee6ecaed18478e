// The archive of replays below a data directory: finds, lists and reads the files that FileRecorder
// writes. Stateless: it reads the directories each time. Thread-safe.
#ifndef REFEREE_REPLAY_ARCHIVE_H_
#define REFEREE_REPLAY_ARCHIVE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"

namespace referee::replay {

struct ArchivedReplay {
  MatchId id;
  absl::Time create_time;
  uint64_t size = 0;  // of the file, in bytes
  std::string path;
};

struct ArchivePage {
  std::vector<ArchivedReplay> replays;  // newest first
  std::string next_page_token;          // empty on the last page
};

class Archive {
 public:
  explicit Archive(std::string data_dir) : root_(data_dir + "/replays") {}

  // <data_dir>/replays/YYYY/MM/DD/<match-id>.rpl, whether there is one or not.
  std::string PathOf(const MatchId& id) const;

  // Returns at most `page_size` replays, newest first, from where `page_token` says (empty: from
  // the newest). `page_size` is clamped to 1 to limits::kMaxPageSize; 0 means
  // limits::kDefaultPageSize. Files that are added meanwhile do not disturb the pages. Returns
  // InvalidArgument for a token that List did not give.
  absl::StatusOr<ArchivePage> List(int page_size, absl::string_view page_token) const;

  // Where a replay is and how large; nothing when there is none.
  absl::optional<ArchivedReplay> Find(const MatchId& id) const;
  // Of all replays there are, in no order. Reads all directories, and no file.
  std::vector<MatchId> Ids() const;
  // How many entries a page has for which `page_size` were asked.
  static size_t ClampPageSize(int page_size);

  // At most `size` bytes of a replay file from `offset` on, and how many the whole file has.
  // Returns NotFound when there is none.
  struct Part {
    std::string bytes;
    uint64_t total = 0;
  };
  absl::StatusOr<Part> ReadPart(const MatchId& id, uint64_t offset, size_t size) const;

  // Whether there is a replay file of the match.
  bool Has(const MatchId& id) const;

  // The bytes of a replay file. Returns NotFound when there is none.
  absl::StatusOr<std::string> Read(const MatchId& id) const;

 private:
  const std::string root_;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_ARCHIVE_H_

// Reads the archive of replays below a data directory. Thread-safe.
//
// A referee keeps replays in packs (packs.h); duels keep them as files in folders by day
// (folders.h). A replay that is in both is read from its pack.
#ifndef REFEREE_REPLAY_ARCHIVE_H_
#define REFEREE_REPLAY_ARCHIVE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/replay/archive_query.h"
#include "referee/replay/folders.h"
#include "referee/replay/packs.h"
#include "referee/replay/summary.h"

namespace referee::replay {

struct ArchivePage {
  std::vector<ArchivedReplay> replays;  // newest first
  std::string next_page_token;          // empty on the last page
};

// A page of replays with their summaries.
struct FoundPage {
  struct Entry {
    ArchivedReplay replay;
    absl::optional<ReplaySummary> summary;  // not set: not in the index
  };
  std::vector<Entry> entries;
  std::string next_page_token;
};

class Archive {
 public:
  // Reads nothing yet. Another process may write packs in the directory.
  explicit Archive(const std::string& data_dir);
  // `packs` are the packs of this directory, shared with the writer in this process.
  Archive(const std::string& data_dir, std::shared_ptr<Packs> packs);

  // Returns the path of a replay outside of packs, whether or not the file exists:
  // <data_dir>/replays/YYYY/MM/DD/<match-id>.rpl.
  std::string PathOf(const MatchId& id) const { return folders_.PathOf(id); }

  // Returns at most `page_size` replays, newest first. `page_token` is the token of the page
  // before; empty: begins with the newest. `page_size` is clamped to 1 to limits::kMaxPageSize; 0
  // means limits::kDefaultPageSize. Replays added meanwhile do not disturb the pages. Returns
  // InvalidArgument for a token that List did not return, or the error of a pack.
  absl::StatusOr<ArchivePage> List(int page_size, absl::string_view page_token) const;
  // Like List, with summaries, for the replays that `filter` matches. Ignores `filter.before`. Any
  // other filter than "all" finds only replays in packs. If too many replays are not indexed yet,
  // it leaves those out.
  absl::StatusOr<FoundPage> Search(ReplayFilter filter, int page_size,
                                   absl::string_view page_token) const;

  // Returns the location and size of a replay, or NotFound.
  absl::StatusOr<ArchivedReplay> Find(const MatchId& id) const;
  // Returns at most `size` bytes of a replay from `offset` on, or NotFound.
  absl::StatusOr<ReplayPart> ReadPart(const MatchId& id, uint64_t offset, size_t size) const;
  bool Has(const MatchId& id) const { return Find(id).ok(); }
  // Returns the bytes of a replay file. Returns NotFound when there is no replay, DataLoss when its
  // entry in a pack is damaged.
  absl::StatusOr<std::string> Read(const MatchId& id) const;

  // Returns an error for each pack that the calls so far could not read whole. The error names the
  // pack.
  std::vector<absl::Status> Problems() const { return packs_->Problems(); }
  // Reads all packs and all folders of days, and returns an error for each that cannot be read
  // whole.
  std::vector<absl::Status> ProblemsOfAll() const;

  const Folders& folders() const { return folders_; }

 private:
  ArchivedReplay Describe(const PackedReplay& packed) const;
  // List with the summaries of the index.
  absl::StatusOr<FoundPage> ListWithSummaries(int page_size, absl::string_view page_token) const;
  // Returns the replays in packs that match, whether indexed or not yet.
  absl::StatusOr<std::vector<FoundReplay>> InIndex(const ReplayFilter& filter, size_t count) const;
  // Returns NotFound, or that the replay may be in a part of the archive that cannot be read.
  absl::Status Missing(const MatchId& id) const;
  // Returns the result of `read`. Looks the replay up again if its pack was removed meanwhile.
  absl::StatusOr<std::string> ReadPacked(
      const PackedReplay& packed,
      absl::FunctionRef<absl::StatusOr<std::string>(const PackedReplay&)> read) const;

  const std::string data_dir_;
  const Folders folders_;
  const std::shared_ptr<Packs> packs_;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_ARCHIVE_H_

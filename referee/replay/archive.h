// The archive of replays below a data directory, to be read: what is in packs, and what is in
// folders of days, as duels keep it. A replay that is in both is read from its pack. Thread-safe.
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

// The same of replays with what the index says of them.
struct FoundPage {
  struct Entry {
    ArchivedReplay replay;
    absl::optional<ReplaySummary> summary;  // not set: the index does not have it
  };
  std::vector<Entry> entries;
  std::string next_page_token;
};

class Archive {
 public:
  // Reads nothing yet. Another process may write packs there.
  explicit Archive(const std::string& data_dir);
  // `packs` are those of this directory, as whoever writes them in this process has them.
  Archive(const std::string& data_dir, std::shared_ptr<Packs> packs);

  // <data_dir>/replays/YYYY/MM/DD/<match-id>.rpl, the file of a replay that is in no pack, whether
  // there is one or not.
  std::string PathOf(const MatchId& id) const { return folders_.PathOf(id); }

  // Returns at most `page_size` replays, newest first, from where `page_token` says (empty: from
  // the newest). `page_size` is clamped to 1 to limits::kMaxPageSize; 0 means
  // limits::kDefaultPageSize. Replays that are added meanwhile do not disturb the pages. Returns
  // InvalidArgument for a token that List did not give, or the error of a pack.
  absl::StatusOr<ArchivePage> List(int page_size, absl::string_view page_token) const;
  // The same of those that `filter` names, with summaries; `filter.before` is ignored. A filter
  // that names anything finds only what is in packs, without what was put in the last moments if
  // that is too much to look at.
  absl::StatusOr<FoundPage> Search(ReplayFilter filter, int page_size,
                                   absl::string_view page_token) const;

  // Where a replay is and how large. Returns NotFound when there is none.
  absl::StatusOr<ArchivedReplay> Find(const MatchId& id) const;
  // At most `size` bytes of a replay from `offset` on. Returns NotFound when there is none.
  absl::StatusOr<ReplayPart> ReadPart(const MatchId& id, uint64_t offset, size_t size) const;
  // Whether there is a replay of the match.
  bool Has(const MatchId& id) const { return Find(id).ok(); }
  // The bytes of a replay file. Returns NotFound when there is none, DataLoss when its entry in a
  // pack is damaged.
  absl::StatusOr<std::string> Read(const MatchId& id) const;

  // What of the packs the calls so far could not read: an error for each, which names it.
  std::vector<absl::Status> Problems() const { return packs_->Problems(); }
  // The same after all packs were read whole; and of folders of days, all of which it reads.
  std::vector<absl::Status> ProblemsOfAll() const;

  const Folders& folders() const { return folders_; }

 private:
  ArchivedReplay Describe(const PackedReplay& packed) const;
  // List, with what the index says of each.
  absl::StatusOr<FoundPage> ListWithSummaries(int page_size, absl::string_view page_token) const;
  // The replays in packs of which the index, or what is beyond it, has a summary.
  absl::StatusOr<std::vector<FoundReplay>> InIndex(const ReplayFilter& filter, size_t count) const;
  // That there is no replay of a match, or none in what can be read.
  absl::Status Missing(const MatchId& id) const;
  // What `read` returns of a replay; of where it is now if its pack has gone meanwhile.
  absl::StatusOr<std::string> ReadPacked(
      const PackedReplay& packed,
      absl::FunctionRef<absl::StatusOr<std::string>(const PackedReplay&)> read) const;

  const std::string data_dir_;
  const Folders folders_;
  const std::shared_ptr<Packs> packs_;
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_ARCHIVE_H_

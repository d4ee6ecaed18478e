// The archive of a running referee, listed at a cost that does not grow with it: packs have an
// index, and of replays in folders the ids are in memory, 26 bytes each, in order. The directories
// are read once, when the first page is asked for.
//
//   ArchiveIndex index{Archive(data_dir)};
//   index.Note(id);                         // a replay was written
//   StatusOr<ArchivePage> page = index.List(50, "");
//   ReplayFilter filter;
//   filter.bot = "greedy";
//   StatusOr<FoundPage> hers = index.Find(filter, 50, "");
#ifndef REFEREE_REPLAY_ARCHIVE_INDEX_H_
#define REFEREE_REPLAY_ARCHIVE_INDEX_H_

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/replay/archive.h"
#include "referee/replay/archive_query.h"
#include "referee/replay/summary.h"

namespace referee::replay {

// Replays that were looked for, newest first.
struct FoundPage {
  struct Entry {
    ArchivedReplay replay;
    absl::optional<ReplaySummary> summary;  // not set: the index does not have it
  };
  std::vector<Entry> entries;
  std::string next_page_token;  // empty on the last
};

// Thread-safe. Files in folders that somebody else adds are not listed before the next start; those
// that somebody removes are not listed any more.
class ArchiveIndex {
 public:
  explicit ArchiveIndex(Archive archive) : archive_(std::move(archive)) {}

  // The replay of this match is in a folder.
  void Note(const MatchId& id);

  // As Archive::List.
  absl::StatusOr<ArchivePage> List(int page_size, absl::string_view page_token);

  // At most `page_size` replays that `filter` names, by page as Archive::List; `filter.before` is
  // ignored. With a filter that names anything only those in packs are found, and of these not what
  // was put in the last moments if that is too much to look at.
  absl::StatusOr<FoundPage> Find(ReplayFilter filter, int page_size, absl::string_view page_token);

  const Archive& archive() const { return archive_; }

 private:
  using Key = std::array<char, 26>;

  static Key KeyOf(absl::string_view id);
  // Reads the directories, unless that was done.
  void Build();
  // At most `count` keys below `before` (empty: from the newest), newest first.
  std::vector<Key> Below(absl::string_view before, size_t count);
  // The same of replays that are there.
  std::vector<ArchivedReplay> InFolders(const absl::optional<MatchId>& before, size_t count);
  // List, with what the index says of each.
  absl::StatusOr<FoundPage> ListWithSummaries(int page_size, absl::string_view page_token);
  // Of replays in packs, of which the index has a summary.
  absl::StatusOr<std::vector<FoundReplay>> InIndex(const ReplayFilter& filter, size_t count) const;

  const Archive archive_;
  Mutex build_mutex_;  // taken before mutex_
  bool built_ ABSL_GUARDED_BY(build_mutex_) = false;
  Mutex mutex_;
  std::vector<Key> keys_ ABSL_GUARDED_BY(mutex_);  // in order
};

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_ARCHIVE_INDEX_H_

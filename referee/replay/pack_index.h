// The index of packs: one SQLite file, <data_dir>/replays/index.db, with a row for each replay and
// one for each seat of it. It follows from the packs alone, and may be behind them. Tables:
// FORMAT.md.
#ifndef REFEREE_REPLAY_PACK_INDEX_H_
#define REFEREE_REPLAY_PACK_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/replay/pack.h"
#include "referee/replay/summary.h"
#include "referee/sqlite/reader.h"
#include "referee/sqlite/sqlite.h"

namespace referee::replay {

// Up to which byte of each pack the index has all entries.
using Covered = std::map<PackName, uint64_t>;

// Thread-compatible.
class PackIndex {
 public:
  struct Row {
    PackedReplay place;
    ReplaySummary summary;
  };

  static std::string PathIn(const std::string& data_dir);
  // NotFound, with how to make it.
  static absl::Status Missing(const std::string& data_dir);

  // Opens the index to write to it; makes it if there is none, and anew if it is damaged, or of
  // another version. REQUIRES: nobody else writes to it, which the lock of the data directory
  // (data_dir.h) ensures.
  static absl::StatusOr<std::unique_ptr<PackIndex>> Open(const std::string& data_dir);
  // Opens it to be read, and changes no file. Returns NotFound when there is none, DataLoss when it
  // is damaged, FailedPrecondition when it is of another version; all say how to make it anew.
  static absl::StatusOr<std::unique_ptr<PackIndex>> OpenToRead(const std::string& data_dir);
  // An index of nothing, in memory.
  static absl::StatusOr<std::unique_ptr<PackIndex>> InMemory();
  // Removes the file and those beside it. REQUIRES: nobody has it open.
  static absl::Status Remove(const std::string& data_dir);

  // Adds rows, and how far the index goes now; all of it or nothing. Of several replays of one
  // match the last counts.
  absl::Status Add(absl::Span<const Row> rows, const Covered& covered);

  // Has queries of this object see these rows too, in place of others of the same matches; the file
  // stays as it is. REQUIRES: it was not called before.
  absl::Status Overlay(absl::Span<const Row> rows);

  absl::StatusOr<Covered> ReadCovered();
  // The packs with damaged entries before their covered byte, which the index passed over.
  absl::StatusOr<std::vector<PackName>> PacksWithDamage();
  absl::StatusOr<absl::optional<PackedReplay>> Find(const MatchId& id);
  // At most `count` replays whose ids are below `before` (empty: from the newest), newest first.
  absl::StatusOr<std::vector<PackedReplay>> Below(absl::string_view before, size_t count);

  // For queries (archive_query.h).
  sqlite::Connection* db() { return reader_.db(); }
  // Of one that was opened to be read: what was read may be wrong, since somebody has opened or
  // closed the index meanwhile. Open it again then.
  bool overtaken() const { return reader_.overtaken(); }

 private:
  explicit PackIndex(sqlite::Reader reader) : reader_(std::move(reader)) {}

  absl::Status CheckTables();
  absl::Status AddRow(const Row& row);
  // Covers a pack up to `end`, where `rows` have all entries that are new and not damaged.
  absl::Status Cover(PackName pack, uint64_t end, absl::Span<const Row> rows);
  absl::Status RemoveRow(const MatchId& id);
  absl::Status AddWord(absl::string_view text);

  sqlite::Reader reader_;
};

// Calls body(PackIndex*), which returns a StatusOr, with the index of a data directory, as `open`
// opens it, and again when that was overtaken. Returns the error of `open`, or of `body`.
template <typename Open, typename Body>
auto ReadIndex(const std::string& data_dir, Open open, Body body) -> decltype(body(nullptr)) {
  constexpr int kTries = 20;
  for (int i = 0;; ++i) {
    absl::StatusOr<std::unique_ptr<PackIndex>> index = open();
    absl::Status status = index.status();
    if (index.ok()) {
      auto answer = body(index->get());
      if (!(*index)->overtaken()) return answer;
      status = sqlite::DatabaseBusy(PackIndex::PathIn(data_dir));
    }
    if (!absl::IsUnavailable(status) || i == kTries) return status;
    absl::SleepFor(absl::Milliseconds(50));
  }
}

// The same, opened by PackIndex::OpenToRead.
template <typename Body>
auto ReadIndex(const std::string& data_dir, Body body) -> decltype(body(nullptr)) {
  return ReadIndex(
      data_dir, [&] { return PackIndex::OpenToRead(data_dir); }, body);
}

// The place of a replay as the index has it, and back.
int64_t PlaceNumber(PackName pack, uint64_t offset);
PackedReplay PlaceOf(MatchId id, int64_t number, uint32_t size);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_PACK_INDEX_H_

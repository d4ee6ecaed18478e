// The index of packs: the SQLite file <data_dir>/replays/index.db, with rows for replays and seats.
//
// It is derived from the packs alone, and may be behind them. FORMAT.md has the tables.
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

// For each pack, the byte up to which the index has all entries.
using Covered = std::map<PackName, uint64_t>;

// Thread-compatible.
class PackIndex {
 public:
  struct Row {
    PackedReplay place;
    ReplaySummary summary;
  };

  static std::string PathIn(const std::string& data_dir);
  // Returns NotFound, with how to make the index.
  static absl::Status Missing(const std::string& data_dir);

  // Opens the index for writing. Makes it if it is missing, and anew if it is damaged or of another
  // version. REQUIRES: no other writer, which the lock of the data directory (data_dir.h) ensures.
  static absl::StatusOr<std::unique_ptr<PackIndex>> Open(const std::string& data_dir);
  // Opens the index for reading, and changes no file. Returns NotFound when it is missing, DataLoss
  // when it is damaged, FailedPrecondition when it is of another version. Each error says how to
  // make it anew.
  static absl::StatusOr<std::unique_ptr<PackIndex>> OpenToRead(const std::string& data_dir);
  // Makes an empty index in memory.
  static absl::StatusOr<std::unique_ptr<PackIndex>> InMemory();
  // Removes the file and SQLite's files beside it. REQUIRES: no connection to it is open.
  static absl::Status Remove(const std::string& data_dir);

  // Adds rows and the new extent of the index, in one transaction. If a match has several replays,
  // the last one counts.
  absl::Status Add(absl::Span<const Row> rows, const Covered& covered);

  // Adds rows that only queries of this object see. They replace rows of the same matches; the file
  // does not change. REQUIRES: Overlay was not called before.
  absl::Status Overlay(absl::Span<const Row> rows);

  absl::StatusOr<Covered> ReadCovered();
  // Returns the packs whose damaged entries the index skipped.
  absl::StatusOr<std::vector<PackName>> PacksWithDamage();
  absl::StatusOr<absl::optional<PackedReplay>> Find(const MatchId& id);
  // Returns at most `count` replays with ids below `before`, newest first; empty: from the newest.
  absl::StatusOr<std::vector<PackedReplay>> Below(absl::string_view before, size_t count);

  // The connection, for queries (archive_query.h).
  sqlite::Connection* db() { return reader_.db(); }
  // Returns whether the results of an index opened for reading may be wrong, because another
  // process opened or closed it meanwhile. Then open it again.
  bool overtaken() const { return reader_.overtaken(); }

 private:
  explicit PackIndex(sqlite::Reader reader) : reader_(std::move(reader)) {}

  absl::Status CheckTables();
  absl::Status AddRow(const Row& row);
  // Sets the extent of a pack to `end`; `rows` have all its new undamaged entries.
  absl::Status Cover(PackName pack, uint64_t end, absl::Span<const Row> rows);
  absl::Status RemoveRow(const MatchId& id);
  absl::Status AddWord(absl::string_view text);

  sqlite::Reader reader_;
};

// Calls body(PackIndex*), which returns a StatusOr, with the index that `open` returns. Repeats
// both if the index was overtaken. Returns the error of `open` or of `body`.
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

// The same with PackIndex::OpenToRead.
template <typename Body>
auto ReadIndex(const std::string& data_dir, Body body) -> decltype(body(nullptr)) {
  return ReadIndex(
      data_dir, [&] { return PackIndex::OpenToRead(data_dir); }, body);
}

// Convert the location of a replay to the number in the index, and back.
int64_t PlaceNumber(PackName pack, uint64_t offset);
PackedReplay PlaceOf(MatchId id, int64_t number, uint32_t size);

}  // namespace referee::replay

#endif  // REFEREE_REPLAY_PACK_INDEX_H_

#include "referee/replay/pack_index.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/replay/versions.h"

namespace referee::replay {
namespace {

constexpr int kOffsetBits = 30;  // bits of the offset in a place number; packs are smaller
constexpr uint64_t kOffsetMask = (uint64_t{1} << kOffsetBits) - 1;

constexpr absl::string_view kMakeIndex =
    "the next start of refereed makes it, or 'refctl archive index' while none runs";

constexpr absl::Duration kBusyLimit = absl::Seconds(5);

constexpr char kSettings[] = R"sql(
PRAGMA temp_store = MEMORY;
PRAGMA trusted_schema = OFF;
PRAGMA cache_size = -16384;
)sql";

// A loss of power may destroy recent rows; they are read again from the packs.
constexpr char kWriterSettings[] = R"sql(
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
)sql";

constexpr char kTables[] = R"sql(
BEGIN IMMEDIATE;
CREATE TABLE pack(
  number INTEGER PRIMARY KEY,
  covered INTEGER NOT NULL,
  damaged INTEGER NOT NULL
);
CREATE TABLE word(
  number INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
);
CREATE TABLE replay(
  place INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  size INTEGER NOT NULL,
  create_ms INTEGER NOT NULL,
  end_us INTEGER NOT NULL,
  game INTEGER NOT NULL,
  competition INTEGER,
  block TEXT,
  rotation INTEGER,
  turns INTEGER NOT NULL,
  ending INTEGER NOT NULL,
  opening_roll TEXT
);
CREATE INDEX replay_of_competition ON replay(competition, create_ms) WHERE competition IS NOT NULL;
CREATE TABLE seat(
  place INTEGER NOT NULL,
  seat INTEGER NOT NULL,
  bot INTEGER NOT NULL,
  rank INTEGER,
  score INTEGER,
  forfeit INTEGER,
  used_us INTEGER NOT NULL,
  create_ms INTEGER NOT NULL,
  PRIMARY KEY (place, seat)
) WITHOUT ROWID;
CREATE INDEX seat_of_bot ON seat(bot, create_ms);
PRAGMA user_version = 2;
COMMIT;
)sql";

// Queries name tables without their database, so temporary tables take precedence over the file's.
constexpr char kTemporaryTables[] = R"sql(
CREATE TEMP TABLE word(
  number INTEGER PRIMARY KEY,
  text TEXT NOT NULL UNIQUE
);
INSERT INTO temp.word SELECT number, text FROM main.word;
CREATE TEMP TABLE replay AS SELECT * FROM main.replay WHERE false;
CREATE UNIQUE INDEX temp.replay_by_id ON replay(id);
CREATE UNIQUE INDEX temp.replay_by_place ON replay(place);
CREATE TEMP TABLE seat AS SELECT * FROM main.seat WHERE false;
CREATE INDEX temp.seat_by_place ON seat(place);
)sql";

constexpr char kOverlaidTables[] = R"sql(
ALTER TABLE temp.replay RENAME TO new_replay;
ALTER TABLE temp.seat RENAME TO new_seat;
CREATE TEMP VIEW replay AS
  SELECT * FROM main.replay WHERE id NOT IN (SELECT id FROM temp.new_replay)
  UNION ALL SELECT * FROM temp.new_replay;
CREATE TEMP VIEW seat AS
  SELECT * FROM main.seat WHERE place NOT IN
    (SELECT place FROM main.replay WHERE id IN (SELECT id FROM temp.new_replay))
  UNION ALL SELECT * FROM temp.new_seat;
)sql";

absl::Status BadArchiveIndex(absl::string_view path, absl::string_view why) {
  return absl::DataLossError(absl::StrCat(path, ": the index of the archive is damaged (", why,
                                          "); nothing is lost: ", kMakeIndex, " anew"));
}

// Returns whether another try with the same file may succeed.
bool IsPassing(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsResourceExhausted(status) ||
         absl::IsPermissionDenied(status);
}

template <typename T>
absl::optional<int64_t> OptionalInt(const absl::optional<T>& value) {
  if (!value) return absl::nullopt;
  return static_cast<int64_t>(*value);
}

absl::optional<absl::string_view> NotEmpty(absl::string_view text) {
  if (text.empty()) return absl::nullopt;
  return text;
}

}  // namespace

int64_t PlaceNumber(PackName pack, uint64_t offset) {
  return (pack.number() << kOffsetBits) | static_cast<int64_t>(offset);
}

PackedReplay PlaceOf(MatchId id, int64_t number, uint32_t size) {
  return {std::move(id), PackName::OfNumber(number >> kOffsetBits),
          static_cast<uint64_t>(number) & kOffsetMask, size};
}

std::string PackIndex::PathIn(const std::string& data_dir) {
  return data_dir + "/replays/index.db";
}

absl::Status PackIndex::Missing(const std::string& data_dir) {
  return absl::NotFoundError(
      absl::StrCat(PathIn(data_dir), ": there is no index of an archive; ", kMakeIndex));
}

absl::Status PackIndex::Remove(const std::string& data_dir) {
  for (const char* const suffix : {"", "-wal", "-shm"}) {
    const std::string path = PathIn(data_dir) + suffix;
    if (unlink(path.c_str()) != 0 && errno != ENOENT) {
      return FileError("cannot remove", path, errno);
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<PackIndex>> PackIndex::Open(const std::string& data_dir) {
  const auto open = [&]() -> absl::StatusOr<std::unique_ptr<PackIndex>> {
    absl::StatusOr<std::unique_ptr<sqlite::Connection>> db =
        sqlite::Connection::Open(PathIn(data_dir), /*create=*/true, kBusyLimit);
    if (!db.ok()) return db.status();
    const absl::Status set = (*db)->RunScript(absl::StrCat(kSettings, kWriterSettings));
    if (!set.ok()) return set;
    const absl::StatusOr<int64_t> tables = (*db)->ReadInt("SELECT count(*) FROM sqlite_schema");
    if (!tables.ok()) return tables.status();
    if (*tables == 0) {
      if (absl::Status s = (*db)->RunScript(kTables); !s.ok()) return s;
    }
    std::unique_ptr<PackIndex> index(new PackIndex(sqlite::Reader(*std::move(db))));
    if (absl::Status s = index->CheckTables(); !s.ok()) return s;
    return index;
  };
  absl::StatusOr<std::unique_ptr<PackIndex>> index = open();
  if (index.ok() || IsPassing(index.status())) return index;
  if (absl::Status s = Remove(data_dir); !s.ok()) return s;
  return open();
}

absl::StatusOr<std::unique_ptr<PackIndex>> PackIndex::OpenToRead(const std::string& data_dir) {
  const std::string path = PathIn(data_dir);
  absl::StatusOr<sqlite::Reader> reader = sqlite::Reader::Open(path, kBusyLimit);
  if (absl::IsNotFound(reader.status())) return Missing(data_dir);
  if (!reader.ok()) return reader.status();
  const absl::Status set = reader->db()->RunScript(kSettings);
  if (!set.ok()) return IsPassing(set) ? set : BadArchiveIndex(path, set.message());
  std::unique_ptr<PackIndex> index(new PackIndex(*std::move(reader)));
  const absl::Status checked = index->CheckTables();
  if (checked.ok()) return index;
  if (IsPassing(checked) || absl::IsFailedPrecondition(checked)) return checked;
  return BadArchiveIndex(path, checked.message());
}

absl::StatusOr<std::unique_ptr<PackIndex>> PackIndex::InMemory() {
  absl::StatusOr<std::unique_ptr<sqlite::Connection>> db =
      sqlite::Connection::Open(":memory:", /*create=*/true, kBusyLimit);
  if (!db.ok()) return db.status();
  if (absl::Status s = (*db)->RunScript(absl::StrCat(kSettings, kTables)); !s.ok()) return s;
  return std::unique_ptr<PackIndex>(new PackIndex(sqlite::Reader(*std::move(db))));
}

absl::Status PackIndex::CheckTables() {
  const absl::StatusOr<int64_t> version = db()->ReadInt("PRAGMA user_version");
  if (!version.ok()) return version.status();
  if (*version != kArchiveIndexVersion) {
    return absl::FailedPreconditionError(
        absl::StrCat(db()->path(), ": an index of version ", *version, "; this program knows ",
                     kArchiveIndexVersion,
                     ": the next start of refereed makes it anew, or 'refctl archive index' while "
                     "none runs"));
  }
  for (const char* const table : {"SELECT max(damaged) FROM pack", "SELECT max(number) FROM word",
                                  "SELECT max(place) FROM replay", "SELECT max(place) FROM seat"}) {
    if (absl::Status s = db()->ReadInt(table).status(); !s.ok()) return s;
  }
  return absl::OkStatus();
}

absl::Status PackIndex::Add(absl::Span<const Row> rows, const Covered& covered) {
  sqlite::Transaction transaction(db(), sqlite::Transaction::Kind::kWrite);
  if (!transaction.begun().ok()) return transaction.begun();
  for (const Row& row : rows) {
    if (absl::Status s = AddRow(row); !s.ok()) return s;
  }
  for (const auto& [pack, end] : covered) {
    if (absl::Status s = Cover(pack, end, rows); !s.ok()) return s;
  }
  return transaction.Commit();
}

absl::Status PackIndex::Cover(PackName pack, uint64_t end, absl::Span<const Row> rows) {
  sqlite::Statement find = db()->Prepare("SELECT covered, damaged FROM pack WHERE number = ?");
  find.Bind(pack.number());
  const bool known = find.Step();
  if (!find.status().ok()) return find.status();
  const uint64_t from = known ? static_cast<uint64_t>(find.Int(0)) : PackHeader().size();
  uint64_t whole = 0;
  for (const Row& row : rows) {
    if (row.place.pack == pack && row.place.offset >= from) whole += PackEntrySize(row.place);
  }
  int64_t damaged = known ? find.Int(1) : 0;
  if (end > from + whole) damaged += static_cast<int64_t>(end - from - whole);
  return db()->Run("INSERT OR REPLACE INTO pack(number, covered, damaged) VALUES(?, ?, ?)",
                   pack.number(), static_cast<int64_t>(end), damaged);
}

absl::Status PackIndex::Overlay(absl::Span<const Row> rows) {
  if (absl::Status s = db()->RunScript(kTemporaryTables); !s.ok()) return s;
  for (const Row& row : rows) {
    if (absl::Status s = AddRow(row); !s.ok()) return s;
  }
  return db()->RunScript(kOverlaidTables);
}

absl::Status PackIndex::AddWord(absl::string_view text) {
  return db()->Run("INSERT INTO word(text) VALUES(?) ON CONFLICT DO NOTHING", text);
}

absl::Status PackIndex::RemoveRow(const MatchId& id) {
  sqlite::Statement find = db()->Prepare("SELECT place FROM replay WHERE id = ?");
  find.Bind(id.text());
  if (!find.Step()) return find.status();
  const int64_t place = find.Int(0);
  if (absl::Status s = db()->Run("DELETE FROM seat WHERE place = ?", place); !s.ok()) return s;
  return db()->Run("DELETE FROM replay WHERE place = ?", place);
}

absl::Status PackIndex::AddRow(const Row& row) {
  const ReplaySummary& summary = row.summary;
  if (absl::Status s = RemoveRow(row.place.id); !s.ok()) return s;
  const int64_t place = PlaceNumber(row.place.pack, row.place.offset);
  const int64_t created = absl::ToUnixMillis(summary.create_time);
  if (absl::Status s = AddWord(summary.game); !s.ok()) return s;
  if (!summary.competition.empty()) {
    if (absl::Status s = AddWord(summary.competition); !s.ok()) return s;
  }
  absl::optional<int64_t> rotation;
  if (!summary.block.empty()) rotation = summary.rotation;
  const absl::Status added = db()->Run(
      "INSERT INTO replay(place, id, size, create_ms, end_us, game, competition, block, rotation, "
      "turns, ending, opening_roll) VALUES(?, ?, ?, ?, ?, (SELECT number FROM word WHERE text = "
      "?), "
      "(SELECT number FROM word WHERE text = ?), ?, ?, ?, ?, ?)",
      place, row.place.id.text(), int64_t{row.place.size}, created,
      sqlite::ToMicros(summary.end_time), summary.game, NotEmpty(summary.competition),
      NotEmpty(summary.block), rotation, int64_t{summary.turns},
      static_cast<int64_t>(summary.ending), NotEmpty(summary.opening_roll));
  if (!added.ok()) return added;
  for (size_t i = 0; i < summary.seats.size(); ++i) {
    const SeatSummary& seat = summary.seats[i];
    if (absl::Status s = AddWord(seat.bot); !s.ok()) return s;
    const absl::Status seated = db()->Run(
        "INSERT INTO seat(place, seat, bot, rank, score, forfeit, used_us, create_ms) "
        "VALUES(?, ?, (SELECT number FROM word WHERE text = ?), ?, ?, ?, ?, ?)",
        place, static_cast<int64_t>(i), seat.bot, OptionalInt(seat.rank), OptionalInt(seat.score),
        OptionalInt(seat.forfeit), absl::ToInt64Microseconds(seat.used), created);
    if (!seated.ok()) return seated;
  }
  return absl::OkStatus();
}

absl::StatusOr<Covered> PackIndex::ReadCovered() {
  Covered covered;
  sqlite::Statement list = db()->Prepare("SELECT number, covered FROM pack");
  while (list.Step()) {
    covered[PackName::OfNumber(list.Int(0))] = static_cast<uint64_t>(list.Int(1));
  }
  if (!list.status().ok()) return list.status();
  return covered;
}

absl::StatusOr<std::vector<PackName>> PackIndex::PacksWithDamage() {
  std::vector<PackName> names;
  sqlite::Statement list =
      db()->Prepare("SELECT number FROM pack WHERE damaged > 0 ORDER BY number");
  while (list.Step()) names.push_back(PackName::OfNumber(list.Int(0)));
  if (!list.status().ok()) return list.status();
  return names;
}

absl::StatusOr<absl::optional<PackedReplay>> PackIndex::Find(const MatchId& id) {
  sqlite::Statement find = db()->Prepare("SELECT place, size FROM replay WHERE id = ?");
  find.Bind(id.text());
  absl::optional<PackedReplay> found;
  if (find.Step()) found = PlaceOf(id, find.Int(0), static_cast<uint32_t>(find.Int(1)));
  if (!find.status().ok()) return find.status();
  return found;
}

absl::StatusOr<std::vector<PackedReplay>> PackIndex::Below(absl::string_view before, size_t count) {
  std::vector<PackedReplay> found;
  sqlite::Statement list =
      db()->Prepare("SELECT id, place, size FROM replay WHERE id < ? ORDER BY id DESC LIMIT ?");
  // Greater than every id.
  list.Bind(before.empty() ? absl::string_view("~") : before, static_cast<int64_t>(count));
  while (list.Step()) {
    absl::StatusOr<MatchId> id = MatchId::Parse(list.Text(0));
    if (!id.ok()) continue;
    found.push_back(PlaceOf(*std::move(id), list.Int(1), static_cast<uint32_t>(list.Int(2))));
  }
  if (!list.status().ok()) return list.status();
  return found;
}

}  // namespace referee::replay

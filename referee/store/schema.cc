#include "referee/store/schema.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/replay/files.h"
#include "referee/sqlite/sqlite.h"
#include "referee/store/errors.h"

namespace referee::store {

const char kStoreTables[] = R"sql(
CREATE TABLE account(
  name TEXT NOT NULL PRIMARY KEY,
  role TEXT NOT NULL CHECK(role IN ('BOT', 'ORGANISER', 'OBSERVER')),
  token_hash BLOB NOT NULL UNIQUE CHECK(length(token_hash) = 32),
  disabled TEXT NOT NULL,
  create_time INTEGER NOT NULL,
  token_time INTEGER NOT NULL,
  version TEXT NOT NULL DEFAULT '',
  version_time INTEGER,
  version_kept INTEGER NOT NULL DEFAULT 0 CHECK(version_kept IN (0, 1)),
  token_lifetime_ns INTEGER NOT NULL DEFAULT 0 CHECK(token_lifetime_ns >= 0),
  former_hash BLOB NOT NULL DEFAULT X'' CHECK(length(former_hash) IN (0, 32)),
  former_until INTEGER,
  last_used INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE ban(
  kind TEXT NOT NULL CHECK(kind IN ('ACCOUNT', 'ADDRESS')),
  subject TEXT NOT NULL,
  reason TEXT NOT NULL,
  create_time INTEGER NOT NULL,
  until INTEGER,
  cancelled_by TEXT NOT NULL,
  PRIMARY KEY(kind, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit(
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  time INTEGER NOT NULL,
  who TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;

CREATE TABLE competition(
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL UNIQUE,
  request_id TEXT UNIQUE,
  create_time INTEGER NOT NULL,
  format TEXT NOT NULL
    CHECK(format IN ('ROUND_ROBIN', 'GAUNTLET', 'SWISS', 'KNOCKOUT', 'LADDER', 'TEST')),
  spec BLOB NOT NULL,
  request_hash BLOB CHECK(length(request_hash) = 32),
  dice_seed BLOB CHECK(length(dice_seed) = 32),
  lot_seed BLOB CHECK(length(lot_seed) = 32),
  state TEXT NOT NULL CHECK(state IN ('NEW', 'RUNNING', 'PAUSED', 'FINISHING', 'FINISHED')),
  start_time INTEGER,
  finish_time INTEGER,
  version INTEGER NOT NULL,
  next_block INTEGER NOT NULL,
  counted INTEGER NOT NULL CHECK(counted <= next_block),
  replayed INTEGER NOT NULL,
  season INTEGER NOT NULL DEFAULT 1,
  season_time INTEGER,
  season_block INTEGER NOT NULL DEFAULT 0,
  season_request_id TEXT NOT NULL DEFAULT '',
  home INTEGER NOT NULL DEFAULT 0,
  dice_lives TEXT NOT NULL DEFAULT '' CHECK(length(dice_lives) % 32 = 0),
  life_blocks TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX unfinished ON competition(id) WHERE state <> 'FINISHED';

CREATE TABLE position(
  competition INTEGER NOT NULL REFERENCES competition,
  number INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY(competition, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE entrant(
  competition INTEGER NOT NULL REFERENCES competition,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  mu REAL NOT NULL,
  sigma REAL NOT NULL,
  blocks INTEGER NOT NULL,
  wins INTEGER NOT NULL,
  draws INTEGER NOT NULL,
  losses INTEGER NOT NULL,
  forfeits INTEGER NOT NULL,
  half_points INTEGER NOT NULL,
  silences INTEGER NOT NULL,
  blocks_begun INTEGER NOT NULL,
  presence TEXT NOT NULL CHECK(presence IN ('IN', 'WITHDRAWN', 'SET_ASIDE')),
  reason TEXT NOT NULL,
  out_from INTEGER NOT NULL,
  voids INTEGER NOT NULL DEFAULT 0,
  late_voids INTEGER NOT NULL DEFAULT 0,
  given_back_ns INTEGER NOT NULL DEFAULT 0,
  time_losses INTEGER NOT NULL DEFAULT 0,
  lost_links INTEGER NOT NULL DEFAULT 0,
  version TEXT NOT NULL DEFAULT '',
  season INTEGER NOT NULL DEFAULT 1,
  successor INTEGER CHECK(successor IS NULL OR presence <> 'IN'),
  predecessor INTEGER CHECK(predecessor < number),
  rated_from INTEGER NOT NULL DEFAULT 0,
  silent_until INTEGER NOT NULL DEFAULT 0,
  suspended_until INTEGER NOT NULL DEFAULT 0,
  suspended_for_ns INTEGER NOT NULL DEFAULT 0 CHECK(suspended_for_ns >= 0),
  PRIMARY KEY(competition, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX entrant_standing ON entrant(name, competition) WHERE successor IS NULL;
CREATE INDEX entrant_name ON entrant(name, competition, season, version);

CREATE TABLE block(
  competition INTEGER NOT NULL REFERENCES competition,
  number INTEGER NOT NULL,
  bots TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  state TEXT NOT NULL CHECK(state IN ('RUNNING', 'PLAYED', 'DROPPED', 'VOID')),
  block_id TEXT NOT NULL,
  match_ids TEXT NOT NULL,
  results TEXT NOT NULL,
  times TEXT NOT NULL,
  forfeited_by TEXT NOT NULL CHECK(forfeited_by = '' OR state = 'PLAYED'),
  reason TEXT NOT NULL,
  owner TEXT NOT NULL CHECK((owner <> '') = (state = 'RUNNING')),
  begin_time INTEGER NOT NULL,
  end_time INTEGER,
  PRIMARY KEY(competition, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX open_block ON block(competition, number, owner) WHERE state = 'RUNNING';

CREATE TABLE attempt(
  competition INTEGER NOT NULL REFERENCES competition,
  number INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  block_id TEXT NOT NULL,
  match_ids TEXT NOT NULL,
  results TEXT NOT NULL,
  times TEXT NOT NULL,
  ending TEXT NOT NULL CHECK(ending IN ('VOID', 'CANCELLED')),
  reason TEXT NOT NULL,
  cancelled_by TEXT NOT NULL,
  end_time INTEGER NOT NULL,
  PRIMARY KEY(competition, number, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE block_bot(
  competition INTEGER NOT NULL,
  entrant INTEGER NOT NULL,
  number INTEGER NOT NULL,
  PRIMARY KEY(competition, entrant, number),
  FOREIGN KEY(competition, entrant) REFERENCES entrant(competition, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE pair_total(
  competition INTEGER NOT NULL REFERENCES competition,
  low INTEGER NOT NULL,
  high INTEGER NOT NULL CHECK(low < high),
  blocks_0 INTEGER NOT NULL,
  blocks_1 INTEGER NOT NULL,
  blocks_2 INTEGER NOT NULL,
  blocks_3 INTEGER NOT NULL,
  blocks_4 INTEGER NOT NULL,
  draws INTEGER NOT NULL,
  PRIMARY KEY(competition, low, high)
) STRICT, WITHOUT ROWID;

CREATE TABLE lease(
  term INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  owner TEXT NOT NULL UNIQUE,
  until INTEGER NOT NULL,
  address TEXT NOT NULL DEFAULT '',
  draining INTEGER NOT NULL DEFAULT 0 CHECK(draining IN (0, 1)),
  unable INTEGER NOT NULL DEFAULT 0 CHECK(unable IN (0, 1))
) STRICT;

CREATE TABLE fleet(
  one INTEGER NOT NULL PRIMARY KEY CHECK(one = 1),
  secret BLOB NOT NULL CHECK(length(secret) = 32)
) STRICT;

CREATE TABLE help(
  competition INTEGER NOT NULL REFERENCES competition,
  term INTEGER NOT NULL REFERENCES lease ON DELETE CASCADE,
  blocks INTEGER NOT NULL CHECK(blocks >= 0),
  places TEXT NOT NULL,
  PRIMARY KEY(competition, term)
) STRICT, WITHOUT ROWID;
)sql";

namespace {

// Tables that do not grow with the number of blocks. They are checked whenever a store is opened.
constexpr const char* kSmallTables[] = {"account", "ban",  "competition", "entrant",
                                        "fleet",   "help", "lease",       "position"};

// Settings of every connection.
constexpr char kSettings[] = R"sql(
PRAGMA foreign_keys = ON;
PRAGMA temp_store = MEMORY;
PRAGMA trusted_schema = OFF;
PRAGMA cache_size = -8192;
)sql";

// Makes the file under a temporary name first: so a file with the name is always a complete store,
// and was never readable by others. Does nothing if it exists.
absl::Status MakeFile(const std::string& path, absl::Duration busy_limit) {
  struct stat found;
  if (stat(path.c_str(), &found) == 0) return absl::OkStatus();
  if (errno != ENOENT) return FileError("cannot open", path, errno);
  std::string made = path + ".XXXXXX";
  const int fd = mkostemp(made.data(), O_CLOEXEC);
  if (fd < 0) return FileError("cannot create", path, errno);
  close(fd);
  absl::Status status = [&]() -> absl::Status {
    absl::StatusOr<std::unique_ptr<Connection>> db = Connection::Open(made, true, busy_limit);
    if (!db.ok()) return db.status();
    return (*db)->RunScript(absl::StrCat(
        "PRAGMA journal_mode = WAL; PRAGMA application_id = ", kApplicationId, "; BEGIN;",
        kStoreTables, "PRAGMA user_version = ", kStoreVersion, "; COMMIT"));
  }();
  if (status.ok() && link(made.c_str(), path.c_str()) != 0 && errno != EEXIST) {
    status = FileError("cannot create", path, errno);
  }
  for (const char* suffix : {"", "-wal", "-shm"}) unlink((made + suffix).c_str());
  return status.ok() ? replay::SyncFolderOf(path) : At(path, status);
}

// SQLite reads a truncated last page as padded with zeros, and notices that only when it uses the
// page. Skips files with a log, which may extend the file.
absl::Status CheckSize(const std::string& path) {
  constexpr char kMagic[] = "SQLite format 3";
  constexpr size_t kPageSizeAt = 16;  // two bytes; 1 means 65536
  struct stat log;
  if (stat((path + "-wal").c_str(), &log) == 0 && log.st_size > 0) return absl::OkStatus();
  std::ifstream file(path, std::ios::binary);
  char head[kPageSizeAt + 2] = {};
  if (!file.read(head, sizeof(head)) || std::memcmp(head, kMagic, sizeof(kMagic)) != 0) {
    return absl::OkStatus();  // SQLite reports the problem
  }
  const int size =
      static_cast<uint8_t>(head[kPageSizeAt]) << 8 | static_cast<uint8_t>(head[kPageSizeAt + 1]);
  file.seekg(0, std::ios::end);
  if (size == 0 || file.tellg() % (size == 1 ? 65'536 : size) == 0) return absl::OkStatus();
  return sqlite::DatabaseDamaged(path, "it ends within a page");
}

}  // namespace

absl::StatusOr<std::unique_ptr<Connection>> OpenStoreFile(const std::string& path,
                                                          absl::Duration busy_limit) {
  absl::Status status = MakeFile(path, busy_limit);
  if (status.ok()) status = CheckSize(path);
  if (!status.ok()) return status;
  absl::StatusOr<std::unique_ptr<Connection>> db = Connection::Open(path, false, busy_limit);
  if (!db.ok()) return db;
  status = CheckVersion(db->get());
  if (!status.ok()) return status;
  if ((*db)->read_only()) return FileError("cannot write", path, EACCES);
  status = (*db)->RunScript(absl::StrCat("PRAGMA journal_mode = WAL;", kSettings));
  if (status.ok()) status = CheckSmallTables(db->get());
  if (!status.ok()) return status;
  return db;
}

absl::StatusOr<std::unique_ptr<Connection>> ReopenStoreFile(const std::string& path,
                                                            absl::Duration busy_limit) {
  absl::StatusOr<std::unique_ptr<Connection>> db = Connection::Open(path, false, busy_limit);
  if (!db.ok()) return db;
  const absl::Status set = (*db)->RunScript(kSettings);
  if (!set.ok()) return set;
  return db;
}

absl::StatusOr<Reader> OpenStoreReader(const std::string& path, absl::Duration busy_limit) {
  absl::StatusOr<Reader> reader = Reader::Open(path, busy_limit);
  if (absl::IsNotFound(reader.status())) return NoStore(path);
  if (!reader.ok()) return reader;
  const absl::Status set = reader->db()->RunScript(kSettings);
  if (!set.ok()) return set;
  return reader;
}

absl::Status CheckVersion(Connection* db) {
  const absl::StatusOr<int64_t> application = db->ReadInt("PRAGMA application_id");
  if (!application.ok()) return application.status();
  if (*application != kApplicationId) {
    return absl::InvalidArgumentError(
        absl::StrCat(db->path(),
                     ": not a referee's store; move it away and a new one is made, or name another "
                     "data directory"));
  }
  const absl::StatusOr<int64_t> version = db->ReadInt("PRAGMA user_version");
  if (!version.ok()) return version.status();
  if (*version < 1) return sqlite::DatabaseDamaged(db->path(), "it has no version");
  if (*version != kStoreVersion) return StoreOfAnotherVersion(db->path(), *version);
  return absl::OkStatus();
}

absl::Status CheckSmallTables(Connection* db) {
  for (const char* table : kSmallTables) {
    const absl::StatusOr<std::string> found =
        db->ReadText(absl::StrCat("PRAGMA quick_check('", table, "')"));
    if (!found.ok()) return found.status();
    if (*found != "ok") return sqlite::DatabaseDamaged(db->path(), *found);
  }
  return absl::OkStatus();
}

}  // namespace referee::store

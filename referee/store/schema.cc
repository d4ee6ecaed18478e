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
#include "referee/store/errors.h"

namespace referee::store {
namespace {

constexpr char kVersion1[] = R"sql(
CREATE TABLE account(
  name TEXT NOT NULL PRIMARY KEY,
  role TEXT NOT NULL CHECK(role IN ('BOT', 'ORGANISER', 'OBSERVER')),
  token_hash BLOB NOT NULL UNIQUE CHECK(length(token_hash) = 32),
  disabled TEXT NOT NULL,
  create_time INTEGER NOT NULL,
  token_time INTEGER NOT NULL
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
    CHECK(format IN ('ROUND_ROBIN', 'GAUNTLET', 'SWISS', 'KNOCKOUT', 'LADDER')),
  game TEXT NOT NULL,
  seats INTEGER NOT NULL,
  time_control TEXT NOT NULL,
  on_timeout TEXT NOT NULL,
  on_illegal TEXT NOT NULL,
  on_lost_link TEXT NOT NULL,
  lag_compensation TEXT NOT NULL,
  rounds INTEGER NOT NULL,
  best_of INTEGER NOT NULL,
  max_running INTEGER NOT NULL,
  absence_limit_ns INTEGER NOT NULL,
  seed INTEGER,
  first_entrants INTEGER NOT NULL,
  state TEXT NOT NULL CHECK(state IN ('NEW', 'RUNNING', 'PAUSED', 'FINISHING', 'FINISHED')),
  start_time INTEGER,
  finish_time INTEGER,
  version INTEGER NOT NULL,
  next_block INTEGER NOT NULL,
  counted INTEGER NOT NULL CHECK(counted <= next_block),
  replayed INTEGER NOT NULL
) STRICT;
CREATE INDEX unfinished ON competition(id) WHERE state <> 'FINISHED';

CREATE TABLE game_option(
  competition INTEGER NOT NULL REFERENCES competition,
  number INTEGER NOT NULL,
  name TEXT NOT NULL,
  value BLOB NOT NULL,
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
  PRIMARY KEY(competition, number)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX entrant_name ON entrant(name, competition);

CREATE TABLE block(
  competition INTEGER NOT NULL REFERENCES competition,
  number INTEGER NOT NULL,
  bots TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  state TEXT NOT NULL CHECK(state IN ('RUNNING', 'PLAYED', 'DROPPED')),
  block_id TEXT NOT NULL,
  match_ids TEXT NOT NULL,
  results TEXT NOT NULL,
  owner TEXT NOT NULL CHECK((owner <> '') = (state = 'RUNNING')),
  begin_time INTEGER NOT NULL,
  end_time INTEGER,
  PRIMARY KEY(competition, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX open_block ON block(competition, number, owner) WHERE state = 'RUNNING';

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
  owner TEXT NOT NULL PRIMARY KEY,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
)sql";

// Attempts at blocks stay on record; what went by bots' clocks and links is counted; a block may be
// VOID, or forfeited.
constexpr char kVersion2[] = R"sql(
ALTER TABLE entrant ADD COLUMN voids INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entrant ADD COLUMN late_voids INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entrant ADD COLUMN given_back_ns INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entrant ADD COLUMN time_losses INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entrant ADD COLUMN lost_links INTEGER NOT NULL DEFAULT 0;

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

DROP INDEX open_block;
ALTER TABLE block RENAME TO old_block;
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
INSERT INTO block SELECT competition, number, bots, attempt, state, block_id, match_ids, results,
  '', '', '', owner, begin_time, end_time FROM old_block;
DROP TABLE old_block;
CREATE INDEX open_block ON block(competition, number, owner) WHERE state = 'RUNNING';
)sql";

// Pinned dice follow from 32 random bytes; `seed` remains of competitions that were pinned by a
// number.
constexpr char kVersion3[] = R"sql(
ALTER TABLE competition ADD COLUMN dice_seed BLOB CHECK(length(dice_seed) = 32);
)sql";

// Addresses and accounts that are shut out.
constexpr char kVersion4[] = R"sql(
CREATE TABLE ban(
  kind TEXT NOT NULL CHECK(kind IN ('ACCOUNT', 'ADDRESS')),
  subject TEXT NOT NULL,
  reason TEXT NOT NULL,
  create_time INTEGER NOT NULL,
  until INTEGER,
  PRIMARY KEY(kind, subject)
) STRICT, WITHOUT ROWID;
)sql";

// Competitions are paired and ranked by the rules of an edition; those that are there by those of
// the first, in which a tie of a knockout went on for two blocks and then to the better seed.
constexpr char kVersion5[] = R"sql(
ALTER TABLE competition ADD COLUMN edition INTEGER NOT NULL DEFAULT 1;
ALTER TABLE competition ADD COLUMN extra_blocks INTEGER;
ALTER TABLE competition ADD COLUMN lot_seed BLOB CHECK(length(lot_seed) = 32);
UPDATE competition SET extra_blocks = 2 WHERE format = 'KNOCKOUT';
)sql";

// Tie-breaks, as on the command line; of what is there those of the first edition.
constexpr char kVersion6[] = R"sql(
ALTER TABLE competition ADD COLUMN tie_breaks TEXT;
)sql";

// How wide an interval makes a bot provisional; none do of what is there.
constexpr char kVersion7[] = R"sql(
ALTER TABLE competition ADD COLUMN provisional_width INTEGER NOT NULL DEFAULT 0;
)sql";

// Tests, which are round robins with the terms of an SPRT: the names of formats that a row may have
// cannot grow. Who goes first.
constexpr char kVersion8[] = R"sql(
ALTER TABLE competition ADD COLUMN sprt TEXT CHECK(sprt IS NULL OR format = 'ROUND_ROBIN');
ALTER TABLE competition ADD COLUMN priority INTEGER NOT NULL DEFAULT 0;
)sql";

// How fast bots of a ladder begin blocks, and how well their ratings are to be known; of those that
// are there nothing was asked.
constexpr char kVersion9[] = R"sql(
ALTER TABLE competition ADD COLUMN pace REAL NOT NULL DEFAULT 0;
ALTER TABLE competition ADD COLUMN goal_width INTEGER NOT NULL DEFAULT 0;
)sql";

// Versions of bots and seasons of ladders: another entrant may take the place of one. What is there
// is of no version, in a first season.
constexpr char kVersion10[] = R"sql(
ALTER TABLE account ADD COLUMN version TEXT NOT NULL DEFAULT '';
ALTER TABLE account ADD COLUMN version_time INTEGER;

ALTER TABLE competition ADD COLUMN season INTEGER NOT NULL DEFAULT 1;
ALTER TABLE competition ADD COLUMN season_time INTEGER;
ALTER TABLE competition ADD COLUMN season_block INTEGER NOT NULL DEFAULT 0;
ALTER TABLE competition ADD COLUMN season_request_id TEXT NOT NULL DEFAULT '';

ALTER TABLE entrant ADD COLUMN version TEXT NOT NULL DEFAULT '';
ALTER TABLE entrant ADD COLUMN season INTEGER NOT NULL DEFAULT 1;
ALTER TABLE entrant ADD COLUMN successor INTEGER CHECK(successor IS NULL OR presence <> 'IN');
ALTER TABLE entrant ADD COLUMN predecessor INTEGER CHECK(predecessor < number);
ALTER TABLE entrant ADD COLUMN rated_from INTEGER NOT NULL DEFAULT 0;
DROP INDEX entrant_name;
CREATE UNIQUE INDEX entrant_name ON entrant(name, competition, season, version);
CREATE UNIQUE INDEX entrant_standing ON entrant(name, competition) WHERE successor IS NULL;
)sql";

// The positions that blocks start from; of what is there all start from the one that its options
// say.
constexpr char kVersion11[] = R"sql(
CREATE TABLE position(
  competition INTEGER NOT NULL REFERENCES competition,
  number INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY(competition, number)
) STRICT, WITHOUT ROWID;
)sql";

// An organiser's word on a bot's version stands until it is taken back. A bot may have several
// entrants of one version in a season.
constexpr char kVersion12[] = R"sql(
ALTER TABLE account ADD COLUMN version_kept INTEGER NOT NULL DEFAULT 0
  CHECK(version_kept IN (0, 1));
DROP INDEX entrant_name;
CREATE INDEX entrant_name ON entrant(name, competition, season, version);
)sql";

// How much later onlookers are told; at once of what is there.
constexpr char kVersion13[] = R"sql(
ALTER TABLE competition ADD COLUMN watch_delay_ns INTEGER NOT NULL DEFAULT 0
  CHECK(watch_delay_ns >= 0);
)sql";

// Leases have terms, which are given once. Those that are there go on with one.
constexpr char kVersion14[] = R"sql(
ALTER TABLE lease RENAME TO old_lease;
CREATE TABLE lease(
  term INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  owner TEXT NOT NULL UNIQUE,
  until INTEGER NOT NULL
) STRICT;
INSERT INTO lease(owner, until) SELECT owner, until FROM old_lease;
DROP TABLE old_lease;
)sql";

// Competitions have homes: the terms of the leases of the daemons that took them.
constexpr char kVersion15[] = R"sql(
ALTER TABLE lease ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE lease ADD COLUMN draining INTEGER NOT NULL DEFAULT 0 CHECK(draining IN (0, 1));
ALTER TABLE competition ADD COLUMN home INTEGER NOT NULL DEFAULT 0;
)sql";

// Tokens end, are renewed by those who hold them, and it is known when one was taken last.
constexpr char kVersion16[] = R"sql(
ALTER TABLE account ADD COLUMN token_lifetime_ns INTEGER NOT NULL DEFAULT 0
  CHECK(token_lifetime_ns >= 0);
ALTER TABLE account ADD COLUMN former_hash BLOB NOT NULL DEFAULT X''
  CHECK(length(former_hash) IN (0, 32));
ALTER TABLE account ADD COLUMN former_until INTEGER;
ALTER TABLE account ADD COLUMN last_used INTEGER;
)sql";

// Daemons may help the home of a competition, and say what they have room for. Of what is there
// only the home plays.
constexpr char kVersion17[] = R"sql(
ALTER TABLE competition ADD COLUMN homes INTEGER NOT NULL DEFAULT 1 CHECK(homes >= 1);

CREATE TABLE help(
  competition INTEGER NOT NULL REFERENCES competition,
  term INTEGER NOT NULL REFERENCES lease ON DELETE CASCADE,
  blocks INTEGER NOT NULL CHECK(blocks >= 0),
  places TEXT NOT NULL,
  PRIMARY KEY(competition, term)
) STRICT, WITHOUT ROWID;
)sql";

// Bots suspended for silence come back by themselves; silences that overlap count once. Bots that
// are out already stay out. A competition may keep all of its replays, which none did before.
// Pinned dice are played in lives of the store, of which there is only the first one.
constexpr char kVersion18[] = R"sql(
ALTER TABLE entrant ADD COLUMN silent_until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entrant ADD COLUMN suspended_until INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entrant ADD COLUMN suspended_for_ns INTEGER NOT NULL DEFAULT 0
  CHECK(suspended_for_ns >= 0);
ALTER TABLE competition ADD COLUMN keep_replays INTEGER NOT NULL DEFAULT 0
  CHECK(keep_replays IN (0, 1));
ALTER TABLE competition ADD COLUMN dice_lives TEXT NOT NULL DEFAULT ''
  CHECK(length(dice_lives) % 32 = 0);
)sql";

constexpr const char* kMigrations[] = {kVersion1,  kVersion2,  kVersion3,  kVersion4,  kVersion5,
                                       kVersion6,  kVersion7,  kVersion8,  kVersion9,  kVersion10,
                                       kVersion11, kVersion12, kVersion13, kVersion14, kVersion15,
                                       kVersion16, kVersion17, kVersion18};

// Those whose size does not grow with what is played: they are checked whenever a store is opened.
constexpr const char* kSmallTables[] = {"account", "ban",  "competition", "game_option",
                                        "entrant", "help", "lease",       "position"};

// Of every connection.
constexpr char kSettings[] = R"sql(
PRAGMA foreign_keys = ON;
PRAGMA temp_store = MEMORY;
PRAGMA trusted_schema = OFF;
PRAGMA cache_size = -8192;
)sql";

// Brings a database, of version 0 at least, to the version of the last step.
absl::Status Migrate(Connection* db, absl::Span<const char* const> steps) {
  for (;;) {
    const Transaction transaction(db, Transaction::Kind::kWrite);
    if (!transaction.begun().ok()) return transaction.begun();
    const absl::StatusOr<int64_t> version = db->ReadInt("PRAGMA user_version");
    if (!version.ok()) return version.status();
    if (*version >= static_cast<int64_t>(steps.size())) return absl::OkStatus();
    absl::Status made = db->RunScript(steps[static_cast<size_t>(*version)]);
    if (!made.ok()) return made;
    made = db->RunScript(absl::StrCat("PRAGMA user_version = ", *version + 1));
    if (!made.ok()) return made;
    made = db->RunScript("COMMIT");
    if (!made.ok()) return made;
  }
}

// Makes the file under a name of its own first, so that what has its name is a store, and is for
// its owner only from the beginning. Does nothing if there is one.
absl::Status MakeFile(const std::string& path, absl::Duration busy_limit,
                      absl::Span<const char* const> steps) {
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
    absl::Status ready = (*db)->RunScript(
        absl::StrCat("PRAGMA journal_mode = WAL; PRAGMA application_id = ", kApplicationId));
    return ready.ok() ? Migrate(db->get(), steps) : ready;
  }();
  if (status.ok() && link(made.c_str(), path.c_str()) != 0 && errno != EEXIST) {
    status = FileError("cannot create", path, errno);
  }
  for (const char* suffix : {"", "-wal", "-shm"}) unlink((made + suffix).c_str());
  return status.ok() ? replay::SyncFolderOf(path) : At(path, status);
}

// SQLite pads a last page that was cut with zeros, and notices it only when it reads that page.
// What a log holds may be longer than the file.
absl::Status CheckSize(const std::string& path) {
  constexpr char kMagic[] = "SQLite format 3";
  constexpr size_t kPageSizeAt = 16;  // two bytes; 1 means 65536
  struct stat log;
  if (stat((path + "-wal").c_str(), &log) == 0 && log.st_size > 0) return absl::OkStatus();
  std::ifstream file(path, std::ios::binary);
  char head[kPageSizeAt + 2] = {};
  if (!file.read(head, sizeof(head)) || std::memcmp(head, kMagic, sizeof(kMagic)) != 0) {
    return absl::OkStatus();  // for SQLite to judge
  }
  const int size =
      static_cast<uint8_t>(head[kPageSizeAt]) << 8 | static_cast<uint8_t>(head[kPageSizeAt + 1]);
  file.seekg(0, std::ios::end);
  if (size == 0 || file.tellg() % (size == 1 ? 65'536 : size) == 0) return absl::OkStatus();
  return StoreDamaged(path, "it ends within a page");
}

// Looks at a file that is there, before anything is written to it.
absl::Status CheckFile(Connection* db, absl::Span<const char* const> steps) {
  const absl::StatusOr<int64_t> application = db->ReadInt("PRAGMA application_id");
  if (!application.ok()) return application.status();
  if (*application != kApplicationId) return NotAStore(db->path());
  const absl::StatusOr<int64_t> version = db->ReadInt("PRAGMA user_version");
  if (!version.ok()) return version.status();
  const auto known = static_cast<int64_t>(steps.size());
  if (*version < 1) return StoreDamaged(db->path(), "it has no version");
  if (*version > known) return StoreTooNew(db->path(), *version, known);
  return absl::OkStatus();
}

}  // namespace

absl::Span<const char* const> Migrations() { return kMigrations; }

absl::StatusOr<std::unique_ptr<Connection>> OpenStoreFile(const std::string& path,
                                                          absl::Duration busy_limit,
                                                          absl::Span<const char* const> steps) {
  absl::Status status = MakeFile(path, busy_limit, steps);
  if (status.ok()) status = CheckSize(path);
  if (!status.ok()) return status;
  absl::StatusOr<std::unique_ptr<Connection>> db = Connection::Open(path, false, busy_limit);
  if (!db.ok()) return db;
  status = CheckFile(db->get(), steps);
  if (!status.ok()) return status;
  if ((*db)->read_only()) return FileError("cannot write", path, EACCES);
  status = (*db)->RunScript(absl::StrCat("PRAGMA journal_mode = WAL;", kSettings));
  if (status.ok()) status = Migrate(db->get(), steps);
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

absl::Status CheckReadVersion(Connection* db, absl::Span<const char* const> steps) {
  return CheckFile(db, steps);
}

absl::Status CheckSmallTables(Connection* db) {
  for (const char* table : kSmallTables) {
    const absl::StatusOr<int64_t> there =
        db->ReadInt(absl::StrCat("SELECT count(*) FROM sqlite_schema WHERE name = '", table, "'"));
    if (!there.ok()) return there.status();
    if (*there == 0) continue;  // not of this version
    const absl::StatusOr<std::string> found =
        db->ReadText(absl::StrCat("PRAGMA quick_check('", table, "')"));
    if (!found.ok()) return found.status();
    if (*found != "ok") return StoreDamaged(db->path(), *found);
  }
  return absl::OkStatus();
}

absl::Status CheckReadStore(Connection* db, absl::Span<const char* const> steps) {
  absl::Status status = CheckFile(db, steps);
  if (!status.ok()) return status;
  const absl::StatusOr<int64_t> version = db->ReadInt("PRAGMA user_version");
  if (!version.ok()) return version.status();
  const auto known = static_cast<int64_t>(steps.size());
  if (*version < known) return StoreTooOld(db->path(), *version, known);
  return CheckSmallTables(db);
}

}  // namespace referee::store

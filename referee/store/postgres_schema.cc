#include "referee/store/postgres_schema.h"

#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "referee/base/errors.h"
#include "referee/store/errors.h"
#include "referee/store/schema.h"

namespace referee::store {
namespace {

// Texts compare by their bytes ("C"). Rows that change often have room in their page for what they
// become (fillfactor), so that no index has to be told. Rows of blocks do not refer to others by
// foreign keys, which would be looked up for each: whoever writes them holds their competition's
// row.
constexpr char kPostgresTables[] = R"sql(
CREATE TABLE account(
  name text COLLATE "C" PRIMARY KEY,
  role text NOT NULL CHECK(role IN ('BOT', 'ORGANISER', 'OBSERVER')),
  token_hash bytea NOT NULL UNIQUE CHECK(length(token_hash) = 32),
  disabled text NOT NULL,
  create_time bigint NOT NULL,
  token_time bigint NOT NULL,
  version text NOT NULL,
  version_time bigint,
  version_kept bigint NOT NULL CHECK(version_kept IN (0, 1)),
  token_lifetime_ns bigint NOT NULL DEFAULT 0 CHECK(token_lifetime_ns >= 0),
  former_hash bytea NOT NULL DEFAULT '' CHECK(length(former_hash) IN (0, 32)),
  former_until bigint,
  last_used bigint
);

CREATE TABLE ban(
  kind text COLLATE "C" NOT NULL CHECK(kind IN ('ACCOUNT', 'ADDRESS')),
  subject text COLLATE "C" NOT NULL,
  reason text NOT NULL,
  create_time bigint NOT NULL,
  until bigint,
  cancelled_by text NOT NULL,
  PRIMARY KEY(kind, subject)
);

CREATE TABLE audit(
  number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  time bigint NOT NULL,
  who text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  detail text NOT NULL
);

CREATE TABLE competition(
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  name text COLLATE "C" NOT NULL UNIQUE,
  request_id text COLLATE "C" UNIQUE,
  create_time bigint NOT NULL,
  format text NOT NULL
    CHECK(format IN ('ROUND_ROBIN', 'GAUNTLET', 'SWISS', 'KNOCKOUT', 'LADDER', 'TEST')),
  spec bytea NOT NULL,
  request_hash bytea CHECK(length(request_hash) = 32),
  dice_seed bytea CHECK(length(dice_seed) = 32),
  lot_seed bytea CHECK(length(lot_seed) = 32),
  state text NOT NULL CHECK(state IN ('NEW', 'RUNNING', 'PAUSED', 'FINISHING', 'FINISHED')),
  start_time bigint,
  finish_time bigint,
  version bigint NOT NULL,
  next_block bigint NOT NULL,
  counted bigint NOT NULL CHECK(counted <= next_block),
  replayed bigint NOT NULL,
  season bigint NOT NULL DEFAULT 1,
  season_time bigint,
  season_block bigint NOT NULL DEFAULT 0,
  season_request_id text NOT NULL DEFAULT '',
  home bigint NOT NULL DEFAULT 0,
  dice_lives text NOT NULL DEFAULT '' CHECK(length(dice_lives) % 32 = 0)
) WITH (fillfactor = 50);
CREATE INDEX unfinished ON competition(id) WHERE state <> 'FINISHED';

CREATE TABLE position(
  competition bigint NOT NULL REFERENCES competition,
  number bigint NOT NULL,
  text text NOT NULL,
  PRIMARY KEY(competition, number)
);

CREATE TABLE entrant(
  competition bigint NOT NULL REFERENCES competition,
  number bigint NOT NULL,
  name text COLLATE "C" NOT NULL,
  mu double precision NOT NULL,
  sigma double precision NOT NULL,
  blocks bigint NOT NULL,
  wins bigint NOT NULL,
  draws bigint NOT NULL,
  losses bigint NOT NULL,
  forfeits bigint NOT NULL,
  half_points bigint NOT NULL,
  silences bigint NOT NULL,
  voids bigint NOT NULL,
  late_voids bigint NOT NULL,
  given_back_ns bigint NOT NULL,
  time_losses bigint NOT NULL,
  lost_links bigint NOT NULL,
  blocks_begun bigint NOT NULL,
  presence text NOT NULL CHECK(presence IN ('IN', 'WITHDRAWN', 'SET_ASIDE')),
  reason text NOT NULL,
  out_from bigint NOT NULL,
  version text COLLATE "C" NOT NULL,
  season bigint NOT NULL,
  successor bigint CHECK(successor IS NULL OR presence <> 'IN'),
  predecessor bigint CHECK(predecessor < number),
  rated_from bigint NOT NULL,
  silent_until bigint NOT NULL DEFAULT 0,
  suspended_until bigint NOT NULL DEFAULT 0,
  suspended_for_ns bigint NOT NULL DEFAULT 0 CHECK(suspended_for_ns >= 0),
  PRIMARY KEY(competition, number)
) WITH (fillfactor = 50);
CREATE INDEX entrant_name ON entrant(name, competition, season, version);
CREATE UNIQUE INDEX entrant_standing ON entrant(name, competition) WHERE successor IS NULL;

CREATE TABLE block(
  competition bigint NOT NULL,
  number bigint NOT NULL,
  bots text NOT NULL,
  attempt bigint NOT NULL,
  state text NOT NULL CHECK(state IN ('RUNNING', 'PLAYED', 'DROPPED', 'VOID')),
  block_id text NOT NULL,
  match_ids text NOT NULL,
  results text NOT NULL,
  times text NOT NULL,
  forfeited_by text NOT NULL CHECK(forfeited_by = '' OR state = 'PLAYED'),
  reason text NOT NULL,
  owner text COLLATE "C" NOT NULL CHECK((owner <> '') = (state = 'RUNNING')),
  begin_time bigint NOT NULL,
  end_time bigint,
  PRIMARY KEY(competition, number)
);
CREATE INDEX open_block ON block(competition, number, owner) WHERE state = 'RUNNING';

CREATE TABLE attempt(
  competition bigint NOT NULL,
  number bigint NOT NULL,
  attempt bigint NOT NULL,
  block_id text NOT NULL,
  match_ids text NOT NULL,
  results text NOT NULL,
  times text NOT NULL,
  ending text NOT NULL CHECK(ending IN ('VOID', 'CANCELLED')),
  reason text NOT NULL,
  cancelled_by text NOT NULL,
  end_time bigint NOT NULL,
  PRIMARY KEY(competition, number, attempt)
);

CREATE TABLE block_bot(
  competition bigint NOT NULL,
  entrant bigint NOT NULL,
  number bigint NOT NULL,
  PRIMARY KEY(competition, entrant, number)
);

CREATE TABLE pair_total(
  competition bigint NOT NULL,
  low bigint NOT NULL,
  high bigint NOT NULL CHECK(low < high),
  blocks_0 bigint NOT NULL,
  blocks_1 bigint NOT NULL,
  blocks_2 bigint NOT NULL,
  blocks_3 bigint NOT NULL,
  blocks_4 bigint NOT NULL,
  draws bigint NOT NULL,
  PRIMARY KEY(competition, low, high)
) WITH (fillfactor = 70);

CREATE TABLE lease(
  term bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner text COLLATE "C" NOT NULL UNIQUE,
  until bigint NOT NULL,
  address text NOT NULL DEFAULT '',
  draining bigint NOT NULL DEFAULT 0 CHECK(draining IN (0, 1))
) WITH (fillfactor = 50);

-- Unlogged, since its rows are written again and again: a database that starts anew is without them.
CREATE UNLOGGED TABLE help(
  competition bigint NOT NULL REFERENCES competition,
  term bigint NOT NULL REFERENCES lease ON DELETE CASCADE,
  blocks bigint NOT NULL CHECK(blocks >= 0),
  places text NOT NULL,
  PRIMARY KEY(competition, term)
) WITH (fillfactor = 50);
)sql";

// Of the advisory lock under which one process makes the tables: "rfst", as the file of SQLite is
// marked.
constexpr int64_t kMakingLock = 0x72667374;

// Who finds it need not be allowed to make one.
absl::Status MakeSchema(postgres::Connection* db, const std::string& schema) {
  const absl::StatusOr<postgres::Result> found = db->Query(
      "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = $1", postgres::Params::Of(schema));
  if (!found.ok() || found->rows() > 0) return found.status();
  return db->RunScript(absl::StrCat("CREATE SCHEMA ", db->Identifier(schema)));
}

absl::Status MarkAsStore(postgres::Connection* db) {
  return db->RunScript(absl::StrCat(
      "CREATE TABLE store(one boolean PRIMARY KEY DEFAULT true CHECK(one), version bigint NOT "
      "NULL); INSERT INTO store(version) VALUES(",
      kStoreVersion, ")"));
}

}  // namespace

absl::StatusOr<absl::optional<int64_t>> ReadPostgresVersion(postgres::Connection* db,
                                                            const std::string& schema) {
  const absl::StatusOr<int64_t> marked = db->ReadInt(
      "SELECT count(*) FROM pg_catalog.pg_tables WHERE schemaname = current_schema() AND tablename "
      "= 'store'");
  if (!marked.ok()) return marked.status();
  if (*marked == 0) {
    const absl::StatusOr<int64_t> tables = db->ReadInt(
        "SELECT count(*) FROM pg_catalog.pg_tables WHERE schemaname = current_schema()");
    if (!tables.ok()) return tables.status();
    if (*tables > 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(db->name(), ": schema ", Quoted(schema),
                       " has tables, and not a referee's; name another schema or database"));
    }
    return absl::optional<int64_t>();
  }
  const absl::StatusOr<int64_t> version = db->ReadInt("SELECT version FROM store");
  if (!version.ok()) return version.status();
  if (*version < 0) return PostgresStoreDamaged(db->name(), "it has no version");
  return absl::make_optional(*version);
}

absl::StatusOr<int64_t> MigratePostgresSchema(postgres::Connection* db, const std::string& schema) {
  postgres::Transaction transaction(db, postgres::Transaction::Kind::kWrite);
  if (!transaction.begun().ok()) return transaction.begun();
  absl::Status made =
      db->RunScript(absl::StrCat("SELECT pg_advisory_xact_lock(", kMakingLock, ")"));
  if (made.ok()) made = MakeSchema(db, schema);
  if (made.ok()) made = UsePostgresSchema(db, schema);
  if (!made.ok()) return made;
  const absl::StatusOr<absl::optional<int64_t>> found = ReadPostgresVersion(db, schema);
  if (!found.ok()) return found.status();
  if (!found->has_value()) {
    made = MarkAsStore(db);
    if (made.ok()) made = db->RunScript(kPostgresTables);
  } else if (**found != kStoreVersion) {
    made = StoreOfAnotherVersion(db->name(), **found);
  }
  if (made.ok()) made = transaction.Commit();
  if (!made.ok()) return made;
  return found->value_or(0);
}

absl::Status CheckPostgresSchema(postgres::Connection* db, const std::string& schema) {
  if (absl::Status used = UsePostgresSchema(db, schema); !used.ok()) return used;
  const absl::StatusOr<absl::optional<int64_t>> version = ReadPostgresVersion(db, schema);
  if (!version.ok()) return version.status();
  if (!version->has_value()) {
    return absl::FailedPreconditionError(absl::StrCat(
        db->name(), ": has no referee's store in its schema ", Quoted(schema),
        "; 'refctl store migrate --store URL' makes one, 'refctl store copy' brings one "
        "from a data directory"));
  }
  return **version == kStoreVersion ? absl::OkStatus()
                                    : StoreOfAnotherVersion(db->name(), **version);
}

absl::Status UsePostgresSchema(postgres::Connection* db, const std::string& schema) {
  return db->RunScript(absl::StrCat("SET search_path = ", db->Identifier(schema)));
}

absl::Status TakePostgresTurn(postgres::Connection* db) {
  const absl::StatusOr<int64_t> version = db->ReadInt("SELECT version FROM store FOR UPDATE");
  if (!version.ok()) return version.status();
  return *version == kStoreVersion ? absl::OkStatus() : StoreOfAnotherVersion(db->name(), *version);
}

}  // namespace referee::store

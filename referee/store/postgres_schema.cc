#include "referee/store/postgres_schema.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/types/optional.h"
#include "referee/base/errors.h"
#include "referee/store/errors.h"
#include "referee/store/schema.h"

namespace referee::store {
namespace {

// The differences of PostgreSQL. Rows of blocks have no foreign keys, which would cost a lookup
// each; writers hold their competition's row instead. Pages of frequently changed rows have free
// space (fillfactor), so that updates need no index changes. The table of help is unlogged, because
// its rows change constantly: a crash of the database empties it.
constexpr char kPostgresOnly[] = R"sql(
ALTER TABLE block DROP CONSTRAINT block_competition_fkey;
ALTER TABLE attempt DROP CONSTRAINT attempt_competition_fkey;
ALTER TABLE block_bot DROP CONSTRAINT block_bot_competition_entrant_fkey;
ALTER TABLE pair_total DROP CONSTRAINT pair_total_competition_fkey;
ALTER TABLE competition SET (fillfactor = 50);
ALTER TABLE entrant SET (fillfactor = 50);
ALTER TABLE pair_total SET (fillfactor = 70);
ALTER TABLE lease SET (fillfactor = 50);
ALTER TABLE help SET (fillfactor = 50);
ALTER TABLE help SET UNLOGGED;
)sql";

// Returns the tables of kStoreTables. Texts compare by their bytes ("C").
std::string PostgresTables() {
  constexpr char kCounted[] = "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
  return absl::StrCat(
      absl::StrReplaceAll(kStoreTables, {{"INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT", kCounted},
                                         {"INTEGER PRIMARY KEY AUTOINCREMENT", kCounted},
                                         {"INTEGER PRIMARY KEY", kCounted},
                                         {"INTEGER", "bigint"},
                                         {"REAL", "double precision"},
                                         {"TEXT", "text COLLATE \"C\""},
                                         {"BLOB", "bytea"},
                                         {"X''", "''"},
                                         {") STRICT, WITHOUT ROWID;", ");"},
                                         {") STRICT;", ");"}}),
      kPostgresOnly);
}

// The advisory lock for making the tables: "rfst", the application id of the SQLite file.
constexpr int64_t kMakingLock = 0x72667374;

// Checks for the schema first, so that its users need no right to create one.
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
    if (made.ok()) made = db->RunScript(PostgresTables());
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

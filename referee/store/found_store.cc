#include "referee/store/found_store.h"

#include <memory>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/postgres/postgres.h"
#include "referee/sqlite/sqlite.h"
#include "referee/store/postgres_schema.h"
#include "referee/store/schema.h"
#include "referee/store/sql.h"
#include "referee/store/sqlite_store.h"

namespace referee::store {
namespace {

constexpr int kTries = 5;  // for a file that others open or close meanwhile

absl::Status CountOpenBlocks(SqlDatabase* db, FoundStore* found) {
  SqlStatement blocks = db->Prepare(
      "SELECT owner, COUNT(*) FROM block INDEXED BY open_block WHERE state = 'RUNNING' GROUP BY "
      "owner");
  while (blocks.Step()) found->open_blocks[blocks.String(0)] = blocks.Int(1);
  return blocks.status();
}

absl::Status LookAtFile(Connection* db, FoundStore* found) {
  const absl::Status known = CheckVersion(db);
  const absl::StatusOr<int64_t> version = db->ReadInt("PRAGMA user_version");
  // The version of another program's file has no meaning.
  if (version.ok() && (known.ok() || absl::IsFailedPrecondition(known))) found->version = *version;
  if (!known.ok()) return known;
  if (absl::Status whole = CheckSmallTables(db); !whole.ok()) return whole;
  SqlDatabase in(db);
  return CountOpenBlocks(&in, found);
}

FoundStore FindFile(const std::string& path) {
  FoundStore found;
  for (int i = 0; i < kTries; ++i) {
    found = FoundStore();
    found.where = path;
    absl::StatusOr<Reader> reader = OpenStoreReader(path, SqliteOptions().busy_limit);
    if (absl::IsNotFound(reader.status())) return found;
    found.refusal = reader.ok() ? LookAtFile(reader->db(), &found) : reader.status();
    if (reader.ok() && !reader->overtaken()) return found;
  }
  if (found.refusal.ok()) found.refusal = sqlite::DatabaseBusy(path);
  return found;
}

}  // namespace

FoundStore FindPostgresStore(const std::string& conninfo, const PostgresOptions& options) {
  FoundStore found;
  const absl::StatusOr<std::unique_ptr<postgres::Connection>> db =
      postgres::Connection::Open(conninfo, options.connection);
  found.where = postgres::DatabaseName(conninfo).value_or("");
  if (!db.ok()) {
    found.refusal = db.status();
    return found;
  }
  found.refusal = CheckPostgresSchema(db->get(), options.schema);
  const absl::StatusOr<absl::optional<int64_t>> version =
      ReadPostgresVersion(db->get(), options.schema);
  if (version.ok()) found.version = version->value_or(0);
  if (!found.refusal.ok()) return found;
  const postgres::Transaction transaction(db->get(), postgres::Transaction::Kind::kRead);
  SqlDatabase in(db->get(), false);
  found.refusal = transaction.begun().ok() ? CountOpenBlocks(&in, &found) : transaction.begun();
  return found;
}

FoundStore FindStore(const Place& place) {
  const absl::Status placed = CheckPlaceOnly(place);
  FoundStore found =
      place.url.empty() ? FindFile(place.data_dir + "/store.db") : FindPostgresStore(place.url, {});
  if (!placed.ok()) found.refusal = placed;
  return found;
}

}  // namespace referee::store

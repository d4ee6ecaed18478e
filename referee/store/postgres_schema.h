// The tables of a store in PostgreSQL: a schema of their own, with the version of the tables in it,
// and the migrations from each version to the next. STORE.md explains the tables.
#ifndef REFEREE_STORE_POSTGRES_SCHEMA_H_
#define REFEREE_STORE_POSTGRES_SCHEMA_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "referee/postgres/postgres.h"

namespace referee::store {

// An SQL script that turns a version of the tables into the next.
struct PostgresStep {
  const char* script;
  // Whether it only adds what programs of the version before may leave out, in what they read and
  // in what they write: they may go on with the store then. The column `oldest` of `store` has the
  // oldest version of which that is so.
  bool only_adds;
};

// Step i turns version i into version i + 1; version 0 has no tables. A released one never changes:
// each change of the tables is a new one.
absl::Span<const PostgresStep> PostgresMigrations();

// Makes the schema if there is none, and brings its tables to the version after the last of
// `steps`, each step in one transaction; who does that at the same time waits. Then makes the
// connection use it. Returns the version before, 0 if there were no tables; FailedPrecondition, and
// changes nothing, when it is of a newer version; InvalidArgument when there are tables in it that
// are no store's.
absl::StatusOr<int64_t> MigratePostgresSchema(postgres::Connection* db, const std::string& schema,
                                              absl::Span<const PostgresStep> steps);

// Checks that the tables are there, of the version after the last of `steps` or of a newer one that
// programs of that version may use; changes nothing.
// Returns FailedPrecondition when not, InvalidArgument when they are no store's.
absl::Status CheckPostgresSchema(postgres::Connection* db, const std::string& schema,
                                 absl::Span<const PostgresStep> steps);

// The version of the tables in the schema that the connection uses; none if there are no tables.
// Returns InvalidArgument when they are no store's.
absl::StatusOr<absl::optional<int64_t>> ReadPostgresVersion(postgres::Connection* db,
                                                            const std::string& schema);

// Makes a connection use a schema, which may not be there.
absl::Status UsePostgresSchema(postgres::Connection* db, const std::string& schema);

// Has whoever else calls this wait until the transaction ends, and checks that the tables are still
// such as CheckPostgresSchema takes.
absl::Status TakePostgresTurn(postgres::Connection* db, absl::Span<const PostgresStep> steps);

}  // namespace referee::store

#endif  // REFEREE_STORE_POSTGRES_SCHEMA_H_

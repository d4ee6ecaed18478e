// The tables of a store in PostgreSQL: a schema of their own, with the version of the tables in it.
// STORE.md explains the tables.
#ifndef REFEREE_STORE_POSTGRES_SCHEMA_H_
#define REFEREE_STORE_POSTGRES_SCHEMA_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/optional.h"
#include "referee/postgres/postgres.h"

namespace referee::store {

// Makes the schema and its tables, of kStoreVersion, in one transaction, if there are none; a
// process that does that at the same time waits. Then makes the connection use it. Returns the
// version before, 0 if there were no tables; FailedPrecondition, and changes nothing, when they are
// of another version; InvalidArgument when there are tables in it that are no store's.
absl::StatusOr<int64_t> MigratePostgresSchema(postgres::Connection* db, const std::string& schema);

// Checks that the tables are there, of kStoreVersion; changes nothing. Returns FailedPrecondition
// when not, InvalidArgument when they are no store's.
absl::Status CheckPostgresSchema(postgres::Connection* db, const std::string& schema);

// The version of the tables in the schema that the connection uses; none if there are no tables.
// Returns InvalidArgument when they are no store's.
absl::StatusOr<absl::optional<int64_t>> ReadPostgresVersion(postgres::Connection* db,
                                                            const std::string& schema);

// Makes a connection use a schema, which may not be there.
absl::Status UsePostgresSchema(postgres::Connection* db, const std::string& schema);

// Has whoever else calls this wait until the transaction ends, and checks that the tables are still
// such as CheckPostgresSchema takes.
absl::Status TakePostgresTurn(postgres::Connection* db);

}  // namespace referee::store

#endif  // REFEREE_STORE_POSTGRES_SCHEMA_H_

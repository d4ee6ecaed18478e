// The tables of a store in PostgreSQL, in a schema of their own, with their version.
//
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

// Makes the schema and its tables, of kStoreVersion, in one transaction, if there are none;
// concurrent callers wait. Then makes the connection use it. Returns the version before; 0: no
// tables. Returns FailedPrecondition, without changes, when the tables are of another version,
// InvalidArgument when the schema has other tables.
absl::StatusOr<int64_t> MigratePostgresSchema(postgres::Connection* db, const std::string& schema);

// Checks that the tables exist and are of kStoreVersion; changes nothing. Returns
// FailedPrecondition if not, InvalidArgument when they are not a store's.
absl::Status CheckPostgresSchema(postgres::Connection* db, const std::string& schema);

// Returns the version of the tables in the schema that the connection uses; none if there are no
// tables. Returns InvalidArgument when they are not a store's.
absl::StatusOr<absl::optional<int64_t>> ReadPostgresVersion(postgres::Connection* db,
                                                            const std::string& schema);

// Makes a connection use a schema, which need not exist.
absl::Status UsePostgresSchema(postgres::Connection* db, const std::string& schema);

// Blocks other callers until the transaction ends, and checks again as CheckPostgresSchema does.
absl::Status TakePostgresTurn(postgres::Connection* db);

}  // namespace referee::store

#endif  // REFEREE_STORE_POSTGRES_SCHEMA_H_

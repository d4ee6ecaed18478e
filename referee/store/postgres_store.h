// The store in a schema of a PostgreSQL database, for several daemons on several machines.
//
// MigratePostgresStore makes it; opening never does. STORE.md describes the tables and the
// guarantees.
//
// A call that loses its connection returns Unavailable; the next call reconnects. If the connection
// string names several hosts, it connects to the one that accepts writes. If the connection is lost
// during a commit, the call may have taken effect although it returns Unavailable.
#ifndef REFEREE_STORE_POSTGRES_STORE_H_
#define REFEREE_STORE_POSTGRES_STORE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "referee/base/clock.h"
#include "referee/postgres/postgres.h"
#include "referee/store/store.h"

namespace referee::store {

struct PostgresOptions {
  // The schema of the tables. Several referees may share a database, each with its own schema.
  std::string schema = "referee";
  // How many calls may use the database at once; others wait for at most lock_limit.
  int max_connections = 8;
  // The clock of leases, for tests; must outlive the store. Null: the database's, which all daemons
  // share.
  const Clock* clock = nullptr;
  postgres::ConnectionOptions connection = {};
};

// Opens the store in a database. `conninfo` is a connection string of libpq, such as
// "postgresql://referee@db1,db2/referee". Returns InvalidArgument when it is malformed, or the
// schema has other tables. Returns FailedPrecondition when there is no store, or one of another
// version. Else returns the server's error. The store must outlive its calls.
absl::StatusOr<std::unique_ptr<Store>> OpenPostgresStore(const std::string& conninfo,
                                                         const PostgresOptions& options);

// The result of a migration.
struct PostgresMigration {
  std::string database;  // its name in messages
  int64_t from = 0;      // the version before; 0: no store
  int64_t to = 0;
};
// Makes the store if there is none. Returns FailedPrecondition, without changes, when there is one
// of another version; InvalidArgument as OpenPostgresStore does; else the server's error.
absl::StatusOr<PostgresMigration> MigratePostgresStore(const std::string& conninfo,
                                                       const PostgresOptions& options);

}  // namespace referee::store

#endif  // REFEREE_STORE_POSTGRES_STORE_H_

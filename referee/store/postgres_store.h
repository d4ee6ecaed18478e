// The store in a schema of a PostgreSQL database, for several daemons on several machines. It is
// made when that is asked for, never by opening it. STORE.md describes the tables and the
// guarantees.
//
// A call that loses its connection returns Unavailable, and the next one connects anew: of several
// hosts in the connection string, to the one that takes writes. Only when the connection is lost
// while a transaction is being committed, Unavailable may be said of a call that has happened.
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
  // Where the tables are. Several referees may share a database, each in its own schema.
  std::string schema = "referee";
  // How many calls may use the database at once; others wait for them, for lock_limit at most.
  int max_connections = 8;
  // What leases go by; must outlive the store. Null, as it is but in tests: the database's clock,
  // which is the same for all.
  const Clock* clock = nullptr;
  postgres::ConnectionOptions connection = {};
};

// Opens the store in the database that `conninfo` names, a connection string of libpq:
// "postgresql://referee@db1,db2/referee". Returns InvalidArgument when it is none, or when the
// schema has tables that are not a referee's; FailedPrecondition when there is no store, or one of
// another version; else what the server says. The store must outlive its calls.
absl::StatusOr<std::unique_ptr<Store>> OpenPostgresStore(const std::string& conninfo,
                                                         const PostgresOptions& options);

// What a migration did.
struct PostgresMigration {
  std::string database;  // what messages call it
  int64_t from = 0;      // the version before; 0: there was no store
  int64_t to = 0;
};
// Makes the store if there is none. Returns FailedPrecondition when there is one of another
// version, which stays as it is; InvalidArgument as OpenPostgresStore does; else what the server
// says.
absl::StatusOr<PostgresMigration> MigratePostgresStore(const std::string& conninfo,
                                                       const PostgresOptions& options);

}  // namespace referee::store

#endif  // REFEREE_STORE_POSTGRES_STORE_H_

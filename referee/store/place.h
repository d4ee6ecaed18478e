// Finds and opens a referee's store: a file of its data directory, or a PostgreSQL database.
//
// The file is store.db. A database, named by a URL, may be shared by several referees. The file
// `store.elsewhere` of the data directory then names the database, for people and for programs
// without a URL. So an old store.db is never used by mistake.
#ifndef REFEREE_STORE_PLACE_H_
#define REFEREE_STORE_PLACE_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "referee/base/clock.h"
#include "referee/store/store.h"

namespace referee::store {

struct Place {
  std::string data_dir;  // may be empty with a URL
  std::string url;       // of a database: "postgresql://..."; empty: the store is in data_dir
};

struct OpenOptions {
  bool sync_blocks = true;       // for the file in data_dir; a database has its own settings
  const Clock* clock = nullptr;  // clock of leases; null: the machine's, or the database's
};

// Opens the store. Makes a missing file in a data directory, which must exist; never makes a store
// in a database. Returns FailedPrecondition when the store is in a database and no URL is given, or
// in the directory and a URL is given. Else returns the errors of OpenSqliteStore or
// OpenPostgresStore.
absl::StatusOr<std::unique_ptr<Store>> OpenStore(const Place& place, const OpenOptions& options);

// Opens the store for reading only: makes and changes nothing.
absl::StatusOr<std::unique_ptr<Store>> OpenStoreToRead(const Place& place);

// Checks, without opening the store, that it is where the data directory says. Also checks that a
// file is of this program's version. Changes nothing.
absl::Status CheckPlace(const Place& place);

// Checks only that the store is where the data directory says. Changes nothing.
absl::Status CheckPlaceOnly(const Place& place);

// Returns the name in messages of the database that holds the store of a data directory; empty if
// the store is in the directory.
absl::StatusOr<std::string> Elsewhere(const std::string& data_dir);

// Records in the data directory that its store is in this database from now on.
absl::Status NoteElsewhere(const std::string& data_dir, const std::string& database);

}  // namespace referee::store

#endif  // REFEREE_STORE_PLACE_H_

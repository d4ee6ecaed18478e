// Where a referee's store is, and opening it there: in the file store.db of its data directory or,
// where it was given the URL of one, in a PostgreSQL database that several referees may share. Then
// the file `store.elsewhere` of the data directory says so, for people and for programs that were
// given no URL: nobody takes a store.db that was left behind for the store.
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
  bool sync_blocks = true;       // of the file in data_dir; a database follows its own settings
  const Clock* clock = nullptr;  // what leases go by; null: the machine's, or the database's
};

// Opens the store. In a data directory, which must be there, it is made if need be;
// in a database neither. Returns FailedPrecondition when the data directory's store is elsewhere
// and no URL is given, or is here and one is; else what OpenSqliteStore or OpenPostgresStore does.
absl::StatusOr<std::unique_ptr<Store>> OpenStore(const Place& place, const OpenOptions& options);

// The same for whoever only looks: makes and changes nothing.
absl::StatusOr<std::unique_ptr<Store>> OpenStoreToRead(const Place& place);

// Checks what can be seen without opening it: that it is where the data directory says, and of no
// newer version. Changes nothing.
absl::Status CheckPlace(const Place& place);

// Checks that it is where the data directory says, and no more. Changes nothing.
absl::Status CheckPlaceOnly(const Place& place);

// The database in which a data directory says that its store is, by what messages call it; empty if
// it is not elsewhere.
absl::StatusOr<std::string> Elsewhere(const std::string& data_dir);

// Says in the data directory that its store is in this database from now on.
absl::Status NoteElsewhere(const std::string& data_dir, const std::string& database);

}  // namespace referee::store

#endif  // REFEREE_STORE_PLACE_H_

// The store in one SQLite file, which is created if it is missing.
//
// Several Stores, in one or several processes on one machine, may have the same file open. STORE.md
// describes the tables and the guarantees.
#ifndef REFEREE_STORE_SQLITE_STORE_H_
#define REFEREE_STORE_SQLITE_STORE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "referee/base/clock.h"
#include "referee/store/store.h"

namespace referee::store {

struct SqliteOptions {
  // Whether Apply returns only when its changes are on the disk. If false, a loss of power may
  // destroy the last changes, in order, and nothing else. Accounts, competitions and their entrants
  // are always on the disk.
  bool sync_blocks = true;
  // How long a call waits for the transaction of another process before it returns Unavailable.
  absl::Duration busy_limit = absl::Seconds(10);
  // The clock of leases; must outlive the store. Null: the machine's. All stores that have the same
  // file open must use the same clock.
  const Clock* clock = nullptr;
};

// Opens the store at `path`, whose directory must exist; a new file has mode 0600. Returns
// FailedPrecondition when it is of another version, DataLoss when it is damaged, InvalidArgument
// when it is not a store, or the file system's error. After an error the file is unchanged. The
// store must outlive its calls.
absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::string& path,
                                                       const SqliteOptions& options);

// Opens the store at `path` for reading only, whether or not others have it open. Changes neither
// the file nor those beside it, and needs no write permission (reader.h). Calls that would change
// something return PermissionDenied. Returns NotFound when there is none, FailedPrecondition when
// it is of another version, Unavailable when its log exists without an index; else as above.
absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStoreToRead(const std::string& path);

// Returns FailedPrecondition when the store at `path` is of another version than this program's.
// Changes nothing. Does not look for other problems.
absl::Status CheckStoreVersion(const std::string& path);

}  // namespace referee::store

#endif  // REFEREE_STORE_SQLITE_STORE_H_

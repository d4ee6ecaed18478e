// The store in one SQLite file, which needs no set-up: it is created when it is not there.
// Several Stores, in one process or several on one
// machine, may have the same file open. STORE.md describes the tables and the guarantees.
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
  // Whether Apply returns only when its changes are on the disk. If not, a machine that loses its
  // power may lose the last of them, in order, and nothing else; accounts, competitions and who is
  // in them are always on the disk.
  bool sync_blocks = true;
  // How long a call waits for another process's transaction before it returns Unavailable.
  absl::Duration busy_limit = absl::Seconds(10);
  // The calendar that leases go by; must outlive the store. Null: the machine's. Stores that have
  // the same file open must agree on it.
  const Clock* clock = nullptr;
};

// Opens the store at `path`, whose directory must be there; a new file has mode 0600. Returns
// FailedPrecondition when it is of another version, DataLoss when it is damaged, InvalidArgument
// when it is no store, or what the file system says; after an error the file is unchanged. The
// store must outlive its calls.
absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStore(const std::string& path,
                                                       const SqliteOptions& options);

// Opens the store at `path` for reading only, whether or not somebody else has it open. Neither the
// file nor what is beside it is changed, nor need it be writable (reader.h says how). Calls that
// would change something return PermissionDenied. Returns NotFound when there is none,
// FailedPrecondition when it is of another version, Unavailable when its log is there without an
// index; else as above.
absl::StatusOr<std::unique_ptr<Store>> OpenSqliteStoreToRead(const std::string& path);

// Returns FailedPrecondition when the store at `path` is of another version than this program's.
// Changes nothing. Whatever else is wrong with it is found when it is opened.
absl::Status CheckStoreVersion(const std::string& path);

}  // namespace referee::store

#endif  // REFEREE_STORE_SQLITE_STORE_H_

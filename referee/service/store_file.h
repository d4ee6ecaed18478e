// Opens the store of a data directory.
#ifndef REFEREE_SERVICE_STORE_FILE_H_
#define REFEREE_SERVICE_STORE_FILE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "referee/store/sqlite_store.h"

namespace referee::service {

// Opens the store in a referee's data directory, which must be there; makes it if need be. Returns
// what store::OpenSqliteStore does.
inline absl::StatusOr<std::unique_ptr<store::Store>> OpenStoreIn(
    const std::string& data_dir, const store::SqliteOptions& options = {}) {
  return store::OpenSqliteStore(data_dir + "/store.db", options);
}

// Checks that this program knows the version of the store in a data directory, if there is one.
// Returns what store::CheckStoreVersion does.
inline absl::Status CheckStoreVersionIn(const std::string& data_dir) {
  return store::CheckStoreVersion(data_dir + "/store.db");
}

}  // namespace referee::service

#endif  // REFEREE_SERVICE_STORE_FILE_H_

// What a store is, before a referee is started on it. It may be of any version.
#ifndef REFEREE_STORE_FOUND_STORE_H_
#define REFEREE_STORE_FOUND_STORE_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "referee/store/place.h"
#include "referee/store/postgres_store.h"

namespace referee::store {

struct FoundStore {
  std::string where;    // the file, or what messages call the database
  int64_t version = 0;  // 0: there is no store
  // Why a referee of this program would not start on it: what OpenStore would return; or
  // Unavailable, when it cannot be told without changing something.
  absl::Status refusal;
  std::map<std::string, int64_t> open_blocks;  // how many RUNNING ones, by owner
};

// Looks, and changes nothing; others may have the store open.
FoundStore FindStore(const Place& place);
// The same of a store in a database, wherever a data directory says that its own is.
FoundStore FindPostgresStore(const std::string& conninfo, const PostgresOptions& options);

}  // namespace referee::store

#endif  // REFEREE_STORE_FOUND_STORE_H_

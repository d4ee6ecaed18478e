// Examines a store of any version before a referee is started on it.
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
  std::string where;    // the file, or the name of the database in messages
  int64_t version = 0;  // 0: there is no store
  // Why a referee of this program would not start on it: the error of OpenStore. Unavailable:
  // unknown without changing something.
  absl::Status refusal;
  std::map<std::string, int64_t> open_blocks;  // number of RUNNING ones, by owner
};

// Examines a store without changing it. Others may have it open.
FoundStore FindStore(const Place& place);
// The same for a store in a database, whatever a data directory says.
FoundStore FindPostgresStore(const std::string& conninfo, const PostgresOptions& options);

}  // namespace referee::store

#endif  // REFEREE_STORE_FOUND_STORE_H_

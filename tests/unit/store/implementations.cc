// The SQLite and memory stores, for the contract suite.

#include <memory>

#include "referee/store/sqlite_store.h"
#include "tests/support/memory_store.h"
#include "tests/unit/store/harness.h"

namespace referee::store {

std::vector<Implementation> AllImplementations() {
  return {{"Sqlite", true,
           [](const std::string& path, const Clock* clock) {
             SqliteOptions options;
             options.sync_blocks = false;
             options.clock = clock;
             return OpenSqliteStore(path, options).value();
           }},
          {"Memory", false, [](const std::string&, const Clock* clock) {
             return std::make_unique<test::MemoryStore>(clock);
           }}};
}

}  // namespace referee::store

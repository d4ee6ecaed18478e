#include "referee/ctl/account/ask.h"

#include "referee/ctl/data_dir.h"
#include "referee/replay/files.h"
#include "referee/service/store_file.h"
#include "referee/store/sqlite_store.h"

namespace referee::ctl {

absl::StatusOr<std::unique_ptr<store::Store>> OpenLocalStore(const std::string& data_dir, Use use) {
  if (use == Use::kLook) return store::OpenSqliteStoreToRead(data_dir + "/store.db");
  if (absl::Status made = replay::MakeDirectories(data_dir, 0755); !made.ok()) return made;
  if (absl::Status own = CheckOwner(data_dir); !own.ok()) return own;
  return service::OpenStoreIn(data_dir);
}

}  // namespace referee::ctl

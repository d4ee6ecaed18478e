#include "referee/ctl/account/ask.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "referee/ctl/errors.h"
#include "referee/replay/files.h"
#include "referee/service/store_file.h"

namespace referee::ctl {

absl::StatusOr<std::unique_ptr<store::Store>> OpenLocalStore(const std::string& data_dir) {
  if (absl::Status made = replay::MakeDirectories(data_dir, 0755); !made.ok()) return made;
  struct stat found {};
  if (stat(data_dir.c_str(), &found) == 0 && found.st_uid != geteuid()) {
    const passwd* const owner = getpwuid(found.st_uid);
    return DataDirOfOther(data_dir, owner == nullptr ? absl::StrCat(found.st_uid) : owner->pw_name);
  }
  return service::OpenStoreIn(data_dir);
}

}  // namespace referee::ctl

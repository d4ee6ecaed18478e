#include "referee/ctl/data_dir.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "referee/ctl/errors.h"

namespace referee::ctl {

absl::Status CheckOwner(const std::string& data_dir) {
  struct stat found {};
  if (stat(data_dir.c_str(), &found) != 0 || found.st_uid == geteuid()) return absl::OkStatus();
  const passwd* const owner = getpwuid(found.st_uid);
  return DataDirOfOther(data_dir, owner == nullptr ? absl::StrCat(found.st_uid) : owner->pw_name);
}

absl::Status CheckFolder(const std::string& data_dir) {
  struct stat found {};
  const bool is_there = stat(data_dir.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
  return is_there ? absl::OkStatus() : NoFolder(data_dir);
}

}  // namespace referee::ctl

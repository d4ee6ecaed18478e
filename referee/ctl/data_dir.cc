#include "referee/ctl/data_dir.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/ctl/command.h"

namespace referee::ctl {

CLI::Option* AddDataDirFlag(CLI::App* command, std::string* data_dir,
                            const std::string& description) {
  return AddOption(command, "--data-dir", "DIR", data_dir, description)->required();
}

CLI::Option* AddStoreFlag(CLI::App* command, std::string* url, const std::string& description) {
  return AddOption(command, "--store", "postgresql://...", url, description);
}

absl::Status AtStoreFlag(const store::Place& place, const absl::Status& status) {
  return At(place.url.empty() ? "--data-dir" : "--store", status);
}

absl::Status CheckOwner(const std::string& data_dir) {
  struct stat found {};
  if (stat(data_dir.c_str(), &found) != 0 || found.st_uid == geteuid()) return absl::OkStatus();
  const passwd* const owner = getpwuid(found.st_uid);
  return absl::PermissionDeniedError(absl::StrCat(
      "--data-dir: ", Quoted(data_dir), " belongs to the user ",
      Quoted(owner == nullptr ? absl::StrCat(found.st_uid) : owner->pw_name),
      ", and what another makes there the referee could not read: run this as that user"));
}

absl::Status CheckFolder(const std::string& data_dir) {
  struct stat found {};
  const bool is_there = stat(data_dir.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
  return is_there ? absl::OkStatus()
                  : absl::NotFoundError(
                        absl::StrCat("--data-dir ", data_dir,
                                     ": there is no such folder; name the data directory that "
                                     "a refereed was given"));
}

}  // namespace referee::ctl

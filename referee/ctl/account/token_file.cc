#include "referee/ctl/account/token_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/ctl/errors.h"

namespace referee::ctl {
namespace {

constexpr char kFlag[] = "--save-token";

std::string Draft(const std::string& path) { return path + ".tmp"; }

}  // namespace

absl::StatusOr<TokenFile> TokenFile::Open(const std::string& path, bool replace) {
  if (!replace && access(path.c_str(), F_OK) == 0)
    return At(kFlag, absl::AlreadyExistsError(
                         absl::StrCat(path, ": there is such a file; remove it, or name another")));
  unlink(Draft(path).c_str());  // of somebody who was killed
  absl::StatusOr<replay::File> file =
      replay::OpenFile(Draft(path), O_WRONLY | O_CREAT | O_EXCL, 0600);
  if (!file.ok()) return At(kFlag, file.status());
  return TokenFile(path, *std::move(file));
}

TokenFile::~TokenFile() {
  if (!path_.empty()) unlink(Draft(path_).c_str());
}

absl::Status TokenFile::Save(absl::string_view token) {
  const absl::Status written =
      replay::WriteAll(file_.fd(), absl::StrCat(token, "\n"), Draft(path_));
  if (!written.ok()) return At(kFlag, written);
  if (std::rename(Draft(path_).c_str(), path_.c_str()) != 0) {
    return At(kFlag, absl::ErrnoToStatus(errno, path_));
  }
  path_.clear();
  return absl::OkStatus();
}

}  // namespace referee::ctl

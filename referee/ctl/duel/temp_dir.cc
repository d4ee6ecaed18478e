#include "referee/ctl/duel/temp_dir.h"

#include <stdlib.h>
#include <sys/un.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::ctl {
namespace {

constexpr char kTemplate[] = "/refctl.XXXXXX";
// Left for a name in the directory.
constexpr size_t kLongestName = 24;

std::string Parent() {
  const char* given = getenv("TMPDIR");
  const std::string parent = given == nullptr ? "" : given;
  const size_t longest = sizeof(sockaddr_un::sun_path) - sizeof(kTemplate) - kLongestName;
  return parent.empty() || parent.size() > longest ? "/tmp" : parent;
}

}  // namespace

absl::StatusOr<TempDir> TempDir::Make() {
  std::string path = absl::StrCat(Parent(), kTemplate);
  if (mkdtemp(path.data()) == nullptr) return FileError("cannot make a directory", path, errno);
  return TempDir(std::move(path));
}

TempDir::~TempDir() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace referee::ctl

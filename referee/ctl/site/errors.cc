#include "referee/ctl/site/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::ctl {

absl::Status SiteInUse(absl::string_view path) {
  return absl::FailedPreconditionError(absl::StrCat("another 'refctl site' writes into ",
                                                    Quoted(path),
                                                    " now; let it end, or use another folder"));
}

absl::Status BadSiteManifest(absl::string_view path, size_t line) {
  return absl::InvalidArgumentError(
      absl::StrCat(Quoted(path), ", line ", line,
                   ": this is no list of pages that 'refctl site' wrote; use a folder of its own"));
}

}  // namespace referee::ctl

// Errors of refctl site, one function each. base/errors.h says how errors are worded.
#ifndef REFEREE_CTL_SITE_ERRORS_H_
#define REFEREE_CTL_SITE_ERRORS_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace referee::ctl {

absl::Status SiteInUse(absl::string_view path);
absl::Status BadSiteManifest(absl::string_view path, size_t line);

}  // namespace referee::ctl

#endif  // REFEREE_CTL_SITE_ERRORS_H_

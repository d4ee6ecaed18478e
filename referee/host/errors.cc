#include "referee/host/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::host {

absl::Status UnknownBot(absl::string_view name) {
  return absl::NotFoundError(absl::StrCat(
      "bot ", Quoted(name), ": the referee knows no bot of this name; 'refctl bot add' makes one"));
}

absl::Status NotABot(absl::string_view name, absl::string_view role) {
  return absl::NotFoundError(
      absl::StrCat("bot ", Quoted(name), ": the account of this name is an ", role,
                   ", not a bot; name a bot, or make one under another name: 'refctl bot add'"));
}

absl::Status UnknownMatch(absl::string_view match_id) {
  return absl::NotFoundError(absl::StrCat(
      "match ", Quoted(match_id),
      ": neither open nor among those that ended lately; its replay may be in the archive, "
      "for 'refctl replay show'"));
}

}  // namespace referee::host

#include "referee/rating/errors.h"

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"

namespace referee::rating {

absl::Status BadSprt(absl::string_view text, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat(Quoted(text), ": ", why,
                   "; expected terms such as elo0=0,elo1=10,alpha=0.05,beta=0.05, or "
                   "nelo0=0,nelo1=10, or the name of a preset, such as stc"));
}

}  // namespace referee::rating

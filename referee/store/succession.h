// Which entrant stands for a bot of a ladder: what becomes of its entrants when it has another
// version, comes back, or a season begins. Pure; for every implementation of a store.
#ifndef REFEREE_STORE_SUCCESSION_H_
#define REFEREE_STORE_SUCCESSION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "referee/base/limits.h"
#include "referee/store/store.h"

namespace referee::store {

// What the bot is to be in the competition, and where that is.
struct Succession {
  std::string version;
  int season = 1;
  // Of the competition, now.
  int64_t counted = 0;
  int64_t next_block = 0;
  int next_number = 0;  // of an entrant
  // Who says that it is to be this version. Only organisers bring an entrant back that another one
  // has succeeded: whoever chooses among the results that its versions had would be ranked by the
  // luckiest.
  VersionSource by = VersionSource::kOrganiser;
};

// Makes the bot be in, as this version in this season. Returns its entrants that change, in the
// order in which they are to be written, as they are then; the last one stands for the bot. If that
// has the next number, it is a new one. Empty: nothing changes. REQUIRES: `own` are all entrants of
// the bot, one at least.
std::vector<Entrant> Succeed(std::vector<Entrant> own, const Succession& to);

// How many entrants of this season took the place of another one of it, as another version of the
// same bot, and have begun a block. `all`: by number.
int CountVersions(const std::vector<Entrant>& all, int season);

// So many of a ladder's entrants are never versions that bots tell: they are for bots that join,
// for organisers and for seasons.
inline constexpr int kEntrantsLeftByVersions = limits::kMaxEntrants / 5;

// Whether another entrant of a bot that has `own` may be added. Returns ResourceExhausted when
// there are limits::kMaxEntrants; if a bot says so also when it has had kMaxVersionsPerSeason in
// the season, when `versions` (CountVersions) are kMaxEntrantsByVersions, and when it would be one
// of the last kEntrantsLeftByVersions.
absl::Status CheckMayAdd(const std::vector<Entrant>& own, const Succession& to, int versions,
                         absl::string_view competition);

// Whether a bot may have another version told at `time`. Returns FailedPrecondition for an account
// that is no bot's, ResourceExhausted.
absl::Status CheckMayChange(const Account& account, absl::Time time, VersionSource by);

}  // namespace referee::store

#endif  // REFEREE_STORE_SUCCESSION_H_

// Decides which entrant represents a bot of a ladder.
//
// Entrants change when the bot gets another version, returns, or a season begins. Pure; used by
// every store.
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

// The version and season that the bot is to have, and the state of the competition.
struct Succession {
  std::string version;
  int season = 1;
  // The current state of the competition.
  int64_t counted = 0;
  int64_t next_block = 0;
  int next_number = 0;  // number of the next entrant
  // Who sets the version. Only organisers bring a replaced entrant back. Otherwise a bot could
  // choose among the results of its versions, and be ranked by its luckiest one.
  VersionSource by = VersionSource::kOrganiser;
};

// Makes the bot take part as this version in this season. Returns its changed entrants in the order
// in which to write them; the last one represents the bot. It is new if it has the next number.
// Returns none if nothing changes. REQUIRES: `own` has all entrants of the bot, at least one.
std::vector<Entrant> Succeed(std::vector<Entrant> own, const Succession& to);

// Returns how many entrants of this season have begun a block and replaced another version of the
// same bot in the season. `all`: by number.
int CountVersions(const std::vector<Entrant>& all, int season);

// Entrants of a ladder that versions reported by bots cannot use: they are reserved for joining
// bots, organisers and seasons.
inline constexpr int kEntrantsLeftByVersions = limits::kMaxEntrants / 5;

// Checks that another entrant of the bot with entrants `own` may be added. Returns
// ResourceExhausted at limits::kMaxEntrants. For versions that a bot reports, also at
// kMaxVersionsPerSeason of the bot in the season, at kMaxEntrantsByVersions `versions`
// (CountVersions), and for the last kEntrantsLeftByVersions entrants.
absl::Status CheckMayAdd(const std::vector<Entrant>& own, const Succession& to, int versions,
                         absl::string_view competition);

// Checks that the version of a bot may change at `time`. Returns FailedPrecondition for an account
// that is not a bot's, ResourceExhausted if the bot reports versions too often.
absl::Status CheckMayChange(const Account& account, absl::Time time, VersionSource by);

}  // namespace referee::store

#endif  // REFEREE_STORE_SUCCESSION_H_

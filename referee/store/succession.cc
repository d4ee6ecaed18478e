#include "referee/store/succession.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/rating/rating.h"
#include "referee/store/errors.h"

namespace referee::store {
namespace {

void ComeIn(Entrant* entrant) {
  if (entrant->presence != Presence::kIn) entrant->tally.silences = 0;
  entrant->presence = Presence::kIn;
  entrant->reason.clear();
  entrant->successor.reset();
}

Entrant NextAfter(const Entrant& before, const Succession& to) {
  Entrant entrant;
  entrant.number = to.next_number;
  entrant.name = before.name;
  entrant.version = to.version;
  entrant.season = to.season;
  entrant.tally.rating = rating::Succeed(before.tally.rating);
  entrant.predecessor = before.number;
  entrant.rated_from = to.counted;
  return entrant;
}

// An entrant that was out keeps its reason. The end of a season is not a reason.
void GivePlace(const Entrant& successor, int64_t next_block, Entrant* before) {
  before->successor = successor.number;
  if (before->presence != Presence::kIn) return;
  before->presence = Presence::kWithdrawn;
  if (before->season == successor.season) {
    before->reason = absl::StrCat("succeeded by version ", successor.version);
  }
  before->out_from = next_block;
}

}  // namespace

std::vector<Entrant> Succeed(std::vector<Entrant> own, const Succession& to) {
  const auto is_meant = [&](const Entrant& entrant) {
    return entrant.season == to.season && entrant.version == to.version;
  };
  const auto standing = std::find_if(own.begin(), own.end(),
                                     [](const Entrant& entrant) { return !entrant.successor; });
  if (standing == own.end()) return {};
  auto meant = is_meant(*standing) ? standing : own.end();
  for (auto it = own.begin(); it != own.end() && to.by == VersionSource::kOrganiser; ++it) {
    if (meant != standing && is_meant(*it)) meant = it;
  }
  if (meant == standing && standing->presence == Presence::kIn) return {};
  const bool is_fresh = standing->season == to.season && standing->blocks_begun == 0;
  if (meant == standing || (meant == own.end() && is_fresh)) {
    standing->version = to.version;
    ComeIn(&*standing);
    return {*standing};
  }
  Entrant next = meant == own.end() ? NextAfter(*standing, to) : *meant;
  ComeIn(&next);
  GivePlace(next, to.next_block, &*standing);
  return {*standing, next};
}

int CountVersions(const std::vector<Entrant>& all, int season) {
  return static_cast<int>(std::count_if(all.begin(), all.end(), [&](const Entrant& entrant) {
    return entrant.season == season && entrant.blocks_begun > 0 && entrant.predecessor &&
           all[static_cast<size_t>(*entrant.predecessor)].season == season;
  }));
}

absl::Status CheckMayAdd(const std::vector<Entrant>& own, const Succession& to, int versions,
                         absl::string_view competition) {
  if (to.next_number >= limits::kMaxEntrants) {
    return TooManyEntrants(competition, limits::kMaxEntrants);
  }
  if (to.by != VersionSource::kBot) return absl::OkStatus();
  const auto had = std::count_if(
      own.begin(), own.end(), [&](const Entrant& entrant) { return entrant.season == to.season; });
  if (had == 0) return absl::OkStatus();
  if (had >= limits::kMaxVersionsPerSeason) {
    return absl::ResourceExhaustedError(
        absl::StrCat("bot ", Quoted(own.front().name), ": has had ", limits::kMaxVersionsPerSeason,
                     " versions in this season of ", Quoted(competition),
                     ", as many as a bot may tell, of which going back to one is another; tell the "
                     "one that it has or none, or ask an organiser: 'refctl bot version NAME "
                     "VERSION'"));
  }
  if (versions >= limits::kMaxEntrantsByVersions ||
      to.next_number >= limits::kMaxEntrants - kEntrantsLeftByVersions) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "competition ", Quoted(competition), ": has ", to.next_number, " entrants, of which ",
        versions,
        " are versions that have played in this season, and takes no more that bots tell by "
        "themselves; tell the version that the bot has or none, or ask an organiser: 'refctl bot "
        "version NAME VERSION'"));
  }
  return absl::OkStatus();
}

absl::Status CheckMayChange(const Account& account, absl::Time time, VersionSource by) {
  if (account.role != Role::kBot) return NotABot(account.name);
  if (by != VersionSource::kBot || !account.version_time) return absl::OkStatus();
  // The clock may have been set back.
  const absl::Duration since = time - *account.version_time;
  if (since < absl::ZeroDuration() || since >= limits::kVersionInterval) return absl::OkStatus();
  return absl::ResourceExhaustedError(absl::StrCat(
      "bot ", Quoted(account.name), ": may tell another version once in ",
      absl::FormatDuration(limits::kVersionInterval), ", and for the next ",
      absl::FormatDuration(absl::Ceil(limits::kVersionInterval - since, absl::Seconds(1))), " has ",
      account.version.empty() ? "none" : Quoted(account.version),
      "; tell that or none, wait, or ask an organiser: 'refctl bot version NAME VERSION'"));
}

}  // namespace referee::store

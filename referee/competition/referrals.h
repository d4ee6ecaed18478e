// Refers bots to the daemons on which their competitions live. All but Referrer is pure.
#ifndef REFEREE_COMPETITION_REFERRALS_H_
#define REFEREE_COMPETITION_REFERRALS_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/host/host.h"
#include "referee/host/link.h"
#include "referee/store/store.h"

namespace referee::competition {

// A competition that goes on, and where its blocks are played.
struct HousedCompetition {
  std::string name;
  int priority = 0;
  bool here = false;                   // among others, or only here
  std::vector<std::string> addresses;  // of the other daemons, as far as they have said so
  std::vector<std::string> bots;       // that are in, or come back by themselves
  bool elsewhere = false;  // not here, but on another daemon, whether its address is known or not
};

// By bot; those that are not named are wanted nowhere else.
using Referrals = absl::flat_hash_map<std::string, host::Referral>;

// The homes of competitions of higher priority come first, then those of the older ones.
// `competitions`: the oldest first.
Referrals MakeReferrals(absl::Span<const HousedCompetition> competitions);

// Where a bot dials when its referee is gone: limits::kMaxHomes at most of these addresses, in an
// order that is another for another bot, so that the bots of one referee spread over the rest.
std::vector<std::string> OthersFor(absl::string_view bot, std::vector<std::string> addresses);

// Keeps the referrals of a host. Thread-safe, but for Update.
class Referrer {
 public:
  // The store must outlive it. `owner`: this daemon. `lease`: how long another may be silent.
  Referrer(store::CompetitionReader* store, std::string owner, absl::Duration lease)
      : store_(*store), owner_(std::move(owner)), lease_(lease) {}

  // Tells the host's bots where these competitions live, and where else they may dial, if that has
  // changed. Returns the store's error.
  absl::Status Update(absl::Span<const store::Competition> competitions,
                      absl::Span<const store::Daemon> daemons, Instant now, host::Host* host);
  host::Referral ReferralOf(absl::string_view bot) const;

 private:
  absl::StatusOr<std::vector<HousedCompetition>> Housed(
      absl::Span<const store::Competition> competitions, absl::Span<const store::Daemon> daemons);

  store::CompetitionReader& store_;
  const std::string owner_;
  const absl::Duration lease_;
  // Who is in, of each competition, and of which of its versions.
  std::map<store::CompetitionId, std::pair<int64_t, std::vector<std::string>>> in_;
  mutable Mutex mutex_;
  Referrals referrals_ ABSL_GUARDED_BY(mutex_);
  std::vector<std::string> others_ ABSL_GUARDED_BY(mutex_);  // addresses of other daemons
};

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_REFERRALS_H_

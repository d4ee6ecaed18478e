// Whom a daemon refers where: the bots of competitions that live on other daemons. Pure.
#ifndef REFEREE_COMPETITION_REFERRALS_H_
#define REFEREE_COMPETITION_REFERRALS_H_

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "referee/host/link.h"

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

}  // namespace referee::competition

#endif  // REFEREE_COMPETITION_REFERRALS_H_

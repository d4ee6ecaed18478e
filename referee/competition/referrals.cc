#include "referee/competition/referrals.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/competition/homes.h"

namespace referee::competition {
namespace {

void AddHome(const std::string& competition, const std::string& address, host::Referral* referral) {
  auto home =
      std::find_if(referral->homes.begin(), referral->homes.end(),
                   [&](const host::Referral::Home& known) { return known.address == address; });
  if (home == referral->homes.end()) {
    if (referral->homes.size() == limits::kMaxHomes) return;
    home = referral->homes.insert(home, {address, {}});
  }
  if (home->competitions.size() < limits::kMaxCompetitionsOfHome) {
    home->competitions.push_back(competition);
  }
}

// Whether bots can be referred to it.
bool IsDialled(const store::Daemon& daemon) {
  return !daemon.address.empty() && daemon.address.size() <= limits::kMaxAddressBytes;
}

HousedCompetition HousedAs(const store::Competition& competition,
                           absl::Span<const store::Daemon> daemons, absl::string_view owner,
                           std::vector<std::string> bots) {
  HousedCompetition housed;
  housed.name = competition.spec.name;
  housed.priority = competition.spec.priority;
  housed.bots = std::move(bots);
  const Home home = HomeFor(owner, competition, daemons);
  housed.here = home.here || home.helps;
  housed.elsewhere = !housed.here && !home.owner.empty();
  std::vector<const store::Daemon*> players = HelpersOf(competition, daemons);
  if (const store::Daemon* const daemon = HomeOf(competition, daemons)) {
    players.insert(players.begin(), daemon);
  }
  for (const store::Daemon* const daemon : players) {
    if (daemon->owner == owner || !IsDialled(*daemon)) continue;
    housed.addresses.push_back(daemon->address);
  }
  return housed;
}

// Tells the bots of a competition that lives on another daemon, and that do not go there.
void NotifyOfVainReferral(const HousedCompetition& competition, Instant now, host::Host* host) {
  const std::string where =
      absl::StrCat("competition ", Quoted(competition.name), " lives on another referee");
  for (const std::string& bot : competition.bots) {
    if (competition.addresses.empty()) {
      host->TellNotice(
          bot, absl::StrCat(where, ", which does not say where it is (refereed --advertise)"));
      continue;
    }
    const absl::optional<Instant> since = host->ReferredInVainSince(bot);
    if (!since || now - *since < limits::kReferralPatience) continue;
    host->TellNotice(bot, absl::StrCat(where, ", at ", competition.addresses.front(),
                                       ", and this bot does not go there by itself: let it "
                                       "(--refer-domain), or start it with --address ",
                                       competition.addresses.front()));
  }
}

}  // namespace

Referrals MakeReferrals(absl::Span<const HousedCompetition> competitions) {
  std::vector<const HousedCompetition*> order;
  for (const HousedCompetition& competition : competitions) order.push_back(&competition);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->priority > b->priority; });
  Referrals referrals;
  for (const HousedCompetition* const competition : order) {
    if (competition->addresses.empty()) continue;
    for (const std::string& bot : competition->bots) {
      host::Referral& referral = referrals[bot];
      referral.here = false;
      for (const std::string& address : competition->addresses) {
        AddHome(competition->name, address, &referral);
      }
    }
  }
  for (const HousedCompetition* const competition : order) {
    if (!competition->here) continue;
    for (const std::string& bot : competition->bots) {
      const auto referred = referrals.find(bot);
      if (referred != referrals.end()) referred->second.here = true;
    }
  }
  return referrals;
}

std::vector<std::string> OthersFor(absl::string_view bot, std::vector<std::string> addresses) {
  addresses = HomeOrder(bot, std::move(addresses));
  if (addresses.size() > limits::kMaxHomes) addresses.resize(limits::kMaxHomes);
  return addresses;
}

absl::Status Referrer::Update(absl::Span<const store::Competition> competitions,
                              absl::Span<const store::Daemon> daemons, Instant now,
                              host::Host* host) {
  const absl::StatusOr<std::vector<HousedCompetition>> housed = Housed(competitions, daemons);
  if (!housed.ok()) return housed.status();
  std::vector<std::string> others;
  for (const store::Daemon& daemon : daemons) {
    if (daemon.owner != owner_ && !daemon.draining && IsDialled(daemon)) {
      others.push_back(daemon.address);
    }
  }
  {
    MutexLock lock(&mutex_);
    referrals_ = MakeReferrals(*housed);
    others_ = std::move(others);
  }
  host->Refer([this](const std::string& bot) { return ReferralOf(bot); });
  for (const HousedCompetition& competition : *housed) {
    if (competition.elsewhere) NotifyOfVainReferral(competition, now, host);
  }
  return absl::OkStatus();
}

host::Referral Referrer::ReferralOf(absl::string_view bot) const {
  MutexLock lock(&mutex_);
  const auto found = referrals_.find(bot);
  host::Referral referral = found == referrals_.end() ? host::Referral() : found->second;
  referral.others = OthersFor(bot, others_);
  if (!referral.others.empty()) referral.patience = lease_;
  return referral;
}

absl::StatusOr<std::vector<HousedCompetition>> Referrer::Housed(
    absl::Span<const store::Competition> competitions, absl::Span<const store::Daemon> daemons) {
  std::vector<HousedCompetition> housed;
  auto before = std::exchange(in_, {});
  const bool any_elsewhere =
      std::any_of(competitions.begin(), competitions.end(), [&](const store::Competition& one) {
        const Home home = HomeFor(owner_, one, daemons);
        return (!home.here && !home.owner.empty()) || !HelpersOf(one, daemons).empty();
      });
  if (!any_elsewhere) return housed;
  for (const store::Competition& competition : competitions) {
    auto& [version, bots] = in_[competition.id] = std::move(before[competition.id]);
    if (version != competition.version) {
      const auto entrants = store_.ReadEntrants(competition.id);
      if (absl::IsNotFound(entrants.status())) continue;
      if (!entrants.ok()) return entrants.status();
      bots.clear();
      for (const store::Entrant& entrant : *entrants) {
        // One that is suspended is brought back by the home, to which it must be connected.
        const bool is_suspended = entrant.presence == store::Presence::kSetAside &&
                                  entrant.suspension.has_value() && !entrant.successor;
        if (entrant.presence == store::Presence::kIn || is_suspended) bots.push_back(entrant.name);
      }
      version = competition.version;
    }
    housed.push_back(HousedAs(competition, daemons, owner_, bots));
  }
  return housed;
}

}  // namespace referee::competition

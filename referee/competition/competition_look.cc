// The part of CompetitionLoop that looks at the store.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/competition/competition_loop.h"
#include "referee/competition/terms.h"

namespace referee::competition {
namespace {

// How often the store is looked at, and the lease is renewed with that: so often at least, and as
// often in each lease, so that one look may fail.
constexpr absl::Duration kLookAtStore = absl::Seconds(5);
constexpr int kLooksInLease = 3;
// The same after a look that failed, and while homes are being handed over.
constexpr absl::Duration kLookSoon = absl::Seconds(1);
// How long after the end of another daemon's lease.
constexpr absl::Duration kLookAfterLapse = absl::Milliseconds(250);

bool GoesOn(store::CompetitionState state) {
  return state != store::CompetitionState::kNew && state != store::CompetitionState::kFinished;
}

// Whether bots can be told where to dial it.
bool IsDialled(const store::Daemon& daemon) {
  return !daemon.address.empty() && daemon.address.size() <= limits::kMaxAddressBytes;
}

std::string Named(const Home& home) {
  return home.address.empty() ? Quoted(home.owner)
                              : absl::StrCat(Quoted(home.owner), " at ", home.address);
}

}  // namespace

void CompetitionLoop::Tell(log::Level level, absl::string_view event,
                           absl::string_view line) const {
  log::Tell(environment_.log, {level, event, absl::StrCat("competitions: ", line)});
}

absl::Status CompetitionLoop::LookAtStore() {
  last_look_ = environment_.clock->Now();
  next_look_ = last_look_ + kLookSoon;  // if it fails
  absl::StatusOr<std::vector<store::Competition>> all = environment_.store->ListUnfinished();
  if (!all.ok()) return all.status();
  Look look;
  for (store::Competition& competition : *all) {
    watch_delays_.Note(competition);
    if (GoesOn(competition.state)) look.competitions.push_back(std::move(competition));
  }
  bool alone;
  {
    MutexLock lock(&mutex_);
    alone = address_.empty();
  }
  // One that nobody is referred to needs no lease while nothing goes on.
  if (!look.competitions.empty() || !alone) {
    const absl::StatusOr<store::Lease> lease = KeepLease(&look);
    if (!lease.ok()) return lease.status();
    if (absl::Status taken = TakeHomes(*lease, &look); !taken.ok()) return taken;
    if (lease_.At(last_look_) != *lease) {
      Tell(log::Level::kInfo, "lease_held", absl::StrCat("the lease has term ", lease->term));
    }
    lease_.Renewed(lease->term, last_look_);
    look.in_doubt = std::exchange(claim_failed_, false);
    MutexLock lock(&mutex_);
    lease_end_ = lease_.end();
    leases_lost_ = lease_.lost();
  }
  TakeUp(look);
  if (absl::Status referred = Refer(look); !referred.ok()) return referred;
  PlanNextLook(look);
  return absl::OkStatus();
}

absl::StatusOr<store::Lease> CompetitionLoop::KeepLease(Look* look) {
  store::Store& store = *environment_.store;
  last_look_ = environment_.clock->Now();
  const absl::StatusOr<int64_t> term = store.RenewLease(lease_.owner(), lease_.length());
  if (!term.ok()) return term.status();
  const store::Lease lease{lease_.owner(), *term};
  // Before anything begins under this lease: what a former process left is the first to go on.
  if (!former_.empty()) {
    absl::StatusOr<std::vector<store::Block>> taken = store.TakeOver(lease, former_);
    if (!taken.ok()) return taken.status();
    former_.clear();
    look->claimed = *std::move(taken);
    for (store::Competition& competition : look->competitions) {
      const absl::StatusOr<store::Competition> now = store.GetCompetition(competition.id);
      if (now.ok()) competition.home_term = now->home_term;
    }
  }
  if (absl::Status announced = Announce(lease); !announced.ok()) return announced;
  return lease;
}

absl::Status CompetitionLoop::Announce(const store::Lease& lease) {
  std::string address;
  bool draining;
  {
    MutexLock lock(&mutex_);
    address = address_;
    draining = draining_;
  }
  const bool is_new = lease.term != announced_term_ && (draining || !address.empty());
  if (!is_new && address == announced_address_ && draining == announced_draining_) {
    return absl::OkStatus();
  }
  const absl::Status announced = environment_.store->Announce(lease, address, draining);
  if (!announced.ok()) return announced;
  if (draining && !announced_draining_) {
    Tell(log::Level::kInfo, "homes_given_up",
         "the referee drains, and others take what lives here");
  }
  announced_term_ = lease.term;
  announced_address_ = std::move(address);
  announced_draining_ = draining;
  return absl::OkStatus();
}

absl::Status CompetitionLoop::TakeHomes(const store::Lease& lease, Look* look) {
  store::Store& store = *environment_.store;
  absl::StatusOr<std::vector<store::Daemon>> daemons = store.ListDaemons();
  if (!daemons.ok()) return daemons.status();
  look->daemons = *std::move(daemons);
  bool draining;
  {
    MutexLock lock(&mutex_);
    for (const store::Daemon& daemon : look->daemons) {
      if (daemon.owner == lease.owner && daemon.draining) draining_ = true;
    }
    draining = draining_;
  }
  const std::vector<store::CompetitionId> wanted =
      homes_.ToTake(look->competitions, look->daemons, draining, last_look_);
  if (!wanted.empty()) {
    const absl::StatusOr<std::vector<store::CompetitionId>> taken = store.TakeHomes(lease, wanted);
    if (!taken.ok()) return taken.status();
    const std::set<store::CompetitionId> mine(taken->begin(), taken->end());
    for (store::Competition& competition : look->competitions) {
      if (mine.count(competition.id) > 0) competition.home_term = lease.term;
    }
  }
  absl::StatusOr<std::vector<store::Block>> claimed = store.ClaimExpired(lease);
  if (!claimed.ok()) {
    claim_failed_ = true;
    return claimed.status();
  }
  look->claimed.insert(look->claimed.end(), claimed->begin(), claimed->end());
  return absl::OkStatus();
}

absl::Status CompetitionLoop::CancelWhatOthersHave() {
  std::map<store::CompetitionId, std::set<std::string>> ours;  // by request ids
  std::vector<std::shared_ptr<host::MatchRunner>> page;
  do {
    page =
        environment_.host->List(page.empty() ? MatchId() : page.back()->id(), limits::kMaxPageSize);
    for (const std::shared_ptr<host::MatchRunner>& runner : page) {
      const auto id = CompetitionOfRequest(runner->request_id());
      if (runner->over() || !id.has_value()) continue;
      const auto [known, is_new] = ours.try_emplace(*id);
      if (is_new) {
        const auto open = environment_.store->ListOpenBlocks(*id);
        if (!open.ok() && !absl::IsNotFound(open.status())) return open.status();
        for (const store::Block& block : open.ok() ? *open : std::vector<store::Block>()) {
          if (block.owner == lease_.owner()) known->second.insert(BlockRequestId(block));
        }
      }
      if (known->second.count(runner->request_id()) > 0) continue;
      // One that has ended meanwhile is as good.
      static_cast<void>(environment_.host->Cancel(
          runner->id(), "its block was taken over by another referee while this one was away"));
    }
  } while (page.size() == static_cast<size_t>(limits::kMaxPageSize));
  return absl::OkStatus();
}

Home CompetitionLoop::HomeIn(const Look& look, const store::Competition& competition) const {
  const store::Daemon* const daemon = HomeOf(competition, look.daemons);
  if (daemon == nullptr) return {false};
  if (daemon->owner == lease_.owner()) return {true};
  const std::vector<const store::Daemon*> helpers = HelpersOf(competition, look.daemons);
  const bool helps = std::any_of(helpers.begin(), helpers.end(), [&](const store::Daemon* helper) {
    return helper->owner == lease_.owner();
  });
  return {false, daemon->owner, daemon->address, helps};
}

void CompetitionLoop::TakeUp(const Look& look) {
  std::vector<store::CompetitionId> told;
  {
    MutexLock lock(&mutex_);
    std::set<store::CompetitionId> claimed;
    for (const store::Block& block : look.claimed) claimed.insert(block.competition);
    std::set<store::CompetitionId> goes_on;
    for (const store::Competition& competition : look.competitions) {
      const store::CompetitionId& id = competition.id;
      goes_on.insert(id);
      Known& known = known_[id];
      const Home home = HomeIn(look, competition);
      if (home != known.home) LogMove(competition, known.home, home);
      const int64_t progress = competition.next_block + competition.counted;
      const bool changed = known.version != competition.version || known.progress_at != progress ||
                           home != known.home;
      if (changed && !home.here) told.push_back(id);
      if (known.entry == nullptr && (home.here || home.helps || claimed.count(id) > 0)) {
        known.entry = std::make_shared<Entry>(id, &environment_);
      }
      if (known.version != competition.version || look.in_doubt || claimed.count(id) > 0) {
        known.stale = true;
      }
      known.home = home;
      known.version = competition.version;
      known.progress_at = progress;
      known.precedence.priority = competition.spec.priority;
      known.precedence.ladder = competition.spec.format == schedule::Format::kLadder;
    }
    for (auto known = known_.begin(); known != known_.end();) {
      const bool over = known->second.entry == nullptr && goes_on.count(known->first) == 0;
      if (over) told.push_back(known->first);
      known = over ? known_.erase(known) : std::next(known);
    }
  }
  for (const store::CompetitionId& id : told) Tell(id);
}

void CompetitionLoop::LogMove(const store::Competition& competition, const Home& before,
                              const Home& home) const {
  const auto moved = [&](absl::string_view where) {
    log::Tell(environment_.log,
              log::Event(log::Level::kInfo, "home_moved",
                         absl::StrCat("competition ", Quoted(competition.spec.name), " ", where))
                  .With(log::kCompetition, competition.id.text()));
  };
  if (home.here) {
    moved(absl::StrCat("lives here from now on, under term ", competition.home_term));
  } else if (!home.owner.empty()) {
    moved(absl::StrCat("lives on referee ", Named(home), ", under term ", competition.home_term,
                       home.helps ? ", and this one helps" : ""));
  } else {
    moved(before.here ? "lives here no more"
                      : absl::StrCat("lives no more on referee ", Named(before)));
  }
}

void CompetitionLoop::PlanNextLook(const Look& look) {
  next_look_ = last_look_ + std::min(kLookAtStore, lease_.length() / kLooksInLease);
  next_look_ = std::min(next_look_, homes_.asks_again());
  // Whoever takes one that has no home begins at once, and its bots are to be told.
  const bool any_free = std::any_of(look.competitions.begin(), look.competitions.end(),
                                    [&](const store::Competition& one) {
                                      const store::Daemon* const home = HomeOf(one, look.daemons);
                                      return home == nullptr || home->draining;
                                    });
  bool others_stay = false;
  for (const store::Daemon& daemon : look.daemons) {
    if (daemon.owner == lease_.owner()) continue;
    next_look_ = std::min(next_look_, last_look_ + daemon.remaining + kLookAfterLapse);
    others_stay = others_stay || !daemon.draining;
  }
  MutexLock lock(&mutex_);
  const bool any_here = std::any_of(known_.begin(), known_.end(),
                                    [](const auto& known) { return known.second.home.here; });
  // What was given to this one before its home saw that it drains is handed back at the look after
  // the one that said so.
  const bool may_be_given = std::any_of(known_.begin(), known_.end(), [](const auto& known) {
    return known.second.entry != nullptr && !known.second.home.here;
  });
  const bool is_first = draining_ && !std::exchange(drained_at_last_look_, draining_);
  const bool hands_over = draining_ && others_stay && (any_here || (may_be_given && is_first));
  if (hands_over || (any_free && others_stay)) {
    next_look_ = std::min(next_look_, last_look_ + kLookSoon);
  }
  settled_ = draining_ && (settled_ || !hands_over);
  changed_.NotifyAll();
}

// --- Referral ---

absl::Status CompetitionLoop::Refer(const Look& look) {
  const absl::StatusOr<std::vector<HousedCompetition>> housed = Housed(look);
  if (!housed.ok()) return housed.status();
  std::vector<std::string> others;
  for (const store::Daemon& daemon : look.daemons) {
    if (daemon.owner != lease_.owner() && !daemon.draining && IsDialled(daemon)) {
      others.push_back(daemon.address);
    }
  }
  {
    MutexLock lock(&referral_mutex_);
    referrals_ = MakeReferrals(*housed);
    others_ = std::move(others);
  }
  environment_.host->Refer([this](const std::string& bot) { return ReferralOf(bot); });
  TellWhoIsReferredInVain(*housed);
  return absl::OkStatus();
}

host::Referral CompetitionLoop::ReferralOf(absl::string_view bot) const {
  MutexLock lock(&referral_mutex_);
  const auto found = referrals_.find(bot);
  host::Referral referral = found == referrals_.end() ? host::Referral() : found->second;
  referral.others = OthersFor(bot, others_);
  if (!referral.others.empty()) referral.patience = lease_.length();
  return referral;
}

HousedCompetition CompetitionLoop::HousedAs(const Look& look, const store::Competition& competition,
                                            std::vector<std::string> bots) const {
  HousedCompetition housed;
  housed.name = competition.spec.name;
  housed.priority = competition.spec.priority;
  housed.bots = std::move(bots);
  const Home home = HomeIn(look, competition);
  housed.here = home.here || home.helps;
  housed.elsewhere = !housed.here && !home.owner.empty();
  std::vector<const store::Daemon*> players = HelpersOf(competition, look.daemons);
  if (const store::Daemon* const daemon = HomeOf(competition, look.daemons)) {
    players.insert(players.begin(), daemon);
  }
  for (const store::Daemon* const daemon : players) {
    if (daemon->owner == lease_.owner() || !IsDialled(*daemon)) continue;
    housed.addresses.push_back(daemon->address);
  }
  return housed;
}

absl::StatusOr<std::vector<HousedCompetition>> CompetitionLoop::Housed(const Look& look) {
  std::vector<HousedCompetition> housed;
  const bool any_elsewhere = std::any_of(
      look.competitions.begin(), look.competitions.end(), [&](const store::Competition& one) {
        const Home home = HomeIn(look, one);
        return (!home.here && !home.owner.empty()) || !HelpersOf(one, look.daemons).empty();
      });
  if (!any_elsewhere) {
    in_.clear();
    return housed;
  }
  std::map<store::CompetitionId, std::pair<int64_t, std::vector<std::string>>> before =
      std::exchange(in_, {});
  for (const store::Competition& competition : look.competitions) {
    auto& [version, bots] = in_[competition.id] = std::move(before[competition.id]);
    if (version != competition.version) {
      const auto entrants = environment_.store->ReadEntrants(competition.id);
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
    housed.push_back(HousedAs(look, competition, bots));
  }
  return housed;
}

void CompetitionLoop::TellWhoIsReferredInVain(
    absl::Span<const HousedCompetition> competitions) const {
  for (const HousedCompetition& competition : competitions) {
    if (!competition.elsewhere) continue;
    const std::string where =
        absl::StrCat("competition ", Quoted(competition.name), " lives on another referee");
    for (const std::string& bot : competition.bots) {
      if (competition.addresses.empty()) {
        environment_.host->TellNotice(
            bot, absl::StrCat(where, ", which does not say where it is (refereed --advertise)"));
        continue;
      }
      const absl::optional<Instant> since = environment_.host->ReferredInVainSince(bot);
      if (!since || last_look_ - *since < limits::kReferralPatience) continue;
      environment_.host->TellNotice(
          bot, absl::StrCat(where, ", at ", competition.addresses.front(),
                            ", and this bot does not go there by itself: let it "
                            "(--refer-domain), or start it with --address ",
                            competition.addresses.front()));
    }
  }
}

}  // namespace referee::competition

#include "referee/competition/fleet.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/competition/terms.h"

namespace referee::competition {
namespace {

// How often the store is polled and the lease renewed: at least this often, and kLooksInLease times
// in a lease, so that one poll may fail.
constexpr absl::Duration kLookAtStore = absl::Seconds(5);
constexpr int kLooksInLease = 3;
// How long after the end of another referee's lease to poll.
constexpr absl::Duration kLookAfterLapse = absl::Milliseconds(250);
// How long other referees may take to renew their leases after an outage of the store. Each polls a
// second after a failed poll, which may take as long as a connection attempt
// (postgres::Connection).
constexpr absl::Duration kOutageGrace = absl::Seconds(7);

std::string Named(const Home& home) {
  return home.address.empty() ? Quoted(home.owner)
                              : absl::StrCat(Quoted(home.owner), " at ", home.address);
}

}  // namespace

absl::Status Fleet::Join(Instant now, const std::string& address, FleetLook* look) {
  const absl::StatusOr<int64_t> term = store_.RenewLease(lease_.owner(), lease_.length());
  if (!term.ok()) return term.status();
  const store::Lease lease{lease_.owner(), *term};
  absl::Status done = TakeFormer(lease, look);
  if (done.ok()) done = Announce(lease, address, *look);
  if (done.ok()) done = TakeHomes(lease, now, look);
  if (!done.ok()) return done;
  if (lease_.At(now) != lease) {
    Tell("lease_held", absl::StrCat("the lease has term ", lease.term));
  }
  lease_.Renewed(lease.term, now);
  look->in_doubt = std::exchange(claim_failed_, false);
  return absl::OkStatus();
}

// Takes over the blocks of former processes, before anything begins under this lease.
absl::Status Fleet::TakeFormer(const store::Lease& lease, FleetLook* look) {
  if (former_.empty()) return absl::OkStatus();
  absl::StatusOr<std::vector<store::Block>> taken = store_.TakeOver(lease, former_);
  if (!taken.ok()) return taken.status();
  former_.clear();
  look->claimed = *std::move(taken);
  for (store::Competition& competition : look->competitions) {
    const absl::StatusOr<store::Competition> now = store_.GetCompetition(competition.id);
    if (now.ok()) competition.home_term = now->home_term;
  }
  return absl::OkStatus();
}

absl::Status Fleet::Announce(const store::Lease& lease, const std::string& address,
                             const FleetLook& look) {
  const store::Daemon now{lease.owner, lease.term,    {},
                          address,     look.draining, !look.unable.empty()};
  // A new lease has no announcements yet.
  const store::Daemon before = announced_.term == lease.term ? announced_ : store::Daemon();
  absl::Status announced;
  if (now.address != before.address || now.draining != before.draining) {
    announced = store_.Announce(lease, address, now.draining);
  }
  if (announced.ok() && now.unable != before.unable) {
    announced = store_.SetUnable(lease, now.unable);
  }
  if (!announced.ok()) return announced;
  LogAnnounced(now, look.unable);
  announced_ = now;
  return absl::OkStatus();
}

void Fleet::LogAnnounced(const store::Daemon& daemon, const std::string& unable) const {
  if (daemon.draining && !announced_.draining) {
    Tell("homes_given_up", "the referee drains, and others take what lives here");
  }
  if (daemon.unable && !announced_.unable) {
    Tell("homes_given_up",
         absl::StrCat("no match can begin here, so others that can may take what lives here: ",
                      unable));
  }
  if (!daemon.unable && announced_.unable) {
    Tell("homes_kept", "matches can begin here again, and what lives here stays");
  }
}

absl::Status Fleet::TakeHomes(const store::Lease& lease, Instant now, FleetLook* look) {
  absl::StatusOr<std::vector<store::Daemon>> daemons = store_.ListDaemons();
  if (!daemons.ok()) return daemons.status();
  look->daemons = *std::move(daemons);
  for (const store::Daemon& daemon : look->daemons) {
    if (daemon.owner == lease.owner && daemon.draining) look->draining = true;
  }
  if (std::exchange(outage_, false)) spares_until_ = now + kOutageGrace;
  if (absl::Status taken = TakeFree(lease, now, look); !taken.ok()) return taken;
  if (now < spares_until_) return absl::OkStatus();
  absl::StatusOr<std::vector<store::Block>> claimed = store_.ClaimExpired(lease);
  if (!claimed.ok()) {
    claim_failed_ = true;
    return claimed.status();
  }
  look->claimed.insert(look->claimed.end(), claimed->begin(), claimed->end());
  return absl::OkStatus();
}

absl::Status Fleet::TakeFree(const store::Lease& lease, Instant now, FleetLook* look) {
  std::vector<store::Competition> free;
  for (const store::Competition& competition : look->competitions) {
    const bool lapsed = competition.home_term != 0 && HomeOf(competition, look->daemons) == nullptr;
    if (!lapsed || now >= spares_until_) free.push_back(competition);
  }
  const std::vector<store::CompetitionId> wanted =
      homes_.ToTake(free, look->daemons, look->draining, now);
  if (wanted.empty()) return absl::OkStatus();
  const absl::StatusOr<std::vector<store::CompetitionId>> taken = store_.TakeHomes(lease, wanted);
  if (!taken.ok()) return taken.status();
  const std::set<store::CompetitionId> mine(taken->begin(), taken->end());
  for (store::Competition& competition : look->competitions) {
    if (mine.count(competition.id) > 0) competition.home_term = lease.term;
  }
  return absl::OkStatus();
}

Instant Fleet::NextLook(Instant now, const FleetLook& look) const {
  Instant next = now + std::min(kLookAtStore, lease_.length() / kLooksInLease);
  next = std::min(next, homes_.asks_again());
  if (now < spares_until_) next = std::min(next, spares_until_);
  for (const store::Daemon& daemon : look.daemons) {
    if (daemon.owner == lease_.owner()) continue;
    next = std::min(next, now + daemon.remaining + kLookAfterLapse);
  }
  return next;
}

absl::Status Fleet::CancelWhatOthersHave(host::Host* host) const {
  std::map<store::CompetitionId, std::set<std::string>> ours;  // by request ids
  std::vector<std::shared_ptr<host::MatchRunner>> page;
  do {
    page = host->List(page.empty() ? MatchId() : page.back()->id(), limits::kMaxPageSize);
    for (const std::shared_ptr<host::MatchRunner>& runner : page) {
      const auto id = CompetitionOfRequest(runner->request_id());
      if (runner->over() || !id.has_value()) continue;
      const auto [known, is_new] = ours.try_emplace(*id);
      if (is_new) {
        const auto open = store_.ListOpenBlocks(*id);
        if (!open.ok() && !absl::IsNotFound(open.status())) return open.status();
        for (const store::Block& block : open.ok() ? *open : std::vector<store::Block>()) {
          if (block.owner == lease_.owner()) known->second.insert(BlockRequestId(block));
        }
      }
      if (known->second.count(runner->request_id()) > 0) continue;
      // The match may have ended meanwhile; that is as good.
      static_cast<void>(host->Cancel(
          runner->id(), "its block was taken over by another referee while this one was away"));
    }
  } while (page.size() == static_cast<size_t>(limits::kMaxPageSize));
  return absl::OkStatus();
}

void Fleet::LogMove(const store::Competition& competition, const Home& before,
                    const Home& home) const {
  const auto moved = [&](absl::string_view where) {
    log::Tell(log_,
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

void Fleet::Tell(absl::string_view event, absl::string_view line) const {
  log::Tell(log_, {log::Level::kInfo, event, absl::StrCat("competitions: ", line)});
}

}  // namespace referee::competition

// The part of Host that deals with the other referees of its fleet (service/peer/PEERS.md).
//
// Gets slots of bots that are connected to them, and lends them slots of bots that are connected
// here.
#include <algorithm>
#include <utility>

#include "absl/hash/hash.h"
#include "referee/base/limits.h"
#include "referee/host/host.h"

namespace referee::host {

// --- Bots, connected here or there ---

void Host::Detach(const std::shared_ptr<Bot>& bot, const Link* link) {
  DetachEntry(bot, link, Instant::InfiniteFuture());
}

// `heard` is InfiniteFuture if the link was lost but not its entry.
void Host::DetachEntry(const std::shared_ptr<Bot>& bot, const Link* link, Instant heard) {
  absl::optional<Connection> now;
  {
    MutexLock lock(&mutex_);
    now = bot->ClearLink(link, heard);
    if (now) lent_.Forget(bot->name());
  }
  if (!now) return;
  const Instant when = std::min(heard, options_.clock->Now());
  for (const Bot::Slot& slot : bot->slots()) slot.runner->SetConnection(slot.seat, *now, when);
  if (heard < Instant::InfiniteFuture()) patience_.Await(bot, now->version);
  grants_->LinkGone(link);
  SeatWaiting({bot->name()});  // other bots may have been kept for a match with this one
  if (options_.on_connection) options_.on_connection(bot->name());
}

void Host::SetTakenElsewhere(const std::shared_ptr<Bot>& bot, const Link* link, int slots) {
  {
    MutexLock lock(&mutex_);
    if (!bot->SetTakenElsewhere(link, slots)) return;
  }
  SeatWaiting({bot->name()});
}

// --- Where the others are ---

void Host::SetFleet(std::vector<std::string> addresses) {
  std::vector<std::shared_ptr<Bot>> bots;
  {
    MutexLock lock(&mutex_);
    if (fleet_ == addresses) return;
    fleet_ = std::move(addresses);
    bots = bots_.All();
  }
  for (const std::shared_ptr<Bot>& bot : bots) {
    const std::shared_ptr<Link> link = bot->link();
    if (link == nullptr) continue;
    link->TellFleet(FleetFor(bot->name()));
    link->Flush();
  }
}

std::vector<std::string> Host::FleetFor(absl::string_view bot) const {
  std::vector<std::string> addresses;
  {
    MutexLock lock(&mutex_);
    addresses = fleet_;
  }
  std::sort(addresses.begin(), addresses.end(), [bot](const std::string& a, const std::string& b) {
    return absl::HashOf(bot, a) < absl::HashOf(bot, b);
  });
  addresses.resize(std::min(addresses.size(), limits::kMaxFleetAddresses));
  return addresses;
}

void Host::AskToRedial(const std::shared_ptr<Bot>& bot) {
  const std::shared_ptr<Link> link = bot->link();
  if (link == nullptr || link->relayed()) return;
  DetachEntry(bot, link.get(), options_.clock->Now());
  link->Close(absl::UnavailableError(
      "this referee is about to stop; connect to another one of its fleet (Welcome.addresses)"));
}

// --- What is seated here begins, or waits again ---

Seating::Begin Host::SeatInto(SeatedNow* seated) {
  const Instant now = options_.clock->Now();
  return [seated, now, bots = &bots_, known = &known_, lent = &lent_,
          seating = &seating_](const Seating::Waiting& waiting) {
    if (waiting.party.elsewhere) {
      seated->calls.push_back(lent->Keep(waiting, now));
      return;
    }
    Grants::Seated party = {waiting, Block::TogetherWith(known->Find(waiting.party.id)), {}, {}};
    for (const std::string& bot : waiting.party.bots) {
      party.oldest.push_back(seating->OldestFor(bot, waiting.party.id));
    }
    for (const auto& runner : party.matches) {
      bots->TakeSlots(runner);
      party.bots.push_back(bots->BotsOf(*runner));
    }
    seated->parties.push_back(std::move(party));
  };
}

void Host::BeginSeated(SeatedNow seated) {
  for (Grants::Seated& party : seated.parties) grants_->Begin(std::move(party));
  if (seated.calls.empty()) return;
  {
    MutexLock lock(&mutex_);
    kept_timer_.SetTo(lent_.first_limit());
  }
  for (const LentSlots::Call& call : seated.calls) call();
}

std::vector<std::shared_ptr<Bot>> Host::TakeBackSlots(const MatchRunner& runner) {
  if (bots_.GiveUpSlots(runner)) seating_.Ended();
  if (runner.begun()) return {};
  return bots_.BotsOf(runner);
}

void Host::WaitAgain(Grants::Seated seated) {
  absl::optional<Rest> draining;
  bool was_full;
  {
    MutexLock lock(&mutex_);
    draining = draining_;
    was_full = seating_.full();
    bool over = false;
    for (const auto& runner : seated.matches) {
      TakeBackSlots(*runner);
      over |= runner->over();
    }
    if (!draining && !over) {
      seating_.Wait(seated.waiting);
      seat_timer_.SetTo(seating_.first_limit());
    }
  }
  if (draining) {
    for (const auto& runner : seated.matches) GiveUpWaiting(runner.get(), *draining);
  }
  was_full ? SeatWaiting() : SeatWaiting(seated.waiting.party.bots);
}

// --- Slots of this host's bots in matches of other referees ---

bool Host::ReserveSlots(const std::string& bot, SlotsWanted wanted,
                        const std::shared_ptr<Relay>& relay,
                        std::function<void(int slots)> when_free) {
  SeatedNow seated;
  bool taken;
  {
    MutexLock lock(&mutex_);
    if (draining_) return false;
    taken = lent_.Reserve({bot, std::move(wanted), relay, std::move(when_free)});
    // More slots may have been kept than are taken now.
    seating_.SeatFor(bot, SeatInto(&seated));
  }
  BeginSeated(std::move(seated));
  return taken;
}

void Host::TakeSlot(const std::string& bot, const std::string& match_id,
                    const std::shared_ptr<Relay>& relay) {
  MutexLock lock(&mutex_);
  bots_.FindOrAdd(bot)->AddSlot(match_id, {nullptr, Seat::None(), relay});
}

void Host::FreeSlot(const std::string& bot, const std::string& match_id) {
  {
    MutexLock lock(&mutex_);
    const std::shared_ptr<Bot> known = bots_.Find(bot);
    if (known == nullptr || known->FindSlot(match_id).relay == nullptr) return;
    known->RemoveSlot(match_id);
  }
  SeatWaiting({bot});
}

std::vector<std::pair<std::string, std::string>> Host::FreeSlotsOf(
    const std::shared_ptr<Relay>& relay) {
  std::vector<std::pair<std::string, std::string>> freed;
  {
    MutexLock lock(&mutex_);
    freed = lent_.FreeAll(relay.get());
  }
  SeatWaiting();
  return freed;
}

void Host::FreeKeptSlots() {
  std::vector<std::string> bots;
  {
    MutexLock lock(&mutex_);
    bots = lent_.GiveUpKept(options_.clock->Now());
  }
  if (!bots.empty()) SeatWaiting(bots);
  {
    MutexLock lock(&mutex_);
    lent_.QueueAgain();
    kept_timer_.SetTo(lent_.first_limit());
  }
  if (!bots.empty()) SeatWaiting(bots);
}

void Host::ForgetWish(const std::string& bot, const std::shared_ptr<Relay>& relay,
                      const MatchId& match) {
  {
    MutexLock lock(&mutex_);
    lent_.ForgetMatch(bot, relay.get(), match);
  }
  SeatWaiting({bot});
}

}  // namespace referee::host

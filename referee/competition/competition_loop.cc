#include "referee/competition/competition_loop.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/base/limits.h"
#include "referee/competition/status.h"
#include "referee/competition/terms.h"

namespace referee::competition {
namespace {

// How long non-urgent work may wait to be batched, such as slots freed by other matches.
constexpr absl::Duration kGather = absl::Milliseconds(100);
// From this number of running blocks on, the end of a match waits for others for kGatherEnds. One
// step and one transaction then handle them all, and bots are idle only briefly.
constexpr int kManyBlocks = 16;
constexpr absl::Duration kGatherEnds = absl::Milliseconds(5);

bool GoesOn(store::CompetitionState state) {
  return state != store::CompetitionState::kNew && state != store::CompetitionState::kFinished;
}

}  // namespace

CompetitionLoop::CompetitionLoop(CompetitionsOptions options)
    : environment_{std::move(options)},
      fleet_(environment_.store, environment_.log, environment_.owner, environment_.lease,
             environment_.former),
      timer_(environment_.timers->At(Instant::InfiniteFuture(), [this] {
        if (const auto self = weak_from_this().lock()) self->Wake();
      })) {
  environment_.held_lease = &fleet_.lease();
}

// --- The process ---

absl::Status CompetitionLoop::Open(host::Host* host) {
  environment_.host = host;
  environment_.post = [weak = weak_from_this()](const store::CompetitionId& id,
                                                const MatchId& match, MatchEnd end) {
    if (const auto self = weak.lock()) self->Post(id, match, std::move(end));
  };
  environment_.post_played = [weak = weak_from_this()](const store::CompetitionId& id,
                                                       const MatchId& match, MatchEnd end) {
    if (const auto self = weak.lock()) self->PostPlayed(id, match, std::move(end));
  };
  next_look_ = environment_.clock->Now();
  {
    // From here on the host reports the ends of its matches.
    MutexLock lock(&mutex_);
    open_ = true;
    asked_ = true;  // no step until everything is loaded
  }
  absl::Status looked = LookAtStore();
  if (looked.ok()) looked = fleet_.CancelWhatOthersHave(host);
  {
    MutexLock lock(&mutex_);
    asked_ = false;
    if (!looked.ok()) closed_ = true;
  }
  if (looked.ok()) Wake();
  return looked;
}

void CompetitionLoop::MatchFinished(const host::MatchRunner& runner) {
  if (const auto id = CompetitionOfRequest(runner.request_id()); id.has_value()) {
    PostPlayed(*id, runner.id(), EndOf(runner));
    return;
  }
  // The match has freed slots.
  MutexLock lock(&mutex_);
  if (!open_ || known_.empty()) return;
  WakeAt(environment_.clock->Now() + kGather);
}

void CompetitionLoop::PostPlayed(const store::CompetitionId& id, const MatchId& match,
                                 MatchEnd end) {
  // A match that was not recorded has no replay to upload.
  if (environment_.shared_replays == nullptr || !end.recorded) {
    Post(id, match, std::move(end));
    return;
  }
  end.shared = false;
  Post(id, match, end);
  end.shared = true;
  environment_.shared_replays->Keep(match,
                                    [weak = weak_from_this(), id, match, end = std::move(end)] {
                                      if (const auto self = weak.lock()) self->Post(id, match, end);
                                    });
}

// A competition that is not known yet finds the end itself when it reads the store.
void CompetitionLoop::Post(const store::CompetitionId& id, const MatchId& match, MatchEnd end) {
  {
    MutexLock lock(&mutex_);
    if (!open_ || closed_) return;
    const auto known = known_.find(id);
    if (known != known_.end() && known->second.entry != nullptr) {
      known->second.ends.emplace_back(match, std::move(end));
      // While draining, the loop may be closed before a timer expires.
      if (!draining_ && known->second.progress.blocks_running >= kManyBlocks) {
        return WakeAt(environment_.clock->Now() + kGatherEnds);
      }
    }
  }
  Wake();
}

void CompetitionLoop::Wake() {
  {
    MutexLock lock(&mutex_);
    if (!open_ || closed_) return;
    wanted_ = true;
    if (asked_) return;
    asked_ = true;
  }
  environment_.executor->Run([self = shared_from_this()] { self->Step(); });
}

void CompetitionLoop::WakeAt(Instant when) {
  if (when >= wake_at_ || closed_) return;
  wake_at_ = when;
  timer_.SetTo(when);
}

void CompetitionLoop::Drain() {
  {
    MutexLock lock(&mutex_);
    draining_ = true;
    look_wanted_ = true;
  }
  Wake();
}

bool CompetitionLoop::AwaitHandOver(absl::Duration limit) {
  MutexLock lock(&mutex_);
  const bool over =
      Await(limit, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return settled_; });
  if (!over) settled_ = true;
  return over;
}

bool CompetitionLoop::AwaitEnds(absl::Duration limit) {
  MutexLock lock(&mutex_);
  return Await(limit, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) { return !HasEnds(); });
}

bool CompetitionLoop::Await(absl::Duration limit, absl::FunctionRef<bool()> done) {
  const Instant end = environment_.clock->Now() + limit;
  while (open_ && !closed_ && !done()) {
    const absl::Duration left = end - environment_.clock->Now();
    if (left <= absl::ZeroDuration()) return false;
    changed_.WaitFor(&mutex_, absl::ToChronoMilliseconds(left));
  }
  return true;
}

bool CompetitionLoop::HasEnds() const {
  if (stepping_) return true;  // the step may have taken some ends
  return std::any_of(known_.begin(), known_.end(), [](const auto& one) {
    const Known& known = one.second;
    return known.entry != nullptr && (!known.ends.empty() || known.progress.blocks_ended > 0);
  });
}

void CompetitionLoop::Advertise(std::string address) {
  {
    MutexLock lock(&mutex_);
    address_ = std::move(address);
    look_wanted_ = true;
  }
  Wake();
}

void CompetitionLoop::Close() {
  MutexLock lock(&mutex_);
  closed_ = true;
  while (stepping_) changed_.Wait(&mutex_);
}

Vitals CompetitionLoop::vitals() const {
  Vitals vitals;
  const Instant now = environment_.clock->Now();
  MutexLock lock(&mutex_);
  for (const auto& [id, known] : known_) {
    if (!known.home.here) continue;
    ++vitals.homed;
    vitals.blocks_uncounted += known.progress.blocks_uncounted;
  }
  vitals.lease_remaining = std::max(absl::ZeroDuration(), lease_end_ - now);
  vitals.leases_lost = leases_lost_;
  vitals.store_takes_changes =
      !store_silent_ && std::none_of(known_.begin(), known_.end(), [](const auto& one) {
        return one.second.entry != nullptr && one.second.store_fails;
      });
  return vitals;
}

// --- Steps ---

void CompetitionLoop::Step() {
  {
    MutexLock lock(&mutex_);
    asked_ = !closed_;
    if (closed_) return;
    stepping_ = true;
    wanted_ = false;
    wake_at_ = Instant::InfiniteFuture();
  }
  ++step_;
  LookIfDue();
  bool may_begin;
  {
    // Competitions owned here continue until another referee takes them over.
    MutexLock lock(&mutex_);
    may_begin = !draining_ || !settled_;
  }
  Instant next = Instant::InfiniteFuture();
  absl::optional<int> goes_first;  // the priority of a competition that takes the next slots
  for (auto& [id, news] : TakeNews()) {
    const int priority = news.precedence.priority;
    const bool yields = goes_first.has_value() && priority < *goes_first;
    const Outcome outcome = StepOf(id, std::move(news), may_begin, yields);
    next = std::min(next, outcome.next);
    if (outcome.refused) next_look_ = std::min(next_look_, last_look_ + kLookSoon);
    if (outcome.takes_next_places && !goes_first.has_value()) goes_first = priority;
  }
  next = std::min(next, next_look_);
  bool again;
  {
    MutexLock lock(&mutex_);
    stepping_ = false;
    again = !closed_ && (wanted_ || next <= environment_.clock->Now());
    asked_ = again;
    if (!again) WakeAt(next);
    changed_.NotifyAll();
  }
  // Other tasks share the executor.
  if (again) environment_.executor->Run([self = shared_from_this()] { self->Step(); });
}

void CompetitionLoop::LookIfDue() {
  const Instant now = environment_.clock->Now();
  {
    MutexLock lock(&mutex_);
    const bool wanted = std::exchange(look_wanted_, false);
    const bool held = fleet_.lease().At(now).has_value();
    if (!wanted && now < next_look_ && (known_.empty() || held)) return;
  }
  NoteLook(LookAtStore());
  const bool held = fleet_.lease().At(environment_.clock->Now()).has_value();
  if (lease_held_ && !held) {
    log::Tell(environment_.log,
              {log::Level::kWarning, "lease_unsure",
               "competitions: the lease could not be renewed in time: nothing begins or ends until "
               "it is"});
  }
  lease_held_ = held;
}

std::vector<std::pair<store::CompetitionId, CompetitionLoop::Known>> CompetitionLoop::TakeNews() {
  std::vector<std::pair<store::CompetitionId, Known>> all;
  MutexLock lock(&mutex_);
  for (auto& [id, known] : known_) {
    if (known.entry == nullptr) continue;
    all.emplace_back(id, known);
    known.stale = false;
    known.ends.clear();
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.second.precedence.IsBefore(b.second.precedence);
  });
  return all;
}

CompetitionLoop::Outcome CompetitionLoop::StepOf(const store::CompetitionId& id, Known news,
                                                 bool may_begin, bool yields) {
  Outcome outcome;
  bool idle;
  bool began;
  bool changed;
  bool store_fails;
  Progress progress;
  {
    MutexLock lock(&news.entry->mutex);
    CompetitionRunner& runner = news.entry->runner;
    runner.LivesAt(news.home);
    if (news.stale) runner.Reread();
    for (auto& [match, end] : news.ends) runner.MatchEnded(match, std::move(end));
    outcome.next = runner.Step(may_begin, yields);
    outcome.takes_next_places = runner.takes_next_places();
    outcome.refused = runner.refused();
    began = runner.began();
    progress = runner.progress();
    store_fails = runner.store_fails();
    idle = runner.idle();
  }
  {
    MutexLock lock(&mutex_);
    Known& known = known_.at(id);
    changed = progress != known.progress;
    known.progress = std::move(progress);
    known.store_fails = store_fails;
    if (began) known.precedence.began_last = step_;
    // A change meanwhile may have made it continue.
    if (idle && !known.stale) {
      if (news.home.here) {
        known_.erase(id);
      } else {
        known.entry = nullptr;
      }
    }
  }
  if (changed) watches_.Notify(id);
  return outcome;
}

// --- Polls of the store ---

absl::Status CompetitionLoop::LookAtStore() {
  last_look_ = environment_.clock->Now();
  next_look_ = last_look_ + kLookSoon;  // for the case that this poll fails
  absl::StatusOr<std::vector<store::Competition>> all = environment_.store->ListUnfinished();
  if (!all.ok()) return all.status();
  FleetLook look;
  for (store::Competition& competition : *all) {
    watch_delays_.Note(competition);
    if (GoesOn(competition.state)) look.competitions.push_back(std::move(competition));
  }
  std::string address;
  {
    MutexLock lock(&mutex_);
    address = address_;
    look.draining = draining_;
  }
  look.unable = environment_.host->WhyNoneBegins();
  // A referee without an address needs no lease while no competition runs.
  if (!look.competitions.empty() || !address.empty()) {
    last_look_ = environment_.clock->Now();
    const absl::Status joined = fleet_.Join(last_look_, address, &look);
    if (!joined.ok()) return joined;
    if (environment_.on_daemons) environment_.on_daemons(look.daemons);
    MutexLock lock(&mutex_);
    draining_ = draining_ || look.draining;
    lease_end_ = fleet_.lease().end();
    leases_lost_ = fleet_.lease().lost();
  }
  TakeUp(look);
  environment_.host->SetFleet(OthersOf(environment_.owner, look.daemons));
  PlanNextLook(look);
  return absl::OkStatus();
}

void CompetitionLoop::TakeUp(const FleetLook& look) {
  std::vector<store::CompetitionId> changed_ids;
  {
    MutexLock lock(&mutex_);
    std::set<store::CompetitionId> claimed;
    for (const store::Block& block : look.claimed) claimed.insert(block.competition);
    std::set<store::CompetitionId> goes_on;
    for (const store::Competition& competition : look.competitions) {
      const store::CompetitionId& id = competition.id;
      goes_on.insert(id);
      Known& known = known_[id];
      const Home home = HomeFor(fleet_.lease().owner(), competition, look.daemons);
      if (home != known.home) fleet_.LogMove(competition, known.home, home);
      const int64_t progress = competition.next_block + competition.counted;
      const bool changed = known.version != competition.version || known.progress_at != progress ||
                           home != known.home;
      if (changed && !home.here) changed_ids.push_back(id);
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
      if (over) changed_ids.push_back(known->first);
      known = over ? known_.erase(known) : std::next(known);
    }
  }
  for (const store::CompetitionId& id : changed_ids) watches_.Notify(id);
}

// --- For others ---

void CompetitionLoop::Changed(const store::Competition& competition) {
  const store::CompetitionId& id = competition.id;
  watch_delays_.Note(competition);
  {
    MutexLock lock(&mutex_);
    if (!open_ || closed_) return;
    const auto known = known_.find(id);
    if (known == known_.end() || known->second.entry == nullptr) {
      look_wanted_ = true;  // the poll finds its owner
    } else {
      known->second.stale = true;
      known->second.precedence.priority = competition.spec.priority;
    }
  }
  Wake();
  watches_.Notify(id);
}

absl::Status CompetitionLoop::GiveUp(const store::CompetitionId& id, int64_t number,
                                     const std::string& reason, const store::AuditEntry& audit) {
  std::shared_ptr<Entry> entry;
  {
    MutexLock lock(&mutex_);
    const auto known = known_.find(id);
    if (known == known_.end()) return NotTakenUp(audit.subject);
    const Home& home = known->second.home;
    const bool plays = home.here || home.helps;
    if (!plays && !home.owner.empty()) return OwnedElsewhere(audit.subject, home);
    if (plays) entry = known->second.entry;
  }
  if (entry == nullptr) return NotTakenUp(audit.subject);
  {
    MutexLock lock(&entry->mutex);
    if (absl::Status given = entry->runner.GiveUp(number, reason, audit); !given.ok()) return given;
  }
  Wake();
  return absl::OkStatus();
}

absl::optional<Progress> CompetitionLoop::progress(const store::CompetitionId& id) const {
  Progress elsewhere;
  {
    MutexLock lock(&mutex_);
    const auto known = known_.find(id);
    if (known == known_.end()) return absl::nullopt;
    if (known->second.home.here) return known->second.progress;
    elsewhere.waits_for = WhereItIsPlayed(known->second.home);
  }
  const absl::StatusOr<std::vector<store::Block>> open = environment_.store->ListOpenBlocks(id);
  if (open.ok()) elsewhere.blocks_running = static_cast<int>(open->size());
  return elsewhere;
}

void CompetitionLoop::ReadSchedule(const store::CompetitionId& id,
                                   absl::FunctionRef<void(const schedule::Schedule&)> read) const {
  std::shared_ptr<Entry> entry;
  {
    MutexLock lock(&mutex_);
    const auto known = known_.find(id);
    if (known != known_.end() && known->second.home.here) entry = known->second.entry;
  }
  if (entry == nullptr) return;
  MutexLock lock(&entry->mutex);
  if (const auto* const schedule = entry->runner.schedule()) read(*schedule);
}

}  // namespace referee::competition

#include "referee/competition/competition_loop.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/competition/errors.h"
#include "referee/competition/terms.h"

namespace referee::competition {
namespace {

// How long what is not urgent may wait for more of its kind: slots that other matches gave back.
constexpr absl::Duration kGather = absl::Milliseconds(100);
// When the store has refused something, it is looked at so long after the last look.
constexpr absl::Duration kLookAfterRefusal = absl::Seconds(1);

// For people.
std::string WhereItLives(const Home& home) {
  if (home.owner.empty()) return "no referee has taken it yet";
  if (home.address.empty()) return "it lives on another referee, which says more";
  return absl::StrCat("it lives on the referee at ", home.address, ", which says more");
}

}  // namespace

CompetitionLoop::CompetitionLoop(CompetitionRunner::Environment environment, std::string owner,
                                 absl::Duration lease, std::vector<std::string> former,
                                 host::Timers* timers, host::Executor* executor)
    : environment_(std::move(environment)),
      executor_(executor),
      fleet_(environment_.store, environment_.log, owner, lease, std::move(former)),
      referrer_(environment_.store, std::move(owner), lease),
      timer_(timers->At(Instant::InfiniteFuture(), [this] {
        if (const auto self = weak_from_this().lock()) self->Wake();
      })) {
  environment_.lease = &fleet_.lease();
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
    // From here on the host tells of the ends of what it runs.
    MutexLock lock(&mutex_);
    open_ = true;
    asked_ = true;  // none before all is found
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
  // It has given slots back.
  MutexLock lock(&mutex_);
  if (!open_ || known_.empty()) return;
  WakeAt(environment_.clock->Now() + kGather);
}

void CompetitionLoop::PostPlayed(const store::CompetitionId& id, const MatchId& match,
                                 MatchEnd end) {
  // Of what was not recorded there is no replay to share.
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

// One that is not known yet will find the end itself when it reads what the store has.
void CompetitionLoop::Post(const store::CompetitionId& id, const MatchId& match, MatchEnd end) {
  {
    MutexLock lock(&mutex_);
    if (!open_ || closed_) return;
    const auto known = known_.find(id);
    if (known != known_.end() && known->second.entry != nullptr)
      known->second.ends.emplace_back(match, std::move(end));
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
  executor_->Run([self = shared_from_this()] { self->Step(); });
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
  const Instant end = environment_.clock->Now() + limit;
  MutexLock lock(&mutex_);
  while (open_ && !closed_ && !settled_) {
    const absl::Duration left = end - environment_.clock->Now();
    if (left <= absl::ZeroDuration()) {
      settled_ = true;
      return false;
    }
    changed_.WaitFor(&mutex_, absl::ToChronoMilliseconds(left));
  }
  return true;
}

bool CompetitionLoop::AwaitEnds(absl::Duration limit) {
  const Instant end = environment_.clock->Now() + limit;
  MutexLock lock(&mutex_);
  while (open_ && !closed_ && HasEnds()) {
    const absl::Duration left = end - environment_.clock->Now();
    if (left <= absl::ZeroDuration()) return false;
    changed_.WaitFor(&mutex_, absl::ToChronoMilliseconds(left));
  }
  return true;
}

bool CompetitionLoop::HasEnds() const {
  if (stepping_) return true;  // the step may have taken some
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
    // What lives here goes on until another takes it.
    MutexLock lock(&mutex_);
    may_begin = !draining_ || !settled_;
  }
  Instant next = Instant::InfiniteFuture();
  absl::optional<int> goes_first;  // the priority of one that takes the next places
  for (News& news : TakeNews()) {
    const int priority = news.precedence.priority;
    const bool yields = goes_first.has_value() && priority < *goes_first;
    const Outcome outcome = StepOf(std::move(news), {may_begin, yields});
    next = std::min(next, outcome.next);
    if (outcome.refused) next_look_ = std::min(next_look_, last_look_ + kLookAfterRefusal);
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
  // Others have work for the executor, too.
  if (again) executor_->Run([self = shared_from_this()] { self->Step(); });
}

void CompetitionLoop::LookIfDue() {
  bool wanted;
  {
    MutexLock lock(&mutex_);
    wanted = std::exchange(look_wanted_, false);
  }
  if (!wanted && environment_.clock->Now() < next_look_) {
    MutexLock lock(&mutex_);
    if (known_.empty() || fleet_.lease().At(environment_.clock->Now()).has_value()) return;
  }
  const absl::Status looked = LookAtStore();
  if (!looked.ok() && !look_failed_) {
    log::Tell(environment_.log,
              {log::Level::kError, "store_silent",
               absl::StrCat("competitions: the store does not answer: ", looked.message())});
  }
  const bool held = fleet_.lease().At(environment_.clock->Now()).has_value();
  if (lease_held_ && !held) {
    log::Tell(environment_.log,
              {log::Level::kWarning, "lease_unsure",
               "competitions: the lease could not be renewed in time: nothing begins or ends until "
               "it is"});
  }
  lease_held_ = held;
  look_failed_ = !looked.ok();
}

std::vector<CompetitionLoop::News> CompetitionLoop::TakeNews() {
  std::vector<News> all;
  MutexLock lock(&mutex_);
  all.reserve(known_.size());
  for (auto& [id, known] : known_) {
    if (known.entry == nullptr) continue;
    all.push_back({id, known.entry, std::exchange(known.stale, false),
                   std::exchange(known.ends, {}), known.precedence, known.home});
  }
  std::stable_sort(all.begin(), all.end(), [](const News& a, const News& b) {
    return a.precedence.IsBefore(b.precedence);
  });
  return all;
}

CompetitionLoop::Outcome CompetitionLoop::StepOf(News news, Begins begins) {
  Outcome outcome;
  bool idle;
  bool began;
  bool changed;
  int64_t changes;
  Progress progress;
  {
    MutexLock lock(&news.entry->mutex);
    CompetitionRunner& runner = news.entry->runner;
    const int64_t before = runner.changes();
    runner.LivesAt(news.home);
    if (news.stale) runner.Reread();
    for (auto& [match, end] : news.ends) runner.MatchEnded(match, std::move(end));
    outcome.next = runner.Step(begins.may, begins.yields);
    outcome.takes_next_places = runner.takes_next_places();
    outcome.refused = runner.refused();
    began = runner.began();
    progress = runner.progress();
    changes = runner.changes();
    changed = changes != before;
    idle = runner.idle();
  }
  {
    MutexLock lock(&mutex_);
    Known& known = known_.at(news.id);
    changed = changed || progress != known.progress;
    known.progress = std::move(progress);
    known.changes = changes;
    if (began) known.precedence.began_last = step_;
    // What was changed meanwhile may have made it go on.
    if (idle && !known.stale) {
      if (news.home.here) {
        known_.erase(news.id);
      } else {
        known.entry = nullptr;
      }
    }
  }
  if (changed) watches_.Notify(news.id);
  return outcome;
}

void CompetitionLoop::Changed(const store::Competition& competition) {
  const store::CompetitionId& id = competition.id;
  watch_delays_.Note(competition);
  {
    MutexLock lock(&mutex_);
    if (!open_ || closed_) return;
    const auto known = known_.find(id);
    if (known == known_.end() || known->second.entry == nullptr) {
      look_wanted_ = true;  // where it lives is to be found out
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
    if (known == known_.end()) return DoesNotGoOnHere(audit.subject);
    const Home& home = known->second.home;
    const bool plays = home.here || home.helps;
    if (!plays && !home.owner.empty()) {
      return absl::FailedPreconditionError(absl::StrCat(
          "competition ", Quoted(audit.subject), " lives on another referee; ask ",
          home.address.empty() ? "that one ('refctl fleet show' says which it is)"
                               : absl::StrCat("that one (--address ", home.address, ")")));
    }
    if (plays) entry = known->second.entry;
  }
  if (entry == nullptr) return DoesNotGoOnHere(audit.subject);
  {
    MutexLock lock(&entry->mutex);
    if (absl::Status given = entry->runner.GiveUp(number, reason, audit); !given.ok()) return given;
  }
  Wake();
  return absl::OkStatus();
}

// --- For others ---

absl::optional<Progress> CompetitionLoop::progress(const store::CompetitionId& id) const {
  Progress elsewhere;
  {
    MutexLock lock(&mutex_);
    const auto known = known_.find(id);
    if (known == known_.end()) return absl::nullopt;
    if (known->second.home.here) return known->second.progress;
    elsewhere.waits_for = WhereItLives(known->second.home);
  }
  const absl::StatusOr<std::vector<store::Block>> open = environment_.store->ListOpenBlocks(id);
  if (open.ok()) elsewhere.blocks_running = static_cast<int>(open->size());
  return elsewhere;
}

absl::optional<int64_t> CompetitionLoop::changes(const store::CompetitionId& id) const {
  MutexLock lock(&mutex_);
  const auto known = known_.find(id);
  if (known == known_.end() || !known->second.home.here) return absl::nullopt;
  return known->second.changes;
}

bool CompetitionLoop::ReadSchedule(const store::CompetitionId& id,
                                   absl::FunctionRef<void(const schedule::Schedule&)> read) const {
  std::shared_ptr<Entry> entry;
  {
    MutexLock lock(&mutex_);
    const auto known = known_.find(id);
    if (known != known_.end() && known->second.home.here) entry = known->second.entry;
  }
  if (entry == nullptr) return false;
  MutexLock lock(&entry->mutex);
  const schedule::Schedule* const schedule = entry->runner.schedule();
  if (schedule != nullptr) read(*schedule);
  return schedule != nullptr;
}

}  // namespace referee::competition

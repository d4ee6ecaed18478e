#include "referee/competition/competition_loop.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/competition/errors.h"
#include "referee/competition/terms.h"

namespace referee::competition {
namespace {

// How long what is not urgent may wait for more of its kind: slots that other matches gave back.
constexpr absl::Duration kGather = absl::Milliseconds(100);
constexpr absl::Duration kLookAtStore = absl::Seconds(10);

bool GoesOn(store::CompetitionState state) {
  return state != store::CompetitionState::kNew && state != store::CompetitionState::kFinished;
}

}  // namespace

CompetitionLoop::CompetitionLoop(CompetitionRunner::Environment environment, host::Timers* timers,
                                 host::Executor* executor)
    : environment_(std::move(environment)),
      executor_(executor),
      timer_(timers->At(Instant::InfiniteFuture(), [this] {
        if (const auto self = weak_from_this().lock()) self->Wake();
      })) {}

// --- The process ---

absl::Status CompetitionLoop::Open(host::Host* host) {
  environment_.host = host;
  environment_.post = [weak = weak_from_this()](const store::CompetitionId& id,
                                                const MatchId& match, MatchEnd end) {
    if (const auto self = weak.lock()) self->Post(id, match, std::move(end));
  };
  next_look_ = environment_.clock->Now();
  {
    // From here on the host tells of the ends of what it runs.
    MutexLock lock(&mutex_);
    open_ = true;
    asked_ = true;  // none before all is found
  }
  const absl::Status looked = LookAtStore();
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
    Post(*id, runner.id(), EndOf(runner));
    return;
  }
  // It has given slots back.
  MutexLock lock(&mutex_);
  if (!open_ || known_.empty()) return;
  WakeAt(environment_.clock->Now() + kGather);
}

// One that is not known yet will find the end itself when it reads what the store has.
void CompetitionLoop::Post(const store::CompetitionId& id, const MatchId& match, MatchEnd end) {
  {
    MutexLock lock(&mutex_);
    if (!open_ || closed_) return;
    const auto known = known_.find(id);
    if (known != known_.end()) known->second.ends.emplace_back(match, std::move(end));
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
  }
  Wake();
}

void CompetitionLoop::Close() {
  MutexLock lock(&mutex_);
  closed_ = true;
  while (stepping_) changed_.Wait(&mutex_);
}

// --- Steps ---

void CompetitionLoop::Step() {
  bool may_begin;
  {
    MutexLock lock(&mutex_);
    asked_ = !closed_;
    if (closed_) return;
    stepping_ = true;
    wanted_ = false;
    wake_at_ = Instant::InfiniteFuture();
    may_begin = !draining_;
  }
  LookIfDue();
  Instant next = next_look_;
  absl::optional<int> goes_first;  // the priority of one that takes the next places
  for (News& news : TakeNews()) {
    const int priority = news.priority;
    const bool yields = goes_first.has_value() && priority < *goes_first;
    const Outcome outcome = StepOf(std::move(news), {may_begin && leased_, yields});
    next = std::min(next, outcome.next);
    if (outcome.takes_next_places && !goes_first.has_value()) goes_first = priority;
  }
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
  if (environment_.clock->Now() < next_look_) {
    MutexLock lock(&mutex_);
    if (leased_ || known_.empty()) return;
  }
  const absl::Status looked = LookAtStore();
  if (!looked.ok() && !look_failed_ && environment_.log) {
    environment_.log(absl::StrCat("competitions: the store does not answer: ", looked.message()));
  }
  look_failed_ = !looked.ok();
}

std::vector<CompetitionLoop::News> CompetitionLoop::TakeNews() {
  std::vector<News> all;
  MutexLock lock(&mutex_);
  all.reserve(known_.size());
  for (auto& [id, known] : known_) {
    all.push_back({id, known.entry, std::exchange(known.stale, false),
                   std::exchange(known.ends, {}), known.priority});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const News& a, const News& b) { return a.priority > b.priority; });
  return all;
}

CompetitionLoop::Outcome CompetitionLoop::StepOf(News news, Begins begins) {
  Outcome outcome;
  bool idle;
  bool changed;
  int64_t changes;
  Planner::Progress progress;
  {
    MutexLock lock(&news.entry->mutex);
    CompetitionRunner& runner = news.entry->runner;
    const int64_t before = runner.changes();
    if (news.stale) runner.Reread();
    for (auto& [match, end] : news.ends) runner.MatchEnded(match, std::move(end));
    outcome.next = runner.Step(begins.may, begins.yields);
    outcome.takes_next_places = runner.takes_next_places();
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
    // What was changed meanwhile may have made it go on.
    if (idle && !known.stale) known_.erase(news.id);
  }
  if (changed) Tell(news.id);
  return outcome;
}

absl::Status CompetitionLoop::LookAtStore() {
  store::Store& store = *environment_.store;
  next_look_ = environment_.clock->Now() + kLookAtStore;
  const absl::Time now = environment_.clock->WallNow();
  absl::StatusOr<std::vector<store::Competition>> all = store.ListUnfinished();
  if (!all.ok()) return all.status();
  leased_ = false;
  const bool any = std::any_of(all->begin(), all->end(), [](const store::Competition& competition) {
    return GoesOn(competition.state);
  });
  if (!any) return absl::OkStatus();
  if (absl::Status s = store.RenewLease(environment_.owner, now + limits::kBlockLease); !s.ok()) {
    return s;
  }
  absl::StatusOr<std::vector<store::Block>> claimed = store.ClaimExpired(environment_.owner, now);
  if (!claimed.ok()) return claimed.status();
  leased_ = true;
  MutexLock lock(&mutex_);
  for (const store::Competition& competition : *all) {
    if (!GoesOn(competition.state)) continue;
    Known& known = known_[competition.id];
    if (known.entry == nullptr) {
      known.entry = std::make_shared<Entry>(competition.id, &environment_);
    }
    if (known.version != competition.version) known.stale = true;
    known.version = competition.version;
    known.priority = competition.spec.priority;
  }
  for (const store::Block& block : *claimed) {
    const auto known = known_.find(block.competition);
    if (known != known_.end()) known->second.stale = true;
  }
  return absl::OkStatus();
}

void CompetitionLoop::Changed(const store::Competition& competition) {
  const store::CompetitionId& id = competition.id;
  {
    MutexLock lock(&mutex_);
    if (!open_ || closed_) return;
    Known& known = known_[id];
    if (known.entry == nullptr) known.entry = std::make_shared<Entry>(id, &environment_);
    known.stale = true;
    known.priority = competition.spec.priority;
  }
  Wake();
  Tell(id);
}

// --- For others ---

absl::optional<Planner::Progress> CompetitionLoop::progress(const store::CompetitionId& id) const {
  MutexLock lock(&mutex_);
  const auto known = known_.find(id);
  if (known == known_.end()) return absl::nullopt;
  return known->second.progress;
}

absl::optional<int64_t> CompetitionLoop::changes(const store::CompetitionId& id) const {
  MutexLock lock(&mutex_);
  const auto known = known_.find(id);
  if (known == known_.end()) return absl::nullopt;
  return known->second.changes;
}

std::shared_ptr<CompetitionLoop::Entry> CompetitionLoop::EntryOf(
    const store::CompetitionId& id) const {
  MutexLock lock(&mutex_);
  const auto known = known_.find(id);
  return known == known_.end() ? nullptr : known->second.entry;
}

absl::optional<std::vector<schedule::RoundPairing>> CompetitionLoop::Pairings(
    const store::CompetitionId& id) const {
  const std::shared_ptr<Entry> entry = EntryOf(id);
  if (entry == nullptr) return absl::nullopt;
  MutexLock lock(&entry->mutex);
  return entry->runner.Pairings();
}

absl::optional<std::vector<schedule::ScoreLine>> CompetitionLoop::Scores(
    const store::CompetitionId& id) const {
  const std::shared_ptr<Entry> entry = EntryOf(id);
  if (entry == nullptr) return absl::nullopt;
  MutexLock lock(&entry->mutex);
  return entry->runner.Scores();
}

absl::StatusOr<int64_t> CompetitionLoop::Watch(const store::CompetitionId& id,
                                               std::function<void()> changed) {
  MutexLock lock(&watch_mutex_);
  if (watches_.size() >= static_cast<size_t>(limits::kMaxCompetitionWatches)) {
    return TooManyCompetitionWatches(limits::kMaxCompetitionWatches);
  }
  watches_.emplace(++last_watch_, std::pair(id, std::move(changed)));
  return last_watch_;
}

void CompetitionLoop::Unwatch(int64_t watch) {
  MutexLock lock(&watch_mutex_);
  watches_.erase(watch);
}

void CompetitionLoop::Tell(const store::CompetitionId& id) {
  MutexLock lock(&watch_mutex_);
  for (const auto& [watch, told] : watches_) {
    if (told.first == id) told.second();
  }
}

}  // namespace referee::competition

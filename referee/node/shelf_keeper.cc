#include "referee/node/shelf_keeper.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace referee::node {

std::shared_ptr<ShelfKeeper> ShelfKeeper::Make(Options options) {
  std::shared_ptr<ShelfKeeper> keeper(new ShelfKeeper(std::move(options)));
  keeper->timer_ = keeper->options_.timers->At(
      Instant::InfiniteFuture(), [weak = std::weak_ptr<ShelfKeeper>(keeper)] {
        if (const std::shared_ptr<ShelfKeeper> self = weak.lock()) self->GoOn();
      });
  return keeper;
}

void ShelfKeeper::Keep(const MatchId& match, std::function<void()> kept) {
  Task task;
  task.kept = std::move(kept);
  Add(match, std::move(task));
}

void ShelfKeeper::Find(const MatchId& match,
                       std::function<void(const absl::StatusOr<std::string>&)> found) {
  Task task;
  task.found = std::move(found);
  Add(match, std::move(task));
}

void ShelfKeeper::Add(const MatchId& match, Task task) {
  {
    const MutexLock lock(&mutex_);
    if (closed_ || !tasks_.emplace(match, std::move(task)).second) return;
  }
  GoOn();
}

std::string ShelfKeeper::WhyWaiting(const MatchId& match) const {
  const MutexLock lock(&mutex_);
  const auto task = tasks_.find(match);
  return task == tasks_.end() ? "" : task->second.why;
}

bool ShelfKeeper::any_waits() const {
  const MutexLock lock(&mutex_);
  return std::any_of(tasks_.begin(), tasks_.end(),
                     [](const auto& task) { return !task.second.why.empty(); });
}

std::string ShelfKeeper::WhyFailing(absl::Duration for_long) const {
  const MutexLock lock(&mutex_);
  const bool fails = fails_ && options_.clock->Now() - fails_since_ >= for_long;
  return fails ? why_fails_ : "";
}

void ShelfKeeper::Archived(const MatchId& match) {
  {
    const MutexLock lock(&mutex_);
    const auto task = tasks_.find(match);
    if (closed_ || task == tasks_.end()) return;
    task->second.archived = task->second.trying;
    task->second.not_before = Instant();
  }
  GoOn();
}

void ShelfKeeper::Close() {
  const MutexLock lock(&mutex_);
  closed_ = true;
  while (trying_ > 0) tried_.Wait(&mutex_);
  tasks_.clear();
}

ShelfKeeper::Tasks::iterator ShelfKeeper::FindDue() {
  const Instant now = options_.clock->Now();
  return std::find_if(tasks_.begin(), tasks_.end(), [now](const auto& task) {
    return !task.second.trying && task.second.not_before <= now;
  });
}

absl::optional<MatchId> ShelfKeeper::TakeDue() {
  const MutexLock lock(&mutex_);
  if (closed_ || tasks_.empty() || asked_ >= (fails_ ? 1 : limits::kShelfTries)) {
    return absl::nullopt;
  }
  if (options_.clock->Now() < not_before_) {
    timer_.SetTo(not_before_);
    return absl::nullopt;
  }
  const auto due = FindDue();
  if (due == tasks_.end()) {
    Instant next = Instant::InfiniteFuture();
    for (const auto& [match, task] : tasks_) {
      if (!task.trying) next = std::min(next, task.not_before);
    }
    timer_.SetTo(next);
    return absl::nullopt;
  }
  due->second.trying = true;
  ++asked_;
  return due->first;
}

void ShelfKeeper::GoOn() {
  while (const absl::optional<MatchId> match = TakeDue()) {
    options_.executor->Run([self = shared_from_this(), match = *match] { self->TryOne(match); });
  }
}

void ShelfKeeper::TryOne(const MatchId& match) {
  bool looks = false;
  {
    const MutexLock lock(&mutex_);
    if (closed_) return;
    ++trying_;
    looks = tasks_.at(match).found != nullptr;
  }
  const Outcome outcome = Try(match, looks);
  Task done;
  absl::optional<log::Event> news;
  {
    const MutexLock lock(&mutex_);
    news = Note(match, outcome);
    --asked_;
    if (outcome.status.ok() && !closed_) {
      done = std::move(tasks_.at(match));
      tasks_.erase(match);
    }
  }
  if (news) log::Tell(options_.log, *news);
  if (done.kept) done.kept();
  if (done.found) done.found(outcome.file);
  {
    const MutexLock lock(&mutex_);
    --trying_;
    tried_.NotifyAll();
  }
  GoOn();
}

ShelfKeeper::Outcome ShelfKeeper::Try(const MatchId& match, bool looks) const {
  Outcome outcome;
  if (looks) {
    outcome.file = options_.shelf->Get(match);
    outcome.status = outcome.file.status();
    if (absl::IsNotFound(outcome.status)) outcome.status = absl::OkStatus();
    outcome.of_shelf = true;
    return outcome;
  }
  const absl::StatusOr<std::string> bytes = options_.read(match);
  outcome.status = bytes.ok() ? options_.shelf->Put(match, *bytes) : bytes.status();
  outcome.of_shelf = bytes.ok() && !absl::IsAlreadyExists(outcome.status) &&
                     !absl::IsInvalidArgument(outcome.status);
  return outcome;
}

absl::optional<log::Event> ShelfKeeper::Note(const MatchId& match, const Outcome& outcome) {
  const Instant now = options_.clock->Now();
  const std::string why(outcome.status.message());
  const bool failed = !outcome.status.ok();
  absl::optional<log::Event> news;
  if (outcome.of_shelf && failed != fails_) {
    news = failed
               ? log::Event(log::Level::kWarning, "shelf_silent",
                            absl::StrCat("shelf: blocks wait until it takes their replays: ", why))
               : log::Event(log::Level::kInfo, "shelf_answers",
                            absl::StrCat("shelf: ", options_.shelf->name(), ": it answers again"));
    fails_ = failed;
    fails_since_ = now;
  }
  if (outcome.of_shelf) why_fails_ = why;
  if (outcome.of_shelf && !failed) pause_ = limits::kFirstShelfPause;
  // Concurrent attempts that fail together count as one failure.
  if (outcome.of_shelf && failed && now >= not_before_) {
    not_before_ = now + pause_;
    pause_ = std::min(2 * pause_, limits::kLastShelfPause);
  }
  Task& task = tasks_.at(match);
  task.trying = false;
  if (!failed) return news;
  if (!outcome.of_shelf && task.why != why) {
    news = log::Event(log::Level::kWarning, "replay_not_shared",
                      absl::StrCat("shelf: the block of match ", match.text(), " waits: ", why))
               .With(log::kMatch, match.text());
  }
  task.why = why;
  task.not_before = std::exchange(task.archived, false) ? now : now + task.pause;
  task.pause = std::min(2 * task.pause, limits::kLastShelfPause);
  return news;
}

}  // namespace referee::node

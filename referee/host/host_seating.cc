// Which matches wait for their bots, and when they get their places. The matches of a block wait as
// one, under the id of the first of them.
#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/host/host.h"

namespace referee::host {

void Host::Wait(std::vector<replay::Unfinished> recorded) {
  const size_t n = recorded.size();
  const auto block = n > 1 ? std::make_shared<Block>(static_cast<int>(n), options_.clock) : nullptr;
  std::vector<std::shared_ptr<MatchRunner>> runners;
  std::vector<std::shared_ptr<MatchRunner>> seated;
  bool draining;
  {
    MutexLock lock(&mutex_);
    for (replay::Unfinished& one : recorded) {
      const std::string request_id = one.setup.request_id;
      runners.push_back(std::make_shared<MatchRunner>(std::move(one), environment_, block));
      if (block != nullptr) block->Add(runners.back());
      Know(runners.back(), request_id);
    }
    draining = draining_;
    if (!draining) {
      const MatchId& id = runners.front()->id();
      waiting_.emplace(id, options_.clock->Now() + limits::kSeatLimit);
      for (const std::string& bot : runners.front()->request().bots) {
        waiting_by_bot_[bot].insert(id);
      }
      SeatMatch(id, &seated);
      SetSeatTimer();
    }
  }
  for (const auto& one : seated) Start(one);
  if (!draining) return;
  for (const auto& runner : runners) GiveUpWaiting(runner);
}

std::vector<std::shared_ptr<MatchRunner>> Host::TogetherWith(
    const std::shared_ptr<MatchRunner>& runner) {
  if (runner->block() == nullptr) return {runner};
  return runner->block()->runners();
}

void Host::SeatWaitingFor(absl::Span<const std::string> bots) {
  std::vector<std::shared_ptr<MatchRunner>> seated;
  {
    MutexLock lock(&mutex_);
    for (const std::string& name : bots) {
      const auto bot = bots_.find(name);
      const auto waiting = waiting_by_bot_.find(name);
      if (bot == bots_.end() || waiting == waiting_by_bot_.end()) continue;
      // A copy: what is seated leaves the set.
      for (const MatchId& id : std::set<MatchId>(waiting->second)) {
        if (bot->second->free_places() == 0) break;
        SeatMatch(id, &seated);
      }
    }
  }
  for (const auto& runner : seated) Start(runner);
}

void Host::SeatAnyWaiting() {
  std::vector<std::shared_ptr<MatchRunner>> seated;
  {
    MutexLock lock(&mutex_);
    for (auto it = waiting_.begin(); it != waiting_.end() && running_ < max_running_;) {
      SeatMatch((it++)->first, &seated);
    }
  }
  for (const auto& runner : seated) Start(runner);
}

// A block may take the referee beyond its limit: if it had to wait for so many places at once,
// matches that need one would always come before it.
void Host::SeatMatch(MatchId id, std::vector<std::shared_ptr<MatchRunner>>* seated) {
  if (draining_ || running_ >= max_running_) return;
  const std::vector<std::shared_ptr<MatchRunner>> together = TogetherWith(matches_.at(id));
  if (!HavePlaces(together.front()->request(), static_cast<int>(together.size()))) return;
  RemoveWaiting(*together.front());
  for (const std::shared_ptr<MatchRunner>& runner : together) {
    TakePlaces(runner);
    ++running_;
    seated->push_back(runner);
  }
}

bool Host::HavePlaces(const MatchRequest& request, int matches) const {
  for (const std::string& name : request.bots) {
    const auto it = bots_.find(name);
    if (it == bots_.end() || it->second->free_places() < matches ||
        !it->second->plays(request.game->name())) {
      return false;
    }
  }
  return true;
}

void Host::TakePlaces(const std::shared_ptr<MatchRunner>& runner) {
  const std::vector<std::string>& bots = runner->request().bots;
  for (size_t i = 0; i < bots.size(); ++i) {
    KnownBot(bots[i])->AddPlace(runner->id().text(), {runner, Seat(static_cast<int>(i))});
  }
}

void Host::RemoveWaiting(const MatchRunner& runner) {
  const absl::optional<match::BlockPlace>& place = runner.block_place();
  const MatchId& id = place ? blocks_.at(place->block).front() : runner.id();
  if (waiting_.erase(id) == 0) return;
  for (const std::string& bot : runner.request().bots) {
    const auto it = waiting_by_bot_.find(bot);
    it->second.erase(id);
    if (it->second.empty()) waiting_by_bot_.erase(it);
  }
}

void Host::Start(const std::shared_ptr<MatchRunner>& runner) {
  std::vector<std::shared_ptr<Bot>> bots;
  {
    MutexLock lock(&mutex_);
    bots = BotsOf(*runner);
  }
  runner->Start(std::move(bots));
}

std::vector<std::shared_ptr<Bot>> Host::BotsOf(const MatchRunner& runner) const {
  std::vector<std::shared_ptr<Bot>> bots;
  for (const std::string& name : runner.request().bots) bots.push_back(bots_.at(name));
  return bots;
}

int Host::running() const {
  MutexLock lock(&mutex_);
  return running_;
}

int Host::max_running() const {
  MutexLock lock(&mutex_);
  return max_running_;
}

void Host::SetMaxRunning(int max_running) {
  {
    MutexLock lock(&mutex_);
    const bool more = max_running > max_running_;
    max_running_ = max_running;
    if (!more) return;
  }
  SeatAnyWaiting();
}

void Host::SetSeatTimer() {
  if (!waiting_.empty()) seat_timer_.SetTo(waiting_.begin()->second);
}

void Host::GiveUpLate() {
  const Instant now = options_.clock->Now();
  std::vector<std::shared_ptr<MatchRunner>> expired;
  {
    MutexLock lock(&mutex_);
    while (!waiting_.empty() && waiting_.begin()->second <= now) {
      expired.push_back(matches_.at(waiting_.begin()->first));
      RemoveWaiting(*expired.back());
    }
    SetSeatTimer();
  }
  for (const auto& runner : expired) {
    runner->Stop(match::Ending::kCancelled,
                 absl::StrCat("no free place within ", absl::FormatDuration(limits::kSeatLimit),
                              " with ", MissingBots(*runner)));
  }
}

std::string Host::MissingBots(const MatchRunner& runner) const {
  std::vector<std::string> missing;
  const int needed = runner.block_place() ? runner.request().game->seats() : 1;
  MutexLock lock(&mutex_);
  for (const std::string& name : runner.request().bots) {
    const auto it = bots_.find(name);
    if (it == bots_.end() || it->second->link() == nullptr) {
      missing.push_back(absl::StrCat("'", name, "' (not connected)"));
    } else if (!it->second->plays(runner.request().game->name())) {
      missing.push_back(absl::StrCat("'", name, "' (does not play this game)"));
    } else if (it->second->max_matches() < needed) {
      missing.push_back(absl::StrCat("'", name, "' (takes ", it->second->max_matches(),
                                     " at once, and the block has ", needed, ")"));
    } else if (it->second->free_places() < needed) {
      missing.push_back(absl::StrCat("'", name, "' (busy)"));
    }
  }
  return missing.empty() ? "a busy referee" : absl::StrJoin(missing, ", ");
}

void Host::OnOver(const std::shared_ptr<MatchRunner>& runner, const absl::Status& sealed) {
  const std::vector<std::string>& bots = runner->request().bots;
  bool was_full;
  {
    MutexLock lock(&mutex_);
    RemoveWaiting(*runner);
    was_full = running_ >= max_running_;
    if (GiveUpPlaces(*runner)) --running_;
    if (!sealed.ok()) storage_failed_ = true;
    remembered_.push_back(runner->id());
    Forget();
  }
  if (options_.on_finished) options_.on_finished(*runner, sealed);
  // If the referee was full, any match may be the next; else only those of these bots may.
  was_full ? SeatAnyWaiting() : SeatWaitingFor(bots);
  MutexLock lock(&mutex_);
  --open_;
  changed_.NotifyAll();
}

bool Host::GiveUpPlaces(const MatchRunner& runner) {
  bool begun = false;
  for (const std::string& name : runner.request().bots) {
    const auto it = bots_.find(name);
    if (it == bots_.end()) continue;
    begun |= it->second->RemovePlace(runner.id().text());
  }
  return begun;
}

void Host::OnLeft(const std::shared_ptr<MatchRunner>& runner) {
  MutexLock lock(&mutex_);
  if (GiveUpPlaces(*runner)) --running_;
  matches_.erase(runner->id());
  --open_;
  changed_.NotifyAll();
}

}  // namespace referee::host

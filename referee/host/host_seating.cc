// The part of Host in which matches wait for their bots, get their slots and give them up.
// seating.h decides which is seated when; the matches of a block are one party there.
#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"
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
      known_.Add(runners.back(), request_id);
    }
    draining = draining_;
    if (!draining) {
      const MatchId& id = runners.front()->id();
      const MatchRequest& request = runners.front()->request();
      seating_.Wait({id, std::string(request.game->name()), request.bots, static_cast<int>(n)},
                    options_.clock->Now() + limits::kSeatLimit);
      seating_.SeatOne(id, SeatInto(&seated));
      seat_timer_.SetTo(seating_.first_limit());
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
    for (const std::string& name : bots) seating_.SeatFor(name, SeatInto(&seated));
  }
  for (const auto& runner : seated) Start(runner);
}

void Host::SeatAnyWaiting() {
  std::vector<std::shared_ptr<MatchRunner>> seated;
  {
    MutexLock lock(&mutex_);
    seating_.SeatAny(SeatInto(&seated));
  }
  for (const auto& runner : seated) Start(runner);
}

Seating::Begin Host::SeatInto(std::vector<std::shared_ptr<MatchRunner>>* seated) {
  return [bots = &bots_, known = &known_, seated](const MatchId& id) {
    for (const std::shared_ptr<MatchRunner>& runner : TogetherWith(known->Find(id))) {
      bots->TakeSlots(runner);
      seated->push_back(runner);
    }
  };
}

void Host::RemoveWaiting(const MatchRunner& runner) {
  seating_.Remove(known_.BlockOf(runner).front());
}

void Host::Start(const std::shared_ptr<MatchRunner>& runner) {
  std::vector<std::shared_ptr<Bot>> bots;
  {
    MutexLock lock(&mutex_);
    bots = bots_.BotsOf(*runner);
  }
  runner->Start(std::move(bots));
}

int Host::running() const {
  MutexLock lock(&mutex_);
  return seating_.running();
}

int Host::max_running() const {
  MutexLock lock(&mutex_);
  return seating_.max_running();
}

void Host::SetMaxRunning(int max_running, std::string load) {
  {
    MutexLock lock(&mutex_);
    load_ = std::move(load);
    const bool more = max_running > seating_.max_running();
    seating_.SetMaxRunning(max_running);
    if (!more) return;
  }
  SeatAnyWaiting();
}

void Host::HoldBack(std::string why) {
  {
    MutexLock lock(&mutex_);
    held_back_ = std::move(why);
    seating_.HoldBack(!held_back_.empty());
    if (!held_back_.empty()) return;
  }
  SeatAnyWaiting();
}

void Host::HoldBackGame(const std::string& game, std::string why) {
  {
    MutexLock lock(&mutex_);
    seating_.HoldBackGame(game, !why.empty());
    if (!why.empty()) {
      held_back_games_[game] = std::move(why);
      return;
    }
    held_back_games_.erase(game);
  }
  SeatAnyWaiting();
}

std::string Host::WhyHeldBack(absl::string_view game) const {
  if (!held_back_.empty()) return held_back_;
  const auto held = held_back_games_.find(std::string(game));
  if (held == held_back_games_.end()) return "";
  return absl::StrCat("game ", Quoted(game), " is paused on this referee: ", held->second,
                      "; 'refctl game resume' lets it go on");
}

void Host::GiveUpLate() {
  const Instant now = options_.clock->Now();
  std::vector<std::shared_ptr<MatchRunner>> expired;
  {
    MutexLock lock(&mutex_);
    for (const MatchId& id : seating_.GiveUpLate(now)) expired.push_back(known_.Find(id));
    seat_timer_.SetTo(seating_.first_limit());
  }
  for (const auto& runner : expired) {
    runner->Stop(match::Ending::kCancelled,
                 absl::StrCat("no free slot within ", absl::FormatDuration(limits::kSeatLimit),
                              " with ", MissingBots(*runner)));
  }
}

std::string Host::MissingBots(const MatchRunner& runner) const {
  std::vector<std::string> missing;
  const int needed = runner.block_place() ? runner.request().game->seats() : 1;
  MutexLock lock(&mutex_);
  for (const std::string& name : runner.request().bots) {
    const std::shared_ptr<Bot> bot = bots_.Find(name);
    if (bot == nullptr || bot->link() == nullptr) {
      missing.push_back(absl::StrCat("'", name, "' (not connected)"));
    } else if (!bot->plays(runner.request().game->name())) {
      missing.push_back(absl::StrCat("'", name, "' (does not play this game)"));
    } else if (bot->max_matches() > 0 && bot->max_matches() < needed) {
      missing.push_back(absl::StrCat("'", name, "' (takes ", bot->max_matches(),
                                     " at once, and the block has ", needed, ")"));
    } else if (bot->free_slots(needed) < needed) {
      missing.push_back(absl::StrCat("'", name, "' (busy)"));
    }
  }
  if (!missing.empty()) return absl::StrJoin(missing, ", ");
  const std::string why = WhyHeldBack(runner.request().game->name());
  if (!why.empty()) return absl::StrCat("a referee that begins no match: ", why);
  return "a busy referee";
}

void Host::OnOver(const std::shared_ptr<MatchRunner>& runner, const absl::Status& sealed) {
  const std::vector<std::string>& bots = runner->request().bots;
  bool was_full;
  bool tried_again;
  {
    MutexLock lock(&mutex_);
    RemoveWaiting(*runner);
    was_full = seating_.full();
    if (bots_.GiveUpSlots(*runner)) seating_.Ended();
    storage_failed_ = !sealed.ok();
    tried_again = unsealed_ids_.contains(runner->id());
    if (!tried_again) known_.Remember(runner->id());
    if (!runner->made() && !runner->block_place()) known_.ForgetRequestOf(runner->id());
  }
  if (options_.on_finished) {
    options_.on_finished(
        *runner, tried_again
                     ? At("could not be archived, which is tried again until it can", sealed)
                     : sealed);
  }
  // If the referee was full, any match may be the next; else only those of these bots may.
  was_full ? SeatAnyWaiting() : SeatWaitingFor(bots);
  MutexLock lock(&mutex_);
  --open_;
  changed_.NotifyAll();
}

void Host::TryLater(const MatchId& id, std::unique_ptr<replay::Recording> recording) {
  MutexLock lock(&mutex_);
  if (unsealed_->Add(id, std::move(recording))) unsealed_ids_.insert(id);
}

void Host::SealLater(const MatchId& id, std::unique_ptr<replay::Recording> recording) {
  unsealed_->Add(id, std::move(recording));
}

void Host::OnSealed(const MatchId& id) {
  {
    MutexLock lock(&mutex_);
    storage_failed_ = false;
    if (unsealed_ids_.erase(id) > 0) known_.Remember(id);
  }
  if (options_.on_sealed) options_.on_sealed(id);
}

void Host::OnLeft(const std::shared_ptr<MatchRunner>& runner) {
  MutexLock lock(&mutex_);
  if (bots_.GiveUpSlots(*runner)) seating_.Ended();
  known_.Remove(runner->id());
  --open_;
  changed_.NotifyAll();
}

}  // namespace referee::host

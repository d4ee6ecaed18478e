#include "referee/host/host.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"

namespace referee::host {
namespace {

// Whether a call that is repeated asks for the same.
bool Same(const MatchRequest& a, const MatchRequest& b) {
  return a.game->name() == b.game->name() && a.game->source() == b.game->source() &&
         a.bots == b.bots && a.time_control == b.time_control && a.policies == b.policies &&
         a.dice_source.pinned_number == b.dice_source.pinned_number &&
         a.dice_source.pinned_seed == b.dice_source.pinned_seed;
}

absl::Status Check(const MatchRequest& request) {
  if (static_cast<int>(request.bots.size()) != request.game->seats()) {
    return WrongNumberOfBots(request.bots.size(), request.game->seats());
  }
  std::vector<std::string> names = request.bots;
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) return BotTwiceInMatch(*twice);
  if (absl::Status s = match::Validate(request.time_control); !s.ok()) return s;
  return match::Validate(request.policies);
}

}  // namespace

Host::Host(HostOptions options) : options_(std::move(options)), max_running_(options_.max_running) {
  environment_ = std::make_shared<Runner::Environment>(Runner::Environment{
      options_.clock, options_.timers, options_.worker, options_.stalls,
      [this](const std::shared_ptr<Runner>& runner, const absl::Status& sealed) {
        OnSealed(runner, sealed);
      },
      [this] { OnTold(); }, [this](const std::shared_ptr<Runner>& runner) { OnLeft(runner); },
      options_.on_own_time});
  seat_limit_ = std::make_shared<SeatLimit>();
  MutexLock lock(&seat_limit_->mutex);
  seat_limit_->host = this;
}

Host::~Host() {
  {
    MutexLock lock(&seat_limit_->mutex);
    seat_limit_->host = nullptr;
  }
  // Matches that are open still, and their bots, hold each other.
  MutexLock lock(&mutex_);
  for (const auto& [name, bot] : bots_) {
    for (const Bot::Place& place : bot->places()) bot->RemovePlace(place.runner->id().text());
  }
}

// --- Bots ---

absl::StatusOr<std::shared_ptr<Bot>> Host::Attach(absl::string_view name,
                                                  std::shared_ptr<Link> link, Hello hello) {
  std::shared_ptr<Bot> bot;
  std::shared_ptr<Link> before;
  std::vector<Bot::Place> places;
  {
    MutexLock lock(&mutex_);
    if (draining_) return RefereeStopping();
    bot = KnownBot(name);
    if (hello.keeps_existing && bot->link() != nullptr) return BotConnected(name);
    before = bot->SetLink(std::move(link), std::move(hello));
    // Those of the link before: matches that are seated from here on begin on this one.
    places = bot->places();
  }
  if (before != nullptr) before->Close(LinkTakenOver(name));
  const Instant now = options_.clock->Now();
  for (const Bot::Place& place : places) {
    place.runner->Post(match::LinkBack{place.seat}, now);
  }
  SeatWaitingFor({bot->name()});
  return bot;
}

std::shared_ptr<Bot>& Host::KnownBot(absl::string_view name) {
  std::shared_ptr<Bot>& known = bots_[name];
  if (known == nullptr) known = std::make_shared<Bot>(std::string(name));
  return known;
}

void Host::Detach(const std::shared_ptr<Bot>& bot, const Link* link) {
  if (!bot->ClearLink(link)) return;
  const Instant now = options_.clock->Now();
  for (const Bot::Place& place : bot->places()) {
    place.runner->Post(match::LinkLost{place.seat}, now);
  }
}

bool Host::connected(absl::string_view name) const {
  MutexLock lock(&mutex_);
  const auto it = bots_.find(name);
  return it != bots_.end() && it->second->link() != nullptr;
}

// --- Matches ---

absl::StatusOr<MatchId> Host::Create(MatchRequest request, absl::string_view request_id) {
  if (absl::Status checked = Check(request); !checked.ok()) return checked;
  const absl::optional<absl::StatusOr<MatchId>> known = Reserve(request, request_id);
  if (known) return *known;
  replay::Unfinished recorded;
  recorded.setup = SetupFor(std::move(request), request_id);
  recorded.secret = SeedFor(recorded.setup.dice_source);
  recorded.setup.commitment = dice::Commit(recorded.secret);
  const MatchId id = recorded.setup.id;
  auto recording = options_.recorder->Open(recorded.setup, recorded.secret);
  {
    MutexLock lock(&mutex_);
    making_.erase(request_id);
    changed_.NotifyAll();
    if (!recording.ok()) --open_;
  }
  if (!recording.ok()) return recording.status();
  recorded.recording = *std::move(recording);
  Wait(std::move(recorded));
  return id;
}

absl::optional<absl::StatusOr<MatchId>> Host::Reserve(const MatchRequest& request,
                                                      absl::string_view request_id) {
  MutexLock lock(&mutex_);
  // The same call, that somebody else has just made, waits for the disk.
  while (making_.contains(request_id)) changed_.Wait(&mutex_);
  if (draining_) return RefereeStopping();
  if (const auto known = requests_.find(request_id); known != requests_.end()) {
    if (Same(matches_.at(known->second)->request(), request)) return known->second;
    return RequestIdReused(request_id);
  }
  if (open_ >= limits::kMaxOpenMatches) return TooManyOpenMatches(limits::kMaxOpenMatches);
  if (storage_failed_) {
    // The disk failed lately: ask it before taking on more.
    if (absl::Status usable = options_.recorder->Check(); !usable.ok()) return usable;
    storage_failed_ = false;
  }
  ++open_;
  if (!request_id.empty()) making_.emplace(request_id);
  return absl::nullopt;
}

dice::Seed Host::SeedFor(const match::DiceSource& source) const {
  if (source.pinned_number) return dice::PinnedSeed(*source.pinned_number);
  if (source.pinned_seed) return *source.pinned_seed;
  dice::Seed seed;
  options_.entropy(absl::MakeSpan(seed.bytes));
  return seed;
}

match::Setup Host::SetupFor(MatchRequest request, absl::string_view request_id) const {
  uint8_t random[10];
  options_.entropy(absl::MakeSpan(random));
  match::Setup setup;
  setup.create_time = options_.clock->WallNow();
  setup.id = MatchId::Make(setup.create_time, random);
  setup.game = std::move(request.game);
  setup.bots = std::move(request.bots);
  setup.time_control = request.time_control;
  setup.policies = request.policies;
  setup.dice_source = request.dice_source;
  setup.referee = options_.software;
  setup.request_id = std::string(request_id);
  return setup;
}

void Host::Wait(replay::Unfinished recorded) {
  const MatchId id = recorded.setup.id;
  const std::string request_id = recorded.setup.request_id;
  const auto runner = std::make_shared<Runner>(std::move(recorded), environment_);
  std::vector<std::shared_ptr<Runner>> seated;
  bool draining;
  {
    MutexLock lock(&mutex_);
    Know(runner, request_id);
    draining = draining_;
    if (!draining) {
      waiting_.emplace(id, options_.clock->Now() + limits::kSeatLimit);
      for (const std::string& bot : runner->request().bots) waiting_by_bot_[bot].insert(id);
      SeatMatch(id, &seated);
      ArmSeatLimit();
    }
  }
  for (const auto& one : seated) Start(one);
  if (draining) GiveUpWaiting(runner);
}

void Host::GiveUpWaiting(const std::shared_ptr<Runner>& runner) {
  Rest rest;
  {
    MutexLock lock(&mutex_);
    rest = rest_;
  }
  if (rest == Rest::kLeft) {
    runner->Leave();
  } else {
    runner->Stop(match::Ending::kCancelled, "the referee was stopped before the match began");
  }
}

void Host::Know(const std::shared_ptr<Runner>& runner, absl::string_view request_id) {
  matches_.emplace(runner->id(), runner);
  if (request_id.empty()) return;
  requests_.insert_or_assign(request_id, runner->id());
  request_ids_.insert_or_assign(runner->id(), std::string(request_id));
}

std::shared_ptr<Runner> Host::Find(const MatchId& id) const {
  MutexLock lock(&mutex_);
  const auto it = matches_.find(id);
  return it == matches_.end() ? nullptr : it->second;
}

std::vector<std::shared_ptr<Runner>> Host::List(const MatchId& before, int limit) const {
  std::vector<std::shared_ptr<Runner>> found;
  MutexLock lock(&mutex_);
  auto it = before == MatchId() ? matches_.end() : matches_.lower_bound(before);
  while (it != matches_.begin() && static_cast<int>(found.size()) < limit) {
    found.push_back((--it)->second);
  }
  return found;
}

absl::Status Host::Cancel(const MatchId& id, absl::string_view reason) {
  const std::shared_ptr<Runner> runner = Find(id);
  if (runner == nullptr) return UnknownMatch(id.text());
  {
    MutexLock lock(&mutex_);
    RemoveWaiting(*runner);
    if (runner->over()) return MatchIsOver(id.text());
  }
  runner->Stop(match::Ending::kCancelled,
               reason.empty() ? "cancelled" : absl::StrCat("cancelled: ", reason));
  return absl::OkStatus();
}

void Host::SeatWaitingFor(absl::Span<const std::string> bots) {
  std::vector<std::shared_ptr<Runner>> seated;
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
  std::vector<std::shared_ptr<Runner>> seated;
  {
    MutexLock lock(&mutex_);
    for (auto it = waiting_.begin(); it != waiting_.end() && running_ < max_running_;) {
      SeatMatch((it++)->first, &seated);
    }
  }
  for (const auto& runner : seated) Start(runner);
}

void Host::SeatMatch(MatchId id, std::vector<std::shared_ptr<Runner>>* seated) {
  if (draining_ || running_ >= max_running_) return;
  const std::shared_ptr<Runner>& runner = matches_.at(id);
  if (!TakePlaces(runner)) return;
  RemoveWaiting(*runner);
  ++running_;
  seated->push_back(runner);
}

bool Host::TakePlaces(const std::shared_ptr<Runner>& runner) {
  std::vector<std::shared_ptr<Bot>> bots;
  for (const std::string& name : runner->request().bots) {
    const auto it = bots_.find(name);
    if (it == bots_.end() || it->second->free_places() == 0 ||
        !it->second->plays(runner->request().game->name())) {
      return false;
    }
    bots.push_back(it->second);
  }
  for (size_t i = 0; i < bots.size(); ++i) {
    bots[i]->AddPlace(runner->id().text(), {runner, Seat(static_cast<int>(i))});
  }
  return true;
}

void Host::RemoveWaiting(const Runner& runner) {
  if (waiting_.erase(runner.id()) == 0) return;
  for (const std::string& bot : runner.request().bots) {
    const auto it = waiting_by_bot_.find(bot);
    it->second.erase(runner.id());
    if (it->second.empty()) waiting_by_bot_.erase(it);
  }
}

void Host::Start(const std::shared_ptr<Runner>& runner) {
  std::vector<std::shared_ptr<Bot>> bots;
  {
    MutexLock lock(&mutex_);
    for (const std::string& name : runner->request().bots) bots.push_back(bots_.at(name));
  }
  runner->Start(std::move(bots));
}

absl::Status Host::Resume(replay::Unfinished unfinished, absl::Duration limit) {
  if (unfinished.records.empty()) {
    {
      MutexLock lock(&mutex_);
      ++open_;
    }
    Wait(std::move(unfinished));
    return absl::OkStatus();
  }
  const match::Setup setup = unfinished.setup;
  auto match = std::make_unique<match::Match>(setup, unfinished.secret);
  if (absl::Status rebuilt = match->Rebuild(unfinished.records); !rebuilt.ok()) {
    const absl::Status aside = unfinished.recording->SetAside(rebuilt.message());
    return aside.ok() ? rebuilt : aside;
  }
  const auto runner = std::make_shared<Runner>(std::move(unfinished), environment_);
  std::vector<std::shared_ptr<Bot>> bots;
  {
    MutexLock lock(&mutex_);
    Know(runner, setup.request_id);
    ++open_;
    ++running_;
    for (size_t i = 0; i < setup.bots.size(); ++i) {
      bots.push_back(KnownBot(setup.bots[i]));
      bots.back()->AddPlace(setup.id.text(), {runner, Seat(static_cast<int>(i))});
    }
  }
  runner->Resume(std::move(match), limit, std::move(bots));
  return absl::OkStatus();
}

void Host::Remember(const match::Setup& setup, const match::Ended& ended, uint32_t turns) {
  const auto runner = std::make_shared<Runner>(setup, ended, turns, environment_);
  MutexLock lock(&mutex_);
  Know(runner, setup.request_id);
  remembered_.push_back(setup.id);
  Forget();
}

int Host::running() const {
  MutexLock lock(&mutex_);
  return running_;
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

void Host::ArmSeatLimit() {
  if (seat_limit_armed_ || waiting_.empty()) return;
  seat_limit_armed_ = true;
  options_.timers->At(waiting_.begin()->second, [seat_limit = seat_limit_] {
    MutexLock lock(&seat_limit->mutex);
    if (seat_limit->host != nullptr) seat_limit->host->OnSeatLimit();
  });
}

void Host::OnSeatLimit() {
  const Instant now = options_.clock->Now();
  std::vector<std::shared_ptr<Runner>> expired;
  {
    MutexLock lock(&mutex_);
    seat_limit_armed_ = false;
    while (!waiting_.empty() && waiting_.begin()->second <= now) {
      expired.push_back(matches_.at(waiting_.begin()->first));
      RemoveWaiting(*expired.back());
    }
    ArmSeatLimit();
  }
  for (const auto& runner : expired) {
    runner->Stop(match::Ending::kCancelled,
                 absl::StrCat("no free place within ", absl::FormatDuration(limits::kSeatLimit),
                              " with ", MissingBots(*runner)));
  }
}

std::string Host::MissingBots(const Runner& runner) const {
  std::vector<std::string> missing;
  MutexLock lock(&mutex_);
  for (const std::string& name : runner.request().bots) {
    const auto it = bots_.find(name);
    if (it == bots_.end() || it->second->link() == nullptr) {
      missing.push_back(absl::StrCat("'", name, "' (not connected)"));
    } else if (!it->second->plays(runner.request().game->name())) {
      missing.push_back(absl::StrCat("'", name, "' (does not play this game)"));
    } else if (it->second->free_places() == 0) {
      missing.push_back(absl::StrCat("'", name, "' (busy)"));
    }
  }
  return missing.empty() ? "a busy referee" : absl::StrJoin(missing, ", ");
}

void Host::OnSealed(const std::shared_ptr<Runner>& runner, const absl::Status& sealed) {
  if (options_.on_finished) options_.on_finished(*runner, sealed);
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
  // If the referee was full, any match may be the next; else only those of these bots may.
  was_full ? SeatAnyWaiting() : SeatWaitingFor(bots);
}

bool Host::GiveUpPlaces(const Runner& runner) {
  bool begun = false;
  for (const std::string& name : runner.request().bots) {
    const auto it = bots_.find(name);
    if (it == bots_.end()) continue;
    if (it->second->FindPlace(runner.id().text()).runner == nullptr) continue;
    it->second->RemovePlace(runner.id().text());
    begun = true;
  }
  return begun;
}

void Host::OnLeft(const std::shared_ptr<Runner>& runner) {
  MutexLock lock(&mutex_);
  if (GiveUpPlaces(*runner)) --running_;
  matches_.erase(runner->id());
  --open_;
  changed_.NotifyAll();
}

void Host::OnTold() {
  MutexLock lock(&mutex_);
  --open_;
  changed_.NotifyAll();
}

void Host::Forget() {
  while (remembered_.size() > limits::kMaxRememberedMatches) {
    const MatchId id = remembered_.front();
    remembered_.pop_front();
    matches_.erase(id);
    const auto it = request_ids_.find(id);
    if (it == request_ids_.end()) continue;
    // A match that was made after this one was forgotten may have the same.
    const auto known = requests_.find(it->second);
    if (known != requests_.end() && known->second == id) requests_.erase(known);
    request_ids_.erase(it);
  }
}

// --- The end ---

void Host::Drain(absl::Duration timeout, Rest rest) {
  const Instant until = options_.clock->Now() + timeout;
  std::vector<std::shared_ptr<Runner>> waiting;
  std::vector<std::shared_ptr<Bot>> bots;
  {
    MutexLock lock(&mutex_);
    draining_ = true;
    rest_ = rest;
    for (const auto& [id, until] : waiting_) waiting.push_back(matches_.at(id));
    for (const auto& runner : waiting) RemoveWaiting(*runner);
    for (const auto& [name, bot] : bots_) bots.push_back(bot);
  }
  std::sort(bots.begin(), bots.end(),
            [](const auto& a, const auto& b) { return a->name() < b->name(); });
  for (const auto& runner : waiting) GiveUpWaiting(runner);
  for (const auto& bot : bots) {
    if (const auto link = bot->link()) {
      link->TellDraining(timeout);
      link->Flush();
    }
  }
  if (!WaitUntilIdle(until)) {
    std::vector<std::shared_ptr<Runner>> open;
    {
      MutexLock lock(&mutex_);
      for (const auto& [id, runner] : matches_) open.push_back(runner);
    }
    // Those that are over take no notice.
    for (const auto& runner : open) {
      if (rest == Rest::kLeft) {
        runner->Leave();
      } else {
        runner->Stop(match::Ending::kVoid, "the referee was stopped while the match was running");
      }
    }
    WaitUntilIdle(Instant::InfiniteFuture());
  }
  // Bots whose matches were left are to come back.
  const absl::Status reason = rest == Rest::kLeft ? RefereeStopping() : absl::OkStatus();
  for (const auto& bot : bots) {
    if (const auto link = bot->link()) link->Close(reason);
  }
}

bool Host::WaitUntilIdle(Instant until) {
  constexpr absl::Duration kLook = absl::Seconds(1);
  MutexLock lock(&mutex_);
  while (open_ > 0) {
    const absl::Duration left = until - options_.clock->Now();
    if (left <= absl::ZeroDuration()) return false;
    changed_.WaitFor(&mutex_, absl::ToChronoNanoseconds(std::min(left, kLook)));
  }
  return true;
}

}  // namespace referee::host

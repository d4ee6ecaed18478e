#include "referee/host/host.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/base/rotation.h"
#include "referee/host/errors.h"

namespace referee::host {
namespace {

absl::Status RefereeStopping() {
  return absl::UnavailableError("the referee is stopping; try again when it has started again");
}

// Whether a call that is repeated asks for the same.
bool Same(const MatchRequest& a, const MatchRequest& b) {
  return a.game->name() == b.game->name() && a.game->source() == b.game->source() &&
         a.bots == b.bots && a.time_control == b.time_control && a.policies == b.policies &&
         a.dice_source.pinned_number == b.dice_source.pinned_number &&
         a.dice_source.pinned_seed == b.dice_source.pinned_seed;
}

absl::Status Check(const MatchRequest& request) {
  if (static_cast<int>(request.bots.size()) != request.game->seats()) {
    return absl::InvalidArgumentError(absl::StrCat("bots: ", request.bots.size(),
                                                   " given; the match has ", request.game->seats(),
                                                   " seats, one bot each"));
  }
  std::vector<std::string> names = request.bots;
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) return BotTwiceInMatch(*twice);
  if (absl::Status s = match::Validate(request.time_control); !s.ok()) return s;
  return match::Validate(request.policies);
}

}  // namespace

Host::Host(HostOptions options)
    : options_(std::move(options)),
      seating_(options_.max_running,
               [bots = &bots_](const std::string& bot, const std::string& game, int at_once) {
                 return bots->SlotsOf(bot, game, at_once);
               }) {
  environment_ = std::make_shared<MatchRunner::Environment>(MatchRunner::Environment{
      options_.clock, options_.timers, options_.executor, options_.mailboxes, options_.stalls,
      [this](const std::shared_ptr<MatchRunner>& runner, const absl::Status& sealed) {
        OnOver(runner, sealed);
      },
      [this](const MatchId& id, std::unique_ptr<replay::Recording> recording) {
        TryLater(id, std::move(recording));
      },
      [this](const std::shared_ptr<MatchRunner>& runner) { OnLeft(runner); }, options_.on_own_time,
      options_.on_record});
  unsealed_ = SealQueue::Make({options_.clock, options_.timers, options_.executor,
                               [this](const MatchId& id) { OnSealed(id); }});
  seat_timer_ = options_.timers->At(Instant::InfiniteFuture(), [this] { GiveUpLate(); });
}

Host::~Host() {
  unsealed_->Close();
  // Matches that are open still, and their bots, hold each other.
  MutexLock lock(&mutex_);
  for (const std::shared_ptr<Bot>& bot : bots_.All()) {
    for (const Bot::Slot& slot : bot->slots()) bot->RemoveSlot(slot.runner->id().text());
  }
}

// --- Bots ---

absl::StatusOr<std::shared_ptr<Bot>> Host::Attach(absl::string_view name,
                                                  std::shared_ptr<Link> link, Hello hello) {
  if (options_.oversubscribe) hello.parallel_turns = 0;
  std::shared_ptr<Bot> bot;
  Connection now;
  Connection before;
  std::vector<Bot::Slot> slots;
  {
    MutexLock lock(&mutex_);
    if (draining_) return RefereeStopping();
    bot = bots_.FindOrAdd(name);
    if (hello.keeps_existing && bot->link() != nullptr) {
      return absl::AlreadyExistsError(
          absl::StrCat("bot ", Quoted(name),
                       " has a stream, which goes on as this one's hello asks; try again when it "
                       "has ended, or without keeps_existing to take over"));
    }
    std::tie(now, before) = bot->SetLink(std::move(link), std::move(hello));
    // Those of the link before: matches that are seated from here on begin on this one.
    slots = bot->slots();
  }
  if (before.link != nullptr) {
    before.link->Close(
        absl::AbortedError(absl::StrCat("another stream of bot ", Quoted(name),
                                        " has taken over; give each program a token of its own")));
  }
  const Instant when = options_.clock->Now();
  for (const Bot::Slot& slot : slots) slot.runner->SetConnection(slot.seat, now, when);
  SeatWaitingFor({bot->name()});
  if (options_.on_connection) options_.on_connection(bot->name());
  return bot;
}

void Host::SetCapacity(const std::shared_ptr<Bot>& bot, const Link* link, int max_matches,
                       int parallel_turns) {
  if (options_.oversubscribe) parallel_turns = 0;
  {
    MutexLock lock(&mutex_);  // nothing is seated by what it took before once this returns
    if (!bot->SetCapacity(link, max_matches, parallel_turns)) return;
  }
  SeatWaitingFor({bot->name()});
  if (options_.on_connection) options_.on_connection(bot->name());
}

void Host::Detach(const std::shared_ptr<Bot>& bot, const Link* link) {
  const absl::optional<Connection> now = bot->ClearLink(link);
  if (!now) return;
  const Instant when = options_.clock->Now();
  for (const Bot::Slot& slot : bot->slots()) slot.runner->SetConnection(slot.seat, *now, when);
  SeatWaitingFor({bot->name()});  // others were perhaps kept for a match with it
  if (options_.on_connection) options_.on_connection(bot->name());
}

void Host::NoteRefused(absl::string_view name) {
  const std::shared_ptr<Bot> bot = FindBot(name);
  if (bot == nullptr) return;
  const Instant now = options_.clock->Now();
  bot->NoteRefused(now);
  for (const Bot::Slot& slot : bot->slots()) slot.runner->Post(match::Refused{slot.seat}, now);
}

bool Host::connected(absl::string_view name) const {
  const std::shared_ptr<Bot> bot = FindBot(name);
  return bot != nullptr && bot->link() != nullptr;
}

int64_t Host::CountConnects(absl::string_view name) const {
  const std::shared_ptr<Bot> bot = FindBot(name);
  return bot == nullptr ? 0 : bot->connects();
}

bool Host::plays(absl::string_view name) const {
  MutexLock lock(&mutex_);
  const std::shared_ptr<Bot> bot = bots_.Find(name);
  return bot != nullptr && !bot->slots().empty();
}

std::shared_ptr<Bot> Host::FindBot(absl::string_view name) const {
  MutexLock lock(&mutex_);
  return bots_.Find(name);
}

void Host::TellNotice(absl::string_view name, absl::string_view text) {
  if (const std::shared_ptr<Bot> bot = FindBot(name)) bot->TellNotice(text);
}

void Host::Refer(absl::FunctionRef<Referral(const std::string& bot)> referral_of) {
  std::vector<std::shared_ptr<Bot>> bots;
  {
    MutexLock lock(&mutex_);
    bots = bots_.All();
  }
  for (const auto& bot : bots) {
    if (bot->link() != nullptr) bot->Refer(referral_of(bot->name()), options_.clock->Now());
  }
}

absl::optional<Instant> Host::ReferredInVainSince(absl::string_view name) const {
  const std::shared_ptr<Bot> bot = FindBot(name);
  return bot == nullptr ? absl::nullopt : bot->ReferredInVainSince();
}

BotView Host::ViewOf(absl::string_view name, absl::string_view game, int at_once) const {
  const std::shared_ptr<Bot> bot = bots_.Find(name);
  const std::shared_ptr<Link> link = bot == nullptr ? nullptr : bot->link();
  if (link == nullptr) return BotView();
  if (!bot->plays(game)) return {true, 0, absl::StrCat("does not play ", game), false};
  const int free = bot->free_slots(at_once) - seating_.kept(bot->name());
  BotView view;
  view.connected = true;
  view.free_slots = std::max(0, free);
  const int most = bot->max_matches();
  if (most > 0 && most < at_once) {
    view.unable = absl::StrCat("takes ", most, most == 1 ? " match" : " matches",
                               " at once, and a block has ", at_once);
  }
  view.takes_none = most == 0 && bot->slots().empty();
  view.answered = link->answered();
  return view;
}

void Host::Ping(absl::string_view name) {
  const std::shared_ptr<Bot> bot = FindBot(name);
  const std::shared_ptr<Link> link = bot == nullptr ? nullptr : bot->link();
  if (link == nullptr) return;
  link->Ping();
  link->Flush();
}

// --- Matches ---

absl::StatusOr<MatchId> Host::Create(MatchRequest request, absl::string_view request_id) {
  if (absl::Status checked = Check(request); !checked.ok()) return checked;
  const absl::optional<absl::StatusOr<MatchId>> known = Reserve(request, request_id, 0);
  if (known) return *known;
  std::vector<replay::Unfinished> made(1);
  made[0].setup = SetupFor(std::move(request), request_id);
  made[0].secret = SeedFor(made[0].setup.dice_source);
  if (absl::Status recorded = Record(&made, request_id); !recorded.ok()) return recorded;
  const MatchId id = made[0].setup.id;
  Wait(std::move(made));
  return id;
}

absl::StatusOr<std::vector<MatchId>> Host::CreateBlock(BlockRequest request,
                                                       absl::string_view request_id) {
  if (absl::Status checked = Check(request.match); !checked.ok()) return checked;
  const int n = request.match.game->seats();
  if (const absl::optional<absl::StatusOr<MatchId>> known = Reserve(request.match, request_id, n)) {
    if (!known->ok()) return known->status();
    return MatchesOfBlock(**known);
  }
  if (request.id == BlockId()) request.id = NewId<BlockId>();
  const dice::Seed seed = SeedFor(request.match.dice_source);
  std::vector<replay::Unfinished> made(static_cast<size_t>(n));
  std::vector<MatchId> ids;
  for (int rotation = 0; rotation < n; ++rotation) {
    replay::Unfinished& one = made[static_cast<size_t>(rotation)];
    MatchRequest rotated = request.match;
    for (int seat = 0; seat < n; ++seat) {
      rotated.bots[seat] = request.match.bots[PlaceOfSeat(seat, rotation, n)];
    }
    one.setup = SetupFor(std::move(rotated), request_id);
    one.setup.block = match::BlockPlace{request.id, rotation};
    one.secret = seed;
    ids.push_back(one.setup.id);
  }
  if (absl::Status recorded = Record(&made, request_id); !recorded.ok()) return recorded;
  Wait(std::move(made));
  return ids;
}

absl::Status Host::Record(std::vector<replay::Unfinished>* made, absl::string_view request_id) {
  absl::Status status;
  for (replay::Unfinished& one : *made) {
    one.setup.commitment = dice::Commit(one.secret);
    auto recording = options_.recorder->Open(one.setup, one.secret);
    status = recording.status();
    if (!status.ok()) break;
    one.recording = *std::move(recording);
  }
  for (replay::Unfinished& one : *made) {
    if (status.ok() || one.recording == nullptr) continue;
    // Should that fail too, the next process ends it.
    const auto ended =
        replay::EndAsVoid(&one, absl::StrCat("the block could not be recorded: ", status.message()),
                          options_.clock->WallNow());
    static_cast<void>(ended);
  }
  MutexLock lock(&mutex_);
  making_.erase(request_id);
  changed_.NotifyAll();
  if (!status.ok()) open_ -= static_cast<int>(made->size());
  return status;
}

absl::optional<absl::StatusOr<MatchId>> Host::Reserve(const MatchRequest& request,
                                                      absl::string_view request_id, int block_of) {
  MutexLock lock(&mutex_);
  // The same call, that somebody else has just made, waits for the disk.
  while (making_.contains(request_id)) changed_.Wait(&mutex_);
  if (draining_) return RefereeStopping();
  if (const std::shared_ptr<MatchRunner> made = known_.MadeBy(request_id)) {
    if (made->block_place().has_value() != (block_of > 0) || !Same(made->request(), request)) {
      return absl::AlreadyExistsError(
          absl::StrCat("request_id ", Quoted(request_id),
                       ": used before for a match with other content; take a new one"));
    }
    return made->id();
  }
  if (!held_back_.empty()) {
    return absl::ResourceExhaustedError(absl::StrCat("no match begins for now: ", held_back_,
                                                     "; try again when there is more room"));
  }
  const std::string paused = WhyHeldBack(request.game->name());
  if (!paused.empty()) return absl::FailedPreconditionError(paused);
  const int more = std::max(1, block_of);
  if (block_of > 0) {
    if (absl::Status room = CheckSlotsFor(request, block_of); !room.ok()) return room;
  }
  if (open_ + more > limits::kMaxOpenMatches) {
    return absl::ResourceExhaustedError(
        absl::StrCat(limits::kMaxOpenMatches,
                     " matches are open, the most that are; try again when some are over"));
  }
  if (storage_failed_) {
    // The disk failed lately: ask it before taking on more.
    if (absl::Status usable = options_.recorder->Check(); !usable.ok()) return usable;
    storage_failed_ = false;
  }
  open_ += more;
  if (!request_id.empty()) making_.emplace(request_id);
  return absl::nullopt;
}

absl::Status Host::CheckSlotsFor(const MatchRequest& request, int matches) const {
  for (const std::string& name : request.bots) {
    const std::shared_ptr<Bot> bot = bots_.Find(name);
    if (bot == nullptr || bot->link() == nullptr) continue;
    const int most = bot->max_matches();
    if (most > 0 && most < matches) {
      return absl::FailedPreconditionError(
          absl::StrCat("bot ", Quoted(name), " takes ", most, most == 1 ? " match" : " matches",
                       " at once; the block has ", matches,
                       ", which are played side by side (let it connect with max_matches of ",
                       matches, " or more)"));
    }
  }
  return absl::OkStatus();
}

std::vector<MatchId> Host::MatchesOfBlock(const MatchId& id) const {
  MutexLock lock(&mutex_);
  return known_.BlockOf(*known_.Find(id));
}

dice::Seed Host::SeedFor(const match::DiceSource& source) const {
  if (source.pinned_number) return dice::PinnedSeed(*source.pinned_number);
  if (source.pinned_seed) return *source.pinned_seed;
  dice::Seed seed;
  options_.entropy(absl::MakeSpan(seed.bytes));
  return seed;
}

template <typename Id>
Id Host::NewId() const {
  uint8_t random[10];
  options_.entropy(absl::MakeSpan(random));
  return Id::Make(options_.clock->WallNow(), random);
}

match::Setup Host::SetupFor(MatchRequest request, absl::string_view request_id) const {
  match::Setup setup;
  setup.create_time = options_.clock->WallNow();
  setup.id = NewId<MatchId>();
  setup.game = std::move(request.game);
  setup.bots = std::move(request.bots);
  setup.time_control = request.time_control;
  setup.policies = request.policies;
  setup.dice_source = request.dice_source;
  setup.referee = options_.software;
  setup.request_id = std::string(request_id);
  return setup;
}

void Host::GiveUpWaiting(const std::shared_ptr<MatchRunner>& runner) {
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

std::shared_ptr<MatchRunner> Host::Find(const MatchId& id) const {
  MutexLock lock(&mutex_);
  return known_.Find(id);
}

std::vector<std::shared_ptr<MatchRunner>> Host::List(const MatchId& before, int limit) const {
  MutexLock lock(&mutex_);
  return known_.List(before, static_cast<size_t>(std::max(0, limit)));
}

absl::Status Host::Cancel(const MatchId& id, absl::string_view reason, absl::string_view by) {
  const std::shared_ptr<MatchRunner> runner = Find(id);
  if (runner == nullptr) return UnknownMatch(id.text());
  {
    MutexLock lock(&mutex_);
    RemoveWaiting(*runner);
    if (runner->over()) {
      return absl::FailedPreconditionError(absl::StrCat("match ", Quoted(id.text()), " is over"));
    }
  }
  runner->Stop(match::Ending::kCancelled,
               reason.empty() ? "cancelled" : absl::StrCat("cancelled: ", reason), std::string(by));
  return absl::OkStatus();
}

std::vector<MatchId> Host::CancelMatchesOf(absl::string_view name, absl::string_view reason,
                                           absl::string_view by) {
  std::vector<MatchId> cancelled;
  const std::shared_ptr<Bot> bot = FindBot(name);
  if (bot == nullptr) return cancelled;
  for (const Bot::Slot& slot : bot->slots()) {
    if (Cancel(slot.runner->id(), reason, by).ok()) cancelled.push_back(slot.runner->id());
  }
  return cancelled;
}

// --- The end ---

void Host::Drain(absl::Duration timeout, Rest rest) {
  const Instant until = options_.clock->Now() + timeout;
  std::vector<std::shared_ptr<MatchRunner>> waiting;
  std::vector<std::shared_ptr<Bot>> bots;
  {
    MutexLock lock(&mutex_);
    draining_ = true;
    rest_ = rest;
    for (const MatchId& id : seating_.GiveUpAll()) {
      for (const auto& runner : TogetherWith(known_.Find(id))) waiting.push_back(runner);
    }
    bots = bots_.All();
  }
  std::sort(bots.begin(), bots.end(),
            [](const auto& a, const auto& b) { return a->name() < b->name(); });
  for (const auto& runner : waiting) GiveUpWaiting(runner);
  for (const auto& bot : bots) {
    if (const auto link = bot->link()) {
      link->TellDraining(timeout, rest == Rest::kLeft);
      link->Flush();
    }
  }
  if (!WaitUntilIdle(until)) {
    std::vector<std::shared_ptr<MatchRunner>> open =
        List(MatchId(), std::numeric_limits<int>::max());
    std::reverse(open.begin(), open.end());
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
  unsealed_->TryAll();
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

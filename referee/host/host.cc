#include "referee/host/host.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/host/errors.h"

namespace referee::host {
namespace {

absl::Status RefereeStopping() {
  return absl::UnavailableError("the referee is stopping; try again when it has started again");
}

// Returns an error unless a link with this hello may replace the bot's current link.
absl::Status CheckTakesOver(const Bot& bot, const Hello& hello) {
  if (bot.link() == nullptr) return absl::OkStatus();
  if (hello.keeps_existing) {
    return absl::AlreadyExistsError(
        absl::StrCat("bot ", Quoted(bot.name()),
                     " has a stream, which goes on as this one's hello asks; try again when it "
                     "has ended, or without keeps_existing to take over"));
  }
  if (hello.connection != 0 && hello.connection < bot.connection_number()) {
    return absl::AlreadyExistsError(
        absl::StrCat("bot ", Quoted(bot.name()), " has connected again since"));
  }
  return absl::OkStatus();
}

}  // namespace

Host::Host(HostOptions options)
    : options_(std::move(options)),
      new_matches_({options_.clock, options_.recorder, options_.entropy, options_.software}),
      seating_(options_.max_running,
               [bots = &bots_](const std::string& bot, const std::string& game, int at_once) {
                 return bots->SlotsOf(bot, game, at_once);
               }),
      patience_(options_.clock, options_.timers) {
  environment_ = std::make_shared<MatchRunner::Environment>(MatchRunner::Environment{
      options_.clock, options_.timers, options_.executor, options_.mailboxes, options_.stalls,
      [this](const std::shared_ptr<MatchRunner>& runner, const absl::Status& sealed) {
        OnOver(*runner, sealed);
      },
      // A match that could not be archived stays known until it is archived.
      [this](const MatchId& id, std::unique_ptr<replay::Recording> recording) {
        MutexLock lock(&mutex_);
        if (unsealed_->Add(id, std::move(recording))) unsealed_ids_.insert(id);
      },
      [this](const std::shared_ptr<MatchRunner>& runner) {
        MutexLock lock(&mutex_);
        TakeBackSlots(*runner);
        known_.Remove(runner->id());
        --open_;
        changed_.NotifyAll();
      },
      options_.on_own_time, options_.on_record});
  unsealed_ = SealQueue::Make(
      {options_.clock, options_.timers, options_.executor, [this](const MatchId& id) {
         {
           MutexLock lock(&mutex_);
           storage_failed_ = false;
           if (unsealed_ids_.erase(id) > 0) known_.Remember(id);
         }
         if (options_.on_sealed) options_.on_sealed(id);
       }});
  grants_ = Grants::Make({[this](const std::shared_ptr<Bot>& bot, const Link* link) {
                            MutexLock lock(&mutex_);
                            bot->SetTakenElsewhere(link, bot->max_matches());
                          },
                          [this](Grants::Seated seated) { WaitAgain(std::move(seated)); }});
  kept_timer_ = options_.timers->At(Instant::InfiniteFuture(), [this] { FreeKeptSlots(); });
  seat_timer_ = options_.timers->At(Instant::InfiniteFuture(), [this] { GiveUpLate(); });
}

Host::~Host() {
  unsealed_->Close();
  // Open matches and their bots own each other: break the cycles.
  MutexLock lock(&mutex_);
  for (const std::shared_ptr<Bot>& bot : bots_.All()) {
    for (const Bot::Slot& slot : bot->slots()) bot->RemoveSlot(slot.runner->id().text());
    bot->RemoveSlotsOf(nullptr);
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
    bot = bots_.FindOrAdd(name);
    // A bot that was asked to connect to another referee still plays here to the end.
    const bool goes_on = link->relayed() && !bot->slots().empty();
    if (draining_ && !goes_on) return RefereeStopping();
    if (absl::Status may = CheckTakesOver(*bot, hello); !may.ok()) return may;
    lent_.Forget(name);
    if (link->relayed()) bot->RemoveSlotsOf(nullptr);
    std::tie(now, before) =
        bot->SetLink(std::move(link), std::move(hello), options_.clock->WallNow());
    // Only matches that began with the previous link: later ones begin with the new link.
    slots = bot->slots();
  }
  if (before.link != nullptr) {
    before.link->Close(
        absl::AbortedError(absl::StrCat("another stream of bot ", Quoted(name),
                                        " has taken over; give each program a token of its own")));
    grants_->LinkGone(before.link.get());
  }
  const Instant when = options_.clock->Now();
  for (const Bot::Slot& slot : slots) slot.runner->SetConnection(slot.seat, now, when);
  SeatWaiting({bot->name()});
  if (options_.on_connection) options_.on_connection(bot->name());
  return bot;
}

void Host::SetCapacity(const std::shared_ptr<Bot>& bot, const Link* link, int max_matches,
                       int parallel_turns) {
  if (options_.oversubscribe) parallel_turns = 0;
  {
    MutexLock lock(&mutex_);  // once this returns, nothing is seated by the old capacity
    if (!bot->SetCapacity(link, max_matches, parallel_turns)) return;
  }
  SeatWaiting({bot->name()});
  if (options_.on_connection) options_.on_connection(bot->name());
}

void Host::NoteRefused(absl::string_view name) {
  const std::shared_ptr<Bot> bot = FindBot(name);
  if (bot == nullptr) return;
  const Instant now = options_.clock->Now();
  bot->NoteRefused(now);
  for (const Bot::Slot& slot : bot->slots()) slot.runner->Post(match::Refused{slot.seat}, now);
  if (options_.on_refused) options_.on_refused(name);
}

void Host::TellNotice(absl::string_view name, absl::string_view text) {
  if (const std::shared_ptr<Bot> bot = FindBot(name)) bot->TellNotice(text);
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
  if (const auto known = Reserve(request, request_id, 0)) return *known;
  const auto ids = Add(new_matches_.Make(std::move(request), request_id), request_id);
  if (!ids.ok()) return ids.status();
  return ids->front();
}

absl::StatusOr<std::vector<MatchId>> Host::CreateBlock(BlockRequest request,
                                                       absl::string_view request_id) {
  if (absl::Status checked = Check(request.match); !checked.ok()) return checked;
  const int n = request.match.game->seats();
  if (const absl::optional<absl::StatusOr<MatchId>> known = Reserve(request.match, request_id, n)) {
    if (!known->ok()) return known->status();
    MutexLock lock(&mutex_);
    return known_.BlockOf(*known_.Find(**known));
  }
  return Add(new_matches_.Make(std::move(request), request_id), request_id);
}

absl::StatusOr<std::vector<MatchId>> Host::Add(std::vector<replay::Unfinished> made,
                                               absl::string_view request_id) {
  // The places in a block that is played apart, which neither a match nor its record has.
  std::vector<absl::optional<match::BlockPlace>> apart(made.size());
  for (size_t i = 0; options_.blocks_apart && i < made.size(); ++i) {
    apart[i] = std::exchange(made[i].setup.block, absl::nullopt);
  }
  const absl::Status recorded = new_matches_.Record(absl::MakeSpan(made));
  {
    MutexLock lock(&mutex_);
    making_.erase(request_id);
    changed_.NotifyAll();
    if (!recorded.ok()) {
      open_ -= static_cast<int>(made.size());
      NoteStorage(/*failed=*/true);
    }
  }
  if (!recorded.ok()) return recorded;
  std::vector<MatchId> ids;
  for (const replay::Unfinished& one : made) ids.push_back(one.setup.id);
  if (!options_.blocks_apart) {
    Wait(std::move(made));
    return ids;
  }
  for (size_t i = 0; i < made.size(); ++i) {
    std::vector<replay::Unfinished> alone;
    alone.push_back(std::move(made[i]));
    Wait(std::move(alone), apart[i]);
  }
  return ids;
}

absl::optional<absl::StatusOr<MatchId>> Host::Reserve(const MatchRequest& request,
                                                      absl::string_view request_id, int block_of) {
  MutexLock lock(&mutex_);
  // The same call, made by another thread, may be waiting for the disk.
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
  if (!seating_.held_back().empty()) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "no match begins for now: ", seating_.held_back(), "; try again when there is more room"));
  }
  const std::string paused = seating_.WhyHeldBack(std::string(request.game->name()));
  if (!paused.empty()) return absl::FailedPreconditionError(paused);
  const int more = std::max(1, block_of);
  if (block_of > 0 && !options_.blocks_apart) {
    if (absl::Status room = bots_.CheckSlots(request, block_of); !room.ok()) return room;
  }
  if (open_ + more > limits::kMaxOpenMatches) {
    return absl::ResourceExhaustedError(
        absl::StrCat(limits::kMaxOpenMatches,
                     " matches are open, the most that are; try again when some are over"));
  }
  if (storage_failed_) {
    // The disk failed recently: check it before creating more.
    if (absl::Status usable = options_.recorder->Check(); !usable.ok()) return usable;
    storage_failed_ = false;
  }
  open_ += more;
  if (!request_id.empty()) making_.emplace(request_id);
  return absl::nullopt;
}

absl::Status Host::Cancel(const MatchId& id, absl::string_view reason, absl::string_view by) {
  const std::shared_ptr<MatchRunner> runner = Find(id);
  if (runner == nullptr) return UnknownMatch(id.text());
  {
    MutexLock lock(&mutex_);
    seating_.Remove(known_.PartyOf(*runner));
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

// --- Matches that wait for their bots, get their slots and give them up ---

void Host::Wait(std::vector<replay::Unfinished> recorded,
                const absl::optional<match::BlockPlace>& apart) {
  const size_t n = recorded.size();
  const auto block = n > 1 ? std::make_shared<Block>(static_cast<int>(n), options_.clock) : nullptr;
  std::vector<std::shared_ptr<MatchRunner>> runners;
  SeatedNow seated;
  absl::optional<Rest> draining;
  {
    MutexLock lock(&mutex_);
    for (replay::Unfinished& one : recorded) {
      const std::string request_id = one.setup.request_id;
      runners.push_back(std::make_shared<MatchRunner>(std::move(one), environment_, block, apart));
      if (block != nullptr) block->Add(runners.back());
      known_.Add(runners.back(), request_id);
    }
    draining = draining_;
    if (!draining) {
      const MatchId& id = runners.front()->id();
      const MatchRequest& request = runners.front()->request();
      seating_.Wait({id, std::string(request.game->name()), request.bots, static_cast<int>(n)},
                    options_.blocks_apart ? Instant::InfiniteFuture()
                                          : options_.clock->Now() + limits::kSeatLimit);
      seating_.SeatOne(id, SeatInto(&seated));
      seat_timer_.SetTo(seating_.first_limit());
    }
  }
  BeginSeated(std::move(seated));
  if (!draining) return;
  for (const auto& runner : runners) GiveUpWaiting(runner.get(), *draining);
}

void Host::SeatWaiting(absl::Span<const std::string> bots) {
  SeatedNow seated;
  {
    MutexLock lock(&mutex_);
    const Seating::Begin begin = SeatInto(&seated);
    for (const std::string& name : bots) seating_.SeatFor(name, begin);
    if (bots.empty()) seating_.SeatAny(begin);
  }
  BeginSeated(std::move(seated));
}

void Host::SetMaxRunning(int max_running, std::string load) {
  {
    MutexLock lock(&mutex_);
    const bool more = max_running > seating_.max_running();
    seating_.SetMaxRunning(max_running, std::move(load));
    if (!more) return;
  }
  SeatWaiting();
}

void Host::HoldBack(std::string why) {
  const bool goes_on = why.empty();
  {
    MutexLock lock(&mutex_);
    seating_.HoldBack(std::move(why));
  }
  if (goes_on) SeatWaiting();
}

void Host::NoteStorage(bool failed) {
  storage_failed_ = failed;
  if (failed) ++storage_failures_;
}

void Host::HoldBackGame(const std::string& game, std::string why) {
  const bool goes_on = why.empty();
  {
    MutexLock lock(&mutex_);
    seating_.HoldBackGame(game, std::move(why));
  }
  if (goes_on) SeatWaiting();
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
    const MatchRequest& request = runner->request();
    std::string lacks;
    {
      MutexLock lock(&mutex_);
      lacks = bots_.Missing(request, runner->block() != nullptr ? request.game->seats() : 1);
      const std::string why = seating_.WhyHeldBack(std::string(request.game->name()));
      if (lacks.empty() && why.empty()) lacks = "a busy referee";
      if (lacks.empty()) lacks = absl::StrCat("a referee that begins no match: ", why);
    }
    runner->Stop(match::Ending::kCancelled,
                 absl::StrCat("no free slot within ", absl::FormatDuration(limits::kSeatLimit),
                              " with ", lacks));
  }
}

void Host::OnOver(const MatchRunner& runner, const absl::Status& sealed) {
  const std::vector<std::string>& bots = runner.request().bots;
  bool was_full;
  bool tried_again;
  std::vector<std::shared_ptr<Bot>> unbegun;
  {
    MutexLock lock(&mutex_);
    seating_.Remove(known_.PartyOf(runner));
    was_full = seating_.full();
    unbegun = TakeBackSlots(runner);
    NoteStorage(!sealed.ok());
    tried_again = unsealed_ids_.contains(runner.id());
    if (!tried_again) known_.Remember(runner.id());
    if (!runner.made() && !runner.block_place()) known_.ForgetRequestOf(runner.id());
  }
  Grants::Release(runner.id(), unbegun);
  if (options_.on_finished) {
    options_.on_finished(
        runner, tried_again ? At("could not be archived, which is tried again until it can", sealed)
                            : sealed);
  }
  // If the referee was full, any match may begin next; else only matches of these bots.
  was_full ? SeatWaiting() : SeatWaiting(bots);
  MutexLock lock(&mutex_);
  --open_;
  changed_.NotifyAll();
}

// --- The end ---

void Host::GiveUpWaiting(MatchRunner* runner, Rest rest) {
  if (rest == Rest::kLeft) {
    runner->Leave();
  } else {
    runner->Stop(match::Ending::kCancelled, "the referee was stopped before the match began");
  }
}

void Host::Drain(absl::Duration timeout, Rest rest) {
  // Returns false if a match is still open at `until`.
  const auto wait_until_idle = [this](Instant until) {
    constexpr absl::Duration kLook = absl::Seconds(1);
    MutexLock lock(&mutex_);
    while (open_ > 0) {
      const absl::Duration left = until - options_.clock->Now();
      if (left <= absl::ZeroDuration()) return false;
      changed_.WaitFor(&mutex_, absl::ToChronoNanoseconds(std::min(left, kLook)));
    }
    return true;
  };
  const Instant until = options_.clock->Now() + timeout;
  std::vector<std::shared_ptr<MatchRunner>> waiting;
  std::vector<std::shared_ptr<Bot>> bots;
  bool has_others;
  {
    MutexLock lock(&mutex_);
    draining_ = rest;
    has_others = !fleet_.empty();
    for (const MatchId& id : seating_.GiveUpAll()) {
      const std::shared_ptr<MatchRunner> first = known_.Find(id);
      if (first == nullptr) continue;  // a request of another referee
      for (const auto& runner : Block::TogetherWith(first)) waiting.push_back(runner);
    }
    bots = bots_.All();
  }
  for (auto& runner : grants_->GiveUpAll()) waiting.push_back(std::move(runner));
  std::sort(bots.begin(), bots.end(),
            [](const auto& a, const auto& b) { return a->name() < b->name(); });
  for (const auto& runner : waiting) GiveUpWaiting(runner.get(), rest);
  for (const auto& bot : bots) {
    if (const auto link = bot->link()) {
      link->TellDraining(timeout, rest == Rest::kLeft);
      link->Flush();
    }
  }
  for (const auto& bot : bots) {
    if (has_others) AskToRedial(bot);
  }
  if (!wait_until_idle(until)) {
    std::vector<std::shared_ptr<MatchRunner>> open =
        List(MatchId(), std::numeric_limits<int>::max());
    std::reverse(open.begin(), open.end());
    // Matches that are over ignore this.
    for (const auto& runner : open) {
      if (rest == Rest::kLeft) {
        runner->Leave();
      } else {
        runner->Stop(match::Ending::kVoid, "the referee was stopped while the match was running");
      }
    }
    wait_until_idle(Instant::InfiniteFuture());
  }
  unsealed_->TryAll();
  if (options_.on_drained) options_.on_drained();
  // Bots whose matches were left in the log should come back.
  const absl::Status reason = rest == Rest::kLeft ? RefereeStopping() : absl::OkStatus();
  for (const auto& bot : bots) {
    if (const auto link = bot->link()) link->Close(reason);
  }
}

}  // namespace referee::host

#include "referee/host/match_runner.h"

#include <cstddef>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"

namespace referee::host {
namespace {

MatchRequest RequestOf(const match::Setup& setup) {
  return {setup.game, setup.bots, setup.time_control, setup.dice_source, setup.policies};
}

// Returns whether the event counts at this host. If another referee has the bot's stream, a request
// may wait for the stream to that referee: an offer then does not mean that the bot leaves it
// unread, and is ignored.
bool CountsHere(const Audience& audience, match::Event* event) {
  if (const auto* offered = std::get_if<match::RequestOffered>(event)) {
    return !audience.relayed(offered->seat);
  }
  auto* const sent = std::get_if<match::RequestSent>(event);
  if (sent != nullptr && audience.relayed(sent->seat)) sent->offered = Instant::InfiniteFuture();
  return true;
}

}  // namespace

MatchRunner::MatchRunner(replay::Unfinished recorded,
                         std::shared_ptr<const Environment> environment,
                         std::shared_ptr<Block> block,
                         const absl::optional<match::BlockPlace>& apart)
    : id_(recorded.setup.id),
      create_time_(recorded.setup.create_time),
      request_(RequestOf(recorded.setup)),
      request_id_(recorded.setup.request_id),
      block_place_(apart ? apart : recorded.setup.block),
      is_apart_(apart.has_value()),
      environment_(std::move(environment)),
      block_(std::move(block)),
      held_(Held()),
      setup_(std::move(recorded.setup)),
      seed_(recorded.secret),
      recording_(std::move(recorded.recording)) {}

MatchRunner::MatchRunner(const match::Setup& setup, match::Ended ended, uint32_t turns,
                         std::shared_ptr<const Environment> environment)
    : id_(setup.id),
      create_time_(setup.create_time),
      request_(RequestOf(setup)),
      request_id_(setup.request_id),
      block_place_(setup.block),
      is_apart_(false),
      environment_(std::move(environment)),
      over_(true),
      turns_played_(turns),
      ended_(std::move(ended)) {}

void MatchRunner::Start(std::vector<std::shared_ptr<Bot>> bots) {
  Put({StartOrder{nullptr, match::Begin{}, std::move(bots)}, environment_->clock->Now()});
}

void MatchRunner::Resume(std::unique_ptr<match::Match> match, absl::Duration limit,
                         std::vector<std::shared_ptr<Bot>> bots) {
  Put({StartOrder{std::move(match), match::Resume{limit}, std::move(bots)},
       environment_->clock->Now()});
}

void MatchRunner::Stop(match::Ending ending, std::string reason, std::string by, Seat unless_out) {
  Put({StopOrder{ending, std::move(reason), std::move(by), unless_out},
       environment_->clock->Now()});
}

void MatchRunner::Leave() { Put({LeaveOrder(), environment_->clock->Now()}); }

void MatchRunner::Post(match::Event event, Instant when,
                       const absl::optional<match::Stalls>& stalls) {
  Put({std::move(event), when, stalls});
}

void MatchRunner::NoteLag(Seat seat, absl::Duration lag, const match::Stalls& stalls) {
  const Instant now = environment_->clock->Now();
  Put({std::function<void(MatchRunner&)>([=](MatchRunner& self) {
         if (self.match_ == nullptr) return;
         self.JudgeSilence(
             self.silence_.Note(seat, lag, stalls, *self.match_, self.audience_, now));
       }),
       now});
}

void MatchRunner::SetConnection(Seat seat, Connection connection, Instant when) {
  Put({ConnectionOrder{seat, std::move(connection)}, when});
}

void MatchRunner::RequestOffered(Seat seat, uint32_t turn, uint32_t request, Instant when) {
  Put({match::Event(match::RequestOffered{seat, turn, request}), when});
}

void MatchRunner::RequestSent(Seat seat, uint32_t turn, uint32_t request, Instant when,
                              absl::Duration round_trip, Instant offered) {
  Put({match::Event(match::RequestSent{seat, turn, round_trip, request, offered}), when});
}

void MatchRunner::Watch(std::shared_ptr<Observer> observer) {
  Put({std::function<void(MatchRunner&)>(
           [observer = std::move(observer)](MatchRunner& self) mutable {
             observer->OnSnapshot(self);
             if (self.ended_ && self.recording_ == nullptr) {
               observer->OnEnded(self);
               return;
             }
             self.audience_.Add(std::move(observer));
           }),
       Instant()});
}

void MatchRunner::Unwatch(const Observer* observer) {
  Put({std::function<void(MatchRunner&)>(
           [observer](MatchRunner& self) { self.audience_.Remove(observer); }),
       Instant()});
}

void MatchRunner::Inspect(std::function<void(const MatchRunner&)> look) {
  Put({std::function<void(MatchRunner&)>(
           [look = std::move(look)](MatchRunner& self) { look(self); }),
       Instant()});
}

absl::StatusOr<std::vector<match::Record>> MatchRunner::Records() const {
  if (recording_ == nullptr) return absl::FailedPreconditionError("the match is sealed");
  return recording_->Records();
}

void MatchRunner::Put(Order order) {
  const std::shared_ptr<MatchRunner> keep = shared_from_this();
  {
    MutexLock lock(&mutex_);
    inbox_.push_back(std::move(order));
    if (stepping_) return;
    stepping_ = true;
  }
  HandleAll();
}

void MatchRunner::HandleAll() {
  for (;;) {
    if (held_ && !TellHeld()) return;
    if (handled_ < taken_.size()) {
      Order order = std::move(taken_[handled_++]);
      Handle(order);
      continue;
    }
    if (handled_ > 0) audience_.Flush();
    taken_.clear();
    handled_ = 0;
    MutexLock lock(&mutex_);
    if (inbox_.empty()) {
      // Set the timer while no other thread can step.
      if (match_ && !ended_ && !left_) timer_.SetTo(silence_.NextCheck(*match_, audience_));
      stepping_ = false;
      return;
    }
    inbox_.swap(taken_);
  }
}

bool MatchRunner::TellHeld() {
  if (recording_->Lasts()) {
    Release(absl::OkStatus());
    return true;
  }
  recording_->WhenLasting([self = shared_from_this()](const absl::Status& status) {
    const auto go_on = [self, status] {
      self->Release(status);
      self->HandleAll();
    };
    Executor* const mailboxes = self->environment_->mailboxes;
    mailboxes == nullptr ? go_on() : mailboxes->Run(go_on);
  });
  return false;
}

void MatchRunner::Handle(Order& order) {
  std::visit(match::Overloaded{
                 [&](match::Event& event) {
                   if (CountsHere(audience_, &event)) Step(event, order.when, order.stalls);
                 },
                 [&](StartOrder& start) { Begin(std::move(start), order.when); },
                 [&](StopOrder& stop) { StopNow(std::move(stop), order.when); },
                 [&](LeaveOrder&) {
                   if (ended_ || left_) return;
                   left_ = true;
                   recording_ = nullptr;
                   audience_.Clear();
                   timer_ = Timer();
                   environment_->on_left(shared_from_this());
                 },
                 [&](ConnectionOrder& change) {
                   // Once the match is over, a new link gets no messages: it did not get the start.
                   if (ended_) return;
                   const bool relayed = audience_.relayed(change.seat);
                   const auto event = audience_.Connect(change.seat, change.connection);
                   if (!event) return;
                   silence_.Forget(change.seat);
                   Step(*event, order.when,
                        relayed ? absl::make_optional(match::Stalls()) : absl::nullopt);
                 },
                 [&](std::function<void(MatchRunner&)>& call) { call(*this); },
             },
             order.what);
}

void MatchRunner::Begin(StartOrder order, Instant when) {
  if (ended_ || left_) return;  // stopped before it could begin
  begun_.store(true, std::memory_order_release);
  match_ = std::move(order.match);
  if (!match_) match_ = std::make_unique<match::Match>(*std::move(setup_), seed_);
  setup_.reset();
  turns_played_ = match_->turn() - 1;
  timer_ = environment_->timers->At(Instant::InfiniteFuture(), [this] {
    // The last owner of the match may be gone; its destructor then waits for this call.
    const std::shared_ptr<MatchRunner> self = weak_from_this().lock();
    if (self == nullptr) return;
    const Instant fired = self->environment_->clock->Now();
    // Replies that were read before the timer fired are handled before this. Replies that were read
    // later may still be in the mailbox, so the time since does not count.
    self->Put({std::function<void(MatchRunner&)>([fired](MatchRunner& runner) {
                 if (runner.match_ == nullptr) return;
                 runner.JudgeSilence(runner.silence_.Check(
                     runner.shared_from_this(), *runner.match_, runner.audience_, fired));
               }),
               fired});
  });
  audience_.Begin(*this, order.bots.size(), match_->has_position());
  Step(order.first, when);
  // Changes of connections before Begin are not in the mailbox, so add the current state.
  std::vector<Order> changes;
  for (size_t i = 0; i < order.bots.size(); ++i) {
    const Seat seat(static_cast<int>(i));
    changes.push_back({ConnectionOrder{seat, order.bots[i]->connection()}, when});
    if (order.bots[i]->WasRefused(when)) {
      changes.push_back({match::Event(match::Refused{seat}), when});
    }
  }
  taken_.insert(taken_.begin() + static_cast<std::ptrdiff_t>(handled_),
                std::make_move_iterator(changes.begin()), std::make_move_iterator(changes.end()));
}

void MatchRunner::StopNow(StopOrder order, Instant when) {
  if (ended_ || left_) return;
  if (match_ && order.unless_out.valid() && match_->out(order.unless_out)) return;
  if (match_) {
    // A match whose game is over ends with its result, which reveals the seed. So the block first
    // stops the matches whose games still go on, and stops this match again when they have ended.
    if (block_ != nullptr && match_->state().phase() == games::Phase::kOver &&
        !block_->Stop(absl::StrCat("match ", id_.text(), match::kOfTheSameBlock,
                                   "was stopped before the others were over"))) {
      return;
    }
    return Step(match::Stopped{order.ending, std::move(order.reason), std::move(order.by)}, when);
  }
  match::Ended ended;
  ended.ending = order.ending;
  ended.reason = std::move(order.reason);
  ended.cancelled_by = std::move(order.by);
  ended.seed = seed_;
  ended.time = environment_->clock->WallNow();
  recording_->Add(ended);
  const absl::Status written = recording_->Flush();
  if (!written.ok()) return Finish(ended, written);
  held_ = Held{{}, std::move(ended)};
}

void MatchRunner::JudgeSilence(const absl::optional<Silence::Known>& known) {
  if (known) Step(match::Tick{}, known->until, known->stalls);
}

void MatchRunner::Step(const match::Event& event, Instant when,
                       const absl::optional<match::Stalls>& stalls) {
  if (!match_ || left_) return;
  if (environment_->on_own_time) MeasureOwnTime(event, when);
  match::Reading reading{environment_->clock->Now(), environment_->clock->WallNow()};
  // Stalls of this referee do not affect a bot whose time another referee measures.
  if (stalls) {
    reading.stalls = *stalls;
  } else if (environment_->stalls != nullptr && !audience_.relayed(match_->seat_to_move())) {
    reading.stalls = environment_->stalls->Between(match_->ClockRunsFrom(when), when);
  }
  const absl::Span<const match::Effect> effects = match_->Step(event, when, reading);
  if (effects.empty()) return;
  if (ended_) {
    return audience_.Tell(shared_from_this(), *match_, effects, environment_->on_record);
  }
  bool any = false;
  for (const match::Effect& effect : effects) {
    const auto* record = std::get_if<match::Record>(&effect);
    if (record == nullptr) continue;
    recording_->Add(*record);
    any = true;
  }
  const absl::Status written = any ? recording_->Flush() : absl::OkStatus();
  if (!written.ok()) return EndUnrecorded(written);
  held_ = Held{effects, absl::nullopt};
}

void MatchRunner::Release(const absl::Status& lasts) {
  const Held held = *std::exchange(held_, absl::nullopt);
  if (held.end) return Finish(*held.end, lasts);
  made_ = lasts.ok() || match_ != nullptr;
  if (!lasts.ok()) return EndUnrecorded(lasts);
  if (match_ == nullptr) return;
  turns_played_ = match_->turn() - 1;
  match_->Handing(environment_->clock->Now());
  audience_.TellStarted(*this, *match_);
  audience_.Tell(shared_from_this(), *match_, held.effects, environment_->on_record);
  if (match_->ended()) Finish(*match_->ended(), absl::OkStatus());
  if (block_ != nullptr) block_->OnEffects(block_place_->rotation, held.effects);
}

// The match is ahead of its records, so it is dropped: no later observer may see what they lack.
void MatchRunner::EndUnrecorded(const absl::Status& written) {
  match_ = nullptr;
  match::Ended ended;
  ended.ending = match::Ending::kVoid;
  ended.reason = absl::StrCat("the match could not be recorded: ", written.message());
  ended.time = environment_->clock->WallNow();
  Finish(ended, written);
}

void MatchRunner::MeasureOwnTime(const match::Event& event, Instant when) {
  if (std::holds_alternative<match::Replied>(event)) {
    replied_ = when;
  } else if (std::holds_alternative<match::RequestSent>(event) &&
             replied_ != Instant::InfiniteFuture()) {
    environment_->on_own_time(when - replied_);
    replied_ = Instant::InfiniteFuture();
  }
}

// The match may have ended in the very step that could not be recorded. Its recording is then
// quarantined before the end is sent, so that no later start resumes it.
void MatchRunner::Finish(const match::Ended& ended, const absl::Status& recorded) {
  ended_ = ended;
  recorded_ = recorded.ok();
  over_.store(true, std::memory_order_release);
  if (block_ != nullptr) {
    block_->OnEnded(block_place_->rotation);
    if (ended.ending != match::Ending::kFinished) {
      block_->Stop(absl::StrCat("match ", id_.text(), match::kOfTheSameBlock,
                                "has no result: ", ended.reason));
    }
  }
  // Sealing compresses, signs and moves files: too slow for a thread that serves streams.
  environment_->executor->Run([self = shared_from_this(), ok = recorded_] {
    absl::Status sealed;
    if (ok) {
      sealed = self->recording_->Seal();
    } else {
      sealed = self->recording_->SetAside(self->ended_->reason);
      sealed.Update(absl::UnavailableError(self->ended_->reason));
    }
    self->Put({std::function<void(MatchRunner&)>([ok, sealed](MatchRunner& runner) {
                 std::unique_ptr<replay::Recording> recording = std::move(runner.recording_);
                 if (ok && !sealed.ok()) {
                   runner.environment_->on_unsealed(runner.id_, std::move(recording));
                 }
                 runner.TellEnd(sealed);
               }),
               Instant()});
  });
}

// The next match of these bots may begin only after this: they may take no more matches at once.
void MatchRunner::TellEnd(const absl::Status& sealed) {
  end_told_.store(true, std::memory_order_release);
  // A remembered match must keep neither a timer nor bots and their streams.
  audience_.TellEnded(*this);
  timer_ = Timer();
  environment_->executor->Run(
      [self = shared_from_this(), sealed] { self->environment_->on_over(self, sealed); });
}

}  // namespace referee::host

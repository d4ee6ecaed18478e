#include "referee/service/play/bot_session.h"

#include <algorithm>
#include <utility>

#include "referee/base/limits.h"
#include "referee/service/convert/convert.h"
#include "referee/service/errors.h"
#include "referee/service/play/told_items.h"
#include "referee/service/step.h"

namespace referee::service {
namespace {

// How long a closing stream may take to send what was queued before.
constexpr absl::Duration kFarewellLimit = absl::Seconds(5);

// The time from which the request handed over at `now` counts as offered. Time that the link held
// the request by choice is capped, so that the bot is never charged for it.
Instant OfferedBy(const Batch::Asked& asked, Instant now) {
  return std::min(asked.offered, std::max(asked.held, now + -limits::kHandoverLimit));
}

// Reports how many bytes wait for the bot, if the number has changed. Pass the returned link, if
// any, to CloseSlowest, without the session's lock.
std::shared_ptr<host::Link> Report(const absl::optional<size_t>& bytes,
                                   const SessionEnvironment& environment, uint64_t ticket) {
  return bytes ? environment.admission->NoteQueued(ticket, *bytes) : nullptr;
}

void CloseSlowest(const std::shared_ptr<host::Link>& slowest, const StreamLimits& limits) {
  if (slowest == nullptr) return;
  slowest->Close(absl::ResourceExhaustedError(absl::StrCat(
      "more than ", limits.queued_bytes_of_all,
      " bytes wait for all bots to read them, and most of these for this one: read the stream all "
      "the time")));
}

}  // namespace

void BotSession::Begin(absl::string_view peer) {
  const absl::Status let_in = login_.Enter(peer, weak_from_this());
  if (!let_in.ok()) return Close(let_in);
  const absl::Duration limit = environment_.limits->hello;
  hello_timer_ =
      environment_.timers->At(environment_.clock->Now() + limit, [weak = weak_from_this(), limit] {
        const std::shared_ptr<BotSession> late = weak.lock();
        if (late == nullptr) return;
        {
          MutexLock lock(&late->mutex_);
          if (late->greeted_) return;
        }
        late->Close(absl::DeadlineExceededError(
            absl::StrCat("no hello within ", absl::FormatDuration(limit))));
      });
  wake_timer_ = environment_.timers->At(Instant::InfiniteFuture(), [weak = weak_from_this()] {
    const std::shared_ptr<BotSession> session = weak.lock();
    if (session == nullptr) return;
    {
      MutexLock lock(&session->mutex_);
      session->outgoing_.NoteWoken();
    }
    session->Flush();
    session->Unpark();
  });
  transport_.Read();
}

// --- Link ---

void BotSession::TellStart(const match::Match& match, Seat seat) {
  const Instant now = environment_.clock->Now();
  const auto fill = [&](v1::RefereeItem* item) { FillStart(match, seat, item); };
  Queue(fill, When::kNow, [&](Batch*, OwedAnswers* owed) {
    if (AsksReady(match)) owed->Add(match.setup().id, PendingRequests::kReady, 0, now);
  });
}

void BotSession::AskNonce(const match::Match& match, Seat) {
  const Instant now = environment_.clock->Now();
  const auto fill = [&](v1::RefereeItem* item) { FillRevealNonce(match, item); };
  Queue(fill, When::kNow, [&](Batch*, OwedAnswers* owed) {
    owed->Add(match.setup().id, PendingRequests::kNonce, 0, now);
  });
}

void BotSession::AskTurn(const std::shared_ptr<host::MatchRunner>& runner,
                         const match::Match& match, Seat seat) {
  const Instant now = environment_.clock->Now();
  const auto fill = [&](v1::RefereeItem* item) {
    TurnRequestToWire(match, seat, now, list_, item->mutable_turn_request());
  };
  Queue(fill, When::kTogether, [&](Batch* batch, OwedAnswers* owed) {
    batch->AddAsked({runner, seat, match.turn(), match.request()});
    owed->Add(runner->id(), match.turn(), match.request());
  });
}

void BotSession::TellPlayed(const match::Match& match, const match::Played& played) {
  // Send at once: a bot whose move was substituted may still be thinking.
  const When when = news_may_wait_ && !played.substituted ? When::kLater : When::kNow;
  const auto fill = [&](v1::RefereeItem* item) {
    service::ToWire(match, played, item->mutable_turn_played());
  };
  Queue(fill, when);
}

void BotSession::TellForfeited(const match::Match& match, const match::Forfeited& forfeited) {
  Queue([&](v1::RefereeItem* item) {
    service::ToWire(match, forfeited, item->mutable_seat_forfeited());
  });
}

void BotSession::TellEnded(const host::MatchRunner& runner) {
  const absl::optional<match::LostTurn> lost = LostTurnOf(runner, login_.name());
  const auto fill = [&](v1::RefereeItem* item) { FillEnd(runner, item); };
  Queue(fill, When::kNow, [&](Batch*, OwedAnswers* owed) { owed->EndMatch(runner.id(), lost); });
}

void BotSession::TellFault(const match::Match& match, const match::TellFault& fault) {
  const std::string& id = match.setup().id.text();
  if (CountsAsFault(fault.kind)) {
    return QueueFault(id, fault.turn, service::ToWire(fault.kind), fault.message);
  }
  const auto fill = [&](v1::RefereeItem* item) {
    FillFault(id, fault.turn, service::ToWire(fault.kind), fault.message, item);
  };
  Queue(fill, When::kNow, [&](Batch*, OwedAnswers* owed) {
    if (fault.kind != match::TellFault::Kind::kIllegalMove) return;
    owed->Add(match.setup().id, fault.turn, match.request());
  });
}

void BotSession::TellDraining(absl::Duration time_left, bool will_return) {
  Queue([&](v1::RefereeItem* item) {
    v1::Draining* const draining = item->mutable_draining();
    service::ToWire(time_left, draining->mutable_time_left());
    draining->set_will_return(will_return);
  });
}

void BotSession::TellNotice(absl::string_view text) {
  Queue([&](v1::RefereeItem* item) { item->mutable_notice()->set_text(text.data(), text.size()); });
}

void BotSession::TellFleet(const std::vector<std::string>& addresses) {
  Queue([&](v1::RefereeItem* item) {
    v1::Fleet* const fleet = item->mutable_fleet();
    for (const std::string& address : addresses) fleet->add_addresses(address);
  });
}

void BotSession::Ping() {
  uint64_t number;
  {
    MutexLock lock(&mutex_);
    if (closing_) return;
    number = owed_.Ping(environment_.clock->Now());
  }
  if (number == 0) return;
  Queue([&](v1::RefereeItem* item) { item->mutable_ping()->set_number(number); });
}

absl::optional<Instant> BotSession::answered() const {
  const int64_t answered = answered_;
  if (answered == kNever) return absl::nullopt;
  return Instant::FromNanos(answered);
}

void BotSession::QueueFault(absl::string_view match_id, uint32_t turn, v1::FaultKind kind,
                            absl::string_view message) {
  // There is an allowance, because no fault is queued before Hello.
  if (absl::Status allowed = login_.allowance()->TakeFault(environment_.clock->Now());
      !allowed.ok()) {
    Refuse(allowed);
    return;
  }
  Queue([&](v1::RefereeItem* item) { FillFault(match_id, turn, kind, message, item); });
}

void BotSession::Flush() {
  const Instant now = environment_.clock->Now();
  bool send = false;
  absl::optional<Instant> wake;
  std::vector<Batch::Asked> waiting;
  std::shared_ptr<host::Link> slowest;
  {
    MutexLock lock(&mutex_);
    if (closing_) return;
    if (!outgoing_.writing()) {
      std::unique_ptr<Batch> due = outgoing_.TakeDue(now, owed_);
      send = due != nullptr;
      if (send) sending_ = std::move(due);
    }
    wake = outgoing_.NewWake(owed_);
    waiting = outgoing_.NoteWaiting(now);
    for (const Batch::Asked& asked : waiting) {
      owed_.NoteOffered(asked.match(), asked.turn, asked.request, now);
    }
    slowest = Report(outgoing_.ChangedBytes(), environment_, login_.ticket());
  }
  for (const Batch::Asked& asked : waiting) {
    if (asked.runner == nullptr) continue;
    asked.runner->RequestOffered(asked.seat, asked.turn, asked.request, now);
  }
  if (send) HandOver();
  if (wake) wake_timer_.SetTo(*wake);
  CloseSlowest(slowest, *environment_.limits);
}

void BotSession::HandOver() {
  const Instant now = environment_.clock->Now();
  absl::optional<absl::Duration> round_trip;  // not set once the session is closing
  if (!sending_->asked().empty()) {
    MutexLock lock(&mutex_);
    if (!closing_) {
      for (const Batch::Asked& asked : sending_->asked()) {
        owed_.NoteSent(asked.match(), asked.turn, asked.request, now);
      }
      const uint64_t number = owed_.Ping(now);
      if (number != 0) {
        sending_->Add([&](v1::RefereeItem* item) { item->mutable_ping()->set_number(number); });
      }
      round_trip = owed_.round_trip();
    }
  }
  for (const Batch::Asked& asked : sending_->asked()) {
    if (!round_trip) break;
    if (asked.runner == nullptr) continue;
    asked.runner->RequestSent(asked.seat, asked.turn, asked.request, now, *round_trip,
                              OfferedBy(asked, now));
  }
  transport_.Write(sending_->message(), sending_->rest());
  // After the write, so that the write carries the flow control grant.
  Unpark();
}

void BotSession::Close(const absl::Status& reason) {
  bool send = false;
  {
    MutexLock lock(&mutex_);
    if (closing_) return;
    closing_ = true;
    reason_ = reason;
    if (!outgoing_.writing()) {
      sending_ = outgoing_.TakeAny();
      send = sending_ != nullptr;
    }
  }
  if (send) HandOver();
  if (!FinishIfDone()) {
    farewell_timer_ = environment_.timers->At(environment_.clock->Now() + kFarewellLimit, [this] {
      MutexLock lock(&mutex_);
      if (!finished_ && !done_) transport_.Cancel();
    });
  }
  // Detaches now, since later items could not be sent.
  login_.LogGone(reason, attachment_.Leave(this));
}

void BotSession::Refuse(const absl::Status& why) {
  // Before it has entered, the bot is unknown or the host has refused it.
  if (attachment_.entered()) environment_.host->NoteRefused(login_.name());
  Close(why);
}

bool BotSession::FinishIfDone() {
  absl::Status reason;
  {
    MutexLock lock(&mutex_);
    if (finished_ || done_) return true;
    if (!closing_ || outgoing_.writing() || starting_read_ || asking_ > 0) return false;
    finished_ = true;
    reason = reason_;
  }
  transport_.Finish(reason);
  return true;
}

// --- Reactions ---

void BotSession::OnWriteDone(bool ok) {
  bool send;
  bool closing;
  std::shared_ptr<host::Link> slowest;
  absl::optional<Instant> wake;
  if (ok && !sending_->asked().empty()) {
    const Instant now = environment_.clock->Now();
    MutexLock lock(&mutex_);
    for (const Batch::Asked& asked : sending_->asked()) {
      owed_.NoteWritten(asked.match(), asked.turn, asked.request, now);
    }
  }
  sending_->Clear();
  {
    MutexLock lock(&mutex_);
    outgoing_.EndWrite(std::move(sending_), ok);
    closing = closing_;
    if (closing) {
      sending_ = outgoing_.TakeAny();
    } else if (!outgoing_.empty()) {
      sending_ = outgoing_.TakeDue(environment_.clock->Now(), owed_);
    }
    send = sending_ != nullptr;
    wake = outgoing_.NewWake(owed_);
    slowest = Report(outgoing_.ChangedBytes(), environment_, login_.ticket());
  }
  if (send) HandOver();
  if (wake) wake_timer_.SetTo(*wake);
  if (closing) FinishIfDone();
  if (!ok) Close(BotGone());
  CloseSlowest(slowest, *environment_.limits);
}

void BotSession::OnRead(const v1::PlayRequest& request, Instant when) {
  // TakeIn refuses an oversized message, before Prepare would copy it.
  if (bot_ != nullptr || request.items_size() > limits::kMaxItemsReceived) {
    return TakeIn(request, when);
  }
  {
    MutexLock lock(&mutex_);
    if (closing_) return;
    ++asking_;
  }
  login_.Prepare(request, when,
                 [self = shared_from_this(), request, when](const absl::Status& done) {
                   done.ok() ? self->TakeIn(request, when) : self->Close(done);
                   {
                     MutexLock lock(&self->mutex_);
                     --self->asking_;
                   }
                   self->FinishIfDone();
                 });
}

void BotSession::TakeIn(const v1::PlayRequest& request, Instant when) {
  {
    MutexLock lock(&mutex_);
    if (closing_) return;  // ignores messages after the end of the session
  }
  absl::Status status;
  {
    host::FlushScope scope;
    status = login_.Admit(request, when);
    if (status.ok()) status = Take(request, when);
  }
  for (const std::shared_ptr<host::Relay>& relay : std::exchange(said_to_, {})) relay->Flush();
  if (!status.ok()) return Refuse(status);
  Flush();
  if (!Park()) transport_.Read();
}

bool BotSession::Park() {
  Instant wake;
  {
    MutexLock lock(&mutex_);
    if (!greeted_ || outgoing_.writing() || closing_ || !owed_.empty()) return false;
    parked_ = true;
    wake = NextStep(kWakeLimit, environment_.clock->Now());
    if (!outgoing_.WakesAt(wake)) return true;
  }
  wake_timer_.SetTo(wake);
  return true;
}

// Reads without the lock, as Read may call OnRead. The stream cannot end in between: with
// starting_read_ set, FinishIfDone leaves that to this function.
void BotSession::Unpark() {
  {
    MutexLock lock(&mutex_);
    if (!parked_ || closing_) return;
    parked_ = false;
    starting_read_ = true;
  }
  transport_.Read();
  bool closing;
  {
    MutexLock lock(&mutex_);
    starting_read_ = false;
    closing = closing_;
  }
  if (closing) FinishIfDone();
}

void BotSession::OnCancel() {
  Close(BotGone());
  attachment_.Leave(this);
}

void BotSession::OnDone() {
  attachment_.Leave(this);
  {
    MutexLock lock(&mutex_);
    done_ = closing_ = true;
    outgoing_.Clear();
  }
  // Released here and not in the destructor, as a match may hold this longer than the service
  // lives.
  login_.Leave();
}

}  // namespace referee::service

#include "referee/service/play/bot_session.h"

#include <algorithm>
#include <utility>

#include "referee/base/limits.h"
#include "referee/service/convert/convert.h"
#include "referee/service/errors.h"
#include "referee/service/step.h"

namespace referee::service {
namespace {

// How long a stream that is being ended may take to send what was told before.
constexpr absl::Duration kFarewellLimit = absl::Seconds(5);

void Fill(absl::string_view match_id, uint32_t turn, v1::FaultKind kind, absl::string_view message,
          v1::Fault* out) {
  out->set_match_id(match_id.data(), match_id.size());
  out->set_turn(turn);
  out->set_kind(kind);
  out->set_message(message.data(), message.size());
}

v1::FaultKind ToWire(match::TellFault::Kind kind) {
  switch (kind) {
    case match::TellFault::Kind::kWrongTurn:
      return v1::FAULT_KIND_WRONG_TURN;
    case match::TellFault::Kind::kUnexpectedReady:
      return v1::FAULT_KIND_UNEXPECTED_READY;
    case match::TellFault::Kind::kIllegalMove:
      return v1::FAULT_KIND_ILLEGAL_MOVE;
    case match::TellFault::Kind::kReplacedRequest:
      return v1::FAULT_KIND_REPLACED_REQUEST;
    case match::TellFault::Kind::kUnexpectedNonce:
      return v1::FAULT_KIND_UNEXPECTED_NONCE;
    case match::TellFault::Kind::kWrongNonce:
      return v1::FAULT_KIND_WRONG_NONCE;
  }
  return v1::FAULT_KIND_UNSPECIFIED;
}

// Since when the link has had the request that it hands over at `now`. What it held by itself, for
// whatever reason, is never so long that the bot would be charged for it.
Instant OfferedBy(const Batch::Asked& asked, Instant now) {
  return std::min(asked.offered, std::max(asked.held, now + -limits::kHandoverLimit));
}

// The turn in which the bot lost the match on time, if it did.
absl::optional<match::LostTurn> LostTurnOf(const host::MatchRunner& runner, absl::string_view bot) {
  if (runner.match() == nullptr) return absl::nullopt;
  const std::vector<std::string>& bots = runner.match()->setup().bots;
  const auto seat = std::find(bots.begin(), bots.end(), bot);
  if (seat == bots.end()) return absl::nullopt;
  return runner.match()->lost_turn(Seat(static_cast<int>(seat - bots.begin())));
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
  const bool readying = match.stage() == match::Match::Stage::kReadying;
  const auto fill = [&](v1::RefereeItem* item) {
    v1::MatchStart* start = item->mutable_match_start();
    MatchToWire(match, start->mutable_match());
    start->set_seat(seat.index());
    if (match.stage() == match::Match::Stage::kPlaying) {
      SnapshotToWire(match, start->mutable_resumed());
    } else if (readying) {
      ToWire(match.setup().time_control.ready, start->mutable_ready_limit());
    }
  };
  Queue(When::kNow, fill, [&](Batch*, OwedAnswers* owed) {
    if (readying) owed->Add(match.setup().id, PendingRequests::kReady, 0, now);
  });
}

void BotSession::AskNonce(const match::Match& match, Seat) {
  const Instant now = environment_.clock->Now();
  const auto fill = [&](v1::RefereeItem* item) {
    v1::RevealNonce* reveal = item->mutable_reveal_nonce();
    reveal->set_match_id(match.setup().id.text());
    HashesToWire(match.nonce_hashes(), reveal->mutable_nonce_hashes());
    ToWire(match.setup().time_control.ready, reveal->mutable_limit());
  };
  Queue(When::kNow, fill, [&](Batch*, OwedAnswers* owed) {
    owed->Add(match.setup().id, PendingRequests::kNonce, 0, now);
  });
}

void BotSession::AskTurn(const std::shared_ptr<host::MatchRunner>& runner,
                         const match::Match& match, Seat seat) {
  const Instant now = environment_.clock->Now();
  const auto fill = [&](v1::RefereeItem* item) {
    TurnRequestToWire(match, seat, now, list_, item->mutable_turn_request());
  };
  Queue(When::kTogether, fill, [&](Batch* batch, OwedAnswers* owed) {
    batch->AddAsked({runner, seat, match.turn(), match.request()});
    owed->Add(runner->id(), match.turn(), match.request());
  });
}

void BotSession::TellPlayed(const match::Match& match, const match::Played& played) {
  // A bot whose move the referee has played may be thinking about it still.
  const When when = news_may_wait_ && !played.substituted ? When::kLater : When::kNow;
  const auto fill = [&](v1::RefereeItem* item) {
    service::ToWire(match, played, item->mutable_turn_played());
  };
  Queue(when, fill, [](Batch*, OwedAnswers*) {});
}

void BotSession::TellForfeited(const match::Match& match, const match::Forfeited& forfeited) {
  Queue([&](v1::RefereeItem* item) {
    service::ToWire(match, forfeited, item->mutable_seat_forfeited());
  });
}

void BotSession::TellEnded(const host::MatchRunner& runner) {
  const absl::optional<match::LostTurn> lost = LostTurnOf(runner, login_.name());
  const auto fill = [&](v1::RefereeItem* item) {
    item->mutable_match_end()->set_match_id(runner.id().text());
    VerdictToWire(runner, item->mutable_match_end()->mutable_verdict());
  };
  Queue(When::kNow, fill, [&](Batch*, OwedAnswers* owed) { owed->EndMatch(runner.id(), lost); });
}

void BotSession::TellFault(const match::Match& match, const match::TellFault& fault) {
  const std::string& id = match.setup().id.text();
  const bool illegal = fault.kind == match::TellFault::Kind::kIllegalMove;
  if (!illegal && fault.kind != match::TellFault::Kind::kReplacedRequest) {
    return QueueFault(id, fault.turn, ToWire(fault.kind), fault.message);
  }
  // Neither costs of the allowance: the match's policy counts the tries, and the bot owes another;
  // that a request is replaced is no fault of the bot's.
  const auto fill = [&](v1::RefereeItem* item) {
    Fill(id, fault.turn, ToWire(fault.kind), fault.message, item->mutable_fault());
  };
  Queue(When::kNow, fill, [&](Batch*, OwedAnswers* owed) {
    if (illegal) owed->Add(match.setup().id, fault.turn, match.request());
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

void BotSession::TellReferral(const host::Referral& referral) {
  Queue([&](v1::RefereeItem* item) { service::ToWire(referral, item->mutable_refer()); });
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
  // Nothing is queued, and so nothing answered, before Hello.
  if (absl::Status allowed = login_.allowance()->TakeFault(environment_.clock->Now());
      !allowed.ok()) {
    Refuse(allowed);
    return;
  }
  Queue([&](v1::RefereeItem* item) { Fill(match_id, turn, kind, message, item->mutable_fault()); });
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
    slowest = ReportQueue();
  }
  for (const Batch::Asked& asked : waiting) {
    asked.runner->RequestOffered(asked.seat, asked.turn, asked.request, now);
  }
  if (send) HandOver();
  if (wake) wake_timer_.SetTo(*wake);
  CloseSlowest(slowest, *environment_.limits);
}

std::shared_ptr<host::Link> BotSession::ReportQueue() {
  const absl::optional<size_t> bytes = outgoing_.ChangedBytes();
  return bytes ? environment_.admission->NoteQueued(login_.ticket(), *bytes) : nullptr;
}

void BotSession::HandOver() {
  const Instant now = environment_.clock->Now();
  if (!sending_->asked().empty()) {
    const absl::optional<absl::Duration> round_trip = NoteHandover(now);
    if (round_trip) {
      for (const Batch::Asked& asked : sending_->asked()) {
        asked.runner->RequestSent(asked.seat, asked.turn, asked.request, now, *round_trip,
                                  OfferedBy(asked, now));
      }
    }
  }
  transport_.Write(sending_->message());
  // Not before: then the write would not carry the grant.
  Unpark();
}

absl::optional<absl::Duration> BotSession::NoteHandover(Instant now) {
  MutexLock lock(&mutex_);
  if (closing_) return absl::nullopt;
  for (const Batch::Asked& asked : sending_->asked()) {
    owed_.NoteSent(asked.runner->id(), asked.turn, asked.request, now);
  }
  const uint64_t number = owed_.Ping(now);
  if (number != 0) {
    sending_->Add([&](v1::RefereeItem* item) { item->mutable_ping()->set_number(number); });
  }
  return owed_.round_trip();
}

void BotSession::Close(const absl::Status& reason) {
  bool send = false;
  bool finish = false;
  {
    MutexLock lock(&mutex_);
    if (closing_) return;
    closing_ = true;
    reason_ = reason;
    if (!outgoing_.writing()) {
      sending_ = outgoing_.TakeAny();
      send = sending_ != nullptr;
    }
    finish = AllDone();
  }
  if (send) HandOver();
  if (finish) {
    FinishNow();
  } else {
    farewell_timer_ = environment_.timers->At(environment_.clock->Now() + kFarewellLimit, [this] {
      MutexLock lock(&mutex_);
      if (!finished_ && !done_) transport_.Cancel();
    });
  }
  // What is told from now on would be lost.
  login_.LogGone(reason, Leave());
}

void BotSession::Refuse(const absl::Status& why) {
  bool attached;
  {
    MutexLock lock(&mutex_);
    attached = attached_ != nullptr;
  }
  // Before that nobody knows whose it is, or the host has said no.
  if (attached) environment_.host->NoteRefused(login_.name());
  Close(why);
}

bool BotSession::AllDone() const {
  return closing_ && !outgoing_.writing() && !starting_read_ && asking_ == 0;
}

void BotSession::FinishNow() {
  absl::Status reason;
  {
    MutexLock lock(&mutex_);
    if (finished_) return;
    finished_ = true;
    reason = reason_;
  }
  transport_.Finish(reason);
}

bool BotSession::Leave() {
  std::shared_ptr<host::Bot> bot;
  {
    MutexLock lock(&mutex_);
    bot = std::move(attached_);
    attached_ = nullptr;
  }
  if (bot == nullptr) return false;
  environment_.host->Detach(bot, this);
  return true;
}

// --- Reactions ---

void BotSession::OnWriteDone(bool ok) {
  bool send;
  bool finish;
  std::shared_ptr<host::Link> slowest;
  absl::optional<Instant> wake;
  if (ok && !sending_->asked().empty()) {
    const Instant now = environment_.clock->Now();
    MutexLock lock(&mutex_);
    for (const Batch::Asked& asked : sending_->asked()) {
      owed_.NoteWritten(asked.runner->id(), asked.turn, asked.request, now);
    }
  }
  sending_->Clear();
  {
    MutexLock lock(&mutex_);
    outgoing_.EndWrite(std::move(sending_), ok);
    if (closing_) {
      sending_ = outgoing_.TakeAny();
    } else if (!outgoing_.empty()) {
      sending_ = outgoing_.TakeDue(environment_.clock->Now(), owed_);
    }
    send = sending_ != nullptr;
    wake = outgoing_.NewWake(owed_);
    finish = AllDone();
    slowest = ReportQueue();
  }
  if (send) HandOver();
  if (wake) wake_timer_.SetTo(*wake);
  if (finish) FinishNow();
  if (!ok) Close(BotGone());
  CloseSlowest(slowest, *environment_.limits);
}

void BotSession::OnRead(const v1::PlayRequest& request, Instant when) {
  if (bot_ != nullptr) return TakeIn(request, when);
  if (!login_.WouldRefuseTokenOf(request)) return HearVersion(request, when);
  AskAndThen(
      [this](Authenticator::Then then) {
        environment_.authenticator->RefreshThen(std::move(then));
      },
      [this, request, when] { HearVersion(request, when); });
}

void BotSession::AskAndThen(const std::function<void(Authenticator::Then)>& ask,
                            std::function<void()> next) {
  {
    MutexLock lock(&mutex_);
    if (closing_) return;
    ++asking_;
  }
  ask([self = shared_from_this(), next = std::move(next)](const absl::Status& done) {
    done.ok() ? next() : self->Close(done);
    bool finish;
    {
      MutexLock lock(&self->mutex_);
      --self->asking_;
      finish = self->AllDone();
    }
    if (finish) self->FinishNow();
  });
}

void BotSession::HearVersion(const v1::PlayRequest& request, Instant when) {
  const absl::optional<std::string> bot = login_.BotOfNewVersion(request);
  if (!bot) return TakeIn(request, when);
  if (absl::Status may = environment_.admission->TakeVersion(*bot, when); !may.ok()) {
    environment_.host->NoteRefused(*bot);
    return Close(may);
  }
  AskAndThen(
      [&](Authenticator::Then then) {
        environment_.authenticator->TellVersion(*bot, Login::HelloOf(request)->version(),
                                                std::move(then));
      },
      [this, bot, request, when] {
        if (environment_.version_changed) environment_.version_changed(*bot);
        TakeIn(request, when);
      });
}

void BotSession::TakeIn(const v1::PlayRequest& request, Instant when) {
  {
    MutexLock lock(&mutex_);
    if (closing_) return;  // what a stream says after its end is not heard
  }
  absl::Status status;
  {
    host::FlushScope scope;
    status = login_.Admit(request, when);
    if (status.ok()) status = Take(request, when);
  }
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

// Reads without the lock, as OnRead may be called inside. The stream does not end in between:
// whoever would end it leaves that to this.
void BotSession::Unpark() {
  {
    MutexLock lock(&mutex_);
    if (!parked_ || closing_) return;
    parked_ = false;
    starting_read_ = true;
  }
  transport_.Read();
  bool finish;
  {
    MutexLock lock(&mutex_);
    starting_read_ = false;
    finish = AllDone();
  }
  if (finish) FinishNow();
}

void BotSession::OnCancel() {
  Close(BotGone());
  Leave();
}

void BotSession::OnDone() {
  Leave();
  {
    MutexLock lock(&mutex_);
    done_ = closing_ = true;
    outgoing_.Clear();
  }
  // Not in the destructor: a match may hold this for longer than the service lives.
  login_.Leave();
}

}  // namespace referee::service

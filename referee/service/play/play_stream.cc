#include "referee/service/play/play_stream.h"

#include <algorithm>
#include <utility>

#include "referee/base/limits.h"
#include "referee/service/convert/convert.h"
#include "referee/service/errors.h"

namespace referee::service {
namespace {

// How long a stream that is being ended may take to send what was told before.
constexpr absl::Duration kFarewellLimit = absl::Seconds(5);

// How long a stream may go without reading when its bot owes nothing. The ends of that come in step
// for all streams, so that many cost one wake-up.
constexpr absl::Duration kParkLimit = absl::Milliseconds(100);

Instant EndOfParking(Instant now) {
  const int64_t step = absl::ToInt64Nanoseconds(kParkLimit);
  return Instant::FromNanos((now.nanos() / step + 1) * step);
}

// So many items of no kind are the mark that no message has been read.
constexpr int kMarkItems = 3;

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
  }
  return v1::FAULT_KIND_UNSPECIFIED;
}

}  // namespace

PlayStream* PlayStream::Serve(const ServerOptions& options, Admission* admission,
                              Sessions* sessions, grpc::CallbackServerContext* context) {
  std::shared_ptr<PlayStream> stream(new PlayStream(options, admission, sessions, context));
  stream->self_ = stream;
  const absl::StatusOr<uint64_t> ticket =
      admission->Enter(stream, context->peer(), options.clock->Now());
  if (!ticket.ok()) {
    stream->Close(ticket.status());
    return stream.get();
  }
  stream->ticket_ = *ticket;
  stream->ArmHelloLimit();
  stream->unpark_timer_ =
      options.timers->At(Instant::InfiniteFuture(), [weak = std::weak_ptr<PlayStream>(stream)] {
        if (const std::shared_ptr<PlayStream> parked = weak.lock()) parked->Unpark();
      });
  stream->ReadNext();
  return stream.get();
}

void PlayStream::ArmHelloLimit() {
  const absl::Duration limit = options_.stream_limits.hello;
  hello_timer_ =
      options_.timers->At(options_.clock->Now() + limit, [weak = weak_from_this(), limit] {
        const std::shared_ptr<PlayStream> late = weak.lock();
        if (late == nullptr) return;
        {
          MutexLock lock(&late->mutex_);
          if (late->greeted_) return;
        }
        late->Close(HelloTooLate(absl::FormatDuration(limit)));
      });
}

// --- Link ---

template <typename Fill>
void PlayStream::Queue(Fill fill) {
  absl::Status room;
  {
    MutexLock lock(&mutex_);
    if (closing_) return;
    room = CheckQueue();
    if (room.ok()) outbox_.Filling().Add(fill);
  }
  if (!room.ok()) Close(room);
}

absl::Status PlayStream::CheckQueue() const {
  const StreamLimits& limits = options_.stream_limits;
  if (outbox_.items() >= limits.queued_items) return TooSlow(limits.queued_items);
  if (outbox_.bytes() >= queue_bytes_limit_) return TooSlowForBytes(queue_bytes_limit_);
  return absl::OkStatus();
}

void PlayStream::TellStart(const match::Match& match, Seat seat) {
  const Instant now = options_.clock->Now();
  Queue([&](v1::RefereeItem* item) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    v1::MatchStart* start = item->mutable_match_start();
    MatchToWire(match, start->mutable_match());
    start->set_seat(seat.index());
    ToWire(match.setup().time_control.ready, start->mutable_ready_limit());
    if (match.stage() == match::Match::Stage::kPlaying) {
      SnapshotToWire(match, start->mutable_resumed());
    } else {
      pending_.Add(match.setup().id, PendingRequests::kReady, 0, now);
    }
  });
}

void PlayStream::AskTurn(const std::shared_ptr<host::MatchRunner>& runner,
                         const match::Match& match, Seat seat) {
  const Instant now = options_.clock->Now();
  Queue([&](v1::RefereeItem* item) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    TurnRequestToWire(match, seat, now, wants_legal_moves_, item->mutable_turn_request());
    outbox_.Filling().AddAsked({runner, seat, match.turn(), match.request()});
    pending_.Add(runner->id(), match.turn(), match.request());
  });
}

void PlayStream::TellPlayed(const match::Match& match, const match::Played& played) {
  Queue(
      [&](v1::RefereeItem* item) { service::ToWire(match, played, item->mutable_turn_played()); });
}

void PlayStream::TellForfeited(const match::Match& match, const match::Forfeited& forfeited) {
  Queue([&](v1::RefereeItem* item) {
    service::ToWire(match, forfeited, item->mutable_seat_forfeited());
  });
}

void PlayStream::TellEnded(const host::MatchRunner& runner) {
  Queue([&](v1::RefereeItem* item) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    pending_.Forget(runner.id());
    item->mutable_match_end()->set_match_id(runner.id().text());
    VerdictToWire(runner, item->mutable_match_end()->mutable_verdict());
  });
}

void PlayStream::TellFault(const match::Match& match, const match::TellFault& fault) {
  const std::string& id = match.setup().id.text();
  const bool illegal = fault.kind == match::TellFault::Kind::kIllegalMove;
  if (!illegal && fault.kind != match::TellFault::Kind::kReplacedRequest) {
    return QueueFault(id, fault.turn, ToWire(fault.kind), fault.message);
  }
  // Neither costs of the allowance: the match's policy counts the tries, and the bot owes another;
  // that a request is replaced is no fault of the bot's.
  Queue([&](v1::RefereeItem* item) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    Fill(id, fault.turn, ToWire(fault.kind), fault.message, item->mutable_fault());
    if (illegal) pending_.Add(match.setup().id, fault.turn, match.request());
  });
}

void PlayStream::TellDraining(absl::Duration time_left) {
  Queue([&](v1::RefereeItem* item) {
    service::ToWire(time_left, item->mutable_draining()->mutable_time_left());
  });
}

void PlayStream::QueueWelcome(const std::string& bot, int max_matches) {
  Queue([&](v1::RefereeItem* item) {
    v1::Welcome* welcome = item->mutable_welcome();
    welcome->set_bot(bot);
    welcome->set_referee(options_.host->software());
    welcome->set_max_matches(static_cast<uint32_t>(max_matches));
  });
}

void PlayStream::QueueFault(absl::string_view match_id, uint32_t turn, v1::FaultKind kind,
                            absl::string_view message) {
  // Nothing is queued, and so nothing answered, before Hello.
  if (absl::Status allowed = allowance_->TakeFault(options_.clock->Now()); !allowed.ok()) {
    Close(allowed);
    return;
  }
  Queue([&](v1::RefereeItem* item) { Fill(match_id, turn, kind, message, item->mutable_fault()); });
}

void PlayStream::Flush() {
  {
    MutexLock lock(&mutex_);
    if (writing_ || closing_ || !TakeFilled()) return;
  }
  HandOver();
}

// REQUIRES: the caller has set writing_, and there is something in sending_.
void PlayStream::HandOver() {
  const Instant now = options_.clock->Now();
  if (!sending_->asked().empty()) {
    const absl::Duration round_trip = NoteHandover(now);
    for (const Batch::Asked& asked : sending_->asked()) {
      asked.runner->RequestSent(asked.seat, asked.turn, asked.request, now, round_trip);
    }
  }
  StartWrite(&sending_->message());
  // Not before: then the write would not carry the grant.
  Unpark();
}

absl::Duration PlayStream::NoteHandover(Instant now) {
  MutexLock lock(&mutex_);
  for (const Batch::Asked& asked : sending_->asked()) {
    pending_.Sent(asked.runner->id(), asked.turn, asked.request, now);
  }
  const uint64_t number = round_trip_.Ping(now);
  if (number != 0) {
    sending_->Add([&](v1::RefereeItem* item) { item->mutable_ping()->set_number(number); });
  }
  return round_trip_.estimate();
}

void PlayStream::NoteWritten() {
  const Instant now = options_.clock->Now();
  MutexLock lock(&mutex_);
  for (const Batch::Asked& asked : sending_->asked()) {
    pending_.Written(asked.runner->id(), asked.turn, asked.request, now);
  }
}

void PlayStream::Close(const absl::Status& reason) {
  bool send = false;
  bool finish = false;
  {
    MutexLock lock(&mutex_);
    if (closing_) return;
    closing_ = true;
    reason_ = reason;
    if (!writing_) send = TakeFilled();
    finish = AllDone();
  }
  if (send) HandOver();
  if (finish) {
    FinishNow();
  } else {
    CancelLater();
  }
  // What is told from now on would be lost.
  Leave();
}

bool PlayStream::TakeFilled() {
  if (outbox_.empty()) return false;
  writing_ = true;
  sending_ = outbox_.Take();
  return true;
}

bool PlayStream::AllDone() const { return closing_ && !writing_ && !starting_read_; }

void PlayStream::FinishNow() {
  absl::Status reason;
  {
    MutexLock lock(&mutex_);
    if (finished_) return;
    finished_ = true;
    reason = reason_;
  }
  Finish(ToGrpc(reason));
}

void PlayStream::CancelLater() {
  farewell_timer_ = options_.timers->At(options_.clock->Now() + kFarewellLimit, [this] {
    MutexLock lock(&mutex_);
    if (context_ != nullptr && !finished_) context_->TryCancel();
  });
}

void PlayStream::Leave() {
  std::shared_ptr<host::Bot> bot;
  {
    MutexLock lock(&mutex_);
    bot = std::move(attached_);
    attached_ = nullptr;
  }
  if (bot != nullptr) options_.host->Detach(bot, this);
}

// --- Reactions ---

void PlayStream::OnWriteDone(bool ok) {
  bool send;
  bool finish;
  if (ok && !sending_->asked().empty()) NoteWritten();
  sending_->Clear();
  {
    MutexLock lock(&mutex_);
    writing_ = false;
    outbox_.Reuse(std::move(sending_));
    if (!ok) {
      outbox_.Clear();
      closing_ = true;
    }
    send = TakeFilled();
    finish = AllDone();
  }
  if (send) HandOver();
  if (finish) FinishNow();
}

void PlayStream::OnReadDone(bool ok) {
  const Instant when = options_.clock->Now();
  if (!ok) return Close(Garbled() ? UnreadableMessage() : absl::OkStatus());
  {
    MutexLock lock(&mutex_);
    if (closing_) return;  // what a stream says after its end is not heard
  }
  absl::Status status;
  {
    host::FlushScope scope;
    status = Admit(request_, when);
    if (status.ok()) status = Take(request_, when);
  }
  if (!status.ok()) return Close(status);
  Flush();
  if (!Park()) ReadNext();
}

// gRPC does not tell a message that could not be read from the end of the stream. But reading one
// replaces what was in request_, and the end does not; so a mark is left there, which looks like no
// message but one that is made to.
void PlayStream::ReadNext() {
  request_.Clear();
  for (int i = 0; i < kMarkItems; ++i) request_.add_items();
  StartRead(&request_);
}

bool PlayStream::Park() {
  {
    MutexLock lock(&mutex_);
    if (!greeted_ || writing_ || closing_ || !pending_.empty()) return false;
    parked_ = true;
  }
  unpark_timer_.SetTo(EndOfParking(options_.clock->Now()));
  return true;
}

// Reads without the lock, as OnReadDone may be called inside. The call does not end in between:
// whoever would end it leaves that to this.
void PlayStream::Unpark() {
  {
    MutexLock lock(&mutex_);
    if (!parked_ || closing_) return;
    parked_ = false;
    starting_read_ = true;
  }
  ReadNext();
  bool finish;
  {
    MutexLock lock(&mutex_);
    starting_read_ = false;
    finish = AllDone();
  }
  if (finish) FinishNow();
}

bool PlayStream::Garbled() const {
  return request_.items_size() != kMarkItems ||
         std::any_of(request_.items().begin(), request_.items().end(), [](const auto& item) {
           return item.kind_case() != v1::BotItem::KIND_NOT_SET;
         });
}

void PlayStream::OnCancel() {
  Close(absl::CancelledError("the bot has gone"));
  Leave();
}

void PlayStream::OnDone() {
  Leave();
  {
    MutexLock lock(&mutex_);
    context_ = nullptr;
    closing_ = true;
    outbox_.Clear();
  }
  // Not in the destructor: a match may hold this for longer than the service lives.
  if (session_ != 0) sessions_.Remove(session_);
  if (ticket_ != 0) admission_.Leave(ticket_);
  const std::shared_ptr<PlayStream> last = std::move(self_);
}

}  // namespace referee::service

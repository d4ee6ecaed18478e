#include "referee/service/play_stream.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/games/catalogue.h"
#include "referee/service/convert.h"

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

// A client takes messages of 4 MiB, unless it says otherwise. So few items are less, whatever they
// are: a batch is only measured when it has more. The item that fills it up comes on top.
constexpr int kFewItems = 32;
constexpr size_t kFullBytes = 1 << 20;

// So many items of no kind are the mark that no message has been read.
constexpr int kMarkItems = 3;

v1::FaultKind ToWire(match::TellFault::Kind kind) {
  return kind == match::TellFault::Kind::kWrongTurn ? v1::FAULT_KIND_WRONG_TURN
                                                    : v1::FAULT_KIND_UNEXPECTED_READY;
}

absl::StatusOr<games::Move> ReadMove(const games::Game& game, const v1::Move& move) {
  if (move.game_case() == v1::Move::kNotation) return game.ParseMove(move.notation());
  return games::Find(game.name())->wire->MoveFromWire(game, move);
}

}  // namespace

PlayStream::Batch::Batch()
    : message(google::protobuf::Arena::CreateMessage<v1::PlayResponse>(&arena)) {}

void PlayStream::Batch::Clear() {
  asked.clear();
  bytes = 0;
  arena.Reset();
  message = google::protobuf::Arena::CreateMessage<v1::PlayResponse>(&arena);
}

template <typename Fill>
void PlayStream::Batch::Add(Fill fill) {
  v1::RefereeItem* item = message->add_items();
  fill(item);
  if (message->items_size() == kFewItems) bytes = message->ByteSizeLong();
  if (message->items_size() > kFewItems) bytes += item->ByteSizeLong();
}

bool PlayStream::Batch::full() const { return bytes >= kFullBytes; }

PlayStream* PlayStream::Serve(const ServerOptions& options, grpc::CallbackServerContext* context) {
  std::shared_ptr<PlayStream> stream(new PlayStream(options, context));
  stream->self_ = stream;
  options.timers->At(options.clock->Now() + options.hello_limit,
                     [weak = std::weak_ptr<PlayStream>(stream), limit = options.hello_limit] {
                       const std::shared_ptr<PlayStream> late = weak.lock();
                       if (late == nullptr) return;
                       {
                         MutexLock lock(&late->mutex_);
                         if (late->greeted_) return;
                       }
                       late->Close(HelloTooLate(absl::FormatDuration(limit)));
                     });
  stream->ReadNext();
  return stream.get();
}

PlayStream::PlayStream(const ServerOptions& options, grpc::CallbackServerContext* context)
    : options_(options), context_(context) {}

// --- Link ---

template <typename Fill>
void PlayStream::Queue(Fill fill) {
  {
    MutexLock lock(&mutex_);
    if (closing_) return;
    if (queued_ < limits::kMaxQueuedItems) {
      Filling().Add(fill);
      ++queued_;
      return;
    }
  }
  Close(TooSlow(limits::kMaxQueuedItems));
}

void PlayStream::TellStart(const match::Match& match, Seat seat) {
  Queue([&](v1::RefereeItem* item) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    v1::MatchStart* start = item->mutable_match_start();
    MatchToWire(match, start->mutable_match());
    start->set_seat(seat.index());
    ToWire(match.setup().time_control.ready, start->mutable_ready_limit());
    if (match.stage() == match::Match::Stage::kPlaying) {
      SnapshotToWire(match, start->mutable_resumed());
    } else {
      owed_[match.setup().id] = 0;
    }
  });
}

void PlayStream::AskTurn(const std::shared_ptr<host::Runner>& runner, const match::Match& match,
                         Seat seat) {
  const Instant now = options_.clock->Now();
  Queue([&](v1::RefereeItem* item) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    TurnRequestToWire(match, seat, now, wants_legal_moves_, item->mutable_turn_request());
    filled_.back()->asked.push_back({runner, seat, match.turn()});
    owed_[runner->id()] = match.turn();
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

void PlayStream::TellEnded(const host::Runner& runner) {
  Queue([&](v1::RefereeItem* item) ABSL_NO_THREAD_SAFETY_ANALYSIS {
    owed_.erase(runner.id());
    item->mutable_match_end()->set_match_id(runner.id().text());
    VerdictToWire(runner, item->mutable_match_end()->mutable_verdict());
  });
}

void PlayStream::TellFault(const match::Match& match, const match::TellFault& fault) {
  QueueFault(match.setup().id.text(), fault.turn, ToWire(fault.kind), fault.message);
}

void PlayStream::TellDraining(absl::Duration time_left) {
  Queue([&](v1::RefereeItem* item) {
    service::ToWire(time_left, item->mutable_draining()->mutable_time_left());
  });
}

void PlayStream::QueueFault(absl::string_view match_id, uint32_t turn, v1::FaultKind kind,
                            absl::string_view message) {
  bool too_many;
  {
    MutexLock lock(&mutex_);
    too_many = ++faults_ > limits::kMaxProtocolErrors;
  }
  if (too_many) {
    Close(TooManyFaults(limits::kMaxProtocolErrors));
    return;
  }
  Queue([&](v1::RefereeItem* item) {
    v1::Fault* fault = item->mutable_fault();
    fault->set_match_id(match_id.data(), match_id.size());
    fault->set_turn(turn);
    fault->set_kind(kind);
    fault->set_message(message.data(), message.size());
  });
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
  for (const Batch::Asked& asked : sending_->asked) {
    asked.runner->RequestSent(asked.seat, asked.turn, now);
  }
  StartWrite(sending_->message);
  // Not before: then the write would not carry the grant.
  Unpark();
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

PlayStream::Batch& PlayStream::Filling() {
  if (filled_.empty() || filled_.back()->full()) {
    filled_.push_back(spare_ != nullptr ? std::move(spare_) : std::make_unique<Batch>());
    spare_ = nullptr;
  }
  return *filled_.back();
}

bool PlayStream::TakeFilled() {
  if (filled_.empty()) return false;
  writing_ = true;
  sending_ = std::move(filled_.front());
  filled_.pop_front();
  queued_ -= static_cast<size_t>(sending_->message->items_size());
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
  options_.timers->At(options_.clock->Now() + kFarewellLimit, [weak = weak_from_this()] {
    const std::shared_ptr<PlayStream> stream = weak.lock();
    if (stream == nullptr) return;
    MutexLock lock(&stream->mutex_);
    if (stream->context_ != nullptr && !stream->finished_) stream->context_->TryCancel();
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
  sending_->Clear();
  {
    MutexLock lock(&mutex_);
    writing_ = false;
    spare_ = std::move(sending_);
    if (!ok) {
      filled_.clear();
      queued_ = 0;
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
    status = Take(request_, when);
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
    if (!greeted_ || writing_ || closing_ || !owed_.empty()) return false;
    parked_ = true;
    if (unpark_timer_armed_) return true;
    unpark_timer_armed_ = true;
  }
  options_.timers->At(EndOfParking(options_.clock->Now()), [weak = weak_from_this()] {
    const std::shared_ptr<PlayStream> stream = weak.lock();
    if (stream == nullptr) return;
    {
      MutexLock lock(&stream->mutex_);
      stream->unpark_timer_armed_ = false;
    }
    stream->Unpark();
  });
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
    filled_.clear();
    queued_ = 0;
  }
  const std::shared_ptr<PlayStream> last = std::move(self_);
}

// --- What a bot says ---

absl::Status PlayStream::Take(const v1::PlayRequest& request, Instant when) {
  if (request.items_size() > limits::kMaxItemsReceived) {
    return TooManyItems(request.items_size(), limits::kMaxItemsReceived);
  }
  int faults_before;
  {
    MutexLock lock(&mutex_);
    faults_before = faults_;
  }
  for (const v1::BotItem& item : request.items()) {
    if (bot_ == nullptr && item.kind_case() != v1::BotItem::kHello) return NoHello();
    switch (item.kind_case()) {
      case v1::BotItem::kHello:
        if (absl::Status greeted = Take(item.hello()); !greeted.ok()) return greeted;
        break;
      case v1::BotItem::kReady:
        Take(item.ready(), when);
        break;
      case v1::BotItem::kMove:
        Take(item.move(), when);
        break;
      case v1::BotItem::kResign:
        Take(item.resign(), when);
        break;
      case v1::BotItem::kPong:
      case v1::BotItem::KIND_NOT_SET:
        break;  // of a later version
    }
  }
  MutexLock lock(&mutex_);
  if (faults_ == faults_before) faults_ = 0;
  return absl::OkStatus();
}

absl::Status PlayStream::Take(const v1::Hello& hello) {
  if (bot_ != nullptr) {
    QueueFault("", 0, v1::FAULT_KIND_REPEATED_HELLO, HelloTwice().message());
    return absl::OkStatus();
  }
  if (hello.software().size() > limits::kMaxNameBytes || !IsPlainText(hello.software())) {
    return BadName("hello.software", hello.software());
  }
  if (hello.games_size() > limits::kMaxGamesInHello) {
    return BadValue("hello.games", absl::StrCat(hello.games_size(), " names"),
                    absl::StrCat("at most ", limits::kMaxGamesInHello, " names"));
  }
  for (const std::string& game : hello.games()) {
    const bool name = !game.empty() && game.size() <= limits::kMaxNameBytes && IsPlainText(game);
    if (!name) return BadName("hello.games", game);
  }
  const Identity* identity = hello.token().size() > limits::kMaxTokenBytes
                                 ? nullptr
                                 : options_.credentials->Find(hello.token());
  if (identity == nullptr) return UnknownToken();
  if (identity->role != Role::kBot) return TokenOfOrganiser();

  host::Hello said;
  said.software = hello.software();
  said.games.assign(hello.games().begin(), hello.games().end());
  said.max_matches =
      static_cast<int>(std::min<uint32_t>(std::max<uint32_t>(hello.max_matches(), 1),
                                          static_cast<uint32_t>(limits::kMaxMatchesPerBot)));
  wants_legal_moves_ = hello.wants_legal_moves();
  {
    MutexLock lock(&mutex_);
    greeted_ = true;
  }
  Queue([&](v1::RefereeItem* item) {
    v1::Welcome* welcome = item->mutable_welcome();
    welcome->set_bot(identity->name);
    welcome->set_referee(options_.host->software());
    welcome->set_max_matches(said.max_matches);
  });
  absl::StatusOr<std::shared_ptr<host::Bot>> bot =
      options_.host->Attach(identity->name, shared_from_this(), std::move(said));
  if (!bot.ok()) return bot.status();
  bot_ = *bot;
  MutexLock lock(&mutex_);
  attached_ = bot_;
  return absl::OkStatus();
}

host::Bot::Place PlayStream::FindPlace(const std::string& match_id, uint32_t turn) {
  host::Bot::Place place = bot_->FindPlace(match_id);
  if (place.runner == nullptr) {
    QueueFault(match_id.size() > limits::kMaxNameBytes ? "" : match_id, turn,
               v1::FAULT_KIND_UNKNOWN_MATCH, NotInMatch(match_id).message());
  }
  return place;
}

void PlayStream::Settle(const MatchId& id, uint32_t turn) {
  MutexLock lock(&mutex_);
  const auto owed = owed_.find(id);
  if (owed != owed_.end() && owed->second == turn) owed_.erase(owed);
}

void PlayStream::Take(const v1::Ready& ready, Instant when) {
  const host::Bot::Place place = FindPlace(ready.match_id(), 0);
  if (place.runner == nullptr) return;
  Settle(place.runner->id(), 0);
  if (ready.nonce().size() > limits::kMaxNonceBytes) {
    QueueFault(ready.match_id(), 0, v1::FAULT_KIND_MALFORMED,
               NonceTooLong(ready.nonce().size()).message());
    return;
  }
  place.runner->Post(match::ReadyReceived{place.seat, ready.nonce()}, when);
}

void PlayStream::Take(const v1::MoveReply& reply, Instant when) {
  const host::Bot::Place place = FindPlace(reply.match_id(), reply.turn());
  if (place.runner == nullptr) return;
  Settle(place.runner->id(), reply.turn());
  const absl::StatusOr<games::Move> move = ReadMove(*place.runner->request().game, reply.move());
  if (move.ok()) {
    place.runner->Post(match::Replied{place.seat, reply.turn(), *move}, when);
  } else {
    place.runner->Post(match::RepliedUnreadably{place.seat, reply.turn(), move.status()}, when);
  }
}

void PlayStream::Take(const v1::Resign& resign, Instant when) {
  const host::Bot::Place place = FindPlace(resign.match_id(), 0);
  if (place.runner != nullptr) place.runner->Post(match::Resigned{place.seat}, when);
}

}  // namespace referee::service

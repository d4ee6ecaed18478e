#include "tests/simulation/relay_bot.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/dice/dice.h"
#include "tests/simulation/relay_world.h"

namespace referee::simulation {
namespace {

constexpr absl::Duration kBackAfter = absl::Milliseconds(1);
constexpr absl::Duration kMostSeldom = absl::Seconds(1);
constexpr absl::Duration kQuickWrite = absl::Microseconds(50);

absl::Duration FromWire(const google::protobuf::Duration& duration) {
  return absl::Seconds(duration.seconds()) + absl::Nanoseconds(duration.nanos());
}

// Tells its stream when it ends.
class RelaySession final : public service::BotSession {
 public:
  RelaySession(const Environment* environment, RelayStream* stream)
      : BotSession(environment, stream), stream_(*stream) {}
  void Close(const absl::Status& reason) override {
    stream_.OnClosing();
    BotSession::Close(reason);
  }

 private:
  RelayStream& stream_;
};

}  // namespace

RelayStream::RelayStream(RelayWorld* world, int bot, int node, int number)
    : world_(*world),
      bot_(bot),
      node_(node),
      number_(number),
      latency_(world->plan().bots[static_cast<size_t>(bot)].latency),
      random_(world->plan().seed, For::kStream, number) {}

// --- The bot's end ---

void RelayStream::Open() {
  environment_ = world_.Accept(node_, shared_from_this());
  if (environment_ == nullptr) return TellBotLost(latency_ * 2);
  gate_ = world_.gate(node_);
  const RelayBotPlan& plan = world_.plan().bots[static_cast<size_t>(bot_)];
  v1::PlayRequest request;
  v1::Hello* const hello = request.add_items()->mutable_hello();
  hello->set_token(plan.name);
  hello->set_software("bot");
  hello->set_max_matches(static_cast<uint32_t>(plan.max_matches));
  hello->set_wants_legal_moves(true);
  Send(std::move(request));
}

void RelayStream::Send(v1::PlayRequest request) {
  if (cut_ || !bot_end_open_ || gate_ == nullptr) return;
  EventQueue& queue = world_.queue();
  to_node_ = std::max(to_node_, queue.Now() + random_.Between(latency_, latency_ * 2));
  gate_->At(to_node_, [self = shared_from_this(), request = std::move(request)] {
    if (!self->cut_) self->Arrive(request);
  });
}

void RelayStream::TellBotLost(absl::Duration after) {
  EventQueue& queue = world_.queue();
  queue.At(std::max(to_bot_, queue.Now() + after), [self = shared_from_this()] {
    if (!std::exchange(self->bot_end_open_, false)) return;
    self->world_.bot(self->bot_).OnLost(self.get());
  });
}

// --- The network ---

void RelayStream::Cut(absl::Duration node_after, absl::Duration bot_after) {
  if (std::exchange(cut_, true)) return;
  world_.chronicle().Note("cut", {bot_, number_});
  TellBotLost(bot_after);
  AtNode(world_.queue().Now() + node_after, [this] { Break(); });
}

// --- The node's end ---

void RelayStream::AtNode(Instant when, std::function<void()> call) {
  if (gate_ == nullptr) return;
  gate_->At(when, [self = shared_from_this(), call = std::move(call)] {
    if (self->session_ != nullptr) call();
  });
}

void RelayStream::Arrive(const v1::PlayRequest& request) {
  if (!std::exchange(greeted_, true)) {
    session_ = std::make_shared<RelaySession>(environment_, this);
    session_->Begin(absl::StrCat("ipv4:10.0.0.", bot_, ":1"));
  }
  if (session_ == nullptr) return;
  inbox_.push_back(request);
  if (reading_) Deliver();
}

void RelayStream::Read() {
  reading_ = true;
  const Instant now = world_.queue().Now();
  if (finished_ || broken_) return AtNode(now, [this] { FailRead(); });
  if (inbox_.empty()) return;
  if (random_.OneIn(4)) return Deliver();
  AtNode(now, [this] { Deliver(); });
}

void RelayStream::Deliver() {
  if (!reading_ || inbox_.empty() || session_ == nullptr) return;
  const v1::PlayRequest request = std::move(inbox_.front());
  inbox_.pop_front();
  reading_ = false;
  const bool greets = request.items(0).has_hello();
  if (greets) world_.witness().OnAttached(bot_, number_, node_);
  if (!closing_) {
    for (const v1::BotItem& item : request.items()) world_.witness().OnRead(bot_, number_, item);
  }
  const std::shared_ptr<service::BotSession> session = session_;
  session->OnRead(request, world_.queue().Now());
  if (greets && session->bot() == nullptr) OnClosing();
  EndIfDone();
}

void RelayStream::Write(const v1::PlayResponse& begun, absl::string_view rest) {
  if (gate_->dead) return;
  v1::PlayResponse message;
  message.ParseFromString(absl::StrCat(begun.SerializeAsString(), rest));
  if (writing_) world_.chronicle().Fail("two messages to a bot were written at once");
  ++writes_;
  writing_ = true;
  const Instant now = world_.queue().Now();
  if (!closing_) {
    for (const v1::RefereeItem& item : message.items()) {
      world_.witness().OnWritten(bot_, number_, item);
    }
  }
  if (broken_) return AtNode(now, [this, write = writes_] { EndWrite(write, false); });
  to_bot_ = std::max(to_bot_, now + random_.Between(latency_, latency_ * 2));
  world_.queue().At(to_bot_, [self = shared_from_this(), message = std::move(message)] {
    if (self->cut_ || !self->bot_end_open_) return;
    RelayBot& bot = self->world_.bot(self->bot_);
    if (bot.IsOn(self.get())) bot.OnTold(message);
  });
  if (random_.OneIn(3)) return EndWrite(writes_, true);
  AtNode(now + random_.Between(absl::ZeroDuration(), kQuickWrite),
         [this, write = writes_] { EndWrite(write, true); });
}

void RelayStream::EndWrite(int write, bool ok) {
  if (!writing_ || write != writes_) return;
  writing_ = false;
  if (!ok) OnClosing();
  session_->OnWriteDone(ok);
  EndIfDone();
}

void RelayStream::FailRead() {
  if (!reading_) return;
  reading_ = false;
  session_->Close(absl::OkStatus());
  EndIfDone();
}

void RelayStream::Break() {
  if (std::exchange(broken_, true)) return;
  OnClosing();
  session_->OnCancel();
  FailRead();
  EndWrite(writes_, false);
}

void RelayStream::Finish(const absl::Status& status) {
  if (gate_->dead) return;
  world_.chronicle().Note("stream ends", {bot_, number_, static_cast<int>(status.code())});
  finished_ = true;
  if (!cut_) TellBotLost(latency_);
  if (reading_) AtNode(world_.queue().Now(), [this] { FailRead(); });
  EndIfDone();
}

void RelayStream::Cancel() {
  if (gate_->dead) return;
  if (!cut_) TellBotLost(latency_);
  AtNode(world_.queue().Now(), [this] { Break(); });
}

void RelayStream::EndIfDone() {
  if (!finished_ || ending_ || reading_ || writing_) return;
  ending_ = true;
  AtNode(world_.queue().Now(), [this] {
    session_->OnDone();
    session_ = nullptr;
  });
}

void RelayStream::OnClosing() {
  if (std::exchange(closing_, true) || gate_->dead) return;
  world_.witness().OnLost(bot_, number_, /*own=*/true);
}

void RelayStream::NodeDied() {
  world_.witness().OnLost(bot_, number_, /*own=*/closing_);
  closing_ = true;
  if (!cut_) TellBotLost(latency_);
}

void RelayStream::Bury() {
  if (session_ == nullptr) return;
  if (std::exchange(writing_, false)) session_->OnWriteDone(false);
  session_->OnDone();
  session_ = nullptr;
}

// --- The bot ---

RelayBot::RelayBot(RelayWorld* world, int index)
    : world_(*world),
      index_(index),
      back_after_(kBackAfter),
      next_node_(world->plan().bots[static_cast<size_t>(index)].node) {}

void RelayBot::Connect(int node) {
  next_node_ = node;
  const int number = world_.NextStream();
  world_.chronicle().Note("connects", {index_, node, number});
  stream_ = std::make_shared<RelayStream>(&world_, index_, node, number);
  stream_->Open();
}

// It dials the same node again, and then the next.
void RelayBot::OnLost(const RelayStream* stream) {
  if (stream != stream_.get()) return;
  stream_ = nullptr;
  if (std::exchange(same_again_, !same_again_)) next_node_ = (next_node_ + 1) % kNodes;
  world_.queue().At(world_.queue().Now() + back_after_, [this] {
    if (stream_ == nullptr) Connect(next_node_);
  });
  back_after_ = std::min(back_after_ * 2, kMostSeldom);
}

Random RelayBot::RandomOf(const std::string& match_id, uint64_t what) {
  return Random(world_.plan().seed, For::kTurn, index_, DigestOf(match_id), what,
                asked_[match_id]++);
}

void RelayBot::OnTold(const v1::PlayResponse& response) {
  for (const v1::RefereeItem& item : response.items()) {
    switch (item.kind_case()) {
      case v1::RefereeItem::kWelcome:
        back_after_ = kBackAfter;
        same_again_ = false;
        break;
      case v1::RefereeItem::kMatchStart:
        OnStart(item.match_start());
        break;
      case v1::RefereeItem::kRevealNonce:
        OnReveal(item.reveal_nonce());
        break;
      case v1::RefereeItem::kTurnRequest:
        OnAsk(item.turn_request());
        break;
      case v1::RefereeItem::kPing: {
        v1::BotItem pong;
        pong.mutable_pong()->set_number(item.ping().number());
        SayLater(absl::ZeroDuration(), std::move(pong));
        break;
      }
      case v1::RefereeItem::kFault:
        world_.chronicle().Note("fault", {index_, static_cast<int>(item.fault().kind())});
        break;
      default:
        break;
    }
  }
}

void RelayBot::OnStart(const v1::MatchStart& start) {
  if (!start.has_ready_limit()) return;
  const std::string& id = start.match().match_id();
  Random random = RandomOf(id, 1);
  const RelayBotPlan& plan = world_.plan().bots[static_cast<size_t>(index_)];
  if (random.Chance(plan.never_ready)) return;
  v1::BotItem ready;
  ready.mutable_ready()->set_match_id(id);
  ready.mutable_ready()->set_nonce_hash(std::string(dice::Raw(dice::HashNonce(plan.name))));
  SayLater(plan.thinks, std::move(ready));
}

void RelayBot::OnReveal(const v1::RevealNonce& reveal) {
  const RelayBotPlan& plan = world_.plan().bots[static_cast<size_t>(index_)];
  v1::BotItem nonce;
  nonce.mutable_nonce()->set_match_id(reveal.match_id());
  nonce.mutable_nonce()->set_nonce(plan.name);
  SayLater(plan.thinks, std::move(nonce));
}

void RelayBot::OnAsk(const v1::TurnRequest& request) {
  const RelayBotPlan& plan = world_.plan().bots[static_cast<size_t>(index_)];
  Random random = RandomOf(request.match_id(), 2);
  v1::BotItem item;
  absl::Duration thinks = random.Between(plan.thinks, plan.thinks * 2);
  if (random.Chance(plan.slow)) {
    thinks = FromWire(request.limit()) +
             random.Between(-(plan.latency * 4) - absl::Milliseconds(5), absl::Milliseconds(10));
  } else if (random.Chance(plan.silent)) {
    return;
  } else if (random.Chance(plan.resigns)) {
    item.mutable_resign()->set_match_id(request.match_id());
    return SayLater(thinks, std::move(item));
  }
  v1::MoveReply* const reply = item.mutable_move();
  reply->set_match_id(request.match_id());
  reply->set_turn(request.turn());
  reply->set_request(request.request());
  *reply->mutable_move() = request.legal_moves(random.Below(request.legal_moves_size()));
  SayLater(thinks, std::move(item));
}

void RelayBot::SayLater(absl::Duration after, v1::BotItem item) {
  v1::PlayRequest request;
  *request.add_items() = std::move(item);
  world_.queue().At(world_.queue().Now() + std::max(after, absl::ZeroDuration()),
                    [this, request = std::move(request)]() mutable {
                      if (stream_ != nullptr) stream_->Send(std::move(request));
                    });
}

}  // namespace referee::simulation

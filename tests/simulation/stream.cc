#include "tests/simulation/stream.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "referee/games/wire.h"
#include "tests/simulation/world.h"

namespace referee::simulation {
namespace {

// From when a reply is read to when the host hears of it, at most: less than the host's timers
// allow for.
constexpr absl::Duration kLongestLag = absl::Microseconds(1500);
constexpr absl::Duration kQuickWrite = absl::Microseconds(50);
constexpr int kSlowdown = 50;

void ToWire(const BotItem& item, v1::MoveReply* reply) {
  reply->set_match_id(item.match.id.text());
  reply->set_turn(item.turn);
  reply->set_request(item.request);
  if (item.kind == BotItem::Kind::kUnreadable)
    return reply->mutable_move()->set_notation("gibberish");
  const games::Game& game = *item.match.game;
  games::WireOf(game).MoveToWire(game, item.move, reply->mutable_move());
}

void ToWire(const BotItem& item, const BotPlan& plan, v1::BotItem* out) {
  switch (item.kind) {
    case BotItem::Kind::kHello:
      out->mutable_hello()->set_token(plan.name);
      out->mutable_hello()->set_software("bot");
      out->mutable_hello()->set_max_matches(static_cast<uint32_t>(plan.max_matches));
      out->mutable_hello()->set_keeps_existing(plan.keeps_existing);
      out->mutable_hello()->set_news_may_wait(plan.news_may_wait);
      return;
    case BotItem::Kind::kReady:
      out->mutable_ready()->set_match_id(item.match.id.text());
      if (item.nonce_hash) {
        out->mutable_ready()->set_nonce_hash(std::string(dice::Raw(*item.nonce_hash)));
      }
      return;
    case BotItem::Kind::kNonce:
      out->mutable_nonce()->set_match_id(item.match.id.text());
      out->mutable_nonce()->set_nonce(item.nonce);
      return;
    case BotItem::Kind::kReply:
    case BotItem::Kind::kUnreadable:
      return ToWire(item, out->mutable_move());
    case BotItem::Kind::kResign:
      return out->mutable_resign()->set_match_id(item.match.id.text());
    case BotItem::Kind::kPong:
      return out->mutable_pong()->set_number(item.ping);
  }
}

}  // namespace

Stream::Stream(World* world, int bot, int number)
    : world_(world),
      bot_(bot),
      number_(number),
      random_(world->plan().seed, For::kStream, bot, number) {}

absl::Duration Stream::Delay() {
  const BotPlan& plan = world_->plan().bots[bot_];
  absl::Duration delay = plan.latency;
  if (plan.jitter > absl::ZeroDuration()) {
    delay += random_.Between(absl::ZeroDuration(), plan.jitter);
  }
  if (world_->queue().Now() < slow_until_) delay *= kSlowdown;
  return delay;
}

// --- The bot's end ---

void Stream::Open() {
  BotItem hello;
  hello.kind = BotItem::Kind::kHello;
  SendToReferee({std::move(hello)});
}

void Stream::Send(std::vector<BotItem> items) {
  if (bot_end_open_) SendToReferee(std::move(items));
}

void Stream::HangUp() {
  if (!bot_end_open_) return;
  bot_end_open_ = false;
  SendToReferee({});
}

// Messages arrive in the order sent, and some that are under way when the stream is cut do not.
void Stream::SendToReferee(std::vector<BotItem> items) {
  if (cut_) return;
  const Instant arrives = std::max(to_referee_, world_->queue().Now() + Delay());
  to_referee_ = arrives;
  Message message{std::move(items), arrives};
  world_->queue().At(arrives, [self = shared_from_this(), message = std::move(message)]() mutable {
    if (self->cut_) return;
    self->world_->WhenRefereeIsAwake(
        [self = std::move(self), message = std::move(message)]() mutable {
          if (!self->dead_) self->Arrive(std::move(message));
        });
  });
}

void Stream::TellBotLost(absl::Duration after) {
  world_->queue().At(std::max(to_bot_, world_->queue().Now() + after), [self = shared_from_this()] {
    if (!self->bot_end_open_) return;
    self->bot_end_open_ = false;
    self->world_->bot(self->bot_).OnLost(self.get());
  });
}

void Stream::OnTold(const std::vector<RefereeItem>& items) {
  if (cut_ || !bot_end_open_) return;
  for (const RefereeItem& item : items) {
    if (item.kind != RefereeItem::Kind::kPing) continue;
    BotItem pong;
    pong.kind = BotItem::Kind::kPong;
    pong.ping = item.ping;
    Send({std::move(pong)});
  }
  world_->bot(bot_).OnTold(items);
}

// --- The network ---

void Stream::Cut(absl::Duration referee_after, absl::Duration bot_after) {
  if (cut_) return;
  world_->chronicle().Note("cut", {bot_, number_});
  cut_ = true;
  TellBotLost(bot_after);
  AtReferee(world_->queue().Now() + referee_after, [this] { Break(); });
}

void Stream::BlockFor(absl::Duration duration) {
  world_->chronicle().Note("blocked", {bot_, number_});
  writable_at_ = std::max(writable_at_, world_->queue().Now() + duration);
}

void Stream::SlowDownFor(absl::Duration duration) {
  world_->chronicle().Note("slow network", {bot_, number_});
  slow_until_ = std::max(slow_until_, world_->queue().Now() + duration);
}

// --- The referee's end ---

template <typename Call>
void Stream::AtReferee(Instant when, Call call) {
  world_->queue().At(when, [self = shared_from_this(), call = std::move(call)]() mutable {
    self->world_->WhenRefereeIsAwake([self = std::move(self), call = std::move(call)]() mutable {
      if (!self->dead_ && self->session_ != nullptr) call();
    });
  });
}

void Stream::Connect(Instant arrived) {
  session_ = world_->Accept(bot_, number_, shared_from_this());
  if (session_ == nullptr) return TellBotLost(Delay());
  reading_since_ = arrived;
  session_->Begin(absl::StrCat("ipv4:10.0.0.", bot_, ":1"));
}

void Stream::Arrive(Message message) {
  const bool connects =
      !message.items.empty() && message.items.front().kind == BotItem::Kind::kHello;
  if (connects) Connect(message.arrived);
  if (session_ == nullptr) return;
  inbox_.push_back(std::move(message));
  if (reading_) Deliver();
}

void Stream::Read() {
  if (dead_) return;
  reading_ = true;
  reading_since_ = world_->queue().Now();
  if (finished_ || broken_) return AtReferee(reading_since_, [this] { FailRead(); });
  if (inbox_.empty()) return;
  if (random_.OneIn(4)) return Deliver();
  AtReferee(reading_since_, [this] { Deliver(); });
}

void Stream::Deliver() {
  if (!reading_ || inbox_.empty()) return;
  const Instant when = world_->queue().Now();
  Message message = std::move(inbox_.front());
  inbox_.pop_front();
  if (message.items.empty()) return FailRead();
  reading_ = false;
  taking_up_ = true;
  session_->NoteRead(message.items, std::max(message.arrived, reading_since_));
  if (!random_.OneIn(8)) return TakeUp(message.items, when);
  AtReferee(when + random_.Between(absl::ZeroDuration(), kLongestLag),
            [this, items = std::move(message.items), when] { TakeUp(items, when); });
}

void Stream::TakeUp(const std::vector<BotItem>& items, Instant when) {
  request_.Clear();
  for (const BotItem& item : items) {
    ToWire(item, world_->plan().bots[bot_], request_.add_items());
  }
  taking_up_ = false;
  session_->Take(request_, items, when);
  EndIfDone();
}

void Stream::Write(const v1::PlayResponse& message, absl::string_view) {
  if (dead_) return;
  const Instant now = world_->queue().Now();
  std::vector<RefereeItem> items = session_->NoteWrite(message);
  ++writes_;
  writing_ = true;
  if (broken_) {
    return AtReferee(now, [this, write = writes_] { EndWrite(write, false); });
  }
  const Instant leaves = std::max(now, writable_at_);
  to_bot_ = std::max(to_bot_, leaves + Delay());
  if (!cut_) {
    world_->queue().At(
        to_bot_, [self = shared_from_this(), items = std::move(items)] { self->OnTold(items); });
  }
  EndWriteAt(leaves);
}

void Stream::EndWriteAt(Instant leaves) {
  absl::Duration late;
  switch (random_.Below(4)) {
    case 0:
      if (leaves == world_->queue().Now()) return EndWrite(writes_, true);
      break;
    case 1:
      late = random_.Between(absl::ZeroDuration(), kQuickWrite);
      break;
    case 2:
      // Of what is written to nobody, some is never taken.
      if (cut_) return;
      late = random_.Between(absl::ZeroDuration(), world_->plan().bots[bot_].latency * 4);
      break;
    default:
      break;
  }
  AtReferee(leaves + late, [this, write = writes_] { EndWrite(write, true); });
}

void Stream::EndWrite(int write, bool ok) {
  if (!writing_ || write != writes_) return;
  writing_ = false;
  session_->WriteDone(ok);
  EndIfDone();
}

void Stream::FailRead() {
  if (!reading_) return;
  reading_ = false;
  session_->Close(absl::OkStatus());
  EndIfDone();
}

void Stream::Break() {
  if (std::exchange(broken_, true)) return;
  const bool told_first = random_.OneIn(2);
  if (told_first) session_->OnCancel();
  FailRead();
  EndWrite(writes_, false);
  if (!told_first) session_->OnCancel();
}

void Stream::Finish(const absl::Status&) {
  if (dead_) return;
  finished_ = true;
  if (!cut_) TellBotLost(Delay());
  if (reading_) AtReferee(world_->queue().Now(), [this] { FailRead(); });
  EndIfDone();
}

// With the session's lock held.
void Stream::Cancel() {
  if (dead_) return;
  if (!cut_) TellBotLost(Delay());
  AtReferee(world_->queue().Now(), [this] { Break(); });
}

void Stream::EndIfDone() {
  if (!finished_ || ending_ || reading_ || writing_ || taking_up_) return;
  ending_ = true;
  AtReferee(world_->queue().Now(), [this] {
    session_->OnDone();
    session_ = nullptr;
  });
}

void Stream::RefereeDied() {
  if (dead_) return;
  dead_ = true;
  if (session_ == nullptr) return;
  session_->Die();
  if (!cut_) TellBotLost(Delay());
}

// What is being written holds matches, which hold the session.
void Stream::Bury() {
  if (session_ == nullptr) return;
  if (std::exchange(writing_, false)) session_->WriteDone(false);
  session_->OnDone();
  session_ = nullptr;
}

}  // namespace referee::simulation

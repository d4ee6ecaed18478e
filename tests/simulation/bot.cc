#include "tests/simulation/bot.h"

#include <algorithm>
#include <utility>

#include "tests/simulation/world.h"

namespace referee::simulation {
namespace {

constexpr absl::Duration kUsuallyBackAfter = absl::Milliseconds(1);
constexpr absl::Duration kMostSeldom = absl::Milliseconds(500);
constexpr absl::Duration kLeavesWithin = absl::Seconds(2);

BotItem NonceOf(const RefereeItem& asked, std::string nonce) {
  BotItem item;
  item.kind = BotItem::Kind::kNonce;
  item.match = asked.match;
  item.nonce = std::move(nonce);
  return item;
}

}  // namespace

const BotPlan& SimulatedBot::plan() const { return world_->plan().bots[index_]; }

// --- Streams ---

void SimulatedBot::Connect() {
  world_->chronicle().Note("connects", {index_, streams_});
  if (stream_ != nullptr) forgotten_ = stream_;
  stream_ = std::make_shared<Stream>(world_, index_, streams_++);
  stream_->Open();
  if (!plan().repeats) return;
  std::vector<BotItem> again;
  for (const auto& [id, playing] : playing_) {
    if (playing.said) again.push_back(playing.said_last);
  }
  // In an order that does not hang on addresses.
  std::sort(again.begin(), again.end(),
            [](const BotItem& a, const BotItem& b) { return a.match.id < b.match.id; });
  if (!again.empty()) stream_->Send(std::move(again));
}

void SimulatedBot::HangUp(absl::Duration back_after) {
  if (stream_ == nullptr) return;
  world_->chronicle().Note("hangs up", {index_});
  stream_->HangUp();
  stream_ = nullptr;
  ConnectLater(back_after);
}

void SimulatedBot::HangUpForgotten() {
  if (forgotten_ != nullptr) forgotten_->HangUp();
  forgotten_ = nullptr;
}

void SimulatedBot::OnLost(const Stream* stream) {
  if (stream != stream_.get()) return;  // an older one
  world_->chronicle().Note("lost its stream", {index_});
  stream_ = nullptr;
  ConnectLater(back_after_);
  // Who is not let in comes more and more seldom.
  back_after_ = std::min(back_after_ * 2, kMostSeldom);
}

void SimulatedBot::ConnectLater(absl::Duration after) {
  world_->queue().At(world_->queue().Now() + after, [this] {
    if (stream_ == nullptr) Connect();
  });
}

// --- Playing ---

void SimulatedBot::OnTold(const std::vector<RefereeItem>& items) {
  for (const RefereeItem& item : items) {
    switch (item.kind) {
      case RefereeItem::Kind::kStart:
        OnStart(item);
        break;
      case RefereeItem::Kind::kReveal:
        OnReveal(item);
        break;
      case RefereeItem::Kind::kAsk:
        OnAsk(item);
        break;
      case RefereeItem::Kind::kEnded:
        playing_.erase(item.match.id.text());
        break;
      case RefereeItem::Kind::kTryAgain:
        OnTryAgain(item);
        break;
      case RefereeItem::Kind::kPing:
      case RefereeItem::Kind::kOther:
        break;
    }
  }
}

void SimulatedBot::OnStart(const RefereeItem& item) {
  back_after_ = kUsuallyBackAfter;
  Playing& playing = playing_[item.match.id.text()];
  playing.seat = item.seat;
  Random random(world_->plan().seed, For::kReady, index_, item.match.match);
  if (!item.wants_ready || random.Chance(plan().never_ready)) return;
  LeaveLater(item);
  playing.nonce.resize(static_cast<size_t>(random.Below(33)));
  for (char& c : playing.nonce) c = static_cast<char>(random.Next());
  if (random.Chance(plan().bad_nonces)) {
    playing.nonce_fault = static_cast<NonceFault>(random.Between(1, 6));
  }
  BotItem ready;
  ready.kind = BotItem::Kind::kReady;
  ready.match = item.match;
  if (playing.nonce_fault != NonceFault::kNoHash) {
    ready.nonce_hash = dice::HashNonce(playing.nonce);
  }
  std::vector<BotItem> said = {std::move(ready)};
  if (playing.nonce_fault == NonceFault::kEarly) said.push_back(NonceOf(item, playing.nonce));
  if (random.Chance(plan().resigns_at_start)) {
    BotItem resign;
    resign.kind = BotItem::Kind::kResign;
    resign.match = item.match;
    if (random.OneIn(2)) said.clear();
    playing.resigns = random.OneIn(3);
    if (!playing.resigns) said.push_back(std::move(resign));
  }
  if (!said.empty()) SayLater(plan().thinks, std::move(said));
}

void SimulatedBot::OnReveal(const RefereeItem& item) {
  const Playing& playing = playing_[item.match.id.text()];
  Random random(world_->plan().seed, For::kReady, index_, item.match.match, 1);
  std::vector<BotItem> said = {NonceOf(item, playing.nonce)};
  if (playing.resigns) said[0].kind = BotItem::Kind::kResign;
  absl::Duration after = plan().thinks;
  switch (playing.nonce_fault) {
    case NonceFault::kNone:
    case NonceFault::kNoHash:
    case NonceFault::kEarly:
      break;
    case NonceFault::kWrong:
      said[0].nonce = "wrong";
      break;
    case NonceFault::kWrongAndRight:
      said.insert(said.begin(), NonceOf(item, "wrong"));
      break;
    case NonceFault::kLate:
      after = item.limit + random.Between(-absl::Milliseconds(3), absl::Milliseconds(3));
      break;
    case NonceFault::kSilent:
      return;
  }
  SayLater(after, std::move(said));
}

void SimulatedBot::LeaveLater(const RefereeItem& item) {
  Random random(world_->plan().seed, For::kLeaves, index_, item.match.match, 1);
  if (!random.Chance(plan().leaves)) return;
  BotItem resignation;
  resignation.kind = BotItem::Kind::kResign;
  resignation.match = item.match;
  const absl::Duration after = random.Between(absl::ZeroDuration(), kLeavesWithin);
  world_->queue().At(world_->queue().Now() + after, [this, resignation] {
    const bool plays = playing_.find(resignation.match.id.text()) != playing_.end();
    if (!plays || stream_ == nullptr) return;
    world_->chronicle().Note("leaves", {index_, resignation.match.match});
    stream_->Send({resignation});
  });
}

bool SimulatedBot::shut() const { return world_->queue().Now() < shut_until_; }

void SimulatedBot::OnSeen(const RefereeItem& item) {
  if (playing_.find(item.match.id.text()) == playing_.end()) return;
  Playing& playing = playing_[item.match.id.text()];
  playing.seen_turn = item.turn;
  playing.seen_request = item.request;
  Random random(world_->plan().seed, For::kShut, item.match.match, item.turn, index_);
  Answer(item, random.Between(absl::ZeroDuration(), item.limit * (random.OneIn(2) ? 1 : 3)));
}

void SimulatedBot::OnAsk(const RefereeItem& item) {
  const Playing& playing = playing_[item.match.id.text()];
  const bool seen = playing.seen_turn == item.turn && playing.seen_request == item.request;
  if (!seen) Answer(item, absl::ZeroDuration());
}

// Thinks for so much longer.
void SimulatedBot::Answer(const RefereeItem& item, absl::Duration more) {
  Playing& playing = playing_[item.match.id.text()];
  Random random(world_->plan().seed, For::kTurn, item.match.match, item.turn, index_,
                playing.asked++);
  std::vector<BotItem> said;
  if (random.Chance(plan().chatty)) said.push_back(Chatter(&random, item, playing));

  BotItem reply;
  reply.kind = BotItem::Kind::kReply;
  reply.match = item.match;
  reply.turn = item.turn;
  reply.request = item.request;
  reply.move = playing.asked % 2 == 1 ? item.first : item.last;
  absl::Duration thinks = random.Between(plan().thinks, plan().thinks * 4);
  bool replies = true;
  if (random.Chance(plan().slow)) {
    // Near the end of its time, to both sides, down to the nanosecond.
    thinks = item.limit;
    if (random.OneIn(2)) thinks = thinks - plan().latency * 2;
    if (random.OneIn(2)) thinks += random.Between(-absl::Milliseconds(3), absl::Milliseconds(3));
    if (random.OneIn(4)) thinks = item.limit * 2;
  } else if (random.Chance(plan().late)) {
    thinks = item.limit - plan().latency * 2 +
             random.Between(absl::Microseconds(100), absl::Milliseconds(5));
  } else if (random.Chance(plan().silent)) {
    replies = false;
  } else if (random.Chance(plan().illegal)) {
    reply.move = playing.before;
    reply.wild = true;
  } else if (random.Chance(plan().unreadable)) {
    reply.kind = BotItem::Kind::kUnreadable;
  } else if (random.Chance(plan().resigns)) {
    reply.kind = BotItem::Kind::kResign;
  }
  playing.before = item.first;
  if (replies) {
    playing.said_last = reply;
    playing.legal = item.first;
    playing.said = reply.kind == BotItem::Kind::kReply;
    said.push_back(std::move(reply));
  }
  if (random.Chance(plan().chatty)) said.push_back(Chatter(&random, item, playing));
  if (!said.empty()) SayLater(thinks + more, std::move(said));
  if (!random.Chance(plan().shuts) || stream_ == nullptr) return;
  const absl::Duration lasts =
      random.Between(absl::Milliseconds(1),
                     random.OneIn(2) ? absl::Milliseconds(10) : item.limit + absl::Milliseconds(1));
  world_->chronicle().Note("shut", {index_});
  shut_until_ = std::max(shut_until_, world_->queue().Now() + thinks + lasts);
  stream_->BlockFor(thinks + lasts);
}

// Half of the bots that play illegal moves know no better.
void SimulatedBot::OnTryAgain(const RefereeItem& item) {
  const auto playing = playing_.find(item.match.id.text());
  if (playing == playing_.end()) return;
  Random random(world_->plan().seed, For::kTurn, item.match.match, item.turn, index_,
                playing->second.asked++);
  BotItem reply = playing->second.said_last;
  if (reply.turn != item.turn || reply.kind == BotItem::Kind::kResign) return;
  if (random.OneIn(2)) {
    reply.kind = BotItem::Kind::kReply;
    reply.move = playing->second.legal;
    reply.wild = false;
  }
  playing->second.said_last = reply;
  playing->second.said = reply.kind == BotItem::Kind::kReply;
  SayLater(plan().thinks, {std::move(reply)});
}

// Something that nobody asked for, and that must change nothing.
BotItem SimulatedBot::Chatter(Random* random, const RefereeItem& item,
                              const Playing& playing) const {
  BotItem chatter;
  chatter.kind = BotItem::Kind::kReply;
  chatter.match = item.match;
  chatter.move = item.last;
  switch (random->Below(6)) {
    case 0:
      chatter.turn = item.turn - 1;
      break;
    case 1:
      chatter.turn = item.turn + 1;
      chatter.wild = true;  // should it come to be due
      break;
    case 2:
      chatter.turn = static_cast<uint32_t>(random->Next());
      chatter.wild = true;
      break;
    case 3:
      chatter.kind = BotItem::Kind::kReady;
      break;
    case 4:
      if (playing.said) chatter = playing.said_last;
      break;
    case 5:
      chatter.kind = BotItem::Kind::kUnreadable;
      chatter.turn = item.turn + 7;
      break;
  }
  return chatter;
}

void SimulatedBot::SayLater(absl::Duration after, std::vector<BotItem> items) {
  world_->queue().At(world_->queue().Now() + std::max(after, absl::ZeroDuration()),
                     [this, items = std::move(items)]() mutable {
                       if (stream_ != nullptr) stream_->Send(std::move(items));
                     });
}

}  // namespace referee::simulation

#include "tests/contract/raw_bot.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/time/clock.h"
#include "referee/dice/dice.h"

namespace referee::testing {
namespace {

template <typename Drops>
void DropItems(v1::PlayResponse* message, Drops drops) {
  auto* items = message->mutable_items();
  items->erase(std::remove_if(items->begin(), items->end(), drops), items->end());
}

}  // namespace

v1::BotItem HelloAs(absl::string_view name, int max_matches) {
  v1::BotItem item;
  item.mutable_hello()->set_token(RefereeUnderTest::Token(name));
  item.mutable_hello()->set_max_matches(static_cast<uint32_t>(max_matches));
  item.mutable_hello()->set_wants_legal_moves(true);
  return item;
}

v1::BotItem ReadyFor(const std::string& match_id, absl::optional<absl::string_view> nonce) {
  v1::BotItem item;
  item.mutable_ready()->set_match_id(match_id);
  if (nonce) {
    item.mutable_ready()->set_nonce_hash(std::string(dice::Raw(dice::HashNonce(*nonce))));
  }
  return item;
}

v1::BotItem NonceFor(const std::string& match_id, absl::string_view nonce) {
  v1::BotItem item;
  item.mutable_nonce()->set_match_id(match_id);
  item.mutable_nonce()->set_nonce(std::string(nonce));
  return item;
}

v1::BotItem MoveIn(const std::string& match_id, uint32_t turn, const v1::Move& move,
                   uint32_t request) {
  v1::BotItem item;
  item.mutable_move()->set_match_id(match_id);
  item.mutable_move()->set_turn(turn);
  item.mutable_move()->set_request(request);
  *item.mutable_move()->mutable_move() = move;
  return item;
}

v1::BotItem MoveIn(const std::string& match_id, uint32_t turn, const std::string& notation) {
  v1::Move move;
  move.set_notation(notation);
  return MoveIn(match_id, turn, move);
}

v1::BotItem ResignFrom(const std::string& match_id) {
  v1::BotItem item;
  item.mutable_resign()->set_match_id(match_id);
  return item;
}

v1::BotItem PongTo(uint64_t number) {
  v1::BotItem item;
  item.mutable_pong()->set_number(number);
  return item;
}

// --- RawBot ---

// One for all bots: a test waits for any of several.
Mutex& RawBot::mutex() {
  static Mutex* const mutex = new Mutex;
  return *mutex;
}
CondVar& RawBot::changed() {
  static CondVar* const changed = new CondVar;
  return *changed;
}

RawBot::RawBot(std::shared_ptr<grpc::Channel> channel)
    : stub_(v1::BotService::NewStub(std::move(channel))),
      stream_(stub_->Play(context_.get())),
      listener_([this] { Listen(); }) {}

RawBot::RawBot(RefereeUnderTest* referee, absl::string_view name, int max_matches)
    : RawBot(referee->NewChannel()) {
  Say(HelloAs(name, max_matches));
  Hear(v1::RefereeItem::kWelcome);
}

RawBot::~RawBot() {
  context_->TryCancel();
  listener_.join();
}

void RawBot::HearPings() {
  MutexLock lock(&mutex());
  hears_pings_ = true;
}

void RawBot::HearReveals() {
  MutexLock lock(&mutex());
  hears_reveals_ = true;
}

void RawBot::Answer(v1::PlayResponse* message) {
  bool pings;
  bool reveals;
  {
    MutexLock lock(&mutex());
    pings = hears_pings_;
    reveals = hears_reveals_;
  }
  if (!pings) DropItems(message, [](const v1::RefereeItem& item) { return item.has_ping(); });
  if (reveals) return;
  for (const v1::RefereeItem& item : message->items()) {
    if (item.has_reveal_nonce()) Say(NonceFor(item.reveal_nonce().match_id()));
  }
  DropItems(message, [](const v1::RefereeItem& item) { return item.has_reveal_nonce(); });
}

void RawBot::Listen() {
  v1::PlayResponse message;
  while (stream_->Read(&message)) {
    Answer(&message);
    if (message.items_size() == 0) continue;
    MutexLock lock(&mutex());
    heard_.push_back(std::move(message));
    changed().NotifyAll();
  }
  const grpc::Status status = stream_->Finish();
  MutexLock lock(&mutex());
  status_ = status;
  ended_ = true;
  changed().NotifyAll();
}

bool RawBot::Say(const std::vector<v1::BotItem>& items) {
  v1::PlayRequest message;
  for (const v1::BotItem& item : items) *message.add_items() = item;
  MutexLock lock(&writing_);
  return stream_->Write(message);
}

bool RawBot::WaitForMessage() {
  // The context's deadline ends the stream, and with it the wait.
  MutexLock lock(&mutex());
  while (heard_.empty() && !ended_) changed().Wait(&mutex());
  return !heard_.empty();
}

v1::PlayResponse RawBot::HearMessage() {
  if (!WaitForMessage()) {
    ADD_FAILURE() << "the stream has ended: " << status_.error_code() << " "
                  << status_.error_message();
    return v1::PlayResponse();
  }
  MutexLock lock(&mutex());
  v1::PlayResponse message = std::move(heard_.front());
  heard_.pop_front();
  return message;
}

v1::RefereeItem RawBot::Hear() {
  if (!WaitForMessage()) {
    ADD_FAILURE() << "the stream has ended: " << status_.error_code() << " "
                  << status_.error_message();
    return v1::RefereeItem();
  }
  MutexLock lock(&mutex());
  v1::RefereeItem item = heard_.front().items(next_item_++);
  if (next_item_ == heard_.front().items_size()) {
    heard_.pop_front();
    next_item_ = 0;
  }
  return item;
}

v1::RefereeItem RawBot::Hear(v1::RefereeItem::KindCase kind) {
  for (;;) {
    v1::RefereeItem item = Hear();
    if (item.kind_case() == kind || item.kind_case() == v1::RefereeItem::KIND_NOT_SET) return item;
  }
}

size_t RawBot::HearFirst(absl::Span<RawBot* const> bots, v1::RefereeItem::KindCase kind,
                         v1::RefereeItem* item) {
  const absl::Time until = absl::Now() + kPatience;
  while (absl::Now() < until) {
    for (size_t i = 0; i < bots.size(); ++i) {
      for (;;) {
        {
          MutexLock lock(&mutex());
          if (bots[i]->heard_.empty()) break;
        }
        *item = bots[i]->Hear();
        if (item->kind_case() == kind) return i;
      }
    }
    MutexLock lock(&mutex());
    bool heard = false;
    bool open = false;
    for (const RawBot* bot : bots) heard |= !bot->heard_.empty();
    for (const RawBot* bot : bots) open |= !bot->ended_;
    if (!heard && !open) break;
    if (!heard) changed().WaitFor(&mutex(), std::chrono::seconds(1));
  }
  ADD_FAILURE() << "none of the bots has heard it";
  return 0;
}

std::vector<v1::MatchEnd> RawBot::Play(int matches, const Choose& choose) {
  std::vector<v1::MatchEnd> ends;
  while (static_cast<int>(ends.size()) < matches) {
    const v1::RefereeItem item = Hear();
    switch (item.kind_case()) {
      case v1::RefereeItem::kMatchStart:
        Say(ReadyFor(item.match_start().match().match_id()));
        break;
      case v1::RefereeItem::kTurnRequest:
        Say(MoveIn(item.turn_request().match_id(), item.turn_request().turn(),
                   choose(item.turn_request()), item.turn_request().request()));
        break;
      case v1::RefereeItem::kMatchEnd:
        ends.push_back(item.match_end());
        break;
      case v1::RefereeItem::kFault:
        ADD_FAILURE() << item.fault().message();
        break;
      case v1::RefereeItem::KIND_NOT_SET:
        return ends;
      default:
        break;
    }
  }
  return ends;
}

void RawBot::SayLast() { stream_->WritesDone(); }

void RawBot::Vanish() {
  context_->TryCancel();
  End();
}

grpc::Status RawBot::End() {
  MutexLock lock(&mutex());
  while (!ended_) changed().Wait(&mutex());
  return status_;
}

v1::Move FirstLegalMove(const v1::TurnRequest& request) { return request.legal_moves(0); }

std::vector<std::vector<v1::MatchEnd>> PlayAll(absl::Span<RawBot* const> bots, int matches,
                                               const RawBot::Choose& choose) {
  std::vector<std::vector<v1::MatchEnd>> ends(bots.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < bots.size(); ++i) {
    threads.emplace_back([&, i] { ends[i] = bots[i]->Play(matches, choose); });
  }
  for (std::thread& thread : threads) thread.join();
  return ends;
}

// --- Table ---

Table::Table(RefereeUnderTest* referee) : Table(referee, referee->Request({"alice", "bob"})) {}

Table::Table(RefereeUnderTest* referee, const v1::CreateMatchRequest& request)
    : alice(referee, "alice"), bob(referee, "bob"), match_id(referee->Create(request)) {
  for (RawBot* bot : {&alice, &bob}) {
    bot->Hear(v1::RefereeItem::kMatchStart);
    bot->Say(ReadyFor(match_id));
  }
}

const v1::TurnRequest& Table::WaitForTurn() {
  v1::RefereeItem item;
  const size_t which = RawBot::HearFirst({&alice, &bob}, v1::RefereeItem::kTurnRequest, &item);
  asked = item.turn_request();
  mover = which == 0 ? &alice : &bob;
  other = which == 0 ? &bob : &alice;
  EXPECT_EQ(asked.match_id(), match_id);
  EXPECT_EQ(asked.seat(), which);
  return asked;
}

}  // namespace referee::testing

#include "tests/simulation/watched_session.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "tests/simulation/world.h"

namespace referee::simulation {
namespace {

// A millisecond, and more than a timer may be late.
constexpr absl::Duration kLongestWait = absl::Microseconds(1'500);

}  // namespace

// --- What is told ---

Account* WatchedSession::AccountOf(const match::Match& match) const {
  return world_->witness().Find(match.setup().id);
}

RefereeItem WatchedSession::ItemOf(const Account& account, const match::Match& match) const {
  RefereeItem item;
  item.match = {account.match, match.setup().id, match.setup().game};
  return item;
}

void WatchedSession::TellStart(const match::Match& match, Seat seat) {
  if (closed_ || dead_) return;
  Account* const account = AccountOf(match);
  world_->witness().OnToldStart(*account, match, &views_[account]);
  CheckPlaces();
  if (match.seat_to_move() == seat && !account->frozen) due_.push_back(account);
  RefereeItem item = ItemOf(*account, match);
  item.kind = RefereeItem::Kind::kStart;
  item.seat = seat;
  item.wants_ready = match.stage() == match::Match::Stage::kReadying;
  Queue(Kind::kMatchStart, std::move(item));
  BotSession::TellStart(match, seat);
}

void WatchedSession::AskNonce(const match::Match& match, Seat seat) {
  if (closed_ || dead_) return;
  Account* const account = AccountOf(match);
  world_->witness().OnToldHashes(account, seat, match.nonce_hashes());
  RefereeItem item = ItemOf(*account, match);
  item.kind = RefereeItem::Kind::kReveal;
  item.limit = match.setup().time_control.ready;
  Queue(Kind::kRevealNonce, std::move(item));
  BotSession::AskNonce(match, seat);
}

void WatchedSession::CheckPlaces() const {
  // The end of one may be told after the start of the next.
  const auto open = std::count_if(views_.begin(), views_.end(), [](const auto& entry) {
    return entry.second.started && !entry.second.ended && !entry.first->finished;
  });
  const int most = world_->plan().bots[bot_index_].max_matches;
  if (open <= most) return;
  world_->chronicle().Fail(
      absl::StrCat("bot ", bot_index_, " is in ", open, " matches at once, and takes ", most));
}

void WatchedSession::AskTurn(const std::shared_ptr<host::MatchRunner>& runner,
                             const match::Match& match, Seat seat) {
  if (closed_ || dead_) return;
  Account* const account = AccountOf(match);
  world_->witness().OnToldAsk(account, seat, match.turn(), match.request(), views_[account]);
  due_.erase(std::remove(due_.begin(), due_.end(), account), due_.end());
  RefereeItem item = ItemOf(*account, match);
  item.kind = RefereeItem::Kind::kAsk;
  item.seat = seat;
  item.turn = match.turn();
  item.request = match.request();
  item.limit = match.time_left(world_->queue().Now());
  // Addressed by the turn, so that it is the same however often it is asked.
  Random choice(world_->plan().seed, For::kTurn, account->match, match.turn());
  const absl::Span<const games::Move> legal = match.legal_moves();
  item.first = legal[static_cast<size_t>(choice.Below(static_cast<int>(legal.size())))];
  item.last = legal[static_cast<size_t>(choice.Below(static_cast<int>(legal.size())))];
  SimulatedBot& bot = world_->bot(bot_index_);
  if (bot.shut()) {
    world_->queue().At(world_->queue().Now() + bot.plan().latency,
                       [&bot, item] { bot.OnSeen(item); });
  }
  Queue(Kind::kTurnRequest, std::move(item));
  BotSession::AskTurn(runner, match, seat);
}

void WatchedSession::TellPlayed(const match::Match& match, const match::Played& played) {
  if (closed_ || dead_) return;
  const Account* const account = AccountOf(match);
  world_->witness().OnToldPlayed(*account, played, &views_[account]);
  RefereeItem item = ItemOf(*account, match);
  item.turn = played.number;
  Queue(Kind::kTurnPlayed, std::move(item));
  BotSession::TellPlayed(match, played);
}

void WatchedSession::TellForfeited(const match::Match& match, const match::Forfeited& forfeited) {
  if (closed_ || dead_) return;
  const Account* const account = AccountOf(match);
  world_->witness().OnToldForfeited(*account, forfeited, views_[account]);
  RefereeItem item = ItemOf(*account, match);
  item.seat = forfeited.seat;
  Queue(Kind::kSeatForfeited, std::move(item));
  BotSession::TellForfeited(match, forfeited);
}

void WatchedSession::TellEnded(const host::MatchRunner& runner) {
  if (closed_ || dead_) return;
  const Account* const account = world_->witness().Find(runner.id());
  world_->witness().OnToldEnded(*account, runner, &views_[account]);
  RefereeItem item;
  item.kind = RefereeItem::Kind::kEnded;
  item.match = {account->match, runner.id(), nullptr};
  Queue(Kind::kMatchEnd, std::move(item));
  BotSession::TellEnded(runner);
}

void WatchedSession::TellFault(const match::Match& match, const match::TellFault& fault) {
  if (closed_ || dead_) return;
  const Account* const account = AccountOf(match);
  world_->witness().OnToldFault(*account, fault);
  RefereeItem item = ItemOf(*account, match);
  if (fault.kind == match::TellFault::Kind::kIllegalMove) item.kind = RefereeItem::Kind::kTryAgain;
  item.turn = fault.turn;
  Queue(Kind::kFault, std::move(item));
  BotSession::TellFault(match, fault);
}

void WatchedSession::TellDraining(absl::Duration time_left, bool will_return) {
  if (closed_ || dead_) return;
  Queue(Kind::kDraining, {});
  BotSession::TellDraining(time_left, will_return);
}

void WatchedSession::TellNotice(absl::string_view text) {
  if (closed_ || dead_) return;
  Queue(Kind::kNotice, {});
  BotSession::TellNotice(text);
}

void WatchedSession::Flush() {
  if (dead_) return;
  for (const Account* account : due_) world_->witness().OnNotAsked(*account);
  due_.clear();
  for (; flushed_ < told_.size(); ++flushed_) {
    Told& told = told_[flushed_];
    told.offered = writing_;
    if (!writing_ || told.kind != Kind::kTurnRequest) continue;
    world_->witness().OnOffered(world_->witness().Find(told.item.match.id), told.item.seat,
                                told.item.turn, told.item.request);
  }
  BotSession::Flush();
  CheckSoon();
}

void WatchedSession::CheckSoon() {
  if (std::exchange(to_check_, true)) return;
  world_->CheckSoon(std::static_pointer_cast<WatchedSession>(shared_from_this()));
}

void WatchedSession::Close(const absl::Status& reason) {
  if (dead_) return;
  if (!std::exchange(closed_, true)) world_->chronicle().Note("closed", {bot_index_, number_});
  // Nor may it be waited for meanwhile.
  if (to_take_) world_->witness().OnUnheard(bot_index_, *to_take_);
  due_.clear();
  for (const Told& told : told_) {
    if (!IsHeld(told)) continue;
    world_->witness().OnHeldInVain(world_->witness().Find(told.item.match.id), told.item.seat,
                                   told.item.turn, told.item.request);
  }
  if (bot() != nullptr) world_->OnUnlinking(bot_index_, this);
  BotSession::Close(reason);
}

// --- What goes out ---

bool WatchedSession::IsOwn(const v1::RefereeItem& item) {
  if (item.kind_case() == Kind::kFault) {
    const v1::FaultKind kind = item.fault().kind();
    return kind == v1::FAULT_KIND_UNKNOWN_MATCH || kind == v1::FAULT_KIND_REPEATED_HELLO ||
           kind == v1::FAULT_KIND_MALFORMED;
  }
  return item.kind_case() == Kind::kWelcome || item.kind_case() == Kind::kPing;
}

bool WatchedSession::Is(const v1::RefereeItem& item, const Told& told) {
  if (item.kind_case() != told.kind) return false;
  const std::string& id = told.item.match.id.text();
  switch (item.kind_case()) {
    case Kind::kMatchStart:
      return item.match_start().match().match_id() == id;
    case Kind::kRevealNonce:
      return item.reveal_nonce().match_id() == id;
    case Kind::kTurnRequest:
      return item.turn_request().match_id() == id && item.turn_request().turn() == told.item.turn &&
             item.turn_request().request() == told.item.request;
    case Kind::kTurnPlayed:
      return item.turn_played().match_id() == id && item.turn_played().turn() == told.item.turn;
    case Kind::kSeatForfeited:
      return item.seat_forfeited().match_id() == id &&
             Seat(static_cast<int>(item.seat_forfeited().seat())) == told.item.seat;
    case Kind::kMatchEnd:
      return item.match_end().match_id() == id;
    case Kind::kFault:
      return item.fault().match_id() == id && item.fault().turn() == told.item.turn;
    default:
      return true;
  }
}

std::vector<RefereeItem> WatchedSession::NoteWrite(const v1::PlayResponse& message) {
  std::vector<RefereeItem> heard;
  heard.reserve(static_cast<size_t>(message.items_size()));
  if (writing_) world_->chronicle().Fail("two messages to a bot were written at once");
  writing_ = true;
  for (const v1::RefereeItem& item : message.items()) {
    if (item.kind_case() == Kind::kPing) {
      pinged_ = world_->queue().Now();
      heard.emplace_back();
      heard.back().kind = RefereeItem::Kind::kPing;
      heard.back().ping = item.ping().number();
    }
    if (IsOwn(item)) continue;
    if (told_.empty() || !Is(item, told_.front())) {
      world_->chronicle().Fail(absl::StrCat(
          "bot ", bot_index_, " hears what was not told next: ", item.ShortDebugString()));
      return heard;
    }
    if (item.has_turn_request()) NoteHandover(item.turn_request(), told_.front());
    heard.push_back(std::move(told_.front().item));
    told_.pop_front();
    if (flushed_ > 0) --flushed_;
  }
  return heard;
}

// What goes out on a link that is the bot's no more starts no clock.
void WatchedSession::NoteHandover(const v1::TurnRequest& request, const Told& told) {
  Account* const account = world_->witness().Find(told.item.match.id);
  if (!world_->IsLinked(bot_index_, this)) {
    return world_->chronicle().Note("request in vain",
                                    {account->match, request.turn(), request.request()});
  }
  world_->witness().OnHandedOver(account, told.item.seat, request.turn(), request.request(),
                                 round_trip_);
  // A referee that stood still meanwhile, for longer than a bot may leave a request unread, says
  // that it came to be due later.
  if (IsHeld(told)) {
    world_->witness().OnHeld(account, told.item.seat, request.turn(), request.request(),
                             limits::kHandoverLimit);
  }
}

void WatchedSession::WriteDone(bool ok) {
  writing_ = false;
  if (!ok) closed_ = true;
  BotSession::OnWriteDone(ok);
  CheckSoon();
}

void WatchedSession::CheckFlushed() {
  to_check_ = false;
  if (dead_ || closed_ || writing_ || flushed_ == 0) return;
  const bool news_may_wait = world_->plan().bots[static_cast<size_t>(bot_index_)].news_may_wait;
  const auto flushed = told_.begin() + static_cast<std::ptrdiff_t>(flushed_);
  const bool may_wait = std::all_of(told_.begin(), flushed, [&](Told& told) {
    if (told.kind == Kind::kTurnPlayed) return news_may_wait;
    return told.kind == Kind::kTurnRequest && MayWait(&told);
  });
  if (may_wait) return;
  world_->chronicle().Fail(absl::StrCat("bot ", bot_index_, " was told ", flushed_,
                                        " items that do not go out, and nothing is being written"));
}

bool WatchedSession::MayWait(Told* turn) {
  EventQueue& queue = world_->queue();
  // A referee that stood still meanwhile is late with all.
  const bool anew =
      turn->waits_since == Instant::InfiniteFuture() || queue.awake() > turn->waits_since;
  if (!anew) return queue.Now() - turn->waits_since < kLongestWait;
  world_->chronicle().Note("turn waits", {bot_index_, number_});
  turn->waits_since = std::max(queue.Now(), queue.awake());
  queue.At(turn->waits_since + kLongestWait, [weak = weak_from_this()] {
    const auto session = std::static_pointer_cast<WatchedSession>(weak.lock());
    if (session != nullptr) session->CheckSoon();
  });
  return true;
}

// --- What the bot says ---

void WatchedSession::NoteRead(const std::vector<BotItem>& items, Instant arrived) {
  const Instant now = world_->queue().Now();
  to_take_ = now;
  for (const BotItem& item : items) {
    if (item.kind == BotItem::Kind::kPong) round_trip_ = std::max(round_trip_, now - pinged_);
    if (item.kind != BotItem::Kind::kReply || closed_) continue;
    Account* account = world_->witness().Find(item.match.id);
    if (account == nullptr) continue;
    const Seat seat = world_->SeatOf(bot_index_, *account);
    if (!seat.valid()) continue;
    world_->witness().OnReplyRead(
        account, {seat, item.turn, item.move, item.wild, now, arrived, item.request});
  }
}

void WatchedSession::Take(const v1::PlayRequest& request, const std::vector<BotItem>& items,
                          Instant when) {
  // What a stream says after its end is not heard, read before or not.
  if (closed_) world_->witness().OnUnheard(bot_index_, when);
  to_take_.reset();
  const bool greets = bot() == nullptr && !closed_;
  const host::Link* const before = greets ? world_->OnLinking(bot_index_, this) : nullptr;
  said_ = &items;
  next_said_ = 0;
  OnRead(request, when);
  said_ = nullptr;
  if (!greets) return;
  if (bot() == nullptr) return world_->OnRefused(bot_index_, before);
  world_->OnLinked(bot_index_, bot());
  CheckToldAll();
}

void WatchedSession::CheckToldAll() const {
  if (closed_ || dead_) return;
  world_->witness().ForEach([this](const Account& account) {
    const bool goes_on = account.started && !account.ended && !account.over() &&
                         !account.recording_failed && world_->SeatOf(bot_index_, account).valid();
    if (!goes_on || views_.contains(&account)) return;
    world_->chronicle().Fail(absl::StrCat("bot ", bot_index_,
                                          " has come and was not told of match ", account.match,
                                          ", which goes on"));
  });
}

const BotItem& WatchedSession::Said(const MatchId& match, const match::Event& event) {
  const auto is = [&](const BotItem& item) {
    if (item.match.id != match) return false;
    if (const auto* replied = std::get_if<match::Replied>(&event)) {
      return item.kind == BotItem::Kind::kReply && item.turn == replied->turn &&
             item.request == replied->request;
    }
    if (const auto* unreadable = std::get_if<match::RepliedUnreadably>(&event)) {
      return item.kind == BotItem::Kind::kUnreadable && item.turn == unreadable->turn &&
             item.request == unreadable->request;
    }
    if (const auto* nonce = std::get_if<match::NonceReceived>(&event)) {
      return item.kind == BotItem::Kind::kNonce && item.nonce == nonce->nonce;
    }
    if (const auto* ready = std::get_if<match::ReadyReceived>(&event)) {
      return item.kind == BotItem::Kind::kReady && item.nonce_hash == ready->nonce_hash;
    }
    return item.kind == BotItem::Kind::kResign;
  };
  while (next_said_ < said_->size()) {
    const BotItem& item = (*said_)[next_said_++];
    if (is(item)) return item;
  }
  world_->chronicle().Fail("something came to a match that its bot has not said");
  return said_->back();
}

void WatchedSession::Post(const host::Bot::Slot& slot, match::Event event, Instant when) {
  if (dead_) return;
  const BotItem& said = Said(slot.runner->id(), event);
  Account* const account = world_->witness().Find(slot.runner->id());
  Account::SeatAccount& seat = account->seats[slot.seat.index()];
  ReplyRead reply{slot.seat, said.turn, absl::nullopt, said.wild, when, when, said.request};
  if (said.kind == BotItem::Kind::kReply) reply.move = said.move;
  if (said.kind == BotItem::Kind::kUnreadable) reply.wild = true;
  if (said.kind == BotItem::Kind::kReady) {
    world_->witness().OnReady(account, slot.seat, said.nonce_hash);
  }
  if (said.kind == BotItem::Kind::kNonce) {
    world_->witness().OnNonce(account, slot.seat, said.nonce);
  }
  if (said.kind == BotItem::Kind::kResign) {
    if (!account->started) {
      world_->chronicle().Note("resigned at start", {account->match, slot.seat.index()});
    }
    seat.resigned = true;
  }
  if (reply.move == absl::nullopt && said.kind != BotItem::Kind::kUnreadable) reply.turn = 0;
  // Who answers before it is asked, or gives up, has waited for nothing.
  for (const Told& told : told_) {
    if (!IsHeld(told) || told.item.match.id != said.match.id) continue;
    const bool answers = said.turn == told.item.turn && said.request == told.item.request;
    if (!answers && said.kind != BotItem::Kind::kResign) continue;
    world_->witness().OnHeld(account, told.item.seat, told.item.turn, told.item.request,
                             absl::ZeroDuration());
  }
  world_->witness().OnHandling(account, reply);
  BotSession::Post(slot, std::move(event), when);
  world_->witness().OnHandled();
  if (said.kind != BotItem::Kind::kResign) return;
  slot.runner->Inspect(
      [world = world_, account, seat = slot.seat](const host::MatchRunner& runner) {
        world->witness().OnResignationTaken(account, seat, runner);
      });
}

}  // namespace referee::simulation

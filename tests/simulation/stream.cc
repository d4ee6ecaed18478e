#include "tests/simulation/stream.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tests/simulation/world.h"

namespace referee::simulation {
namespace {

// From when a reply is read to when the host hears of it, at most: less than the host's timers
// allow for.
constexpr absl::Duration kLongestLag = absl::Microseconds(1500);
constexpr int kSlowdown = 50;

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
  SendToReferee(world_->queue().Now() + Delay(), [self = shared_from_this()] { self->OnHello(); });
}

void Stream::Send(std::vector<BotItem> items) {
  if (!bot_end_open_) return;
  const Instant arrives = std::max(to_referee_, world_->queue().Now() + Delay());
  SendToReferee(arrives, [self = shared_from_this(), items = std::move(items), arrives] {
    self->OnRead(items, arrives);
  });
}

void Stream::HangUp() {
  if (!bot_end_open_) return;
  bot_end_open_ = false;
  SendToReferee(std::max(to_referee_, world_->queue().Now() + Delay()),
                [self = shared_from_this()] { self->Close(absl::OkStatus()); });
}

// Messages arrive in the order sent, and some that are under way when the stream is cut do not.
void Stream::SendToReferee(Instant arrives, std::function<void()> arrive) {
  if (cut_) return;
  to_referee_ = arrives;
  world_->queue().At(to_referee_, [self = shared_from_this(), arrive = std::move(arrive)] {
    if (self->cut_) return;
    self->world_->WhenRefereeIsAwake([self, arrive] {
      if (!self->dead_) arrive();
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

// --- The network ---

void Stream::Cut(absl::Duration referee_after, absl::Duration bot_after) {
  if (cut_) return;
  world_->chronicle().Note("cut", {bot_, number_});
  cut_ = true;
  TellBotLost(bot_after);
  world_->queue().At(world_->queue().Now() + referee_after, [self = shared_from_this()] {
    self->world_->WhenRefereeIsAwake([self] {
      if (!self->dead_) self->Close(absl::CancelledError("the bot has gone"));
    });
  });
}

void Stream::BlockFor(absl::Duration duration) {
  world_->chronicle().Note("blocked", {bot_, number_});
  writable_at_ = std::max(writable_at_, world_->queue().Now() + duration);
}

void Stream::SlowDownFor(absl::Duration duration) {
  world_->chronicle().Note("slow network", {bot_, number_});
  slow_until_ = std::max(slow_until_, world_->queue().Now() + duration);
}

// --- Telling ---

void Stream::Queue(RefereeItem item) { queued_.push_back(std::move(item)); }

void Stream::TellStart(const match::Match& match, Seat seat) {
  if (closing_ || dead_) return;
  Account* account = world_->witness().Find(match.setup().id);
  world_->witness().OnToldStart(*account, match, &views_[match.setup().id.text()]);
  CheckPlaces();
  const bool due = match.seat_to_move() == seat && !account->frozen;
  if (due) due_.push_back(account);
  RefereeItem item;
  item.kind = RefereeItem::Kind::kStart;
  item.match = {account->match, match.setup().id};
  item.seat = seat;
  Queue(std::move(item));
}

void Stream::CheckPlaces() const {
  int open = 0;
  for (const auto& [id, view] : views_) {
    if (!view.started || view.ended) continue;
    // The end of one may be told after the start of the next.
    const absl::StatusOr<MatchId> match = MatchId::Parse(id);
    if (!world_->witness().Find(*match)->finished) ++open;
  }
  const int most = world_->plan().bots[bot_].max_matches;
  if (open <= most) return;
  world_->chronicle().Fail(
      absl::StrCat("bot ", bot_, " is in ", open, " matches at once, and takes ", most));
}

void Stream::AskTurn(const std::shared_ptr<host::Runner>& runner, const match::Match& match,
                     Seat seat) {
  if (closing_ || dead_) return;
  Account* account = world_->witness().Find(match.setup().id);
  world_->witness().OnToldAsk(account, seat, match.turn(), match.request(),
                              views_[match.setup().id.text()]);
  RefereeItem item;
  item.kind = RefereeItem::Kind::kAsk;
  due_.erase(std::remove(due_.begin(), due_.end(), account), due_.end());
  item.match = {account->match, match.setup().id};
  item.seat = seat;
  item.turn = match.turn();
  item.request = match.request();
  item.limit = match.move_limit();
  // Addressed by the turn, so that it is the same however often it is asked.
  Random choice(world_->plan().seed, For::kTurn, account->match, match.turn());
  const absl::Span<const games::Move> legal = match.legal_moves();
  item.first = legal[static_cast<size_t>(choice.Below(static_cast<int>(legal.size())))];
  item.last = legal[static_cast<size_t>(choice.Below(static_cast<int>(legal.size())))];
  Queue(std::move(item));
  asked_.push_back({runner, account, seat, match.turn(), match.request()});
}

void Stream::TellPlayed(const match::Match& match, const match::Played& played) {
  if (closing_ || dead_) return;
  world_->witness().OnToldPlayed(*world_->witness().Find(match.setup().id), played,
                                 &views_[match.setup().id.text()]);
  Queue({});
}

void Stream::TellForfeited(const match::Match& match, const match::Forfeited& forfeited) {
  if (closing_ || dead_) return;
  world_->witness().OnToldForfeited(*world_->witness().Find(match.setup().id), forfeited,
                                    views_[match.setup().id.text()]);
  Queue({});
}

void Stream::TellEnded(const host::Runner& runner) {
  if (closing_ || dead_) return;
  Account* account = world_->witness().Find(runner.id());
  world_->witness().OnToldEnded(*account, runner, &views_[runner.id().text()]);
  RefereeItem item;
  item.kind = RefereeItem::Kind::kEnded;
  item.match = {account->match, runner.id()};
  Queue(std::move(item));
}

void Stream::TellFault(const match::Match& match, const match::TellFault& fault) {
  if (closing_ || dead_) return;
  Account* account = world_->witness().Find(match.setup().id);
  world_->witness().OnToldFault(*account, fault);
  RefereeItem item;
  if (fault.kind == match::TellFault::Kind::kIllegalMove) item.kind = RefereeItem::Kind::kTryAgain;
  item.match = {account->match, match.setup().id};
  item.turn = fault.turn;
  Queue(std::move(item));
}

void Stream::TellDraining(absl::Duration) {
  if (!closing_ && !dead_) Queue({});
}

// --- Writing ---

void Stream::Flush() {
  if (closing_ || dead_ || queued_.empty() || write_awaited_ || writing_) return;
  if (writable_at_ <= world_->queue().Now()) return HandOver();
  write_awaited_ = true;
  world_->queue().At(writable_at_, [self = shared_from_this()] {
    self->world_->WhenRefereeIsAwake([self] {
      self->write_awaited_ = false;
      self->Flush();
    });
  });
}

void Stream::HandOver() {
  std::vector<Asked> asked;
  asked.swap(asked_);
  std::vector<RefereeItem> items;
  items.swap(queued_);
  for (const Account* account : due_) world_->witness().OnNotAsked(*account);
  due_.clear();
  writing_ = true;
  // As pings have found: the smoothed minimum.
  const absl::Duration round_trip = world_->plan().bots[bot_].latency * 2;
  for (const Asked& one : asked) {
    world_->witness().OnHandedOver(one.account, one.seat, one.turn, one.request, round_trip);
    one.runner->RequestSent(one.seat, one.turn, one.request, world_->queue().Now(), round_trip);
  }
  writing_ = false;
  to_bot_ = std::max(to_bot_, world_->queue().Now() + Delay());
  if (!cut_) {
    world_->queue().At(to_bot_, [self = shared_from_this(), items = std::move(items)] {
      if (!self->cut_ && self->bot_end_open_) self->world_->bot(self->bot_).OnTold(items);
    });
  }
  Flush();  // what was told meanwhile
}

void Stream::Close(const absl::Status&) {
  if (closing_ || dead_) return;
  world_->chronicle().Note("closed", {bot_, number_});
  if (!queued_.empty() && writable_at_ <= world_->queue().Now()) HandOver();
  closing_ = true;
  asked_.clear();
  queued_.clear();
  if (!cut_) TellBotLost(Delay());
  Leave();
}

void Stream::Leave() {
  const std::shared_ptr<host::Bot> bot = std::move(host_bot_);
  host_bot_ = nullptr;
  if (bot != nullptr) world_->Detach(bot_, bot, this);
}

void Stream::RefereeDied() {
  if (dead_) return;
  dead_ = true;
  asked_.clear();
  queued_.clear();
  host_bot_ = nullptr;
  if (!cut_) TellBotLost(Delay());
}

// --- Reading ---

void Stream::OnHello() {
  if (closing_) return;  // what a stream says after its end is not heard
  absl::StatusOr<std::shared_ptr<host::Bot>> bot = world_->Attach(bot_, shared_from_this());
  if (!bot.ok()) return Close(bot.status());
  if (!closing_ && !dead_) host_bot_ = *std::move(bot);
  Flush();
}

void Stream::OnRead(std::vector<BotItem> items, Instant arrived) {
  if (closing_) return;  // what a stream says after its end is not heard
  const Instant when = world_->queue().Now();
  for (const BotItem& item : items) {
    Account* account = world_->witness().Find(item.match.id);
    if (account == nullptr) continue;
    const Seat seat = world_->SeatOf(bot_, *account);
    if (item.kind == BotItem::Kind::kReply && seat.valid()) {
      world_->witness().OnReplyRead(
          account, {seat, item.turn, item.move, item.wild, when, arrived, item.request});
    }
  }
  taken_at_ = std::max(taken_at_, when);
  if (random_.OneIn(8)) {
    taken_at_ = std::max(taken_at_, when + random_.Between(absl::ZeroDuration(), kLongestLag));
  }
  if (taken_at_ == when) return Take(items, when);
  world_->queue().At(taken_at_, [self = shared_from_this(), items = std::move(items), when] {
    self->world_->WhenRefereeIsAwake([self, items, when] {
      if (!self->dead_) self->Take(items, when);
    });
  });
}

void Stream::Take(const std::vector<BotItem>& items, Instant when) {
  {
    host::FlushScope scope;
    for (const BotItem& item : items) Take(item, when);
  }
  Flush();
}

void Stream::Take(const BotItem& item, Instant when) {
  const host::Bot::Place place = world_->FindPlace(bot_, item.match.id);
  if (place.runner == nullptr) return;
  Account* account = world_->witness().Find(item.match.id);
  Account::SeatAccount& seat = account->seats[place.seat.index()];
  ReplyRead reply{place.seat, item.turn, absl::nullopt, item.wild, when, when, item.request};
  const bool answers =
      item.kind == BotItem::Kind::kReply || item.kind == BotItem::Kind::kUnreadable;
  if (!answers) reply.turn = 0;
  switch (item.kind) {
    case BotItem::Kind::kReady:
      seat.ready = true;
      world_->witness().OnHandling(account, reply);
      place.runner->Post(match::ReadyReceived{place.seat, item.nonce}, when);
      break;
    case BotItem::Kind::kReply:
      reply.move = item.move;
      world_->witness().OnHandling(account, reply);
      place.runner->Post(
          match::Replied{place.seat, item.turn, item.move, Instant::InfiniteFuture(), item.request},
          when);
      break;
    case BotItem::Kind::kUnreadable:
      reply.wild = true;
      world_->witness().OnHandling(account, reply);
      place.runner->Post(
          match::RepliedUnreadably{place.seat, item.turn, absl::InvalidArgumentError("gibberish"),
                                   Instant::InfiniteFuture(), item.request},
          when);
      break;
    case BotItem::Kind::kResign:
      seat.resigned = true;
      world_->witness().OnHandling(account, reply);
      place.runner->Post(match::Resigned{place.seat}, when);
      break;
  }
  world_->witness().OnHandled();
}

}  // namespace referee::simulation

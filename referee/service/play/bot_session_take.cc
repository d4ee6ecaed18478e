// The part of BotSession that handles a bot's messages, item by item. See bot_session.h.
#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/base/limits.h"
#include "referee/games/catalogue.h"
#include "referee/service/errors.h"
#include "referee/service/play/bot_session.h"
#include "referee/service/play/said.h"

namespace referee::service {
namespace {

// The notice to a playing bot that is shut out for the reason `why`.
std::string PlaysToTheEnd(const absl::Status& why) {
  return absl::StrCat(why.message(),
                      "; matches that have begun go on to their end, no other begins, and then the "
                      "stream ends");
}

// The capacity that a Hello asks for, clamped to the limits.
Attachment::Capacity Asked(const v1::Hello& hello) {
  const uint32_t matches = std::clamp<uint32_t>(hello.max_matches(), 1, limits::kMaxMatchesPerBot);
  return {static_cast<int>(matches), static_cast<int>(std::min(hello.parallel_turns(), matches))};
}

}  // namespace

void BotSession::Post(const host::Bot::Slot& slot, match::Event event, Instant when) {
  slot.runner->Post(std::move(event), when);
}

absl::Status BotSession::Take(const v1::PlayRequest& request, Instant when) {
  int asked = 0;    // items that answer a request
  int unasked = 0;  // other items of known kinds
  for (const v1::BotItem& item : request.items()) {
    if (bot_ == nullptr && item.kind_case() != v1::BotItem::kHello) return NoHello();
    bool was_asked = false;
    switch (item.kind_case()) {
      case v1::BotItem::kHello:
        was_asked = bot_ == nullptr;
        if (absl::Status greeted = Take(item.hello(), when); !greeted.ok()) return greeted;
        break;
      case v1::BotItem::kReady:
      case v1::BotItem::kNonce:
      case v1::BotItem::kMove:
      case v1::BotItem::kResign:
        was_asked = TakeForMatch(item, when);
        break;
      case v1::BotItem::kPong:
        was_asked = Take(item.pong(), when);
        break;
      case v1::BotItem::KIND_NOT_SET:
        continue;  // an item of a later version
    }
    ++(was_asked ? asked : unasked);
  }
  if (bot_ == nullptr) return absl::OkStatus();  // an empty message
  // Items of unknown kinds are free beside an answer. A message without any answer is charged in
  // full.
  if (asked == 0) unasked = std::max(1, request.items_size());
  return unasked == 0 ? absl::OkStatus() : login_.allowance()->TakeUnasked(unasked, when);
}

absl::Status BotSession::Take(const v1::Hello& hello, Instant when) {
  if (bot_ != nullptr) {
    QueueFault("", 0, v1::FAULT_KIND_REPEATED_HELLO,
               "hello was said before; it is said once, first");
    return absl::OkStatus();
  }
  const absl::StatusOr<Login::Guest> guest = login_.Identify(hello, when);
  if (!guest.ok()) return guest.status();
  if (!guest->shut_out.ok()) attachment_.EnterShutOut();
  const absl::Status greeted = Greet(hello, *guest, when);
  if (!greeted.ok()) return greeted;
  const Identity& identity = guest->identity;
  if (!guest->shut_out.ok()) TellNotice(PlaysToTheEnd(guest->shut_out));
  if (identity.ends_soon) {
    TellNotice(absl::StrCat(absl::FormatTime("this token ends at %Y-%m-%d %H:%M:%S UTC",
                                             *identity.ends_soon, absl::UTCTimeZone()),
                            ": renew it before, with 'refctl bot rotate ", identity.name,
                            "' and this token, and start the bot with the new one"));
  }
  return absl::OkStatus();
}

absl::Status BotSession::Greet(const v1::Hello& hello, const Login::Guest& guest, Instant when) {
  const auto rechecked = [weak = weak_from_this()](const absl::Status& why) {
    if (const std::shared_ptr<BotSession> stream = weak.lock()) stream->ShutOut(why);
  };
  if (absl::Status may = login_.Register(guest, when, rechecked); !may.ok()) return may;
  const std::string& name = login_.name();
  host::Hello said;
  said.software = hello.software();
  said.games.assign(hello.games().begin(), hello.games().end());
  const Attachment::Capacity asked = Asked(hello);
  const Attachment::Capacity gets = attachment_.Ask(asked);
  said.max_matches = gets.max_matches;
  said.parallel_turns = gets.parallel_turns;
  said.keeps_existing = hello.keeps_existing();
  said.wants_legal_moves = hello.wants_legal_moves();
  said.wants_notations = hello.wants_notations();
  list_ = MoveListOf(hello);
  news_may_wait_ = hello.news_may_wait();
  {
    MutexLock lock(&mutex_);
    outgoing_.MakeRoomFor(asked.max_matches);
    greeted_ = true;
  }
  const std::vector<std::string> fleet = environment_.host->FleetFor(name);
  Queue([&](v1::RefereeItem* item) {
    v1::Welcome* welcome = item->mutable_welcome();
    welcome->set_bot(name);
    welcome->set_referee(environment_.host->software());
    welcome->set_max_matches(static_cast<uint32_t>(said.max_matches));
    for (const std::string& address : fleet) welcome->add_addresses(address);
  });
  for (const std::string& game : said.games) {
    const absl::Status known = games::Find(game).status();
    if (known.ok()) continue;
    TellNotice(absl::StrCat("hello.games: ", known.message(),
                            "; it brings this bot no matches, so mend the name, or leave it out"));
  }
  absl::StatusOr<std::shared_ptr<host::Bot>> bot =
      environment_.host->Attach(name, shared_from_this(), std::move(said));
  if (!bot.ok()) {
    // Drops the Welcome, which was not flushed yet.
    MutexLock lock(&mutex_);
    outgoing_.Clear();
    return bot.status();
  }
  bot_ = *bot;
  // The list may have changed before this link was attached.
  const std::vector<std::string> changed = environment_.host->FleetFor(name);
  if (changed != fleet) TellFleet(changed);
  login_.LogCome();
  attachment_.Enter(bot_);
  return absl::OkStatus();
}

bool BotSession::TakeForMatch(const v1::BotItem& item, Instant when) {
  const MatchItem said = MatchItemOf(item);
  const host::Bot::Slot slot = bot_->FindSlot(said.match_id);
  if (slot.relay != nullptr) {
    return TakeForRelay(slot.relay, item, said.match_id, said.answers, said.request, when);
  }
  if (slot.runner == nullptr) {
    absl::Status why;
    {
      MutexLock lock(&mutex_);
      why = owed_.WhyNotInMatch(said.match_id, said.turn, when);
    }
    QueueFault(said.match_id.size() > limits::kMaxNameBytes ? "" : said.match_id, said.turn,
               v1::FAULT_KIND_UNKNOWN_MATCH, why.message());
    return false;
  }
  OwedAnswers::Settled settled;
  if (said.answers) {
    MutexLock lock(&mutex_);
    settled = owed_.Settle(slot.runner->id(), *said.answers, said.request, when);
  }
  absl::StatusOr<match::Event> event = EventOf(item, slot, settled.written);
  if (event.ok()) {
    Post(slot, *std::move(event), when);
  } else {
    QueueFault(said.match_id, 0, v1::FAULT_KIND_MALFORMED, event.status().message());
  }
  return settled.asked;
}

bool BotSession::Take(const v1::Pong& pong, Instant when) {
  bool asked;
  {
    MutexLock lock(&mutex_);
    asked = owed_.Pong(pong.number(), when);
  }
  if (asked) answered_ = when.nanos();
  if (!asked) {
    QueueFault("", 0, v1::FAULT_KIND_MALFORMED,
               absl::StrCat("pong.number: ", pong.number(),
                            " is not that of a ping that waits for its pong; each is answered "
                            "once, at once"));
  }
  return asked;
}

void BotSession::ShutOut(const absl::Status& why) {
  const Attachment::Change change = attachment_.SetShutOut(!why.ok());
  if (change.bot == nullptr) return;
  if (!why.ok() && !environment_.host->plays(change.bot->name())) return Close(why);
  // Sets the capacity again, as the bot's Hello may have changed it meanwhile.
  environment_.host->SetCapacity(change.bot, this, change.capacity.max_matches,
                                 change.capacity.parallel_turns);
  if (!change.begins) return;
  TellNotice(PlaysToTheEnd(why));
  Flush();
}

}  // namespace referee::service

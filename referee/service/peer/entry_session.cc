#include "referee/service/peer/entry_session.h"

#include <algorithm>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "referee/base/ids.h"
#include "referee/base/limits.h"
#include "referee/host/host.h"
#include "referee/service/peer/entry_wire.h"

namespace referee::service {
namespace {

using peer::v1::EntryItem;
using peer::v1::OwnerItem;
using peer::v1::Told;

constexpr char kOwnerGone[] =
    "the referee that hosts this match is gone, so the match has no result";
constexpr char kEndMissed[] =
    "the match has ended while its referee could not be reached; its replay has the result";

absl::Status BadOwner(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("the owner has sent ", what));
}

// Whether `relay` still relays the match: another stream of the owner may have resumed it.
bool IsRelayOf(const host::Bot& bot, const std::string& match_id, const host::Relay* relay) {
  return bot.FindSlot(match_id).relay.get() == relay;
}

}  // namespace

EntrySession::EntrySession(const PeerEnvironment* environment,
                           PeerTransport<peer::v1::AttachRequest>* transport)
    : environment_(*environment), transport_(*transport), writer_(transport, {}) {}

EntrySession::~EntrySession() = default;

void EntrySession::Begin() {
  const Instant now = environment_.clock->Now();
  {
    MutexLock lock(&mutex_);
    begun_ = true;
    heard_ = now;
    Add(0, [&](EntryItem* item) {
      item->mutable_hello()->set_secret(environment_.secret);
      item->mutable_hello()->set_owner(environment_.owner);
    });
  }
  for (const std::shared_ptr<host::Bot>& bot : environment_.host->ConnectedBots()) {
    std::shared_ptr<host::Link> gone;
    MutexLock lock(&mutex_);
    gone = TellOf(bot);
  }
  beat_ = environment_.timers->At(now + limits::kPeerBeat, [weak = weak_from_this()] {
    if (const std::shared_ptr<EntrySession> self = weak.lock()) self->Beat();
  });
  patience_ = environment_.timers->At(Instant::InfiniteFuture(), [weak = weak_from_this()] {
    if (const std::shared_ptr<EntrySession> self = weak.lock()) self->GiveUp();
  });
  Flush();
}

// --- Items from the owner ---

void EntrySession::OnRead(const peer::v1::AttachResponse& response, Instant when) {
  {
    MutexLock lock(&mutex_);
    if (ended_) return;
    silent_beats_ = 0;
    heard_ = std::max(heard_, when);
  }
  absl::Status status;
  {
    host::FlushScope scope;
    for (const OwnerItem& item : response.items()) {
      status = Take(item);
      if (!status.ok()) break;
    }
  }
  status.ok() ? Flush() : End(status);
}

absl::Status EntrySession::Take(const OwnerItem& item) {
  if (item.has_hello() == greeted_) {
    return BadOwner(greeted_ ? "its hello a second time" : "something before its hello");
  }
  greeted_ = true;
  Target target;
  if (item.stream() != 0) {
    MutexLock lock(&mutex_);
    if (item.stream() > last_stream_)
      return BadOwner("the number of a stream that there never was");
    const auto found = streams_.find(item.stream());
    if (found == streams_.end()) return absl::OkStatus();  // it has ended meanwhile
    const Guest& guest = guests_.at(found->second);
    target = {item.stream(), guest.bot, guest.link};
  }
  const OwnerItem::KindCase kind = item.kind_case();
  const bool of_none =
      kind == OwnerItem::kHello || kind == OwnerItem::kAlive || kind == OwnerItem::KIND_NOT_SET;
  if (of_none) return absl::OkStatus();
  if (target.link == nullptr) return BadOwner("an item that is about no bot");
  switch (kind) {
    case OwnerItem::kTold:
      return Take(target, item.told());
    case OwnerItem::kReserve:
      return Take(target, item.reserve());
    case OwnerItem::kRelease:
      return Take(target, item.release());
    case OwnerItem::kAskElapsed:
      Take(target, item.ask_elapsed());
      return absl::OkStatus();
    case OwnerItem::kPing:
      TakePing(target);
      return absl::OkStatus();
    default:
      return absl::OkStatus();
  }
}

absl::Status EntrySession::Take(const Target& target, const Told& told) {
  const absl::StatusOr<host::PassedOn> passed_on = PassedOnOf(told);
  if (!passed_on.ok()) return BadOwner(passed_on.status().message());
  if (told.starts()) {
    if (absl::Status held = Hold(target, told.match_id()); !held.ok()) return held;
  }
  target.link->PassOn(*passed_on);
  host::FlushScope::Flush(target.link);
  // After the end, so that the bot learns of the next match later than of this end.
  if (told.ends()) Free(*target.bot, told.match_id());
  return absl::OkStatus();
}

absl::Status EntrySession::Take(const Target& target, const peer::v1::Reserve& reserve) {
  std::vector<MatchId> matches;
  for (const std::string& id : reserve.match_ids()) {
    const absl::StatusOr<MatchId> match = MatchId::Parse(id);
    if (!match.ok()) return BadOwner("reserve.match_ids that are no ids of matches");
    matches.push_back(*match);
  }
  const absl::StatusOr<MatchId> oldest = MatchId::Parse(reserve.oldest_match_id());
  if (!oldest.ok()) return BadOwner("reserve.oldest_match_id that is no id of a match");
  if (matches.empty() || matches.size() > limits::kMaxMatchesPerBot ||
      reserve.game().size() > limits::kMaxNameBytes) {
    return BadOwner("a reserve of no matches, of too many, or of no game");
  }
  const Instant now = environment_.clock->Now();
  const auto refusal = std::make_shared<Refusal>();
  const bool granted = environment_.host->ReserveSlots(
      target.bot->name(), {matches, reserve.game(), *oldest}, shared_from_this(),
      [weak = weak_from_this(), stream = target.stream, refusal](int slots) {
        const std::shared_ptr<EntrySession> self = weak.lock();
        if (self != nullptr) self->SlotsFree(stream, refusal.get(), slots);
      });
  MutexLock lock(&mutex_);
  Guest& guest = GuestOf(target.bot);
  const bool same = guest.stream == target.stream;
  for (const MatchId& match : matches) {
    if (!granted) break;
    guest.held[match.text()] = {false, same ? Instant::InfiniteFuture() : now};
  }
  guest.settled_from = granted ? now : now + limits::kPeerSilence;
  refusal->answered = true;
  Add(target.stream, [&](EntryItem* item) {
    item->mutable_reserved()->set_number(reserve.number());
    item->mutable_reserved()->set_granted(granted);
  });
  if (refusal->slots) AddSlotsFree(target.stream, &guest, *refusal->slots);
  ForgetIfGone(target.bot->name());
  return absl::OkStatus();
}

absl::Status EntrySession::Take(const Target& target, const peer::v1::Release& release) {
  for (const std::string& id : release.match_ids()) {
    const absl::StatusOr<MatchId> match = MatchId::Parse(id);
    if (!match.ok()) return BadOwner("release.match_ids that are no ids of matches");
    Free(*target.bot, id);
    environment_.host->ForgetWish(target.bot->name(), shared_from_this(), *match);
  }
  return absl::OkStatus();
}

void EntrySession::Take(const Target& target, const peer::v1::AskElapsed& ask) {
  const host::Elapsed elapsed = target.link->ElapsedIn(ask.match_id());
  MutexLock lock(&mutex_);
  Add(target.stream,
      [&](EntryItem* item) { ElapsedToWire(ask.match_id(), elapsed, item->mutable_elapsed()); });
}

void EntrySession::TakePing(const Target& target) {
  target.link->Ping();
  host::FlushScope::Flush(target.link);
  MutexLock lock(&mutex_);
  if (Guest* const guest = FindHere(target.bot->name())) AddIfAnswered(guest);
}

// --- Slots ---

absl::Status EntrySession::Hold(const Target& target, const std::string& match_id) {
  const Instant now = environment_.clock->Now();
  const host::Bot::Slot slot = target.bot->FindSlot(match_id);
  if (slot.runner != nullptr) return BadOwner("the start of a match that this referee hosts");
  {
    MutexLock lock(&mutex_);
    Guest& guest = GuestOf(target.bot);
    if (guest.held.size() >= limits::kMaxMatchesPerBot && !guest.held.contains(match_id)) {
      return BadOwner("the starts of more matches than a bot plays at once");
    }
    const bool same = guest.stream == target.stream;
    guest.held[match_id] = {true, same ? Instant::InfiniteFuture() : now};
  }
  if (slot.relay.get() != this) {
    environment_.host->TakeSlot(target.bot->name(), match_id, shared_from_this());
  }
  return absl::OkStatus();
}

void EntrySession::Free(const host::Bot& bot, const std::string& match_id) {
  {
    MutexLock lock(&mutex_);
    const auto guest = guests_.find(bot.name());
    if (guest == guests_.end() || guest->second.held.erase(match_id) == 0) return;
    ForgetIfGone(bot.name());
  }
  if (IsRelayOf(bot, match_id, this)) environment_.host->FreeSlot(bot.name(), match_id);
}

void EntrySession::SlotsFree(uint64_t stream, Refusal* refusal, int slots) {
  {
    MutexLock lock(&mutex_);
    if (!refusal->answered) {
      refusal->slots = slots;
      return;
    }
    const auto bot = streams_.find(stream);
    if (bot == streams_.end()) return;
    AddSlotsFree(stream, &guests_.at(bot->second), slots);
  }
  Flush();
}

void EntrySession::AddSlotsFree(uint64_t stream, Guest* guest, int slots) {
  guest->settled_from = environment_.clock->Now() + limits::kKeptSlots;
  guest->taken_elsewhere.reset();
  Add(stream, [&](EntryItem* item) {
    item->mutable_slots_free()->set_slots(static_cast<uint32_t>(std::max(slots, 0)));
  });
}

// --- Bots ---

void EntrySession::BotChanged(absl::string_view bot) {
  const std::shared_ptr<host::Bot> known = environment_.host->FindBot(bot);
  if (known == nullptr) return;
  std::shared_ptr<host::Link> gone;
  {
    MutexLock lock(&mutex_);
    if (!begun_ || ended_) return;
    gone = TellOf(known);
  }
  Flush();
}

// Reads the bot's state under the lock, so that the later of two calls reports the later state.
std::shared_ptr<host::Link> EntrySession::TellOf(const std::shared_ptr<host::Bot>& bot) {
  const host::Bot::Presence presence = bot->presence();
  const bool here = presence.link != nullptr && !presence.link->relayed();
  Guest& guest = GuestOf(bot);
  std::shared_ptr<host::Link> gone;
  if (guest.stream != 0 && (!here || guest.link != presence.link)) gone = TellWent(&guest);
  if (here && guest.stream == 0) {
    TellCame(presence, &guest);
  } else if (here && (guest.max_matches != presence.hello.max_matches ||
                      guest.parallel_turns != presence.hello.parallel_turns)) {
    Add(guest.stream, [&](EntryItem* item) {
      FillCapacity(presence.hello.max_matches, presence.hello.parallel_turns, &guest,
                   item->mutable_capacity());
    });
  }
  ForgetIfGone(bot->name());
  return gone;
}

void EntrySession::TellCame(const host::Bot::Presence& presence, Guest* guest) {
  guest->stream = ++last_stream_;
  guest->link = presence.link;
  streams_[guest->stream] = guest->bot->name();
  const Instant now = environment_.clock->Now();
  for (auto& [match, held] : guest->held) held.unconfirmed = now;
  const host::Hello& hello = presence.hello;
  Add(guest->stream, [&](EntryItem* item) {
    peer::v1::BotCame* const came = item->mutable_came();
    came->set_bot(guest->bot->name());
    came->set_connection(hello.connection);
    came->set_software(hello.software);
    for (const std::string& game : hello.games) came->add_games(game);
    came->set_wants_legal_moves(hello.wants_legal_moves);
    came->set_wants_notations(hello.wants_notations);
    FillCapacity(hello.max_matches, hello.parallel_turns, guest, came->mutable_capacity());
  });
}

std::shared_ptr<host::Link> EntrySession::TellWent(Guest* guest) {
  const bool asked = guest->bot->connection().entry_gone < Instant::InfiniteFuture();
  Add(guest->stream, [&](EntryItem* item) { item->mutable_went()->set_asked_to_redial(asked); });
  streams_.erase(guest->stream);
  guest->stream = 0;
  guest->answered.reset();
  guest->settled_from = Instant();
  return std::exchange(guest->link, nullptr);
}

int EntrySession::TakenElsewhere(const Guest& guest) {
  return std::max(0, guest.bot->taken_slots() - static_cast<int>(guest.held.size()));
}

void EntrySession::FillCapacity(int max_matches, int parallel_turns, Guest* guest,
                                peer::v1::BotCapacity* out) {
  guest->max_matches = max_matches;
  guest->parallel_turns = parallel_turns;
  guest->taken_elsewhere = TakenElsewhere(*guest);
  out->set_max_matches(static_cast<uint32_t>(std::max(max_matches, 0)));
  out->set_parallel_turns(static_cast<uint32_t>(std::max(parallel_turns, 0)));
  out->set_taken_elsewhere(static_cast<uint32_t>(*guest->taken_elsewhere));
}

EntrySession::Guest& EntrySession::GuestOf(const std::shared_ptr<host::Bot>& bot) {
  Guest& guest = guests_[bot->name()];
  guest.bot = bot;
  return guest;
}

void EntrySession::ForgetIfGone(const std::string& bot) {
  const auto guest = guests_.find(bot);
  if (guest == guests_.end()) return;
  if (guest->second.stream == 0 && guest->second.held.empty()) guests_.erase(guest);
}

EntrySession::Guest* EntrySession::FindHere(absl::string_view bot) {
  const auto found = guests_.find(bot);
  return found == guests_.end() || found->second.stream == 0 ? nullptr : &found->second;
}

void EntrySession::BotRefused(absl::string_view bot) {
  {
    MutexLock lock(&mutex_);
    const Guest* const guest = FindHere(bot);
    if (guest == nullptr || ended_) return;
    Add(guest->stream, [](EntryItem* item) { item->mutable_refused(); });
  }
  Flush();
}

void EntrySession::AddIfAnswered(Guest* guest) {
  const absl::optional<Instant> answered = guest->link->answered();  // takes no lock
  if (!answered || (guest->answered && *guest->answered >= *answered)) return;
  guest->answered = answered;
  Add(guest->stream, [](EntryItem* item) { item->mutable_answered(); });
}

void EntrySession::Said(absl::string_view bot, std::string item, const host::Measured& measured) {
  MutexLock lock(&mutex_);
  const Guest* const guest = FindHere(bot);
  if (guest == nullptr) return;
  Add(guest->stream,
      [&](EntryItem* out) { SaidToWire(std::move(item), measured, out->mutable_said()); });
}

// --- The stream ---

template <typename Fill>
void EntrySession::Add(uint64_t stream, Fill fill) {
  if (ended_ || (stream != 0 && !streams_.contains(stream))) return;
  const bool added = writer_.Add([&](EntryItem* item) {
    item->set_stream(stream);
    fill(item);
  });
  if (!added) overfull_ = true;
}

void EntrySession::Flush() {
  bool overfull;
  {
    MutexLock lock(&mutex_);
    overfull = overfull_;
  }
  if (!overfull) return writer_.Flush();
  End(absl::ResourceExhaustedError("too much waits for the owner to read it"));
}

void EntrySession::OnWriteDone(bool ok) {
  writer_.OnWriteDone(ok);
  if (!ok) End(absl::UnavailableError("the stream to the owner is lost"));
}

void EntrySession::Beat() {
  const Instant now = environment_.clock->Now();
  std::vector<std::pair<std::shared_ptr<host::Bot>, std::string>> given_up;  // with the match
  bool silent = false;
  {
    MutexLock lock(&mutex_);
    if (ended_) return;
    silent = ++silent_beats_ > limits::kPeerSilence / limits::kPeerBeat;
    for (const auto& [name, guest] : guests_) {
      if (guest.stream == 0) continue;
      for (const auto& [match, held] : guest.held) {
        const bool unconfirmed = held.unconfirmed + limits::kPeerSilence < now;
        if (unconfirmed) given_up.emplace_back(guest.bot, match);
      }
    }
  }
  if (silent) return End(absl::UnavailableError("nothing was heard of the owner"));
  {
    host::FlushScope scope;
    for (const auto& [bot, match] : given_up) Free(*bot, match);
  }
  {
    MutexLock lock(&mutex_);
    SayWhatChanged(now);
  }
  Flush();
  beat_.SetTo(now + limits::kPeerBeat);
}

void EntrySession::SayWhatChanged(Instant now) {
  for (auto& [name, guest] : guests_) {
    if (guest.stream == 0) continue;
    AddIfAnswered(&guest);
    if (now < guest.settled_from || guest.taken_elsewhere == TakenElsewhere(guest)) continue;
    Add(guest.stream, [&guest = guest](EntryItem* item) {
      FillCapacity(guest.max_matches, guest.parallel_turns, &guest, item->mutable_capacity());
    });
  }
  const int64_t silence = absl::ToInt64Nanoseconds(now - heard_);
  Add(0, [silence](EntryItem* item) { item->mutable_alive()->set_silence(silence); });
}

void EntrySession::End(const absl::Status& status) {
  {
    MutexLock lock(&mutex_);
    if (ended_) return;
    ended_ = true;
    finishing_ = std::this_thread::get_id();
  }
  writer_.Close();
  transport_.Finish(status);
  MutexLock lock(&mutex_);
  finishing_ = std::thread::id();
  finished_.NotifyAll();
}

void EntrySession::OnDone() {
  std::vector<std::pair<std::shared_ptr<host::Bot>, std::string>> not_begun;  // with the match
  bool waits = false;
  {
    MutexLock lock(&mutex_);
    ended_ = true;
    // The transport may be destroyed once this returns.
    while (finishing_ != std::thread::id() && finishing_ != std::this_thread::get_id()) {
      finished_.Wait(&mutex_);
    }
    for (const auto& [name, guest] : guests_) {
      for (const auto& [match, held] : guest.held) {
        waits |= held.begun;
        if (!held.begun) not_begun.emplace_back(guest.bot, match);
      }
    }
  }
  writer_.CloseAndWait();
  {
    host::FlushScope scope;
    for (const auto& [bot, match] : not_begun) Free(*bot, match);
  }
  if (!waits) return GiveUp();
  // The slots keep this alive until then.
  patience_.SetTo(environment_.clock->Now() + limits::kEntryPatience);
}

void EntrySession::OwnerIsBack() {
  {
    MutexLock lock(&mutex_);
    if (!begun_ || std::exchange(owner_is_back_, true)) return;
  }
  patience_.SetTo(environment_.clock->Now() + limits::kPeerSilence);
}

void EntrySession::GiveUp() {
  absl::btree_map<std::string, Guest> guests;
  bool owner_is_back;
  {
    MutexLock lock(&mutex_);
    guests.swap(guests_);
    streams_.clear();
    owner_is_back = owner_is_back_;
  }
  host::FlushScope scope;
  for (const auto& [name, guest] : guests) {
    const std::shared_ptr<host::Link> link = guest.bot->link();
    if (link == nullptr || link != guest.link) continue;  // the link does not know the matches
    for (const auto& [match, held] : guest.held) {
      const bool knows = held.begun && held.unconfirmed == Instant::InfiniteFuture();
      if (!knows || !IsRelayOf(*guest.bot, match, this)) continue;
      link->PassOn(VoidEnd(match, owner_is_back ? kEndMissed : kOwnerGone));
      host::FlushScope::Flush(link);
    }
  }
  environment_.host->FreeSlotsOf(shared_from_this());
}

}  // namespace referee::service

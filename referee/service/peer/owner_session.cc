#include "referee/service/peer/owner_session.h"

#include <sodium.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/base/text.h"
#include "referee/service/peer/owner_outbox.h"
#include "referee/service/peer/relayed_link.h"
#include "referee/service/play/said.h"

namespace referee::service {
namespace {

using peer::v1::EntryItem;

// As in v1::Hello.
constexpr size_t kMaxSoftwareBytes = 64;
// The greatest connection number, which leaves room to add one. As a time, it lies in 2116.
constexpr int64_t kMaxConnection = std::numeric_limits<int64_t>::max() / 2;

absl::Status NoSense(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("the entry has sent ", what));
}

bool IsSecret(const std::string& shown, const std::string& secret) {
  return !secret.empty() && shown.size() == secret.size() &&
         sodium_memcmp(shown.data(), secret.data(), secret.size()) == 0;
}

int AtMost(uint32_t count, int most) {
  return static_cast<int>(std::min(count, static_cast<uint32_t>(most)));
}

host::Hello HelloOf(const peer::v1::BotCame& came) {
  host::Hello hello;
  hello.software = PlainText(came.software(), kMaxSoftwareBytes);
  hello.games.assign(came.games().begin(), came.games().end());
  hello.max_matches = AtMost(came.capacity().max_matches(), limits::kMaxMatchesPerBot);
  hello.parallel_turns = AtMost(came.capacity().parallel_turns(), hello.max_matches);
  hello.connection = came.connection();
  return hello;
}

MoveList WantedBy(const peer::v1::BotCame& came) {
  v1::Hello hello;
  hello.set_wants_legal_moves(came.wants_legal_moves());
  hello.set_wants_notations(came.wants_notations());
  return MoveListOf(hello);
}

absl::Status Check(const peer::v1::BotCame& came) {
  if (!IsPlainName(came.bot())) return NoSense("came.bot that is no name");
  if (came.games_size() > limits::kMaxGamesInHello) return NoSense("came.games that are too many");
  if (came.connection() <= 0 || came.connection() > kMaxConnection) {
    return NoSense("came.connection that is no number of a connection");
  }
  return absl::OkStatus();
}

}  // namespace

OwnerSession::OwnerSession(const PeerEnvironment* environment,
                           PeerTransport<peer::v1::AttachResponse>* transport)
    : environment_(*environment),
      transport_(*transport),
      outbox_(std::make_shared<OwnerOutbox>(transport, environment->clock)) {}

OwnerSession::~OwnerSession() = default;

void OwnerSession::Begin() {
  const Instant now = environment_.clock->Now();
  MutexLock lock(&mutex_);
  reached_ = now;
  beat_ = environment_.timers->At(now + limits::kPeerBeat, [weak = weak_from_this()] {
    if (const std::shared_ptr<OwnerSession> self = weak.lock()) self->Beat();
  });
}

std::string OwnerSession::entry() const {
  MutexLock lock(&mutex_);
  return entry_;
}

// --- Items from the entry ---

void OwnerSession::OnRead(const peer::v1::AttachRequest& request, Instant when) {
  const std::shared_ptr<OwnerSession> keep = shared_from_this();
  bool greeted;
  {
    MutexLock lock(&mutex_);
    if (ended_) return;
    beats_ = 0;
    greeted = !entry_.empty();
  }
  absl::Status status;
  if (!greeted && request.items().empty()) status = NoSense("nothing in place of its hello");
  {
    host::FlushScope scope;
    for (const EntryItem& item : request.items()) {
      status.Update(Take(item, when));
      if (!status.ok()) break;
    }
  }
  if (!status.ok()) return End(status);
  outbox_->Flush();
}

absl::Status OwnerSession::Take(const EntryItem& item, Instant when) {
  const bool greeted = !entry().empty();
  if (item.has_hello() == greeted) {
    return NoSense(greeted ? "its hello a second time" : "something before its hello");
  }
  switch (item.kind_case()) {
    case EntryItem::kHello:
      return Take(item.hello());
    case EntryItem::kCame:
      return Take(item.stream(), item.came());
    case EntryItem::kAlive: {
      const auto silence = absl::Nanoseconds(std::max<int64_t>(item.alive().silence(), 0));
      MutexLock lock(&mutex_);
      reached_ = std::max(reached_, when + -silence);
      return absl::OkStatus();
    }
    case EntryItem::KIND_NOT_SET:
      return absl::OkStatus();  // an item of a later version, or an empty one
    default:
      return TakeOfBot(item, when);
  }
}

absl::Status OwnerSession::Take(const peer::v1::EntryHello& hello) {
  if (!IsSecret(hello.secret(), environment_.secret)) {
    return absl::UnauthenticatedError("the secret is not that of this fleet");
  }
  if (!IsPlainName(hello.owner())) return NoSense("hello.owner that is no name");
  if (hello.owner() == environment_.owner) return NoSense("the name of this referee as its own");
  {
    MutexLock lock(&mutex_);
    entry_ = hello.owner();
  }
  outbox_->Add(0, [this](peer::v1::OwnerItem* item) {
    item->mutable_hello()->set_owner(environment_.owner);
  });
  return absl::OkStatus();
}

absl::Status OwnerSession::Take(uint64_t stream, const peer::v1::BotCame& came) {
  if (absl::Status sane = Check(came); !sane.ok()) return sane;
  {
    MutexLock lock(&mutex_);
    if (stream == 0 || guests_.contains(stream)) {
      return NoSense("came with the number of no stream, or of another bot's");
    }
  }
  host::Hello hello = HelloOf(came);
  Guest guest;
  guest.max_matches = hello.max_matches;
  guest.parallel_turns = hello.parallel_turns;
  guest.link = std::make_shared<RelayedLink>(environment_.clock, outbox_, stream, came.bot(),
                                             WantedBy(came));
  const auto bot = environment_.host->Attach(came.bot(), guest.link, std::move(hello));
  if (bot.ok()) guest.bot = *bot;
  bool ended;
  Instant reached;
  {
    MutexLock lock(&mutex_);
    ended = ended_;
    reached = reached_;
    if (!ended) guests_[stream] = guest;
  }
  if (guest.bot == nullptr) {
    guest.link->Shut();
    return absl::OkStatus();
  }
  environment_.host->SetTakenElsewhere(
      guest.bot, guest.link.get(),
      AtMost(came.capacity().taken_elsewhere(), limits::kMaxMatchesPerBot));
  if (!ended) return absl::OkStatus();
  // The stream ended meanwhile, and its End did not know this bot yet.
  guest.link->Shut();
  environment_.host->DetachEntry(guest.bot, guest.link.get(), reached);
  return absl::OkStatus();
}

absl::Status OwnerSession::TakeOfBot(const EntryItem& item, Instant when) {
  const uint64_t stream = item.stream();
  Guest guest;
  {
    MutexLock lock(&mutex_);
    if (ended_) return absl::OkStatus();
    const auto found = guests_.find(stream);
    if (found == guests_.end()) return NoSense("an item of a bot that has not come, or has gone");
    guest = found->second;
  }
  if (item.has_went()) {
    TakeWent(stream, guest, item.went().asked_to_redial() ? when : Instant::InfiniteFuture());
    return absl::OkStatus();
  }
  if (guest.bot == nullptr) return absl::OkStatus();
  switch (item.kind_case()) {
    case EntryItem::kCapacity:
      Take(stream, guest, item.capacity());
      return absl::OkStatus();
    case EntryItem::kSaid:
      return Take(guest, item.said(), when);
    case EntryItem::kReserved:
      guest.link->TakeReserved(item.reserved());
      return absl::OkStatus();
    case EntryItem::kSlotsFree:
      Take(guest, item.slots_free());
      return absl::OkStatus();
    case EntryItem::kElapsed:
      guest.link->TakeElapsed(item.elapsed(), when);
      return absl::OkStatus();
    case EntryItem::kRefused:
      environment_.host->NoteRefused(guest.bot->name());
      return absl::OkStatus();
    case EntryItem::kAnswered:
      guest.link->NoteAnswered(when);
      return absl::OkStatus();
    default:
      return absl::OkStatus();
  }
}

void OwnerSession::TakeWent(uint64_t stream, const Guest& guest, Instant asked) {
  {
    MutexLock lock(&mutex_);
    guests_.erase(stream);
  }
  guest.link->Shut();
  if (guest.bot == nullptr) return;
  if (asked < Instant::InfiniteFuture()) {
    environment_.host->DetachEntry(guest.bot, guest.link.get(), asked);
  } else {
    environment_.host->Detach(guest.bot, guest.link.get());
  }
}

void OwnerSession::Take(uint64_t stream, const Guest& guest,
                        const peer::v1::BotCapacity& capacity) {
  const int max_matches = AtMost(capacity.max_matches(), limits::kMaxMatchesPerBot);
  const int parallel_turns = AtMost(capacity.parallel_turns(), max_matches);
  const bool same = max_matches == guest.max_matches && parallel_turns == guest.parallel_turns;
  {
    MutexLock lock(&mutex_);
    const auto found = guests_.find(stream);
    if (found == guests_.end()) return;
    found->second.max_matches = max_matches;
    found->second.parallel_turns = parallel_turns;
  }
  const host::Link* const link = guest.link.get();
  if (!same) environment_.host->SetCapacity(guest.bot, link, max_matches, parallel_turns);
  environment_.host->SetTakenElsewhere(
      guest.bot, link, AtMost(capacity.taken_elsewhere(), limits::kMaxMatchesPerBot));
}

void OwnerSession::Take(const Guest& guest, const peer::v1::SlotsFree& free) {
  const int most = guest.max_matches;
  const int usual = guest.parallel_turns > 0 ? std::min(guest.parallel_turns, most) : most;
  const int left = usual - guest.bot->taken_slots() - AtMost(free.slots(), most);
  environment_.host->SetTakenElsewhere(guest.bot, guest.link.get(), std::max(left, 0));
}

absl::Status OwnerSession::Take(const Guest& guest, const peer::v1::BotSaid& said, Instant when) {
  v1::BotItem item;
  if (said.item().size() > limits::kMaxReceivedBytes || !item.ParseFromString(said.item())) {
    return NoSense("said.item that is no item of a bot");
  }
  if (item.kind_case() == v1::BotItem::KIND_NOT_SET) return absl::OkStatus();
  if (!IsOfMatch(item)) return NoSense("said.item that is about no match");
  guest.link->TakeSaid(*guest.bot, item, said, when);
  return absl::OkStatus();
}

// --- The stream ---

void OwnerSession::OnWriteDone(bool ok) { outbox_->OnWriteDone(ok); }

void OwnerSession::Beat() {
  bool greeted;
  absl::Status status = outbox_->status();
  {
    MutexLock lock(&mutex_);
    if (ended_) return;
    greeted = !entry_.empty();
    if (++beats_ > limits::kPeerSilence / limits::kPeerBeat) {
      status.Update(absl::UnavailableError("the entry says nothing"));
    }
  }
  if (!status.ok()) return End(status);
  if (greeted && !outbox_->TakeAdded()) {
    outbox_->Add(0, [](peer::v1::OwnerItem* item) { item->mutable_alive(); });
    outbox_->TakeAdded();
  }
  outbox_->Flush();
  MutexLock lock(&mutex_);
  if (!done_) beat_.SetTo(environment_.clock->Now() + limits::kPeerBeat);
}

void OwnerSession::End(const absl::Status& status) {
  if (!EndBots()) return;
  outbox_->Close();
  transport_.Finish(status);
}

void OwnerSession::OnDone() {
  {
    host::Timer beat;  // its destruction waits for a call of End in progress
    MutexLock lock(&mutex_);
    done_ = true;
    beat = std::move(beat_);
  }
  EndBots();
  outbox_->CloseAndWait();
}

bool OwnerSession::EndBots() {
  absl::btree_map<uint64_t, Guest> guests;
  Instant reached;
  {
    MutexLock lock(&mutex_);
    if (std::exchange(ended_, true)) return false;
    guests.swap(guests_);
    reached = reached_;
  }
  host::FlushScope scope;
  for (const auto& [stream, guest] : guests) guest.link->Shut();
  for (const auto& [stream, guest] : guests) {
    if (guest.bot != nullptr) {
      environment_.host->DetachEntry(guest.bot, guest.link.get(), reached);
    }
  }
  return true;
}

}  // namespace referee::service

// The part of BotSession for relayed matches, which another referee owns.
//
// See bot_session.h and service/peer/PEERS.md.
#include <algorithm>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "referee/service/play/bot_session.h"

namespace referee::service {
namespace {

Outgoing::When WhenOf(const host::PassedOn& told, bool news_may_wait) {
  switch (told.when) {
    case host::PassedOn::When::kNow:
      return Outgoing::When::kNow;
    case host::PassedOn::When::kTogether:
      return Outgoing::When::kTogether;
    case host::PassedOn::When::kLater:
      return news_may_wait ? Outgoing::When::kLater : Outgoing::When::kNow;
  }
  return Outgoing::When::kNow;
}

// Notes what the item in `batch` asks for, and whether its match ends.
void NoteTold(const host::PassedOn& told, const MatchId& match, Instant now, Batch* batch,
              OwedAnswers* owed) {
  switch (told.asks) {
    case host::PassedOn::Asks::kNothing:
      break;
    case host::PassedOn::Asks::kReady:
      owed->Add(match, PendingRequests::kReady, 0, now);
      break;
    case host::PassedOn::Asks::kNonce:
      owed->Add(match, PendingRequests::kNonce, 0, now);
      break;
    case host::PassedOn::Asks::kMove:
      if (told.again) {
        owed->AddAgain(match, told.turn, told.request, now);
        break;
      }
      batch->AddAsked({nullptr, Seat::None(), told.turn, told.request, Instant::InfiniteFuture(),
                       Instant::InfiniteFuture(), match});
      owed->Add(match, told.turn, told.request);
      break;
  }
  if (told.ends) owed->EndRelayed(match, told.lost_turn, told.lost_limit, now);
}

// The measurements of an answer that the transport delivered at `when`.
host::Measured MeasuredOf(const OwedAnswers::Settled& settled, Instant when,
                          absl::Duration round_trip, const host::Host& host) {
  host::Measured measured;
  measured.round_trip = round_trip;
  if (settled.counts_from == Instant::InfiniteFuture()) return measured;
  measured.thought = std::max(when - settled.counts_from, absl::ZeroDuration());
  measured.stalls = host.StallsBetween(settled.counts_from, when);
  if (settled.written != Instant::InfiniteFuture()) {
    measured.taken = std::max(settled.written - settled.counts_from, absl::ZeroDuration());
  }
  return measured;
}

}  // namespace

void BotSession::PassOn(const host::PassedOn& told) {
  const Instant now = environment_.clock->Now();
  if (told.fault) {
    const absl::Status allowed = login_.allowance()->TakeFault(now);
    if (!allowed.ok()) return Refuse(allowed);
  }
  const MatchId match = MatchId::Parse(told.match_id).value_or(MatchId());
  absl::Status room;
  {
    MutexLock lock(&mutex_);
    if (closing_) return;
    room = outgoing_.CheckRoom();
    if (room.ok()) {
      Batch* const batch = outgoing_.AddBytes(WhenOf(told, news_may_wait_), told.response);
      NoteTold(told, match, now, batch, &owed_);
    }
  }
  if (!room.ok()) Close(room);
}

host::Elapsed BotSession::ElapsedIn(absl::string_view match_id) const {
  const absl::StatusOr<MatchId> match = MatchId::Parse(match_id);
  if (!match.ok()) return {};
  const Instant now = environment_.clock->Now();
  absl::optional<Instant> from;
  {
    MutexLock lock(&mutex_);
    from = owed_.CountsFrom(*match, now);
  }
  host::Elapsed elapsed;
  if (!from) return elapsed;
  elapsed.waits = *from == Instant::InfiniteFuture();
  if (elapsed.waits) return elapsed;
  elapsed.time = std::max(now - *from, absl::ZeroDuration());
  elapsed.stalls = environment_.host->StallsBetween(*from, now);
  return elapsed;
}

bool BotSession::TakeForRelay(const std::shared_ptr<host::Relay>& relay, const v1::BotItem& item,
                              const std::string& match_id, absl::optional<uint32_t> answers,
                              uint32_t request, Instant when) {
  const MatchId match = MatchId::Parse(match_id).value_or(MatchId());
  std::string bytes = item.SerializeAsString();
  if (std::find(said_to_.begin(), said_to_.end(), relay) == said_to_.end()) {
    said_to_.push_back(relay);
  }
  OwedAnswers::Settled settled;
  MutexLock lock(&mutex_);
  if (answers) settled = owed_.SettleRelayed(match, *answers, request, when);
  // Under the lock: a thread that sees the answer by ElapsedIn then writes to the owner after it.
  relay->Said(bot_->name(), std::move(bytes),
              MeasuredOf(settled, when, owed_.round_trip(), *environment_.host));
  return settled.asked;
}

}  // namespace referee::service

// The host's link to a bot that is connected to another referee, its entry (PEERS.md).
//
// The host's items go to the entry, and the bot's items come from there.
//
// The entry measures the bot's time. A request counts as handed over when its batch is handed to
// the stream to the entry, at t0. The answer counts as read at t0 plus the measured time, but not
// later than it arrived. While that stream does not accept a request, the host gets no
// RequestOffered, since the delay is not the bot's.
#ifndef REFEREE_SERVICE_PEER_RELAYED_LINK_H_
#define REFEREE_SERVICE_PEER_RELAYED_LINK_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/btree_map.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "proto/referee/peer/v1/peer_service.pb.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/host/bot.h"
#include "referee/host/link.h"
#include "referee/host/match_runner.h"
#include "referee/match/match.h"
#include "referee/service/convert/convert.h"
#include "referee/service/peer/owner_outbox.h"
#include "referee/service/play/owed_answers.h"

namespace referee::service {

// Thread-safe.
class RelayedLink final : public host::Link, public std::enable_shared_from_this<RelayedLink> {
 public:
  // For the bot `bot` on its stream `stream`; `list` says how it wants the legal moves. `clock`
  // must outlive this.
  RelayedLink(const Clock* clock, std::shared_ptr<OwnerOutbox> outbox, uint64_t stream,
              std::string bot, MoveList list);

  // --- For the session ---

  const std::string& bot_name() const { return bot_name_; }
  // Handles an item of the bot that came at `when`; `said` has the entry's measurements. REQUIRES:
  // IsOfMatch(item).
  void TakeSaid(const host::Bot& bot, const v1::BotItem& item, const peer::v1::BotSaid& said,
                Instant when);
  // Handle the answers to Reserve and AskLag. Unrequested ones are ignored.
  void TakeReserved(const peer::v1::Reserved& reserved);
  void TakeElapsed(const peer::v1::Elapsed& elapsed, Instant when);
  // The bot has answered a ping.
  void NoteAnswered(Instant when);
  // Disables the link: later calls have no effect.
  void Shut();
  // For the outbox: the request was handed to the stream.
  void NoteSent(const Asking& asking, Instant now);

  // --- host::Link ---

  void TellStart(const match::Match& match, Seat seat) override;
  void AskNonce(const match::Match& match, Seat seat) override;
  void AskTurn(const std::shared_ptr<host::MatchRunner>& runner, const match::Match& match,
               Seat seat) override;
  void TellPlayed(const match::Match& match, const match::Played& played) override;
  void TellForfeited(const match::Match& match, const match::Forfeited& forfeited) override;
  void TellEnded(const host::MatchRunner& runner) override;
  void TellFault(const match::Match& match, const match::TellFault& fault) override;
  // Sends nothing: the bot's stream outlives this referee.
  void TellDraining(absl::Duration, bool) override {}
  void TellNotice(absl::string_view text) override;
  // Sends nothing: the entry reports the fleet.
  void TellFleet(const std::vector<std::string>&) override {}
  void Ping() override;
  absl::optional<Instant> answered() const override;
  void Flush() override { outbox_->Flush(); }
  // Does not notify the entry, which itself learns of a connection that replaces this one.
  void Close(const absl::Status& reason) override;
  bool relayed() const override { return true; }
  void Reserve(const host::SlotsWanted& wanted, std::function<void(bool granted)> then) override;
  void Release(const std::vector<MatchId>& matches) override;
  void AskLag(const std::shared_ptr<host::MatchRunner>& runner, Seat seat) override;

 private:
  // The last request to the bot in a match.
  struct Asked {
    uint32_t turn = 0;  // as in PendingRequests
    uint32_t request = 0;
    Instant queued;
    absl::optional<Instant> sent;  // to the entry; nullopt: still queued
    // How much later the answer came than `sent` plus the time that the entry measured; nullopt: no
    // answer yet.
    absl::optional<absl::Duration> lag = absl::nullopt;
  };
  // A pending question of AskLag.
  struct LagAsked {
    std::shared_ptr<host::MatchRunner> runner;
    Seat seat;
    uint32_t turn = 0;  // the bot's request at that time
    uint32_t request = 0;
  };
  // When an answer counts as read, and related measurements.
  struct Reading {
    Instant when;
    Instant written = Instant::InfiniteFuture();
    absl::optional<match::Stalls> stalls = absl::nullopt;
  };

  // Sends the bot an item of the Play stream, filled by `fill(v1::RefereeItem*)`. `told` has the
  // metadata.
  template <typename Fill>
  void Tell(peer::v1::Told told, Fill fill);
  // Sends an item that asks for `asking`.
  template <typename Fill>
  void Ask(peer::v1::Told told, Asking asking, Fill fill);
  void QueueFault(absl::string_view match_id, uint32_t turn, v1::FaultKind kind,
                  absl::string_view message);
  Reading ReadingOf(const MatchId& match, absl::optional<uint32_t> turn, uint32_t request,
                    const peer::v1::BotSaid& said, Instant when);
  // How much longer the bot seems, at `when`, to have had its request than it really had.
  absl::Duration LagOf(const LagAsked& question, const peer::v1::Elapsed& elapsed,
                       Instant when) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool shut() const;

  const Clock& clock_;
  const std::shared_ptr<OwnerOutbox> outbox_;
  const uint64_t stream_;
  const std::string bot_name_;
  const MoveList list_;

  mutable Mutex mutex_;
  bool shut_ ABSL_GUARDED_BY(mutex_) = false;
  absl::flat_hash_map<MatchId, Asked> asked_ ABSL_GUARDED_BY(mutex_);
  // By match; the entry answers them in order.
  absl::flat_hash_map<std::string, std::deque<LagAsked>> lags_ ABSL_GUARDED_BY(mutex_);
  absl::btree_map<uint64_t, std::function<void(bool)>> reserves_ ABSL_GUARDED_BY(mutex_);
  OwedAnswers ended_ ABSL_GUARDED_BY(mutex_);  // explains replies after the end of a match
  absl::Duration round_trip_ ABSL_GUARDED_BY(mutex_);
  absl::optional<Instant> answered_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PEER_RELAYED_LINK_H_

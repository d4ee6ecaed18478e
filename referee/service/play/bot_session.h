// A bot's session: the protocol of one bot stream, without the stream itself.
//
// It is a host::Link on one side and drives a Transport on the other. gRPC (PlayStream) or a test
// provides the transport.
//
// Writing (outgoing.h): each item is converted at once into the batch being filled. A flush hands
// the batch to the transport if no write is in progress. Otherwise the batch goes out when that
// write is done, and the matches learn that their requests wait for the bot to read. The clock of a
// turn starts just before its batch is handed over. A batch sent after Close starts no clock,
// because no answer would be read.
//
// Delays: news, that is other bots' turns, may wait for the next write if the bot allows it in
// Hello. They wait until kWakeLimit later, or until kMostNews of them wait. A request of a turn
// waits at most kHoldLimit. It is held while a bot that answers at once owes more answers than
// requests wait for it. Together these must be more than kFewTurns. So the bot gets its next
// requests together, and before it runs out of work. No clock runs while a request is held. The
// records count the time as the referee's, from when the turn is due until the handover.
//
// Reading: one message at a time. Replies are stamped when the transport delivers them, before any
// other work.
//
// Parking: gRPC sends the flow control grant for the next message along with a write. A read that
// is started with nothing to write sends the grant by itself. That costs a system call here and a
// wake-up at the bot for every turn. So while a bot owes no answer its stream is parked: it does
// not read until the next write has been handed over, or until kWakeLimit later. No clock of the
// bot runs then. Unrequested items (a resignation, the end of the stream) are read with this delay.
//
// Relayed matches (host/relay.h): items from the owners are passed on unchanged, and delayed,
// parked and limited like the others. The bot's items are passed to the owner with the times
// measured here; the owner judges.
#ifndef REFEREE_SERVICE_PLAY_BOT_SESSION_H_
#define REFEREE_SERVICE_PLAY_BOT_SESSION_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/clock.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/host/host.h"
#include "referee/host/link.h"
#include "referee/host/timers.h"
#include "referee/service/access/authenticator.h"
#include "referee/service/convert/convert.h"
#include "referee/service/play/attachment.h"
#include "referee/service/play/login.h"
#include "referee/service/play/outbox.h"
#include "referee/service/play/outgoing.h"
#include "referee/service/play/owed_answers.h"

namespace referee::service {

// The stream under a session, with at most one write and one read at a time. The session calls it.
// The transport reports results to the session on any thread, even before the call has returned.
class Transport {
 public:
  virtual ~Transport() = default;

  // Starts to write one message: the bytes of `message`, followed by `rest`. Both stay unchanged
  // until BotSession::OnWriteDone.
  virtual void Write(const v1::PlayResponse& message, absl::string_view rest) = 0;
  // Starts to read the next message. Reports OnRead, or Close at the end of the stream. Need not
  // report after Finish.
  virtual void Read() = 0;
  // Ends the stream with `status`. Called once, when no write is in progress or will follow.
  virtual void Finish(const absl::Status& status) = 0;
  // Aborts the stream soon: reads and writes in progress fail, and OnCancel follows. Called with
  // the session's lock held; not after OnDone.
  virtual void Cancel() = 0;
};

// The `note` of an item that asks for nothing; see BotSession::Queue.
struct AsksNothing {
  void operator()(Batch*, OwedAnswers*) const {}
};

// Thread-safe, but the transport must make its calls one at a time.
class BotSession : public host::Link, public std::enable_shared_from_this<BotSession> {
 public:
  using Environment = SessionEnvironment;

  // The environment must outlive this, and the transport must live until OnDone.
  BotSession(const Environment* environment, Transport* transport)
      : environment_(*environment),
        transport_(*transport),
        login_(environment),
        attachment_(environment->host),
        outgoing_(environment->limits) {}

  // --- For the transport ---

  // Starts or refuses the session of a stream from `peer`, as gRPC writes it. Call first, once.
  // REQUIRES: a shared_ptr holds this.
  void Begin(absl::string_view peer);
  // Handles `request`, which a read has delivered at `when`.
  void OnRead(const v1::PlayRequest& request, Instant when);
  // The write is done. Not `ok`: it failed, and so will all later ones.
  void OnWriteDone(bool ok);
  // Ends the stream because the bot's input is invalid, too large or too much. The host counts it
  // against the bot's matches (Host::NoteRefused).
  void Refuse(const absl::Status& why);
  // The stream is lost.
  void OnCancel();
  // The last call: after Finish, when no read or write is in progress.
  void OnDone();

  // The bot that said Hello; null before. Only for the thread that calls OnRead.
  const std::shared_ptr<host::Bot>& bot() const { return bot_; }

  // --- host::Link ---

  void TellStart(const match::Match& match, Seat seat) override;
  void AskNonce(const match::Match& match, Seat seat) override;
  void AskTurn(const std::shared_ptr<host::MatchRunner>& runner, const match::Match& match,
               Seat seat) override;
  void TellPlayed(const match::Match& match, const match::Played& played) override;
  void TellForfeited(const match::Match& match, const match::Forfeited& forfeited) override;
  void TellEnded(const host::MatchRunner& runner) override;
  void TellFault(const match::Match& match, const match::TellFault& fault) override;
  void TellDraining(absl::Duration time_left, bool will_return) override;
  void TellNotice(absl::string_view text) override;
  void TellFleet(const std::vector<std::string>& addresses) override;
  void Ping() override;
  absl::optional<Instant> answered() const override;
  void Flush() override;
  // For relayed matches: bot_session_relay.cc.
  void PassOn(const host::PassedOn& told) override;
  host::Elapsed ElapsedIn(absl::string_view match_id) const override;
  // The transport also calls this, if a read has delivered no message.
  void Close(const absl::Status& reason) override;

 protected:
  // Posts the bot's item to its match.
  virtual void Post(const host::Bot::Slot& slot, match::Event event, Instant when);

 private:
  using When = Outgoing::When;
  // Adds an item, filled by `fill(v1::RefereeItem*)`, to the current batch. Then calls
  // `note(Batch*, OwedAnswers*)`, with the lock held, to note what the item asks for.
  template <typename Fill, typename Note = AsksNothing>
  void Queue(Fill fill, When when = When::kNow, Note note = Note());
  void QueueFault(absl::string_view match_id, uint32_t turn, v1::FaultKind kind,
                  absl::string_view message);

  // Parks the stream if possible. If it returns true, Unpark reads the next message later.
  bool Park();
  // Starts to read if parked.
  void Unpark();
  void TakeIn(const v1::PlayRequest& request, Instant when);
  // Handle the bot's items (bot_session_take.cc). A status other than OK ends the stream. A bool
  // says whether the referee had asked for the item.
  absl::Status Take(const v1::PlayRequest& request, Instant when);
  absl::Status Take(const v1::Hello& hello, Instant when);
  absl::Status Greet(const v1::Hello& hello, const Login::Guest& guest, Instant when);
  // Handles a Ready, Nonce, MoveReply or Resign.
  bool TakeForMatch(const v1::BotItem& item, Instant when);
  // Handles such an item for a match of `relay` (bot_session_relay.cc). It answers `request` of
  // turn `answers`, as in PendingRequests; nullopt: it answers nothing.
  bool TakeForRelay(const std::shared_ptr<host::Relay>& relay, const v1::BotItem& item,
                    const std::string& match_id, absl::optional<uint32_t> answers, uint32_t request,
                    Instant when);
  bool Take(const v1::Pong& pong, Instant when);
  // Handles a recheck. Not OK: the bot is shut out, takes no new match, and its stream ends when it
  // plays no match. OK: readmits a bot that was shut out.
  void ShutOut(const absl::Status& why);
  // Writes sending_ and starts the clocks of its turns. REQUIRES: the caller has taken the batch
  // from outgoing_.
  void HandOver();
  // Ends the stream if the session is closing and no read, write or lookup is starting or in
  // progress. Returns whether the stream has ended.
  bool FinishIfDone();

  const Environment& environment_;
  Transport& transport_;
  Login login_;
  Attachment attachment_;

  // Set by Hello. Used only in OnRead, which is called once at a time.
  std::shared_ptr<host::Bot> bot_;
  // Relays to flush after the current message. Used only in OnRead.
  std::vector<std::shared_ptr<host::Relay>> said_to_;
  // Set by Hello, before any match starts.
  MoveList list_ = MoveList::kNone;
  bool news_may_wait_ = false;
  // When the bot last answered a ping, in nanoseconds; kNever if it has not. Read without the lock.
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::min();
  std::atomic<int64_t> answered_{kNever};

  mutable Mutex mutex_;
  Outgoing outgoing_ ABSL_GUARDED_BY(mutex_);
  OwedAnswers owed_ ABSL_GUARDED_BY(mutex_);
  // The batch being written. Only the thread that took it from outgoing_ uses it.
  std::unique_ptr<Batch> sending_;
  bool parked_ ABSL_GUARDED_BY(mutex_) = false;         // no read is in progress; Unpark starts one
  bool starting_read_ ABSL_GUARDED_BY(mutex_) = false;  // in Unpark
  int asking_ ABSL_GUARDED_BY(mutex_) = 0;              // calls of Login::Prepare in progress
  bool greeted_ ABSL_GUARDED_BY(mutex_) = false;
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  bool done_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status reason_ ABSL_GUARDED_BY(mutex_);

  // The last members: their callbacks use the others.
  host::Timer hello_timer_;
  host::Timer wake_timer_;
  host::Timer farewell_timer_;
};

template <typename Fill, typename Note>
void BotSession::Queue(Fill fill, When when, Note note) {
  absl::Status room;
  {
    MutexLock lock(&mutex_);
    if (closing_) return;
    room = outgoing_.CheckRoom();
    if (room.ok()) note(outgoing_.Add(when, fill), &owed_);
  }
  if (!room.ok()) Close(room);
}

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_BOT_SESSION_H_

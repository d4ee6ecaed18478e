// A bot's session: the protocol of one stream of a bot, without the stream itself. It is a
// host::Link on one side and drives a Transport on the other, which gRPC (PlayStream) or a test
// provides.
//
// Writing (outgoing.h): each item is converted at once into the batch being filled. A flush hands
// the batch to the transport if no write is under way; else it goes out when that write is done,
// and the matches hear that their requests wait for the bot to read. The clock of a turn starts
// just before its batch is handed over. A batch sent after Close starts no clock, as its answers
// would not be read.
//
// News, of turns that others have played, may wait for what goes out next, if the bot has said so
// in Hello: until kWakeLimit later, or until kMostNews of them wait. The request of a turn waits,
// for kHoldLimit at most, while a bot that answers at once owes more answers than requests wait for
// it, if they are more than kFewTurns together: so what it has to answer next comes together, and
// comes before it has nothing left to do. No clock runs meanwhile, and the records count it as the
// referee's time: the turn is due from then on, and its clock starts with the handover.
//
// Reading: one message at a time; replies are stamped when the transport brings them, before
// anything else is done.
//
// Parking: gRPC grants a bot what it may send next along with a write. But a read that is started
// while there is nothing to write sends the grant by itself, which costs a system call here and a
// wake-up there with every turn. So while a bot owes no answer its stream does not read: it is
// parked, until the next write to the bot has been handed over, or kWakeLimit later. As no answer
// is owed, no clock of the bot runs; what it sends unasked (a resignation, or the end of the
// stream) is read that much later.
//
// Matches of other referees (host/relay.h): what their owners tell the bot is passed on as it is,
// and is held, parked for and bounded like the rest. What the bot says of them is passed on, too,
// with the times that are measured here; the owner judges.
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

// The stream under a session, with at most one write and one read at a time. The session calls it;
// it reports the results to the session on any thread, perhaps before the call has returned.
class Transport {
 public:
  virtual ~Transport() = default;

  // Starts to write one message: the bytes of `message`, followed by `rest`. Both stay as they are
  // until BotSession::OnWriteDone.
  virtual void Write(const v1::PlayResponse& message, absl::string_view rest) = 0;
  // Starts to read the next message, and reports OnRead, or Close when there is none. After Finish
  // it need not report.
  virtual void Read() = 0;
  // Ends the stream with `status`. Called once, when no write is under way and none will be.
  virtual void Finish(const absl::Status& status) = 0;
  // Ends the stream by force, soon: what is under way fails, and OnCancel comes. With the session's
  // lock held; not after OnDone.
  virtual void Cancel() = 0;
};

// Of an item that asks for nothing; see BotSession::Queue.
struct AsksNothing {
  void operator()(Batch*, OwedAnswers*) const {}
};

// Thread-safe, except that the transport makes each of its calls one at a time.
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

  // Begins, or refuses, the session of a stream from `peer`, as gRPC writes it. To be called first,
  // once. REQUIRES: a shared_ptr holds this.
  void Begin(absl::string_view peer);
  // The read that was started has brought `request`, at `when`.
  void OnRead(const v1::PlayRequest& request, Instant when);
  // The write that was started is done; or has failed, as will all others.
  void OnWriteDone(bool ok);
  // What the bot has sent is refused, and ends the stream: too much, too large, or no message. The
  // bot pays for it in its matches (Host::NoteRefused).
  void Refuse(const absl::Status& why);
  // The stream is lost, whatever the session does.
  void OnCancel();
  // The last call: after Finish, when nothing is under way.
  void OnDone();

  // The bot that said Hello; null before. For whoever calls OnRead.
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
  // Of matches of other referees: bot_session_relay.cc.
  void PassOn(const host::PassedOn& told) override;
  host::Elapsed ElapsedIn(absl::string_view match_id) const override;
  // Also for the transport: its last read has brought no message.
  void Close(const absl::Status& reason) override;

 protected:
  // Posts what the bot has said to its match.
  virtual void Post(const host::Bot::Slot& slot, match::Event event, Instant when);

 private:
  using When = Outgoing::When;
  // Adds an item to the batch being filled, made by `fill(v1::RefereeItem*)`. Then calls
  // `note(Batch*, OwedAnswers*)`, with the lock held, to note what the item asks for.
  template <typename Fill, typename Note = AsksNothing>
  void Queue(Fill fill, When when = When::kNow, Note note = Note());
  void QueueFault(absl::string_view match_id, uint32_t turn, v1::FaultKind kind,
                  absl::string_view message);

  // Whether to park: if true, the next message is read later, after Unpark.
  bool Park();
  // Starts to read if parked.
  void Unpark();
  void TakeIn(const v1::PlayRequest& request, Instant when);
  // What a bot says (bot_session_take.cc). Those that return a status end the stream by it, unless
  // it is OK; those that return a bool say whether it was asked for.
  absl::Status Take(const v1::PlayRequest& request, Instant when);
  absl::Status Take(const v1::Hello& hello, Instant when);
  absl::Status Greet(const v1::Hello& hello, const Login::Guest& guest, Instant when);
  // What it says of a match: a Ready, a Nonce, a MoveReply or a Resign.
  bool TakeForMatch(const v1::BotItem& item, Instant when);
  // The same of a match of `relay`, where it answers `request` of turn `answers`, as
  // PendingRequests has it; none: it answers nothing (bot_session_relay.cc).
  bool TakeForRelay(const std::shared_ptr<host::Relay>& relay, const v1::BotItem& item,
                    const std::string& match_id, absl::optional<uint32_t> answers, uint32_t request,
                    Instant when);
  bool Take(const v1::Pong& pong, Instant when);
  // Its holder is shut out: it takes no new match, and ends once none is played. OK: it is let in,
  // as before if it was shut out meanwhile.
  void ShutOut(const absl::Status& why);
  // Writes the batch in hand, and starts the clocks of its turns. REQUIRES: the caller has taken it
  // from outgoing_.
  void HandOver();
  // Ends the stream if it is time: all is said, and nobody starts anything any more.
  // Returns whether it has ended.
  bool FinishIfDone();

  const Environment& environment_;
  Transport& transport_;
  Login login_;
  Attachment attachment_;

  // Set by Hello; touched only by OnRead, which comes one at a time.
  std::shared_ptr<host::Bot> bot_;
  // To be flushed once the message that is being read has been handled; touched only by OnRead.
  std::vector<std::shared_ptr<host::Relay>> said_to_;
  // Settled by Hello before any match is told.
  MoveList list_ = MoveList::kNone;
  bool news_may_wait_ = false;
  // When the bot last answered a ping, in nanoseconds; kNever: it has not. Read without the lock.
  static constexpr int64_t kNever = std::numeric_limits<int64_t>::min();
  std::atomic<int64_t> answered_{kNever};

  mutable Mutex mutex_;
  Outgoing outgoing_ ABSL_GUARDED_BY(mutex_);
  OwedAnswers owed_ ABSL_GUARDED_BY(mutex_);
  // Being written. Only the thread that took it from outgoing_ touches it.
  std::unique_ptr<Batch> sending_;
  bool parked_ ABSL_GUARDED_BY(mutex_) = false;         // nothing is being read; Unpark will read
  bool starting_read_ ABSL_GUARDED_BY(mutex_) = false;  // in Unpark
  int asking_ ABSL_GUARDED_BY(mutex_) = 0;              // in Login::Prepare, and what follows
  bool greeted_ ABSL_GUARDED_BY(mutex_) = false;
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  bool done_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status reason_ ABSL_GUARDED_BY(mutex_);

  // The last members, as their calls use the others.
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

// One stream of a bot: a gRPC reactor on one side, a host::Link on the other.
//
// Writing: what is told is converted at once into the batch being filled; a flush hands the batch
// to the transport if no write is under way; else it goes out when that write is done. The clock of
// a turn starts just before its batch is handed over.
//
// Reading: one message at a time; replies are stamped when the transport brings them, before
// anything else is done.
//
// Parking: gRPC grants a bot what it may send next along with a write. But a read that is started
// while there is nothing to write sends the grant by itself, which costs a system call here and a
// wake-up there with every turn. So while a bot owes no answer its stream does not read: it is
// parked, until the next write to the bot has been handed over, or kParkLimit later. As no answer
// is owed, no clock of the bot's runs; what it says unasked (that it resigns, or nothing more) is
// heard that much later.
#ifndef REFEREE_SERVICE_PLAY_PLAY_STREAM_H_
#define REFEREE_SERVICE_PLAY_PLAY_STREAM_H_

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/ids.h"
#include "referee/base/mutex.h"
#include "referee/host/host.h"
#include "referee/host/link.h"
#include "referee/service/play/admission.h"
#include "referee/service/play/outbox.h"
#include "referee/service/play/pending_requests.h"
#include "referee/service/play/round_trip.h"
#include "referee/service/play/sessions.h"
#include "referee/service/server.h"

namespace referee::service {

class PlayStream final : public grpc::ServerBidiReactor<v1::PlayRequest, v1::PlayResponse>,
                         public host::Link,
                         public std::enable_shared_from_this<PlayStream> {
 public:
  // Serves a call that has begun, or refuses it. The stream owns itself until the call is done.
  // All but `context` must outlive the call.
  static PlayStream* Serve(const ServerOptions& options, Admission* admission, Sessions* sessions,
                           grpc::CallbackServerContext* context);

  // host::Link.
  void TellStart(const match::Match& match, Seat seat) override;
  void AskTurn(const std::shared_ptr<host::MatchRunner>& runner, const match::Match& match,
               Seat seat) override;
  void TellPlayed(const match::Match& match, const match::Played& played) override;
  void TellForfeited(const match::Match& match, const match::Forfeited& forfeited) override;
  void TellEnded(const host::MatchRunner& runner) override;
  void TellFault(const match::Match& match, const match::TellFault& fault) override;
  void TellDraining(absl::Duration time_left) override;
  void Flush() override;
  void Close(const absl::Status& reason) override;

  // grpc::ServerBidiReactor.
  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;

 private:
  PlayStream(const ServerOptions& options, Admission* admission, Sessions* sessions,
             grpc::CallbackServerContext* context)
      : options_(options), admission_(*admission), sessions_(*sessions), context_(context) {}

  // Ends a stream that says no Hello.
  void ArmHelloLimit();

  // Adds an item to the batch being filled, made by `fill(v1::RefereeItem*)`.
  template <typename Fill>
  void Queue(Fill fill);
  void QueueWelcome(const std::string& bot, int max_matches);
  void QueueFault(absl::string_view match_id, uint32_t turn, v1::FaultKind kind,
                  absl::string_view message);

  // Reads the next message. The call must not end meanwhile: for gRPC's reactions, it does not;
  // others set starting_read_.
  void ReadNext();
  // Whether the next message is not to be read now. If so it will be.
  bool Park();
  // Starts to read if parked.
  void Unpark();
  // Whether a message came that could not be read; else the bot has said its last.
  bool Garbled() const;

  // What a bot says (play_stream_take.cc). Those that return a status end the stream by it, unless
  // it is OK; those that return a bool say whether it was asked for.
  absl::Status Admit(const v1::PlayRequest& request, Instant when);
  absl::Status Take(const v1::PlayRequest& request, Instant when);
  absl::Status Take(const v1::Hello& hello, Instant when);
  absl::Status Greet(const v1::Hello& hello, const std::string& name, const TokenHash& token,
                     Instant when);
  bool Take(const v1::Ready& ready, Instant when);
  bool Take(const v1::MoveReply& reply, Instant when);
  void Take(const v1::Resign& resign, Instant when);
  bool Take(const v1::Pong& pong, Instant when);
  // The bot has answered. Returns what it owed; nothing, and changes nothing, if it did not.
  absl::optional<PendingRequests::Answer> Settle(const MatchId& id, uint32_t turn, uint32_t request,
                                                 Instant when);
  // As PendingRequests::SettleReplaced.
  bool SettleReplaced(const MatchId& id, uint32_t turn, uint32_t request);
  host::Bot::Place FindPlace(const std::string& match_id, uint32_t turn);

  // The host is to know this link no more.
  void Leave();

  // Returns ResourceExhausted when too much waits for the bot to read it.
  absl::Status CheckQueue() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Makes the first batch the one to send, if there is one.
  bool TakeFilled() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void HandOver();
  // Notes that the turns of the batch in hand are handed over at `now`, and adds a ping to it if
  // one is due. Returns the estimate of the round trip.
  absl::Duration NoteHandover(Instant now);
  // Notes that the transport has taken them.
  void NoteWritten();
  // Whether it is time to end the call: all is said, and nobody starts anything any more.
  bool AllDone() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void FinishNow();
  // Ends the call by force if it has not ended by itself soon.
  void CancelLater();

  const ServerOptions& options_;
  Admission& admission_;
  Sessions& sessions_;
  uint64_t ticket_ = 0;               // of the admission; 0 for none
  std::shared_ptr<PlayStream> self_;  // until OnDone
  v1::PlayRequest request_;           // being read

  // Set by Hello; touched only by OnReadDone, which comes one at a time.
  std::shared_ptr<host::Bot> bot_;
  uint64_t session_ = 0;  // of the sessions; 0 for none
  int messages_before_hello_ = 0;
  // Settled by Hello before any match is told.
  bool wants_legal_moves_ = false;
  size_t queue_bytes_limit_ = 0;
  std::shared_ptr<Allowance> allowance_;

  Mutex mutex_;
  grpc::CallbackServerContext* context_ ABSL_GUARDED_BY(mutex_);  // null once done
  Outbox outbox_ ABSL_GUARDED_BY(mutex_);                         // what waits for the transport
  std::unique_ptr<Batch> sending_;  // touched only by whoever set writing_
  std::shared_ptr<host::Bot> attached_ ABSL_GUARDED_BY(mutex_);  // while the host knows this link
  PendingRequests pending_ ABSL_GUARDED_BY(mutex_);
  RoundTrip round_trip_ ABSL_GUARDED_BY(mutex_);
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool parked_ ABSL_GUARDED_BY(mutex_) = false;         // nothing is read, and ReadNext is to come
  bool starting_read_ ABSL_GUARDED_BY(mutex_) = false;  // Unpark is at it
  bool greeted_ ABSL_GUARDED_BY(mutex_) = false;
  bool closing_ ABSL_GUARDED_BY(mutex_) = false;
  bool finished_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status reason_ ABSL_GUARDED_BY(mutex_);

  // The last members, as their calls use the others.
  host::Timer hello_timer_;
  host::Timer unpark_timer_;
  host::Timer farewell_timer_;
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_PLAY_STREAM_H_

// The stream that an entry has dialled to an owner: a gRPC reactor that carries an EntrySession.
#ifndef REFEREE_SERVICE_PEER_ENTRY_STREAM_H_
#define REFEREE_SERVICE_PEER_ENTRY_STREAM_H_

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "proto/referee/peer/v1/peer_service.grpc.pb.h"
#include "referee/base/clock.h"
#include "referee/base/mutex.h"
#include "referee/service/peer/entry_session.h"
#include "referee/service/peer/peer_transport.h"

namespace referee::service {

// Splits a batch into pieces of at most `most` bytes, in order, each with whole items. Referees
// accept no larger messages than bots do. Drops an item that does not fit; no valid bot item is
// that large.
std::deque<peer::v1::AttachRequest> PiecesOf(const peer::v1::AttachRequest& batch, size_t most);

// Thread-safe. Owns itself from Begin until it has ended.
class EntryStream final
    : public grpc::ClientBidiReactor<peer::v1::AttachRequest, peer::v1::AttachResponse>,
      private PeerTransport<peer::v1::AttachRequest> {
 public:
  // Called on any thread, without a lock.
  struct Calls {
    // The owner has answered the hello.
    std::function<void()> answers;
    // The last call: why the stream has ended. The session has been informed before.
    std::function<void(const absl::Status& why)> ended;
  };

  // `environment` must outlive the session.
  static std::shared_ptr<EntryStream> Make(const PeerEnvironment* environment,
                                           const std::shared_ptr<grpc::Channel>& channel,
                                           Calls calls);

  // The session, which may outlive the stream. REQUIRES: called before Begin.
  std::shared_ptr<EntrySession> session() const { return session_; }
  // Starts the stream and its session. Call once.
  void Begin();
  // Ends the stream soon. Does nothing if it has ended.
  void End(const absl::Status& why);

  // grpc::ClientBidiReactor.
  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

 private:
  EntryStream(const PeerEnvironment* environment, const std::shared_ptr<grpc::Channel>& channel,
              Calls calls);

  // Starts the call. Returns false if the stream was ended before.
  bool BeginCall();
  // Reports the end to the session and the caller. This may be destroyed afterwards.
  void NoteEnd(const absl::Status& why);

  // PeerTransport.
  void Write(const peer::v1::AttachRequest& message) override;
  void Finish(const absl::Status& status) override { End(status); }

  const Clock& clock_;
  const Calls calls_;
  const std::unique_ptr<peer::v1::PeerService::Stub> stub_;
  grpc::ClientContext context_;
  // Both hold until the end.
  std::shared_ptr<EntryStream> self_;
  std::shared_ptr<EntrySession> session_;
  peer::v1::AttachResponse read_;
  bool answered_ = false;  // used only in reads

  Mutex mutex_;
  bool begun_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status why_ ABSL_GUARDED_BY(mutex_);  // the reason given to End
  // The pieces of a batch that is too large for one message; the first is being written.
  std::deque<peer::v1::AttachRequest> pieces_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PEER_ENTRY_STREAM_H_

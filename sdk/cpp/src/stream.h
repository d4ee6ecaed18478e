// One stream to a referee: a gRPC reactor that sends Hello, delivers batches, and sends queued
// items as fast as the transport takes them. One write is under way at a time; items that are
// queued meanwhile go out with the next. A write takes several times as long as queuing an item, so
// a busy caller may leave it to another thread. Thread-safe.
#ifndef REFEREE_SDK_SRC_STREAM_H_
#define REFEREE_SDK_SRC_STREAM_H_

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <cstdint>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "proto/referee/v1/bot_service.grpc.pb.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "sdk/cpp/src/batch.h"
#include "sdk/cpp/src/mutex.h"

namespace referee::sdk {

class Stream final : public grpc::ClientBidiReactor<v1::PlayRequest, v1::PlayResponse> {
 public:
  // Receives a stream's events. The calls come one at a time, on threads of the transport, and must
  // be short.
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void OnBatch(std::shared_ptr<const Batch> batch) = 0;
    // The last call.
    virtual void OnClosed(const grpc::Status& status) = 0;
  };

  // Does nothing before Start. `listener` must live until OnClosed returns. A stream that was
  // started must live until OnClosed is called, and must not be destroyed within a listener's call:
  // that may destroy the last channel, and gRPC then joins its threads, which cannot be done on one
  // of them. `hello` is the first that it says.
  Stream(std::shared_ptr<grpc::Channel> channel, uint64_t number, v1::Hello hello,
         Listener* listener);

  // Opens the stream and sends what was said. Call it once.
  void Start();

  uint64_t number() const { return number_; }

  // Queues an item for the next write, and moves from it. Does nothing on a closed stream.
  void Say(v1::BotItem* item);
  // Begins a write if items are queued and none is under way.
  void Send();
  // Returns whether Send would do something.
  bool CanSend();
  // Ends the stream, with what was not sent yet; before Start, as soon as it is opened.
  void Cancel() { context_.TryCancel(); }

  // grpc::ClientBidiReactor.
  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override;
  void OnDone(const grpc::Status& status) override;

 private:
  void Read();
  // Makes the queued items the message to send. Returns whether there were any.
  bool TakeSaid() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<v1::BotService::Stub> stub_;
  const uint64_t number_;
  Listener* const listener_;
  grpc::ClientContext context_;
  std::shared_ptr<Batch> batch_;  // being read

  Mutex mutex_;
  // said_ grows while sending_ is under way; both keep their memory.
  v1::PlayRequest said_ ABSL_GUARDED_BY(mutex_);
  v1::PlayRequest sending_;  // touched only by whoever set writing_
  bool writing_ ABSL_GUARDED_BY(mutex_) = false;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;  // nothing more can be read, nor need be said
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_STREAM_H_

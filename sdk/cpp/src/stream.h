// One stream to a referee: sends Hello, delivers batches and sends queued items. Thread-safe.
//
// One write is in progress at a time; items that are queued meanwhile go out with the next. A write
// takes several times as long as queuing an item, so a busy caller may leave it to another thread.
//
// The stream has its own thread, which waits for the transport, reads and delivers. A bot that
// answers at once therefore needs no thread switch between request and reply; a switch costs as
// much as the rest of both. gRPC's callback threads, by contrast, take turns at waiting.
#ifndef REFEREE_SDK_SRC_STREAM_H_
#define REFEREE_SDK_SRC_STREAM_H_

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/completion_queue.h>
#include <grpcpp/support/async_stream.h>
#include <grpcpp/support/status.h>

#include <cstdint>
#include <memory>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "proto/referee/v1/bot_service.grpc.pb.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/mutex.h"
#include "sdk/cpp/src/batch.h"

namespace referee::sdk {

class Stream {
 public:
  // Receives a stream's events. The calls come one at a time, on the stream's thread. Nothing is
  // read until a call returns.
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void OnBatch(std::shared_ptr<const Batch> batch) = 0;
    // The last call.
    virtual void OnClosed(const grpc::Status& status) = 0;
  };

  // Does nothing before Start. `listener` must live until OnClosed returns. `hello` is the first
  // item sent.
  Stream(std::shared_ptr<grpc::Channel> channel, uint64_t number, v1::Hello hello,
         Listener* listener);
  // Waits for the stream's thread. A started stream must not be destroyed before OnClosed is
  // called, nor within a call to the listener.
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Opens the stream and sends the queued items. Call it once.
  void Start();

  uint64_t number() const { return number_; }

  // Queues an item for the next write, and moves from it. Does nothing on a closed stream.
  void Say(v1::BotItem* item);
  // Begins a write if items are queued and no write is in progress.
  void Send();
  // Returns whether Send would do something.
  bool CanSend();
  // Ends the stream, and drops unsent items. Before Start: ends it as soon as it is opened.
  void Cancel() { context_.TryCancel(); }

 private:
  // --- The stream's thread ---
  void Listen();
  void OnOpened(bool ok);
  void OnRead(bool ok);
  void OnWritten(bool ok);
  void Read();
  // Writes the message that TakeSaid has prepared.
  void Write();
  // Asks for the status. REQUIRES: no read and no write is in progress.
  void Finish();
  // Moves the queued items to the message to send. Returns whether there were any.
  bool TakeSaid() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const std::shared_ptr<grpc::Channel> channel_;
  const std::unique_ptr<v1::BotService::Stub> stub_;
  const uint64_t number_;
  Listener* const listener_;
  grpc::ClientContext context_;
  grpc::CompletionQueue done_;
  std::unique_ptr<grpc::ClientAsyncReaderWriter<v1::PlayRequest, v1::PlayResponse>> call_;
  std::thread thread_;

  // Used by the stream's thread.
  std::shared_ptr<Batch> batch_;  // being read
  grpc::Status status_;

  Mutex mutex_;
  // said_ grows while sending_ is being written; both reuse their memory.
  v1::PlayRequest said_ ABSL_GUARDED_BY(mutex_);
  v1::PlayRequest sending_;                      // used only by the thread that set writing_
  bool writing_ ABSL_GUARDED_BY(mutex_) = true;  // true also before the stream is open
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;   // nothing more can be read or need be sent
};

}  // namespace referee::sdk

#endif  // REFEREE_SDK_SRC_STREAM_H_

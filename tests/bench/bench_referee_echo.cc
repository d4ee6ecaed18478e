// An echo over each of gRPC's server APIs, and a relay, each as good as its API lets it be: what
// servers that did nothing could reach.

#include <grpcpp/completion_queue.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/async_stream.h>
#include <grpcpp/support/server_callback.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "referee/base/mutex.h"
#include "tests/bench/bench_referee_server.h"
#include "tests/bench/echo.grpc.pb.h"

namespace referee::bench {
namespace {

EchoResponse ResponseOf(int bytes) {
  EchoResponse response;
  // The field's tag and length come on top.
  response.set_payload(std::string(static_cast<size_t>(bytes < 130 ? bytes - 2 : bytes - 3), 'y'));
  return response;
}

class EchoServer : public GrpcServer {
 public:
  explicit EchoServer(const ServerSettings& settings)
      : GrpcServer(settings.listen), response_(ResponseOf(settings.response_bytes)) {}

 protected:
  const EchoResponse& response() const { return response_; }

 private:
  const EchoResponse response_;
};

// --- Callback API ---

class CallbackEcho final : public EchoServer, public EchoService::CallbackService {
 public:
  using EchoServer::EchoServer;
  ~CallbackEcho() override { Shutdown(); }
  absl::Status Start() override {
    grpc::ServerBuilder builder;
    return Listen(this, &builder);
  }

  grpc::ServerBidiReactor<EchoRequest, EchoResponse>* Echo(grpc::CallbackServerContext*) override {
    return new Stream(response());
  }

 private:
  class Stream final : public grpc::ServerBidiReactor<EchoRequest, EchoResponse> {
   public:
    explicit Stream(const EchoResponse& response) : response_(response) { StartRead(&request_); }
    void OnReadDone(bool ok) override {
      if (!ok) return Finish(grpc::Status::OK);
      StartWrite(&response_);
    }
    void OnWriteDone(bool ok) override {
      if (!ok) return Finish(grpc::Status::OK);
      StartRead(&request_);
    }
    void OnDone() override { delete this; }

   private:
    const EchoResponse& response_;
    EchoRequest request_;
  };
};

// --- Completion queue, served by two threads ---

class QueueEcho final : public EchoServer {
 public:
  using EchoServer::EchoServer;
  ~QueueEcho() override {
    Shutdown();
    if (queue_) queue_->Shutdown();
    for (std::thread& thread : threads_) thread.join();
    Destroy();
  }
  absl::Status Start() override {
    grpc::ServerBuilder builder;
    queue_ = builder.AddCompletionQueue();
    if (absl::Status listening = Listen(&service_, &builder); !listening.ok()) return listening;
    new Stream(this);
    for (int i = 0; i < kThreads; ++i) threads_.emplace_back([this] { Loop(); });
    return absl::OkStatus();
  }

 private:
  static constexpr int kThreads = 2;

  // One call; one operation of it is under way at any time, and deletes it when there is no next.
  class Stream {
   public:
    explicit Stream(QueueEcho* server) : server_(*server), stream_(&context_) {
      server_.service_.RequestEcho(&context_, &stream_, server_.queue_.get(), server_.queue_.get(),
                                   this);
    }
    void Proceed(bool ok) {
      if (!ok || state_ == State::kEnding) return End(ok);
      switch (state_) {
        case State::kWaiting:
          new Stream(&server_);
          [[fallthrough]];
        case State::kWriting:
          state_ = State::kReading;
          stream_.Read(&request_, this);
          break;
        case State::kReading:
          state_ = State::kWriting;
          stream_.Write(server_.response(), this);
          break;
        case State::kEnding:
          break;
      }
    }

   private:
    enum class State { kWaiting, kReading, kWriting, kEnding };

    void End(bool ok) {
      if (state_ == State::kEnding || (!ok && state_ == State::kWaiting)) {
        delete this;
        return;
      }
      state_ = State::kEnding;
      stream_.Finish(grpc::Status::OK, this);
    }

    QueueEcho& server_;
    grpc::ServerContext context_;
    EchoRequest request_;
    grpc::ServerAsyncReaderWriter<EchoResponse, EchoRequest> stream_;
    State state_ = State::kWaiting;
  };

  void Loop() {
    void* stream;
    bool ok;
    while (queue_->Next(&stream, &ok)) static_cast<Stream*>(stream)->Proceed(ok);
  }

  EchoService::AsyncService service_;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::vector<std::thread> threads_;
};

// --- Synchronous API ---

class SyncEcho final : public EchoServer, public EchoService::Service {
 public:
  using EchoServer::EchoServer;
  ~SyncEcho() override { Shutdown(); }
  absl::Status Start() override {
    grpc::ServerBuilder builder;
    return Listen(this, &builder);
  }

  grpc::Status Echo(grpc::ServerContext*,
                    grpc::ServerReaderWriter<EchoResponse, EchoRequest>* stream) override {
    EchoRequest request;
    while (stream->Read(&request) && stream->Write(response())) {
    }
    return grpc::Status::OK;
  }
};

// --- Relay, over the callback API ---

// Streams in pairs: what one says is answered on the other. So a message comes and a message goes
// for each turn, as in a match of two bots, and they wake two streams where an echo wakes one.
class Relay final : public EchoServer, public EchoService::CallbackService {
 public:
  using EchoServer::EchoServer;
  ~Relay() override { Shutdown(); }
  absl::Status Start() override {
    grpc::ServerBuilder builder;
    return Listen(this, &builder);
  }

  grpc::ServerBidiReactor<EchoRequest, EchoResponse>* Echo(grpc::CallbackServerContext*) override {
    const auto stream = std::make_shared<Stream>(this);
    stream->Open();
    return stream.get();
  }

 private:
  class Stream final : public grpc::ServerBidiReactor<EchoRequest, EchoResponse>,
                       public std::enable_shared_from_this<Stream> {
   public:
    explicit Stream(Relay* relay) : relay_(*relay) {}
    // Keeps this alive until the call is done, and reads what it says first.
    void Open() {
      self_ = shared_from_this();
      StartRead(&request_);
    }
    // Says a message, and listens for the answer; later, if the last is not written yet.
    void Say() {
      {
        MutexLock lock(&mutex_);
        if (ended_) return;
        due_ = writing_;
        if (writing_) return;
        writing_ = saying_ = true;
      }
      StartWrite(&relay_.response());
      // Not before: what a read grants the other end goes out with the write.
      StartRead(&request_);
      bool finish;
      {
        MutexLock lock(&mutex_);
        saying_ = false;
        finish = ended_;
      }
      if (finish) Finish(grpc::Status::OK);
    }
    void OnReadDone(bool ok) override {
      if (!ok) return End();
      if (other_ == nullptr) other_ = relay_.OtherOf(shared_from_this());
      if (other_ != nullptr) other_->Say();
    }
    void OnWriteDone(bool ok) override {
      if (!ok) return End();
      bool due;
      {
        MutexLock lock(&mutex_);
        writing_ = false;
        due = due_;
      }
      if (due) Say();
    }
    void OnCancel() override { End(); }
    void OnDone() override {
      relay_.Part(this);
      self_ = nullptr;
    }

   private:
    friend class Relay;

    void End() {
      {
        MutexLock lock(&mutex_);
        if (ended_) return;
        ended_ = true;
        if (saying_) return;
      }
      Finish(grpc::Status::OK);
    }

    Relay& relay_;
    EchoRequest request_;
    std::shared_ptr<Stream> self_;
    // Set before this reads again.
    std::shared_ptr<Stream> other_;
    Mutex mutex_;
    bool saying_ ABSL_GUARDED_BY(mutex_) = false;  // in Say
    bool writing_ ABSL_GUARDED_BY(mutex_) = false;
    bool due_ ABSL_GUARDED_BY(mutex_) = false;  // to say something once the last is written
    bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  };

  // Pairs a stream that has spoken for the first time with the one that has before it. Returns that
  // one; null for the first of a pair, which is answered when the second has spoken.
  std::shared_ptr<Stream> OtherOf(const std::shared_ptr<Stream>& stream) {
    MutexLock lock(&mutex_);
    if (waiting_ == nullptr) {
      waiting_ = stream;
      return nullptr;
    }
    waiting_->other_ = stream;
    return std::move(waiting_);
  }
  // The stream is done.
  void Part(Stream* stream) {
    MutexLock lock(&mutex_);
    if (waiting_.get() == stream) waiting_ = nullptr;
    stream->other_ = nullptr;
  }

  Mutex mutex_;
  std::shared_ptr<Stream> waiting_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace

absl::StatusOr<std::unique_ptr<Server>> StartEcho(const ServerSettings& settings) {
  std::unique_ptr<EchoServer> server;
  if (settings.kind == kEchoCallback) server = std::make_unique<CallbackEcho>(settings);
  if (settings.kind == kEchoQueue) server = std::make_unique<QueueEcho>(settings);
  if (settings.kind == kEchoSync) server = std::make_unique<SyncEcho>(settings);
  if (settings.kind == kRelay) server = std::make_unique<Relay>(settings);
  if (server == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("there is no server '", settings.kind, "'"));
  }
  if (absl::Status started = server->Start(); !started.ok()) return started;
  return std::unique_ptr<Server>(std::move(server));
}

}  // namespace referee::bench

#include "referee/conformance/scripted_referee.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "proto/referee/v1/bot_service.grpc.pb.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/service/address.h"
#include "referee/service/to_grpc.h"

namespace referee::conformance {

// Forwards gRPC's callbacks to its stream, and lives until gRPC is done with it.
class BotStream::Reactor : public grpc::ServerBidiReactor<v1::PlayRequest, v1::PlayResponse> {
 public:
  explicit Reactor(std::shared_ptr<BotStream> stream) : stream_(std::move(stream)) {}

  void Read() { StartRead(&request_); }
  void Write(v1::PlayResponse message) {
    response_ = std::move(message);
    StartWrite(&response_);
  }

  void OnReadDone(bool ok) override {
    if (!ok) {
      stream_->End(absl::OkStatus());
      stream_->Close();
      return;
    }
    const Instant now = stream_->clock_.Now();
    {
      MutexLock lock(&stream_->mutex_);
      for (v1::BotItem& item : *request_.mutable_items()) {
        stream_->heard_.push_back({std::move(item), now});
      }
      stream_->changed_.NotifyAll();
    }
    StartRead(&request_);
  }

  void OnWriteDone(bool ok) override {
    MutexLock lock(&stream_->mutex_);
    stream_->writing_ = false;
    if (!ok) stream_->ForgetMessages();
    stream_->Obey();
  }

  void OnCancel() override {
    stream_->End(absl::CancelledError());
    stream_->Close();
  }

  void OnDone() override {
    stream_->Close();
    delete this;
  }

 private:
  const std::shared_ptr<BotStream> stream_;
  v1::PlayRequest request_;
  v1::PlayResponse response_;
};

void BotStream::Say(const std::vector<v1::RefereeItem>& items) {
  Order order;
  for (const v1::RefereeItem& item : items) *order.message.add_items() = item;
  MutexLock lock(&mutex_);
  orders_.push_back(std::move(order));
  Obey();
}

void BotStream::End(const absl::Status& status) {
  MutexLock lock(&mutex_);
  orders_.push_back({{}, status});
  Obey();
}

void BotStream::Obey() {
  if (reactor_ == nullptr || writing_ || orders_.empty()) return;
  Order order = std::move(orders_.front());
  orders_.pop_front();
  if (order.end) {
    closed_ = true;
    std::exchange(reactor_, nullptr)->Finish(service::ToGrpc(*order.end));
    changed_.NotifyAll();
    return;
  }
  writing_ = true;
  reactor_->Write(std::move(order.message));
}

// The messages can no longer be delivered, but the stream must still end.
void BotStream::ForgetMessages() {
  orders_.erase(std::remove_if(orders_.begin(), orders_.end(),
                               [](const Order& order) { return !order.end.has_value(); }),
                orders_.end());
}

void BotStream::Close() {
  MutexLock lock(&mutex_);
  closed_ = true;
  changed_.NotifyAll();
}

absl::optional<Heard> BotStream::Hear(absl::Duration limit) {
  const Instant until = clock_.Now() + limit;
  MutexLock lock(&mutex_);
  while (heard_.empty()) {
    const absl::Duration left = until - clock_.Now();
    if (closed_ || left <= absl::ZeroDuration()) return absl::nullopt;
    changed_.WaitFor(&mutex_, absl::ToChronoNanoseconds(left));
  }
  Heard next = std::move(heard_.front());
  heard_.pop_front();
  return next;
}

bool BotStream::open() const {
  MutexLock lock(&mutex_);
  return !closed_;
}

class ScriptedReferee::Service : public v1::BotService::CallbackService {
 public:
  explicit Service(ScriptedReferee* referee) : referee_(*referee) {}
  ~Service() override {
    if (server_ == nullptr) return;
    server_->Shutdown(std::chrono::system_clock::now());
    server_->Wait();
  }

  absl::Status Listen(const std::string& path) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort(absl::StrCat(service::kUnixPrefix, path),
                             grpc::InsecureServerCredentials());
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    // As in refereed, so that a bot that ignores HTTP/2 pings is disconnected here too.
    const auto set = [&builder](const char* name, absl::Duration value) {
      builder.AddChannelArgument(name, static_cast<int>(absl::ToInt64Milliseconds(value)));
    };
    set(GRPC_ARG_KEEPALIVE_TIME_MS, limits::kKeepaliveTime);
    set(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, limits::kKeepaliveTimeout);
    set(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, limits::kMinPingInterval);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PING_STRIKES, limits::kMaxEarlyPings);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
    // Like refereed, refuses compressed messages.
    builder.AddChannelArgument(GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET,
                               1 << GRPC_COMPRESS_NONE);
    builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
    builder.RegisterService(this);
    server_ = builder.BuildAndStart();
    if (server_ != nullptr) return absl::OkStatus();
    return absl::UnavailableError(absl::StrCat("cannot listen at ", Quoted(path)));
  }

  grpc::ServerBidiReactor<v1::PlayRequest, v1::PlayResponse>* Play(
      grpc::CallbackServerContext* /*context*/) override {
    const auto stream = std::make_shared<BotStream>();
    auto* const reactor = new BotStream::Reactor(stream);
    {
      MutexLock lock(&stream->mutex_);
      stream->reactor_ = reactor;
    }
    reactor->Read();
    referee_.Add(stream);
    return reactor;
  }

 private:
  ScriptedReferee& referee_;
  std::unique_ptr<grpc::Server> server_;
};

ScriptedReferee::ScriptedReferee() : service_(std::make_unique<Service>(this)) {}
ScriptedReferee::~ScriptedReferee() { service_.reset(); }

absl::StatusOr<std::unique_ptr<ScriptedReferee>> ScriptedReferee::Start(const std::string& path) {
  std::unique_ptr<ScriptedReferee> referee(new ScriptedReferee);
  if (absl::Status listens = referee->service_->Listen(path); !listens.ok()) return listens;
  return referee;
}

void ScriptedReferee::Add(std::shared_ptr<BotStream> stream) {
  MutexLock lock(&mutex_);
  streams_.push_back(std::move(stream));
  opened_.NotifyAll();
}

std::shared_ptr<BotStream> ScriptedReferee::Next(absl::Duration limit) {
  const SystemClock clock;
  const Instant until = clock.Now() + limit;
  MutexLock lock(&mutex_);
  while (streams_.empty()) {
    const absl::Duration left = until - clock.Now();
    if (left <= absl::ZeroDuration()) return nullptr;
    opened_.WaitFor(&mutex_, absl::ToChronoNanoseconds(left));
  }
  std::shared_ptr<BotStream> next = std::move(streams_.front());
  streams_.pop_front();
  return next;
}

}  // namespace referee::conformance

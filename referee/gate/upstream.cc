#include "referee/gate/upstream.h"

#include "absl/time/clock.h"
#include "referee/gate/errors.h"

namespace referee::gate {

// A streaming call. It lives until the call is done; its handle may be destroyed earlier.
template <typename Response>
class Upstream::Reading final : public grpc::ClientReadReactor<Response> {
 public:
  Reading(Upstream* upstream, OnMessage<Response> on_message, OnEnd on_end)
      : upstream_(*upstream), on_message_(std::move(on_message)), on_end_(std::move(on_end)) {
    upstream_.Authorise(&context);
    upstream_.Begun();
  }

  void Go(std::shared_ptr<Reading> self) {
    self_ = std::move(self);
    // The hold allows reads to start outside of the call's own callbacks.
    this->AddHold();
    this->StartRead(&message_);
    this->StartCall();
  }
  // Starts the call. Returns its handle.
  std::unique_ptr<OpenCall> Watch(std::shared_ptr<Reading> self) {
    Go(self);
    return std::make_unique<Handle>(std::move(self));
  }

  void OnReadDone(bool ok) override {
    if (!ok) return this->RemoveHold();
    upstream_.post_([self = self_] {
      if (!self->gone_) self->on_message_(self->message_);
      self->message_.Clear();
      self->StartRead(&self->message_);
    });
  }

  void OnDone(const grpc::Status& status) override {
    Upstream& upstream = upstream_;
    // The posted callback may never run if the gate stops.
    upstream.post_([self = std::move(self_), status = upstream.Explain(status)] {
      if (!self->gone_) self->on_end_(status);
    });
    upstream.Ended();
  }

  // Cancels the call and stops its callbacks.
  void LetGo() {
    gone_ = true;
    context.TryCancel();
  }

  grpc::ClientContext context;

 private:
  struct Handle final : OpenCall {
    explicit Handle(std::shared_ptr<Reading> reading) : reading(std::move(reading)) {}
    ~Handle() override { reading->LetGo(); }
    const std::shared_ptr<Reading> reading;
  };

  Upstream& upstream_;
  const OnMessage<Response> on_message_;
  const OnEnd on_end_;
  std::shared_ptr<Reading> self_;  // until the call is done
  bool gone_ = false;              // used on the caller's thread
  Response message_;
};

Upstream::Upstream(client::Connection connection, Post post, absl::Duration patience)
    : connection_(std::move(connection)),
      post_(std::move(post)),
      patience_(patience),
      matches_(v1::MatchService::NewStub(connection_.channel())),
      competitions_(v1::CompetitionService::NewStub(connection_.channel())),
      replays_(v1::ReplayService::NewStub(connection_.channel())) {}

void Upstream::Stop() {
  MutexLock lock(&mutex_);
  while (open_ > 0) none_open_.Wait(&mutex_);
}

void Upstream::Authorise(grpc::ClientContext* context) const {
  connection_.Authorise(context);
  context->AddMetadata("referee-read-as", "observer");
}

void Upstream::Begun() {
  MutexLock lock(&mutex_);
  ++open_;
}

void Upstream::Ended() {
  MutexLock lock(&mutex_);
  if (--open_ == 0) none_open_.NotifyAll();
}

bool Upstream::Ready() {
  const grpc_connectivity_state state = connection_.channel()->GetState(/*try_to_connect=*/true);
  return state == GRPC_CHANNEL_READY;
}

absl::Status Upstream::Explain(const grpc::Status& status) const {
  return connection_.Explain(status);
}

std::unique_ptr<OpenCall> Upstream::WatchMatch(const std::string& match_id,
                                               OnMessage<v1::WatchMatchResponse> on_message,
                                               OnEnd on_end) {
  v1::WatchMatchRequest request;
  request.set_match_id(match_id);
  request.set_from_start(true);
  request.set_in_batches(true);
  const auto reading = std::make_shared<Reading<v1::WatchMatchResponse>>(
      this, std::move(on_message), std::move(on_end));
  matches()->WatchMatch(&reading->context, &request, reading.get());
  return reading->Watch(reading);
}

std::unique_ptr<OpenCall> Upstream::WatchCompetition(
    const std::string& name, OnMessage<v1::WatchCompetitionResponse> on_message, OnEnd on_end) {
  v1::WatchCompetitionRequest request;
  request.set_name(name);
  const auto reading = std::make_shared<Reading<v1::WatchCompetitionResponse>>(
      this, std::move(on_message), std::move(on_end));
  competitions()->WatchCompetition(&reading->context, &request, reading.get());
  return reading->Watch(reading);
}

void Upstream::FetchReplay(const std::string& match_id, size_t max_bytes, ThenText then) {
  using Chunks = Reading<v1::GetReplayResponse>;
  struct Gathered {
    std::string bytes;
    std::weak_ptr<Chunks> from;
  };
  const auto gathered = std::make_shared<Gathered>();
  const auto reading = std::make_shared<Chunks>(
      this,
      [gathered, match_id, max_bytes, then](const v1::GetReplayResponse& part) {
        gathered->bytes += part.chunk();
        if (gathered->bytes.size() <= max_bytes) return;
        gathered->from.lock()->LetGo();
        then(ReplayTooLarge(match_id));
      },
      [gathered, then](const absl::Status& status) {
        status.ok() ? then(std::move(gathered->bytes)) : then(status);
      });
  gathered->from = reading;
  reading->context.set_deadline(absl::ToChronoTime(absl::Now() + patience_));
  v1::GetReplayRequest request;
  request.set_match_id(match_id);
  replays()->GetReplay(&reading->context, &request, reading.get());
  reading->Go(reading);
}

}  // namespace referee::gate

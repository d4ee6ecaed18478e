#include "referee/gate/upstream.h"

#include "absl/time/clock.h"
#include "referee/gate/errors.h"

namespace referee::gate {

// A stream of messages. It lives until the call is done; the handle only until it is let go of.
template <typename Response>
class Upstream::Reading final : public grpc::ClientReadReactor<Response> {
 public:
  Reading(Upstream* upstream, OnMessage<Response> on_message, OnEnd on_end)
      : upstream_(*upstream), on_message_(std::move(on_message)), on_end_(std::move(on_end)) {
    upstream_.Authorise(&context);
    upstream_.Begun();
  }

  // Returns what lets go of the call.
  std::unique_ptr<OpenCall> Go(std::shared_ptr<Reading> self) {
    self_ = self;
    // Reads are started outside of the call's own callbacks.
    this->AddHold();
    this->StartRead(&message_);
    this->StartCall();
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
    // What is posted may never run, when the gate stops.
    upstream.post_([self = std::move(self_), status = upstream.Explain(status)] {
      if (!self->gone_) self->on_end_(status);
    });
    upstream.Ended();
  }

  grpc::ClientContext context;

 private:
  struct Handle final : OpenCall {
    explicit Handle(std::shared_ptr<Reading> reading) : reading(std::move(reading)) {}
    ~Handle() override {
      reading->gone_ = true;
      reading->context.TryCancel();
    }
    const std::shared_ptr<Reading> reading;
  };

  Upstream& upstream_;
  const OnMessage<Response> on_message_;
  const OnEnd on_end_;
  std::shared_ptr<Reading> self_;  // until the call is done
  bool gone_ = false;              // on the thread of the one who asks
  Response message_;
};

// A replay, gathered from its chunks.
class Upstream::Fetching final : public grpc::ClientReadReactor<v1::GetReplayResponse> {
 public:
  Fetching(Upstream* upstream, size_t max_bytes, ThenText then)
      : upstream_(*upstream), max_bytes_(max_bytes), then_(std::move(then)) {
    upstream_.Authorise(&context);
    context.set_deadline(absl::ToChronoTime(absl::Now() + upstream_.patience_));
    upstream_.Begun();
  }

  void Go(std::shared_ptr<Fetching> self) {
    self_ = std::move(self);
    StartRead(&part_);
    StartCall();
  }

  void OnReadDone(bool ok) override {
    if (!ok) return;
    if (bytes_.size() + part_.chunk().size() > max_bytes_) {
      too_large_ = true;
      context.TryCancel();
    } else {
      bytes_ += part_.chunk();
    }
    StartRead(&part_);
  }

  void OnDone(const grpc::Status& status) override {
    absl::StatusOr<std::string> answer(std::move(bytes_));
    if (too_large_) {
      answer = ReplayTooLarge(request.match_id());
    } else if (!status.ok()) {
      answer = upstream_.Explain(status);
    }
    upstream_.post_([then = then_, answer = std::move(answer)] { then(answer); });
    upstream_.Ended();
    const std::shared_ptr<Fetching> last = std::move(self_);
  }

  grpc::ClientContext context;
  v1::GetReplayRequest request;

 private:
  Upstream& upstream_;
  const size_t max_bytes_;
  const ThenText then_;
  std::shared_ptr<Fetching> self_;  // until the call is done
  v1::GetReplayResponse part_;
  std::string bytes_;
  bool too_large_ = false;
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
  return reading->Go(reading);
}

std::unique_ptr<OpenCall> Upstream::WatchCompetition(
    const std::string& name, OnMessage<v1::WatchCompetitionResponse> on_message, OnEnd on_end) {
  v1::WatchCompetitionRequest request;
  request.set_name(name);
  const auto reading = std::make_shared<Reading<v1::WatchCompetitionResponse>>(
      this, std::move(on_message), std::move(on_end));
  competitions()->WatchCompetition(&reading->context, &request, reading.get());
  return reading->Go(reading);
}

void Upstream::FetchReplay(const std::string& match_id, size_t max_bytes, ThenText then) {
  const auto fetching = std::make_shared<Fetching>(this, max_bytes, std::move(then));
  fetching->request.set_match_id(match_id);
  replays()->GetReplay(&fetching->context, &fetching->request, fetching.get());
  fetching->Go(fetching);
}

}  // namespace referee::gate

// Asynchronous calls to the referee that a gate serves.
//
// Answers come by `post`, which runs them on the caller's thread. Thread-safe.
#ifndef REFEREE_GATE_UPSTREAM_H_
#define REFEREE_GATE_UPSTREAM_H_

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "proto/referee/v1/competition_service.grpc.pb.h"
#include "proto/referee/v1/match_service.grpc.pb.h"
#include "proto/referee/v1/replay_service.grpc.pb.h"
#include "referee/base/mutex.h"
#include "referee/client/connection.h"
#include "referee/gate/json.h"

namespace referee::gate {

// A call that runs until its handle is destroyed, which cancels it and stops its callbacks.
class OpenCall {
 public:
  virtual ~OpenCall() = default;
};

class Upstream {
 public:
  using Post = std::function<void(std::function<void()>)>;
  template <typename Answer>
  using Then = std::function<void(absl::StatusOr<Answer>)>;
  using ThenText = Then<std::string>;
  template <typename Stub, typename Request, typename Response>
  using Method = void (Stub::*)(grpc::ClientContext*, const Request*, Response*,
                                std::function<void(grpc::Status)>);
  template <typename Response>
  using OnMessage = std::function<void(const Response&)>;
  using OnEnd = std::function<void(const absl::Status&)>;

  // `patience`: the deadline of each unary call.
  Upstream(client::Connection connection, Post post, absl::Duration patience);
  // Waits until every call has ended; their callbacks are still posted. REQUIRES: every OpenCall is
  // destroyed or will be, and no call starts after that.
  void Stop();

  // Whether the channel to the referee is connected; starts to connect if it is not.
  bool Ready();

  // Follow a match from its start, or a competition. `on_end` is called once, at the end, unless
  // the handle was destroyed before. The next message is read after `on_message` has taken the last
  // one.
  std::unique_ptr<OpenCall> WatchMatch(const std::string& match_id,
                                       OnMessage<v1::WatchMatchResponse> on_message, OnEnd on_end);
  std::unique_ptr<OpenCall> WatchCompetition(const std::string& name,
                                             OnMessage<v1::WatchCompetitionResponse> on_message,
                                             OnEnd on_end);

  // Gets a replay file. Returns FailedPrecondition if it has more than `max_bytes`.
  void FetchReplay(const std::string& match_id, size_t max_bytes, ThenText then);

  // Makes a unary call. Calls `then` on a thread of gRPC.
  template <typename Stub, typename Request, typename Response>
  void Call(Stub* stub, Method<Stub, Request, Response> method, const Request& request,
            Then<Response> then);
  // Makes a unary call and posts the answer as JSON.
  template <typename Stub, typename Request, typename Response>
  void Ask(Stub* stub, Method<Stub, Request, Response> method, const Request& request,
           ThenText then);

  v1::MatchService::StubInterface::async_interface* matches() { return matches_->async(); }
  v1::CompetitionService::StubInterface::async_interface* competitions() {
    return competitions_->async();
  }
  v1::ReplayService::StubInterface::async_interface* replays() { return replays_->async(); }

 private:
  template <typename Response>
  class Reading;

  // Adds the token, and the request for an observer's view, since the gate shows the results to
  // anybody.
  void Authorise(grpc::ClientContext* context) const;
  void Begun();
  void Ended();
  absl::Status Explain(const grpc::Status& status) const;

  const client::Connection connection_;
  const Post post_;
  const absl::Duration patience_;
  const std::unique_ptr<v1::MatchService::Stub> matches_;
  const std::unique_ptr<v1::CompetitionService::Stub> competitions_;
  const std::unique_ptr<v1::ReplayService::Stub> replays_;

  Mutex mutex_;
  CondVar none_open_;
  size_t open_ ABSL_GUARDED_BY(mutex_) = 0;
};

template <typename Stub, typename Request, typename Response>
void Upstream::Call(Stub* stub, Method<Stub, Request, Response> method, const Request& request,
                    Then<Response> then) {
  struct Asked {
    grpc::ClientContext context;
    Request request;
    Response response;
  };
  const auto asked = std::make_shared<Asked>();
  asked->request = request;
  asked->context.set_deadline(absl::ToChronoTime(absl::Now() + patience_));
  Authorise(&asked->context);
  Begun();
  (stub->*method)(&asked->context, &asked->request, &asked->response,
                  [this, asked, then = std::move(then)](const grpc::Status& status) {
                    if (status.ok()) {
                      then(std::move(asked->response));
                    } else {
                      then(Explain(status));
                    }
                    Ended();
                  });
}

template <typename Stub, typename Request, typename Response>
void Upstream::Ask(Stub* stub, Method<Stub, Request, Response> method, const Request& request,
                   ThenText then) {
  Call(stub, method, request,
       Then<Response>([this, then = std::move(then)](const absl::StatusOr<Response>& response) {
         absl::StatusOr<std::string> answer("");
         if (response.ok()) {
           answer = ToJson(*response);
         } else {
           answer = response.status();
         }
         post_([then, answer = std::move(answer)] { then(answer); });
       }));
}

}  // namespace referee::gate

#endif  // REFEREE_GATE_UPSTREAM_H_

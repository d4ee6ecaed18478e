// The referee that a gate looks at, called without waiting. Answers come on the thread of the one
// who asks: `post` takes them there. Thread-safe.
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

// A call that goes on until it is let go of: then it is cancelled, and says nothing more.
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

  // `patience`: for each call that is answered at once.
  Upstream(client::Connection connection, Post post, absl::Duration patience);
  // Waits until every call has ended; what they say is still posted. REQUIRES: every OpenCall is
  // let go of, or will be, and no call begins after that.
  void Stop();

  // Whether there is a connection, or none was needed lately; begins to connect if there is none.
  bool Ready();

  // Follow a match from its start, or a competition. `on_end` is called once, at the end, unless
  // the call was let go of before. A message is read when the one before was taken.
  std::unique_ptr<OpenCall> WatchMatch(const std::string& match_id,
                                       OnMessage<v1::WatchMatchResponse> on_message, OnEnd on_end);
  std::unique_ptr<OpenCall> WatchCompetition(const std::string& name,
                                             OnMessage<v1::WatchCompetitionResponse> on_message,
                                             OnEnd on_end);

  // Gets a replay file. Returns FailedPrecondition if it has more than `max_bytes`.
  void FetchReplay(const std::string& match_id, size_t max_bytes, ThenText then);

  // Makes a call that is answered at once. Calls `then` on a thread of gRPC.
  template <typename Stub, typename Request, typename Response>
  void Call(Stub* stub, Method<Stub, Request, Response> method, const Request& request,
            Then<Response> then);
  // The same, posted; the answer is JSON.
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

  // Identifies the gate, and says that it reads for observers: what it is told it shows to anybody.
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

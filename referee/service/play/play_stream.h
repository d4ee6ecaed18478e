// One call of BotService.Play: a gRPC reactor that carries a BotSession, and nothing more.
#ifndef REFEREE_SERVICE_PLAY_PLAY_STREAM_H_
#define REFEREE_SERVICE_PLAY_PLAY_STREAM_H_

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <memory>

#include "absl/status/status.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/clock.h"
#include "referee/service/play/bot_session.h"

namespace referee::service {

class PlayStream final : public grpc::ServerBidiReactor<v1::PlayRequest, v1::PlayResponse>,
                         private Transport {
 public:
  // Serves a call that has begun, or refuses it. The stream owns itself until the call is done.
  // `environment` must outlive the call.
  static PlayStream* Serve(const BotSession::Environment* environment,
                           grpc::CallbackServerContext* context);

  // grpc::ServerBidiReactor.
  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override { session_->OnWriteDone(ok); }
  void OnCancel() override { session_->OnCancel(); }
  void OnDone() override;

 private:
  PlayStream(const BotSession::Environment* environment, grpc::CallbackServerContext* context)
      : clock_(*environment->clock),
        context_(context),
        session_(std::make_shared<BotSession>(environment, static_cast<Transport*>(this))) {}

  // Transport.
  void Write(const v1::PlayResponse& message) override { StartWrite(&message); }
  void Read() override;
  void Finish(const absl::Status& status) override;
  void Cancel() override { context_->TryCancel(); }

  // Whether the failed read had brought a malformed message; else the bot has ended its stream.
  bool Garbled() const;

  const Clock& clock_;
  grpc::CallbackServerContext* const context_;
  // Shared: matches may hold it after the call, and the service, have ended.
  const std::shared_ptr<BotSession> session_;
  v1::PlayRequest request_;  // being read
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_PLAY_STREAM_H_

// One BotService.Play call: a gRPC reactor that carries a BotSession.
//
// It exchanges bytes with gRPC and converts messages itself. So each message is measured once and
// written as one piece, and reads reuse memory. A malformed message also differs from the end of
// the stream.
#ifndef REFEREE_SERVICE_PLAY_PLAY_STREAM_H_
#define REFEREE_SERVICE_PLAY_PLAY_STREAM_H_

#include <google/protobuf/arena.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <array>
#include <memory>

#include "absl/status/status.h"
#include "proto/referee/v1/bot_service.pb.h"
#include "referee/base/clock.h"
#include "referee/service/call_count.h"
#include "referee/service/play/bot_session.h"

namespace referee::service {

// Parses a message, then clears the buffer, which thereby releases the last slice. gRPC crashes if
// a callback thread releases the last slice of a message by itself while gRPC is short of memory.
// Returns false if the message is malformed.
bool TakeMessage(grpc::ByteBuffer* buffer, v1::PlayRequest* request);

class PlayStream final : public grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>,
                         private Transport {
 public:
  // Serves or refuses a call that has begun. The stream owns itself until the call is done.
  // `environment` must outlive the call.
  static PlayStream* Serve(const BotSession::Environment* environment, const CallCount& count,
                           grpc::CallbackServerContext* context);

  // grpc::ServerBidiReactor.
  void OnReadDone(bool ok) override;
  void OnWriteDone(bool ok) override { session_->OnWriteDone(ok); }
  void OnCancel() override { session_->OnCancel(); }
  void OnDone() override;

 private:
  PlayStream(const BotSession::Environment* environment, const CallCount& count,
             grpc::CallbackServerContext* context);

  // Transport.
  void Write(const v1::PlayResponse& message, absl::string_view rest) override;
  void Read() override { StartRead(&read_); }
  void Finish(const absl::Status& status) override;
  void Cancel() override { context_->TryCancel(); }

  // The message in read_, valid until the next read; null if malformed.
  const v1::PlayRequest* Parse();

  const Clock& clock_;
  const CallCount count_;
  grpc::CallbackServerContext* const context_;
  // Shared: matches may hold it after the call, and the service, have ended.
  const std::shared_ptr<BotSession> session_;
  grpc::ByteBuffer read_;
  grpc::ByteBuffer written_;
  // Enough for a reply of one move; larger messages are allocated.
  std::array<char, 1024> few_bytes_;
  google::protobuf::Arena request_;  // of the message that was read
};

}  // namespace referee::service

#endif  // REFEREE_SERVICE_PLAY_PLAY_STREAM_H_

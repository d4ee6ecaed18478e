#include "referee/service/play/play_stream.h"

#include <grpcpp/support/slice.h>

#include <cstring>

#include "absl/status/status.h"
#include "referee/service/to_grpc.h"

namespace referee::service {
namespace {

google::protobuf::ArenaOptions StartingWith(char* block, size_t size) {
  google::protobuf::ArenaOptions options;
  options.initial_block = block;
  options.initial_block_size = size;
  return options;
}

bool ParseFrom(const grpc::ByteBuffer& buffer, v1::PlayRequest* request) {
  grpc::Slice bytes;
  const bool whole = buffer.TrySingleSlice(&bytes).ok() || buffer.DumpToSingleSlice(&bytes).ok();
  return whole && request->ParseFromArray(bytes.begin(), static_cast<int>(bytes.size()));
}

}  // namespace

bool TakeMessage(grpc::ByteBuffer* buffer, v1::PlayRequest* request) {
  const bool parsed = ParseFrom(*buffer, request);
  buffer->Clear();
  return parsed;
}

PlayStream::PlayStream(const BotSession::Environment* environment, const CallCount& count,
                       grpc::CallbackServerContext* context)
    : clock_(*environment->clock),
      count_(count),
      context_(context),
      session_(std::make_shared<BotSession>(environment, static_cast<Transport*>(this))),
      request_(StartingWith(few_bytes_.data(), few_bytes_.size())) {}

PlayStream* PlayStream::Serve(const BotSession::Environment* environment, const CallCount& count,
                              grpc::CallbackServerContext* context) {
  auto* const stream = new PlayStream(environment, count, context);
  stream->session_->Begin(context->peer());
  return stream;
}

void PlayStream::Write(const v1::PlayResponse& message, absl::string_view rest) {
  grpc::Slice bytes(message.ByteSizeLong() + rest.size());
  uint8_t* const end = message.SerializeWithCachedSizesToArray(const_cast<uint8_t*>(bytes.begin()));
  if (!rest.empty()) std::memcpy(end, rest.data(), rest.size());
  written_ = grpc::ByteBuffer(&bytes, 1);
  count_.Sent();
  StartWrite(&written_);
}

const v1::PlayRequest* PlayStream::Parse() {
  request_.Reset();
  auto* const request = google::protobuf::Arena::CreateMessage<v1::PlayRequest>(&request_);
  return TakeMessage(&read_, request) ? request : nullptr;
}

void PlayStream::Finish(const absl::Status& status) {
  count_.EndStream(status);
  SayWhenAgain(status, context_);
  grpc::ServerBidiReactor<grpc::ByteBuffer, grpc::ByteBuffer>::Finish(ToGrpc(status));
}

void PlayStream::OnReadDone(bool ok) {
  const Instant when = clock_.Now();
  if (!ok) return session_->Close(absl::OkStatus());
  count_.Received();
  const v1::PlayRequest* const request = Parse();
  if (request == nullptr) {
    return session_->Refuse(
        absl::InvalidArgumentError("a message that is no PlayRequest; bots and referee must speak "
                                   "the same version, and text must be UTF-8"));
  }
  session_->OnRead(*request, when);
}

void PlayStream::OnDone() {
  session_->OnDone();
  delete this;
}

}  // namespace referee::service

#include "referee/service/play/play_stream.h"

#include <algorithm>

#include "referee/service/errors.h"
#include "referee/service/to_grpc.h"

namespace referee::service {
namespace {

// The sentinel for "no message was read": a message of this many items, all empty.
constexpr int kMarkItems = 3;

}  // namespace

PlayStream* PlayStream::Serve(const BotSession::Environment* environment,
                              grpc::CallbackServerContext* context) {
  auto* const stream = new PlayStream(environment, context);
  stream->session_->Begin(context->peer());
  return stream;
}

// gRPC reports a malformed message and the end of the stream in the same way. But parsing a message
// replaces the content of request_, and the end does not; so the sentinel is put there first. Only
// a message made on purpose looks like it.
void PlayStream::Read() {
  request_.Clear();
  for (int i = 0; i < kMarkItems; ++i) request_.add_items();
  StartRead(&request_);
}

bool PlayStream::Garbled() const {
  return request_.items_size() != kMarkItems ||
         std::any_of(request_.items().begin(), request_.items().end(), [](const auto& item) {
           return item.kind_case() != v1::BotItem::KIND_NOT_SET;
         });
}

void PlayStream::Finish(const absl::Status& status) {
  grpc::ServerBidiReactor<v1::PlayRequest, v1::PlayResponse>::Finish(ToGrpc(status));
}

void PlayStream::OnReadDone(bool ok) {
  const Instant when = clock_.Now();
  if (!ok) return session_->Close(Garbled() ? UnreadableMessage() : absl::OkStatus());
  session_->OnRead(request_, when);
}

void PlayStream::OnDone() {
  session_->OnDone();
  delete this;
}

}  // namespace referee::service

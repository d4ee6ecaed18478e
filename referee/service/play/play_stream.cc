#include "referee/service/play/play_stream.h"

#include <algorithm>

#include "referee/service/errors.h"
#include "referee/service/to_grpc.h"

namespace referee::service {
namespace {

// So many items of no kind are the mark that no message has been read.
constexpr int kMarkItems = 3;

}  // namespace

PlayStream* PlayStream::Serve(const BotSession::Environment* environment,
                              grpc::CallbackServerContext* context) {
  auto* const stream = new PlayStream(environment, context);
  stream->session_->Begin(context->peer());
  return stream;
}

// gRPC does not tell a message that could not be read from the end of the stream. But reading one
// replaces what was in request_, and the end does not; so a mark is left there, which looks like no
// message but one that is made to.
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

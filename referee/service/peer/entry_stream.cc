#include "referee/service/peer/entry_stream.h"

#include <string>
#include <utility>

#include "referee/base/limits.h"

namespace referee::service {
namespace {

// The overhead of an item in a batch: its tag and its length.
constexpr size_t kBytesAroundItem = 6;

absl::Status FromGrpc(const grpc::Status& status) {
  return absl::Status(static_cast<absl::StatusCode>(status.error_code()), status.error_message());
}

}  // namespace

std::deque<peer::v1::AttachRequest> PiecesOf(const peer::v1::AttachRequest& batch, size_t most) {
  std::deque<peer::v1::AttachRequest> pieces(1);
  size_t left = most;
  for (const peer::v1::EntryItem& item : batch.items()) {
    const size_t bytes = item.ByteSizeLong() + kBytesAroundItem;
    if (bytes > most) continue;
    if (bytes > left) {
      pieces.emplace_back();
      left = most;
    }
    *pieces.back().add_items() = item;
    left -= bytes;
  }
  return pieces;
}

EntryStream::EntryStream(const PeerEnvironment* environment,
                         const std::shared_ptr<grpc::Channel>& channel, Calls calls)
    : clock_(*environment->clock),
      calls_(std::move(calls)),
      stub_(peer::v1::PeerService::NewStub(channel)) {}

std::shared_ptr<EntryStream> EntryStream::Make(const PeerEnvironment* environment,
                                               const std::shared_ptr<grpc::Channel>& channel,
                                               Calls calls) {
  std::shared_ptr<EntryStream> stream(new EntryStream(environment, channel, std::move(calls)));
  // The session keeps the transport alive, since its holder may be about to write.
  stream->session_ = std::shared_ptr<EntrySession>(
      new EntrySession(environment, static_cast<PeerTransport*>(stream.get())),
      [stream](const EntrySession* session) { delete session; });
  stream->self_ = stream;
  return stream;
}

void EntryStream::Begin() {
  const std::shared_ptr<EntrySession> session = session_;
  if (!BeginCall()) return NoteEnd(absl::CancelledError("it was ended before it began"));
  session->Begin();
}

bool EntryStream::BeginCall() {
  MutexLock lock(&mutex_);
  if (ended_) return false;
  begun_ = true;
  stub_->async()->Attach(&context_, this);
  // Sessions write on any thread, so the hold keeps OnDone from coming before End.
  AddHold();
  StartRead(&read_);
  StartCall();
  return true;
}

void EntryStream::End(const absl::Status& why) {
  {
    MutexLock lock(&mutex_);
    if (std::exchange(ended_, true)) return;
    why_ = why;
    if (!begun_) return;
  }
  context_.TryCancel();
  RemoveHold();
}

void EntryStream::OnReadDone(bool ok) {
  const Instant when = clock_.Now();
  if (!ok) return End(absl::OkStatus());  // OnDone has the reason
  session_->OnRead(read_, when);
  if (!std::exchange(answered_, true)) calls_.answers();
  MutexLock lock(&mutex_);
  if (!ended_) StartRead(&read_);
}

void EntryStream::Write(const peer::v1::AttachRequest& message) {
  MutexLock lock(&mutex_);
  if (ended_) return;  // the session learns of the end soon
  if (message.ByteSizeLong() <= limits::kMaxReceivedBytes) return StartWrite(&message);
  pieces_ = PiecesOf(message, limits::kMaxReceivedBytes);
  StartWrite(&pieces_.front());
}

void EntryStream::OnWriteDone(bool ok) {
  {
    MutexLock lock(&mutex_);
    if (!pieces_.empty()) pieces_.pop_front();
    if (ok && !ended_ && !pieces_.empty()) return StartWrite(&pieces_.front());
    ok = ok && pieces_.empty();
    pieces_.clear();
  }
  session_->OnWriteDone(ok);
}

void EntryStream::OnDone(const grpc::Status& status) {
  absl::Status why;
  {
    MutexLock lock(&mutex_);
    why = why_.ok() ? FromGrpc(status) : why_;
  }
  NoteEnd(why);
}

void EntryStream::NoteEnd(const absl::Status& why) {
  const std::shared_ptr<EntryStream> self = std::move(self_);
  const std::shared_ptr<EntrySession> session = std::move(session_);
  session->OnDone();
  calls_.ended(why);
}

}  // namespace referee::service

#include "sdk/cpp/src/stream.h"

#include <algorithm>
#include <utility>

namespace referee::sdk {
namespace {

// A message may have 262144 bytes and 4096 items; an item has some dozen bytes, at most a few
// hundred.
constexpr int kMaxItemsInMessage = 512;

}  // namespace

void Stream::Start() {
  stub_->async()->Play(&context_, this);
  // Writes come from outside of reactions: the call must not be done before the last of them is.
  AddHold();
  Read();
  Send();
  StartCall();
}

Stream::Stream(std::shared_ptr<grpc::Channel> channel, uint64_t number, v1::Hello hello,
               Listener* listener)
    : channel_(std::move(channel)),
      stub_(v1::BotService::NewStub(channel_)),
      number_(number),
      listener_(listener) {
  *said_.add_items()->mutable_hello() = std::move(hello);
}

void Stream::Say(v1::BotItem* item) {
  MutexLock lock(&mutex_);
  if (!ended_) said_.add_items()->Swap(item);
}

void Stream::Send() {
  {
    MutexLock lock(&mutex_);
    if (writing_ || !TakeSaid()) return;
  }
  StartWrite(&sending_);
}

bool Stream::CanSend() {
  MutexLock lock(&mutex_);
  return !writing_ && !ended_ && said_.items_size() > 0;
}

bool Stream::TakeSaid() {
  const int items = said_.items_size();
  if (items == 0 || ended_) return false;
  writing_ = true;
  sending_.Clear();
  sending_.Swap(&said_);
  // The rest of a batch that is too large waits for the next write.
  for (int i = kMaxItemsInMessage; i < items; ++i) {
    said_.add_items()->Swap(sending_.mutable_items(i));
  }
  if (items > kMaxItemsInMessage) {
    sending_.mutable_items()->DeleteSubrange(kMaxItemsInMessage, items - kMaxItemsInMessage);
  }
  return true;
}

void Stream::OnWriteDone(bool ok) {
  bool send;
  bool end;
  {
    MutexLock lock(&mutex_);
    writing_ = false;
    // What could not be written is lost with the stream; its reads will say so.
    if (!ok) said_.Clear();
    send = ok && TakeSaid();
    end = !send && ended_;
  }
  if (send) StartWrite(&sending_);
  if (end) RemoveHold();
}

void Stream::Read() {
  batch_ = std::make_shared<Batch>(number_);
  StartRead(batch_->message);
}

void Stream::OnReadDone(bool ok) {
  if (ok) {
    batch_->received = std::chrono::steady_clock::now();
    listener_->OnBatch(std::move(batch_));
    Read();
    return;
  }
  bool idle;
  {
    MutexLock lock(&mutex_);
    ended_ = true;
    idle = !writing_;
  }
  if (idle) RemoveHold();
}

void Stream::OnDone(const grpc::Status& status) {
  {
    // A call that failed at once has had no other reaction; ThreadSanitizer sees by this lock that
    // Start came before.
    MutexLock lock(&mutex_);
    ended_ = true;
  }
  listener_->OnClosed(status);  // this may be gone now
}

}  // namespace referee::sdk

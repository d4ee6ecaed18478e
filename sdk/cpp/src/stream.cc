#include "sdk/cpp/src/stream.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace referee::sdk {
namespace {

// A message may have 262144 bytes and 4096 items. An item has some dozen bytes, at most a few
// hundred.
constexpr int kMaxItemsInMessage = 512;

// A completed operation of the transport, used as its tag.
enum class Done : uintptr_t { kOpen = 1, kRead, kWrite, kFinish };
void* Tag(Done done) { return reinterpret_cast<void*>(static_cast<uintptr_t>(done)); }

}  // namespace

Stream::Stream(std::shared_ptr<grpc::Channel> channel, uint64_t number, v1::Hello hello,
               Listener* listener)
    : channel_(std::move(channel)),
      stub_(v1::BotService::NewStub(channel_)),
      number_(number),
      listener_(listener) {
  *said_.add_items()->mutable_hello() = std::move(hello);
}

Stream::~Stream() {
  if (thread_.joinable()) thread_.join();
}

void Stream::Start() {
  call_ = stub_->PrepareAsyncPlay(&context_, &done_);
  thread_ = std::thread([this] { Listen(); });
}

// --- Writing ---

void Stream::Say(v1::BotItem* item) {
  MutexLock lock(&mutex_);
  if (!ended_) said_.add_items()->Swap(item);
}

void Stream::Send() {
  {
    MutexLock lock(&mutex_);
    if (writing_ || !TakeSaid()) return;
  }
  Write();
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
  // Items beyond the limit of a message wait for the next write.
  for (int i = kMaxItemsInMessage; i < items; ++i) {
    said_.add_items()->Swap(sending_.mutable_items(i));
  }
  if (items > kMaxItemsInMessage) {
    sending_.mutable_items()->DeleteSubrange(kMaxItemsInMessage, items - kMaxItemsInMessage);
  }
  return true;
}

void Stream::Write() { call_->Write(sending_, Tag(Done::kWrite)); }

// --- The stream's thread ---

void Stream::Listen() {
  call_->StartCall(Tag(Done::kOpen));
  void* tag;
  bool ok;
  while (done_.Next(&tag, &ok)) {
    switch (static_cast<Done>(reinterpret_cast<uintptr_t>(tag))) {
      case Done::kOpen:
        OnOpened(ok);
        break;
      case Done::kRead:
        OnRead(ok);
        break;
      case Done::kWrite:
        OnWritten(ok);
        break;
      case Done::kFinish:
        done_.Shutdown();
        break;
    }
  }
  listener_->OnClosed(status_);
}

void Stream::OnOpened(bool ok) {
  if (ok) {
    Read();
  } else {
    MutexLock lock(&mutex_);
    ended_ = true;
  }
  OnWritten(ok);
}

void Stream::Read() {
  batch_ = std::make_shared<Batch>(number_);
  call_->Read(batch_->message, Tag(Done::kRead));
}

void Stream::OnRead(bool ok) {
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
  if (idle) Finish();
}

void Stream::OnWritten(bool ok) {
  bool writes;
  bool ended;
  {
    MutexLock lock(&mutex_);
    writing_ = false;
    // Items that could not be written are lost with the stream. Its reads report the error.
    if (!ok) said_.Clear();
    writes = ok && TakeSaid();
    ended = !writes && ended_;
  }
  if (writes) Write();
  if (ended) Finish();
}

void Stream::Finish() { call_->Finish(&status_, Tag(Done::kFinish)); }

}  // namespace referee::sdk

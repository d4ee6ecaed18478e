#include "tests/bench/bench_referee_client.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>
#include <grpcpp/support/slice.h>

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace referee::bench {

Traffic& Traffic::operator+=(const Traffic& other) {
  turns += other.turns;
  messages_in += other.messages_in;
  bytes_in += other.bytes_in;
  messages_out += other.messages_out;
  bytes_out += other.bytes_out;
  return *this;
}

Traffic operator-(const Traffic& a, const Traffic& b) {
  return {a.turns - b.turns, a.messages_in - b.messages_in, a.bytes_in - b.bytes_in,
          a.messages_out - b.messages_out, a.bytes_out - b.bytes_out};
}

void Pace::Stop() {
  {
    MutexLock lock(&mutex_);
    if (stopped_) return;
    stopped_ = true;
    changed_.NotifyAll();
  }
  thread_.join();
}

void Pace::WriteLater(Client* client) {
  MutexLock lock(&mutex_);
  thinking_.emplace_back(std::chrono::steady_clock::now() + think_, client);
  if (thinking_.size() == 1) changed_.NotifyAll();
}

void Pace::Run() {
  MutexLock lock(&mutex_);
  while (!stopped_) {
    if (thinking_.empty()) {
      changed_.Wait(&mutex_);
      continue;
    }
    const auto [due, client] = thinking_.front();
    const auto now = std::chrono::steady_clock::now();
    if (now < due) {
      changed_.WaitFor(&mutex_, due - now);
    } else {
      thinking_.pop_front();
      mutex_.Unlock();
      client->Write();
      mutex_.Lock();
    }
  }
}

Client::Client(std::shared_ptr<grpc::Channel> channel, const std::string& method,
               std::unique_ptr<Script> script, Pace* pace)
    : stub_(std::move(channel)), script_(std::move(script)), pace_(pace) {
  stub_.PrepareBidiStreamingCall(&context_, method, grpc::StubOptions(), this);
  {
    MutexLock lock(&mutex_);
    to_say_ = script_->Opening();
  }
  Write();
  StartRead(&read_);
  StartCall();
}

Client::~Client() {
  {
    MutexLock lock(&mutex_);
    stopping_ = true;
  }
  context_.TryCancel();
  MutexLock lock(&mutex_);
  while (!done_) changed_.Wait(&mutex_);
}

Traffic Client::traffic() const {
  return {turns_, messages_in_, bytes_in_, messages_out_, bytes_out_};
}

absl::Status Client::failure() const {
  MutexLock lock(&mutex_);
  return failure_;
}

void Client::OnReadDone(bool ok) {
  if (!ok) return;
  grpc::Slice slice;
  if (!read_.TrySingleSlice(&slice).ok()) read_.DumpToSingleSlice(&slice);
  const absl::string_view message(reinterpret_cast<const char*>(slice.begin()), slice.size());
  messages_in_.fetch_add(1, std::memory_order_relaxed);
  bytes_in_.fetch_add(static_cast<int64_t>(message.size()), std::memory_order_relaxed);
  absl::StatusOr<int> turns;
  {
    MutexLock lock(&mutex_);
    turns = script_->Answer(message, &to_say_);
  }
  if (!turns.ok()) return Fail(turns.status());
  turns_.fetch_add(*turns, std::memory_order_relaxed);
  pace_ == nullptr ? Write() : pace_->WriteLater(this);
  StartRead(&read_);
}

void Client::OnWriteDone(bool ok) {
  if (!ok) return;
  {
    MutexLock lock(&mutex_);
    writing_ = false;
  }
  Write();
}

void Client::Write() {
  {
    MutexLock lock(&mutex_);
    if (writing_ || to_say_.empty()) return;
    writing_ = true;
    const grpc::Slice slice(to_say_.data(), to_say_.size());
    written_ = grpc::ByteBuffer(&slice, 1);
    bytes_out_.fetch_add(static_cast<int64_t>(to_say_.size()), std::memory_order_relaxed);
    to_say_.clear();
  }
  messages_out_.fetch_add(1, std::memory_order_relaxed);
  StartWrite(&written_);
}

void Client::Fail(const absl::Status& failure) {
  {
    MutexLock lock(&mutex_);
    if (failure_.ok()) failure_ = failure;
  }
  context_.TryCancel();
}

void Client::OnDone(const grpc::Status& status) {
  MutexLock lock(&mutex_);
  if (!stopping_ && failure_.ok()) {
    failure_ = absl::UnavailableError(absl::StrCat("a stream ended with status ",
                                                   static_cast<int>(status.error_code()), ": ",
                                                   status.error_message()));
  }
  done_ = true;
  // Under the lock: whoever waits destroys this.
  changed_.NotifyAll();
}

}  // namespace referee::bench

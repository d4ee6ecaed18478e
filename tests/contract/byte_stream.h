// A call that carries any bytes: for messages that are none, and for services whose messages are
// not at hand.
#ifndef REFEREE_TESTS_CONTRACT_BYTE_STREAM_H_
#define REFEREE_TESTS_CONTRACT_BYTE_STREAM_H_

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/contract/referee_under_test.h"

namespace referee::testing {

// Thread-compatible. Every call blocks, for kPatience at most.
class ByteStream {
 public:
  // With the token of `name`, if that is not empty, and messages that are packed so.
  ByteStream(std::shared_ptr<grpc::Channel> channel, const std::string& method,
             const std::string& name = "", grpc_compression_algorithm packed = GRPC_COMPRESS_NONE)
      : stub_(std::move(channel)), context_(NewContext(name)) {
    context_->set_compression_algorithm(packed);
    call_ = stub_.PrepareCall(context_.get(), method, &queue_);
    call_->StartCall(this);
    Wait();
  }
  ~ByteStream() {
    context_->TryCancel();
    queue_.Shutdown();
    void* tag;
    bool ok;
    while (queue_.Next(&tag, &ok)) continue;
  }
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  // Returns false if the stream has ended.
  bool Write(const std::string& bytes) {
    const grpc::Slice slice(bytes);
    call_->Write(grpc::ByteBuffer(&slice, 1), this);
    return Wait();
  }
  void SayLast() {
    call_->WritesDone(this);
    Wait();
  }
  // Returns false at the end.
  bool Read(std::string* bytes = nullptr) {
    grpc::ByteBuffer heard;
    call_->Read(&heard, this);
    if (!Wait()) return false;
    std::vector<grpc::Slice> slices;
    if (bytes == nullptr || !heard.Dump(&slices).ok()) return true;
    bytes->clear();
    for (const grpc::Slice& slice : slices) bytes->append(slice.begin(), slice.end());
    return true;
  }
  // Reads to the end.
  grpc::Status End() {
    while (Read()) continue;
    grpc::Status status;
    call_->Finish(&status, this);
    Wait();
    return status;
  }

 private:
  bool Wait() {
    void* tag;
    bool ok = false;
    return queue_.Next(&tag, &ok) && ok;
  }

  grpc::GenericStub stub_;
  grpc::CompletionQueue queue_;
  std::unique_ptr<grpc::ClientContext> context_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call_;
};

}  // namespace referee::testing

#endif  // REFEREE_TESTS_CONTRACT_BYTE_STREAM_H_

#include "tests/support/health.h"

#include <grpcpp/client_context.h>
#include <grpcpp/completion_queue.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/support/byte_buffer.h>

#include "absl/strings/str_cat.h"
#include "tests/support/channel.h"

namespace referee::testing {

std::string HealthOf(const std::string& address, const std::string& service) {
  grpc::GenericStub stub(Dial(address));
  const grpc::Slice question(
      absl::StrCat("\x0a", std::string(1, static_cast<char>(service.size())), service));
  const grpc::ByteBuffer request(&question, 1);
  grpc::ClientContext context;
  grpc::CompletionQueue queue;
  const auto call =
      stub.PrepareUnaryCall(&context, "/grpc.health.v1.Health/Check", request, &queue);
  call->StartCall();
  grpc::ByteBuffer answer;
  grpc::Status status;
  call->Finish(&answer, &status, nullptr);
  void* tag;
  bool ok;
  queue.Next(&tag, &ok);
  queue.Shutdown();
  while (queue.Next(&tag, &ok)) continue;
  if (!status.ok()) return status.error_message();
  grpc::Slice bytes;
  if (!answer.DumpToSingleSlice(&bytes).ok()) return "";
  return std::string(reinterpret_cast<const char*>(bytes.begin()), bytes.size());
}

}  // namespace referee::testing

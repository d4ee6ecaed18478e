#include "tests/support/health.h"

#include <grpcpp/client_context.h>
#include <grpcpp/completion_queue.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/channel_arguments.h>

#include "absl/strings/str_cat.h"

namespace referee::testing {

std::string HealthOf(const std::string& address, const std::string& service) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  grpc::GenericStub stub(
      grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
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

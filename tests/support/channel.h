// Opens gRPC channels from tests to a referee.
#ifndef REFEREE_TESTS_SUPPORT_CHANNEL_H_
#define REFEREE_TESTS_SUPPORT_CHANNEL_H_

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <memory>
#include <string>

namespace referee::testing {

// A channel that shares no connection with other channels, and uses no proxy.
inline std::shared_ptr<grpc::Channel> Dial(const std::string& address,
                                           const std::shared_ptr<grpc::ChannelCredentials>&
                                               credentials = grpc::InsecureChannelCredentials()) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(address, credentials, arguments);
}

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_CHANNEL_H_

// Tests of how gRPC reports the calls of a connection, with real connections.
#include "referee/service/opened_calls.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "proto/referee/v1/match_service.grpc.pb.h"
#include "tests/support/certificates.h"
#include "tests/support/channel.h"

namespace referee::service {
namespace {

constexpr char kHeld[] = "/held";

// Refuses every call with the peer that it comes from as the message. A call of kHeld stays open
// until the client cancels it.
class PeerTeller : public grpc::CallbackGenericService {
 public:
  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext* call) override {
    class Hold : public grpc::ServerGenericBidiReactor {
     public:
      void OnCancel() override { Finish(grpc::Status::CANCELLED); }
      void OnDone() override { delete this; }
    };
    class Refusal : public grpc::ServerGenericBidiReactor {
     public:
      explicit Refusal(const std::string& peer) {
        Finish(grpc::Status(grpc::StatusCode::ABORTED, peer));
      }
      void OnDone() override { delete this; }
    };
    if (call->method() == kHeld) return new Hold;
    return new Refusal(call->peer());
  }
};

// Over TLS if the parameter is true.
class OpenedCallsTest : public ::testing::TestWithParam<bool> {
 protected:
  OpenedCallsTest() {
    std::shared_ptr<grpc::ServerCredentials> credentials = grpc::InsecureServerCredentials();
    if (GetParam()) {
      grpc::SslServerCredentialsOptions shown;
      shown.pem_key_cert_pairs.push_back({certificate_.key, certificate_.pem});
      credentials = grpc::SslServerCredentials(shown);
    }
    grpc::ServerBuilder builder;
    builder.RegisterCallbackGenericService(&teller_);
    builder.AddListeningPort("127.0.0.1:0", credentials, &port_);
    server_ = builder.BuildAndStart();
  }

  // A connection of its own.
  std::shared_ptr<grpc::Channel> Dial() const {
    std::shared_ptr<grpc::ChannelCredentials> credentials = grpc::InsecureChannelCredentials();
    if (GetParam()) credentials = grpc::SslCredentials({certificate_.pem, "", ""});
    return testing::Dial(absl::StrCat("127.0.0.1:", port_), credentials);
  }
  // Opens so many calls, and waits for the end of each. Returns where the connection comes from.
  static absl::optional<Endpoint> Call(const std::shared_ptr<grpc::Channel>& channel, int calls) {
    const auto stub = v1::MatchService::NewStub(channel);
    grpc::Status status;
    for (int i = 0; i < calls; ++i) {
      grpc::ClientContext context;
      v1::ListMatchesResponse response;
      status = stub->ListMatches(&context, {}, &response);
      EXPECT_EQ(status.error_code(), grpc::StatusCode::ABORTED) << status.error_message();
    }
    return Endpoint::FromPeer(status.error_message());
  }

  uint64_t Opened(const Endpoint& client) {
    return opened_.From(client).value_or(CallCounts()).opened;
  }
  // gRPC ends calls, and closes connections, in a thread of its own.
  static bool Eventually(const std::function<bool()>& holds) {
    for (const absl::Time limit = absl::Now() + absl::Seconds(20); absl::Now() < limit;) {
      if (holds()) return true;
      std::this_thread::yield();
    }
    return false;
  }

  testing::CertificateMaker maker_;
  const testing::Certificate certificate_ = maker_.SelfSigned("referee");
  PeerTeller teller_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
  OpenedCalls opened_;
};

TEST_P(OpenedCallsTest, OfEachConnectionAreCountedApart) {
  const auto alice = Dial();
  const auto alices = Call(alice, 3);
  ASSERT_TRUE(alices);
  EXPECT_EQ(Opened(*alices), 3u);
  // One that comes later.
  const auto bob = Dial();
  const auto bobs = Call(bob, 2);
  ASSERT_TRUE(bobs);
  EXPECT_EQ(Opened(*bobs), 2u);
  Call(alice, 5);
  EXPECT_EQ(Opened(*alices), 8u);
  EXPECT_EQ(Opened(*bobs), 2u);
}

TEST_P(OpenedCallsTest, AreOpenUntilTheyEnd) {
  const auto channel = Dial();
  const auto client = Call(channel, 3);
  ASSERT_TRUE(client);
  grpc::CompletionQueue queue;
  void* tag;
  bool ok;
  const auto open = [&] {
    // Whoever waits at the queue sends what its calls have to send.
    queue.AsyncNext(&tag, &ok, gpr_time_0(GPR_CLOCK_MONOTONIC));
    return opened_.From(*client).value_or(CallCounts()).open;
  };
  EXPECT_TRUE(Eventually([&] { return open() == 0; }));
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  const auto call = stub.PrepareCall(&context, kHeld, &queue);
  call->StartCall(nullptr);
  EXPECT_TRUE(Eventually([&] { return open() == 1; }));
  context.TryCancel();
  EXPECT_TRUE(Eventually([&] { return open() == 0; }));
  queue.Shutdown();
  while (queue.Next(&tag, &ok)) continue;
}

TEST_P(OpenedCallsTest, AreNotKnownOfAConnectionThatThereIsNot) {
  absl::optional<Endpoint> gone;
  {
    const auto channel = Dial();
    gone = Call(channel, 1);
    ASSERT_TRUE(gone);
    EXPECT_EQ(Opened(*gone), 1u);
    server_->Shutdown();
  }
  server_.reset();
  EXPECT_TRUE(Eventually([&] { return !opened_.From(*gone); }));
}

INSTANTIATE_TEST_SUITE_P(Over, OpenedCallsTest, ::testing::Bool(),
                         [](const auto& tls) { return tls.param ? "Tls" : "Tcp"; });

}  // namespace
}  // namespace referee::service

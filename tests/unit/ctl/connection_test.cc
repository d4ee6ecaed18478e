#include "referee/client/connection.h"

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/types/optional.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/referee/v1/match_service.grpc.pb.h"
#include "referee/ctl/client.h"
#include "referee/service/tls.h"
#include "tests/support/certificates.h"

namespace referee::ctl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using MatchStub = v1::MatchService::Stub;

TEST(Connection, RefusesAddressesThatMakeNoSense) {
  for (const char* address : {"", "7450", "host", ":7450", "host:0", "host:99999", "unix:"}) {
    ClientOptions options;
    options.address = address;
    EXPECT_TRUE(absl::IsInvalidArgument(Connection::Make(options).status())) << address;
  }
}

TEST(Connection, RefusesPlainTextAndTlsAtOnce) {
  ClientOptions options;
  options.tls = true;
  options.insecure = true;
  EXPECT_TRUE(absl::IsInvalidArgument(Connection::Make(options).status()));
}

TEST(Connection, RefusesATokenThatNoCallCanCarry) {
  ClientOptions options;
  options.token = "rfb_\xc3\xa9";
  const absl::Status status = Connection::Make(options).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("byte 5"));
}

TEST(Connection, RefusesTextThatIsNotUtf8AndNamesItsField) {
  ClientOptions options;
  options.address = "unix:/nonexistent/socket";
  v1::ListMatchesRequest request;
  request.set_page_token("M\xfcller");
  const absl::Status status = Client<MatchStub>(Connection::Make(options).value())
                                  .Call(&MatchStub::ListMatches, request)
                                  .status();
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("page_token"), HasSubstr("byte 2"), HasSubstr("UTF-8")));
}

TEST(Connection, SaysWhereATokenComesFromAndNothingOfTheWire) {
  ClientOptions options;
  options.address = "unix:/nonexistent/socket";
  const grpc::Status refused(
      grpc::StatusCode::UNAUTHENTICATED,
      "only an organiser may do this: send metadata 'authorization: Bearer <token>' with a token");
  EXPECT_EQ(Connection::Make(options).value().Explain(refused).message(),
            "only an organiser may do this (refctl sends the token in --token-file or "
            "REFEREE_TOKEN)");
}

// A referee that does not answer calls, but listens: with TLS or in plain text.
class Listener {
 public:
  explicit Listener(const std::shared_ptr<grpc::ServerCredentials>& credentials) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", credentials, &port_);
    queue_ = builder.AddCompletionQueue();
    server_ = builder.BuildAndStart();
  }
  ~Listener() {
    server_->Shutdown();
    queue_->Shutdown();
    void* tag;
    bool ok;
    while (queue_->Next(&tag, &ok)) continue;
  }
  std::string address() const { return absl::StrCat("127.0.0.1:", port_); }

 private:
  int port_ = 0;
  std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  std::unique_ptr<grpc::Server> server_;
};

TEST(Connection, UsesNoProxyOfTheEnvironment) {
  Listener listener(grpc::InsecureServerCredentials());
  ClientOptions options;
  options.address = listener.address();
  setenv("http_proxy", "http://127.0.0.1:9", 1);  // nothing listens there
  const Connection connection = Connection::Make(options).value();
  connection.Await(absl::Seconds(10));
  unsetenv("http_proxy");
  EXPECT_EQ(connection.channel()->GetState(/*try_to_connect=*/false), GRPC_CHANNEL_READY);
}

// What a client with these options reads of a referee with this TLS, or with none.
class TlsErrors : public ::testing::Test {
 protected:
  void Serve(absl::optional<std::string> client_ca = absl::nullopt) {
    tls_ = service::Tls::Make({shown_.pem, shown_.key, std::move(client_ca)}, absl::Now()).value();
    listener_ = std::make_unique<Listener>(tls_->NewCredentials());
  }
  void ServePlainText() {
    listener_ = std::make_unique<Listener>(grpc::InsecureServerCredentials());
  }
  std::string Error() {
    options_.address = listener_->address();
    const absl::Status status = Client<MatchStub>(Connection::Make(options_).value())
                                    .Call(&MatchStub::ListMatches, v1::ListMatchesRequest())
                                    .status();
    EXPECT_TRUE(absl::IsUnavailable(status)) << status;
    return std::string(status.message());
  }

  testing::CertificateMaker maker_;
  const testing::Certificate shown_ = maker_.SelfSigned("referee");
  std::unique_ptr<service::Tls> tls_;
  std::unique_ptr<Listener> listener_;
  ClientOptions options_;
};

TEST_F(TlsErrors, NameTlsWhereItIsMissing) {
  Serve();
  EXPECT_THAT(Error(), AllOf(HasSubstr("hangs up on plain text"), HasSubstr("--tls-ca FILE")));
}

TEST_F(TlsErrors, SayThatARefereeSpeaksPlainText) {
  ServePlainText();
  options_.tls_ca = shown_.pem;
  EXPECT_THAT(Error(), AllOf(HasSubstr("does not speak TLS"), HasSubstr("--insecure")));
}

TEST_F(TlsErrors, NameTheFileOfAuthoritiesWhereNoneIsKnown) {
  Serve();
  options_.tls_ca = maker_.SelfSigned("other").pem;
  EXPECT_THAT(Error(), AllOf(HasSubstr("of an authority that is not in --tls-ca")));
}

TEST_F(TlsErrors, NameTheCertificateThatIsMissingOrNotTaken) {
  Serve(maker_.SelfSigned("authority").pem);
  options_.tls_ca = shown_.pem;
  EXPECT_THAT(Error(), AllOf(HasSubstr("--tls-cert FILE"), HasSubstr("--tls-key FILE")));
  const testing::Certificate own = maker_.SelfSigned("own");
  options_.tls_cert = own.pem;
  options_.tls_key = own.key;
  EXPECT_THAT(Error(), HasSubstr("not to take the certificate in --tls-cert"));
}

}  // namespace
}  // namespace referee::ctl

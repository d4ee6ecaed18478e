// Claims about TLS, with real handshakes: whom a server plays with, and its certificate exchanged
// while it serves.
#include "referee/service/tls.h"

#include <gmock/gmock.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "referee/service/convert/convert.h"
#include "tests/contract/raw_bot.h"
#include "tests/contract/referee_under_test.h"
#include "tests/support/certificates.h"

namespace referee::testing {
namespace {

using service::Tls;
using service::TlsPem;

class TlsServer : public ::testing::Test {
 protected:
  TlsServer() = default;

  // The server asks clients for a certificate of `client_ca`, if it is set.
  void Start(absl::optional<std::string> client_ca = absl::nullopt) {
    tls_ = Tls::Make({shown_.pem, shown_.key, client_ca}, absl::Now()).value();
    RefereeUnderTest::Options options;
    options.listen = "127.0.0.1:0";
    options.tls = tls_.get();
    referee_ = std::make_unique<RefereeUnderTest>(options);
  }
  // A new connection of one who trusts `authority`, and may show a certificate.
  std::shared_ptr<grpc::Channel> Dial(const Certificate& authority, const Certificate& own = {}) {
    grpc::SslCredentialsOptions ssl;
    ssl.pem_root_certs = authority.pem;
    ssl.pem_cert_chain = own.pem;
    ssl.pem_private_key = own.key;
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    return grpc::CreateCustomChannel(referee_->address(), grpc::SslCredentials(ssl), arguments);
  }
  bool Plays(std::shared_ptr<grpc::Channel> channel) {
    RawBot alice(std::move(channel));
    alice.Say(HelloAs("alice"));
    alice.SayLast();
    return alice.End().error_code() != grpc::StatusCode::UNAVAILABLE;
  }

  CertificateMaker maker_;
  const Certificate shown_ = maker_.SelfSigned("referee");
  std::unique_ptr<Tls> tls_;
  std::unique_ptr<RefereeUnderTest> referee_;
};

TEST_F(TlsServer, PlaysWithThoseWhoTrustItsCertificate) {
  Start();
  RawBot alice(Dial(shown_));
  alice.Say(HelloAs("alice"));
  EXPECT_EQ(alice.Hear().welcome().bot(), "alice");
}

TEST_F(TlsServer, HearsNoPlainText) {
  Start();
  EXPECT_FALSE(Plays(referee_->NewChannel()));
}

TEST_F(TlsServer, IsNotTrustedByThoseWhoTrustOthers) {
  Start();
  EXPECT_FALSE(Plays(Dial(maker_.SelfSigned("other"))));
}

TEST_F(TlsServer, ShowsANewCertificateAtOnceWhileStreamsGoOn) {
  Start();
  RawBot alice(Dial(shown_));
  alice.Say(HelloAs("alice"));
  ASSERT_TRUE(alice.Hear().has_welcome());
  const Certificate renewed = maker_.SelfSigned("referee");
  ASSERT_TRUE(tls_->Replace({renewed.pem, renewed.key, absl::nullopt}, absl::Now()).ok());

  RawBot bob(Dial(renewed));
  bob.Say(HelloAs("bob"));
  ASSERT_TRUE(bob.Hear().has_welcome());
  EXPECT_FALSE(Plays(Dial(shown_))) << "the old one is shown no more";
  const std::string match_id =
      referee_->host().Create(*service::FromWire(referee_->Request({"alice", "bob"})), "")->text();
  EXPECT_EQ(alice.Hear().match_start().match().match_id(), match_id) << "the old stream goes on";
  EXPECT_EQ(bob.Hear().match_start().match().match_id(), match_id);
}

TEST_F(TlsServer, KeepsItsCertificateWhenTheNewOneWillNotDo) {
  Start();
  const Certificate other = maker_.SelfSigned("other");
  for (const TlsPem& bad :
       {TlsPem{other.pem, shown_.key, absl::nullopt}, TlsPem{"nonsense", other.key, absl::nullopt},
        TlsPem{other.pem, other.key, other.pem}}) {
    EXPECT_TRUE(absl::IsInvalidArgument(tls_->Replace(bad, absl::Now()).status()));
  }
  EXPECT_FALSE(
      tls_->Replace({other.pem, other.key, absl::nullopt}, absl::Now() + absl::Hours(99)).ok())
      << "expired";
  EXPECT_TRUE(Plays(Dial(shown_)));
}

TEST_F(TlsServer, AsksForCertificatesOfItsAuthorityAlone) {
  const Certificate authority = maker_.SelfSigned("authority");
  Start(authority.pem);
  EXPECT_TRUE(Plays(Dial(shown_, maker_.SignedBy(authority, "alice"))));
  EXPECT_FALSE(Plays(Dial(shown_)));
  EXPECT_FALSE(Plays(Dial(shown_, maker_.SelfSigned("alice"))));
}

TEST_F(TlsServer, ExchangesTheAuthorityOfItsClients) {
  const Certificate first = maker_.SelfSigned("first");
  const Certificate second = maker_.SelfSigned("second");
  Start(first.pem);
  const Certificate alice = maker_.SignedBy(second, "alice");
  EXPECT_FALSE(Plays(Dial(shown_, alice)));
  ASSERT_TRUE(tls_->Replace({shown_.pem, shown_.key, second.pem}, absl::Now()).ok());
  EXPECT_TRUE(Plays(Dial(shown_, alice)));
}

}  // namespace
}  // namespace referee::testing

// Tests of TLS with real handshakes: a referee that asks for a certificate accepts only clients
// with one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "absl/time/clock.h"
#include "referee/sdk/bot.h"
#include "referee/service/tls.h"
#include "tests/support/certificates.h"
#include "tests/unit/sdk/fake_referee.h"

namespace referee::sdk {
namespace {

using ::referee::testing::Certificate;
using ::testing::HasSubstr;

class FirstMove : public Bot {
  Move ChooseTurn(const Turn& turn) override { return turn.legal_move(0); }
};

// A referee with the TLS of refereed --tls-client-ca, and a client that tries it once.
class SdkTls : public ::testing::Test {
 protected:
  SdkTls() {
    options_.address = referee_.address();
    options_.token = "secret";
    options_.tls_ca = maker_.Write("referee.pem", shown_.pem);
    options_.log_level = LogLevel::kNone;
    options_.give_up_after = absl::ZeroDuration();
  }

  void Show(const Certificate& own) {
    options_.tls_cert = maker_.Write("own.pem", own.pem);
    options_.tls_key = maker_.Write("own-key.pem", own.key);
  }
  // The referee welcomes whoever comes in, and ends well.
  absl::Status Play() {
    referee_.Say({WelcomeItem(), DrainingItem()});
    referee_.EndStream(grpc::Status::OK);
    FirstMove bot;
    return Client(bot, options_).Run();
  }

  testing::CertificateMaker maker_;
  const Certificate shown_ = maker_.SelfSigned("referee");
  const Certificate authority_ = maker_.SelfSigned("authority");
  const std::unique_ptr<service::Tls> tls_ =
      service::Tls::Make({shown_.pem, shown_.key, authority_.pem}, absl::Now()).value();
  FakeReferee referee_{tls_->NewCredentials()};
  Options options_;
};

TEST_F(SdkTls, PlaysWhereTheRefereeAsksForACertificateThatItHas) {
  Show(maker_.SignedBy(authority_, "alice"));
  const absl::Status status = Play();
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(referee_.streams(), 1);
}

TEST_F(SdkTls, DoesNotGetInWithoutACertificate) {
  const absl::Status status = Play();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("give --tls-cert and --tls-key"));
  EXPECT_EQ(referee_.streams(), 0);
}

TEST_F(SdkTls, SaysWhichOptionMendsWhatTlsIsTheTroubleOf) {
  options_.tls_ca.clear();
  EXPECT_THAT(std::string(Play().message()), HasSubstr("give --tls or --tls-ca"));
  options_.tls_ca = maker_.Write("other.pem", maker_.SelfSigned("other").pem);
  EXPECT_THAT(std::string(Play().message()), HasSubstr("in --tls-ca"));
}

TEST_F(SdkTls, FindsItsFilesInTheEnvironment) {
  const Certificate own = maker_.SignedBy(authority_, "alice");
  setenv("REFEREE_TLS_CA", options_.tls_ca.c_str(), 1);
  setenv("REFEREE_TLS_CERT", maker_.Write("own.pem", own.pem).c_str(), 1);
  setenv("REFEREE_TLS_KEY", maker_.Write("own-key.pem", own.key).c_str(), 1);
  options_.tls_ca.clear();
  FirstMove bot;
  referee_.Say({WelcomeItem(), DrainingItem()});
  referee_.EndStream(grpc::Status::OK);
  const absl::Status status = sdk::Run(bot, options_);
  for (const char* name : {"REFEREE_TLS_CA", "REFEREE_TLS_CERT", "REFEREE_TLS_KEY"}) unsetenv(name);
  EXPECT_TRUE(status.ok()) << status;
}

TEST_F(SdkTls, DoesNotGetInWithACertificateOfAnotherAuthority) {
  Show(maker_.SelfSigned("alice"));
  const absl::Status status = Play();
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_EQ(referee_.streams(), 0);
}

}  // namespace
}  // namespace referee::sdk

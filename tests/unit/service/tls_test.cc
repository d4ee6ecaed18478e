// Tests of which keys and certificates a server accepts as its own.
//
// tests/contract/tls_test.cc tests that servers present them.
#include "referee/service/tls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/time/clock.h"
#include "tests/support/certificates.h"

namespace referee::service {
namespace {

using ::referee::testing::Certificate;
using ::referee::testing::CertificateMaker;
using ::testing::HasSubstr;

class TlsTest : public ::testing::Test {
 protected:
  std::string Refusal(const TlsPem& pem, absl::Time now = absl::Now()) {
    const absl::Status status = CheckTls(pem, now).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    return std::string(status.message());
  }

  CertificateMaker maker_;
  const Certificate good_ = maker_.SelfSigned("referee");
  const TlsPem pem_{good_.pem, good_.key, absl::nullopt};
};

TEST_F(TlsTest, TakesAKeyAndItsCertificateAndTellsItsEnd) {
  const absl::StatusOr<absl::Time> end = CheckTls(pem_, absl::Now());
  ASSERT_TRUE(end.ok()) << end.status();
  EXPECT_NEAR(absl::ToDoubleHours(*end - absl::Now()), 48, 1);
  TlsPem chain = pem_;
  chain.certificate += maker_.SelfSigned("authority").pem;
  EXPECT_TRUE(CheckTls(chain, absl::Now()).ok());
}

TEST_F(TlsTest, RefusesWhatIsNoPem) {
  EXPECT_THAT(Refusal({"", good_.key, absl::nullopt}), HasSubstr("certificate: no PEM"));
  EXPECT_THAT(Refusal({good_.key, good_.key, absl::nullopt}), HasSubstr("certificate: no PEM"));
  EXPECT_THAT(Refusal({good_.pem, good_.pem, absl::nullopt}), HasSubstr("key: no PEM"));
  EXPECT_THAT(Refusal({good_.pem, good_.key.substr(0, 80), absl::nullopt}), HasSubstr("key: no"));
  EXPECT_THAT(Refusal({good_.pem, good_.key, "nonsense"}), HasSubstr("client CA: no PEM"));
}

TEST_F(TlsTest, RefusesAKeyOfAnotherCertificate) {
  EXPECT_THAT(Refusal({good_.pem, maker_.SelfSigned("other").key, absl::nullopt}),
              HasSubstr("another certificate"));
}

TEST_F(TlsTest, RefusesACertificateBeforeAndAfterItsTime) {
  EXPECT_THAT(Refusal(pem_, absl::Now() + absl::Hours(49)), HasSubstr("was valid until"));
  EXPECT_THAT(Refusal(pem_, absl::Now() - absl::Hours(1)), HasSubstr("is valid from"));
}

TEST_F(TlsTest, KeepsWhatItHasWhenTheNewWillNotDo) {
  const auto tls = Tls::Make(pem_, absl::Now());
  ASSERT_TRUE(tls.ok()) << tls.status();
  EXPECT_FALSE((*tls)->Replace({"", "", absl::nullopt}, absl::Now()).ok());
  EXPECT_FALSE((*tls)->Replace({good_.pem, good_.key, good_.pem}, absl::Now()).ok())
      << "whether clients need certificates is settled";
  EXPECT_TRUE((*tls)->Replace(pem_, absl::Now()).ok());
}

}  // namespace
}  // namespace referee::service

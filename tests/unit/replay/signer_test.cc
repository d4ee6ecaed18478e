#include "referee/replay/signer.h"

#include "gtest/gtest.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

TEST(Signer, SignsWhatOnlyItsKeyVerifies) {
  const Signer signer = SampleSigner(1);
  const Signature signature = signer.Sign("message");
  EXPECT_TRUE(VerifySignature("message", signature, signer.public_key()));
  EXPECT_FALSE(VerifySignature("massage", signature, signer.public_key()));
  EXPECT_FALSE(VerifySignature("message", signature, SampleSigner(2).public_key()));
}

TEST(Fingerprint, IsThirtyTwoHexDigits) {
  const std::string fingerprint = Fingerprint(SampleSigner().public_key());
  EXPECT_EQ(fingerprint.size(), 32u);
  EXPECT_NE(fingerprint, Fingerprint(SampleSigner(2).public_key()));
}

}  // namespace
}  // namespace referee::replay

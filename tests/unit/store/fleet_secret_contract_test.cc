// Tests of the secret with which the referees of a fleet authenticate each other.
#include <algorithm>
#include <array>
#include <string>
#include <thread>
#include <vector>

#include "absl/types/span.h"
#include "tests/unit/store/harness.h"

namespace referee::store {
namespace {

class FleetSecretContract : public StoreContract {
 protected:
  // What the store says when this byte would be drawn, again and again.
  absl::StatusOr<std::string> SecretBy(uint8_t drawn) {
    return store_->FleetSecret(
        [drawn](absl::Span<uint8_t> bytes) { std::fill(bytes.begin(), bytes.end(), drawn); });
  }
};

TEST_P(FleetSecretContract, IsDrawnOnce) {
  const std::string drawn(kFleetSecretBytes, '\xff');
  EXPECT_EQ(SecretBy(0xff).value(), drawn);
  EXPECT_EQ(SecretBy(0x01).value(), drawn);
  Reopen();
  EXPECT_EQ(SecretBy(0x02).value(), drawn);
}

TEST_P(FleetSecretContract, MayHaveAnyBytes) {
  EXPECT_EQ(SecretBy(0).value(), std::string(kFleetSecretBytes, '\0'));
  Reopen();
  EXPECT_EQ(SecretBy(1).value(), std::string(kFleetSecretBytes, '\0'));
}

TEST_P(FleetSecretContract, IsTheSameForAllThatAskAtOnce) {
  std::array<absl::StatusOr<std::string>, 4> secrets;
  std::vector<std::thread> threads;
  for (size_t i = 0; i < secrets.size(); ++i) {
    threads.emplace_back([&, i] { secrets[i] = SecretBy(static_cast<uint8_t>(i + 1)); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const absl::StatusOr<std::string>& secret : secrets) {
    ASSERT_TRUE(secret.ok()) << secret.status();
    EXPECT_EQ(*secret, *secrets[0]);
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, FleetSecretContract, ::testing::ValuesIn(AllImplementations()),
                         [](const ::testing::TestParamInfo<Implementation>& info) {
                           return info.param.name;
                         });

}  // namespace
}  // namespace referee::store

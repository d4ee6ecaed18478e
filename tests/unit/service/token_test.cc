// Tests of generated tokens.
#include "referee/service/access/token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "referee/base/limits.h"

namespace referee::service {
namespace {

using ::testing::MatchesRegex;

// RFC 4648, 10, in lower case and without padding.
TEST(Base32, IsThatOfTheRfc) {
  for (const auto& [text, encoded] : {std::pair<std::string, std::string>("", ""),
                                      {"f", "my"},
                                      {"fo", "mzxq"},
                                      {"foo", "mzxw6"},
                                      {"foob", "mzxw6yq"},
                                      {"fooba", "mzxw6ytb"},
                                      {"foobar", "mzxw6ytboi"}}) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
    EXPECT_EQ(Base32(absl::MakeConstSpan(bytes, text.size())), encoded) << text;
  }
}

TEST(Token, HasAMarkAnd256Bits) {
  const std::string token = NewToken();
  EXPECT_THAT(token, MatchesRegex("rfb_[a-z2-7]{52}"));
  EXPECT_LE(token.size(), limits::kMaxTokenBytes);
  EXPECT_NE(NewToken(), token);
}

}  // namespace
}  // namespace referee::service

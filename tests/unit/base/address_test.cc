#include "referee/base/address.h"

#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace referee {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

// The cases that all programs and SDKs read alike.
class Addresses : public ::testing::Test {
 protected:
  static std::vector<json> Cases(bool refused) {
    std::ifstream file(REFEREE_SOURCE_DIR "/tests/golden/addresses.jsonl");
    std::vector<json> cases;
    for (std::string line; std::getline(file, line);) {
      json one = json::parse(line);
      if (one.contains("refused") == refused) cases.push_back(std::move(one));
    }
    EXPECT_FALSE(cases.empty());
    return cases;
  }
};

TEST_F(Addresses, AreTakenAsByAllPrograms) {
  for (const json& one : Cases(/*refused=*/false)) {
    const absl::StatusOr<Address> address = ReadAddress(one["given"].get<std::string>());
    ASSERT_TRUE(address.ok()) << one << address.status();
    EXPECT_EQ(address->text, one["address"].get<std::string>()) << one;
    EXPECT_EQ(address->host, one.value("host", "")) << one;
    EXPECT_EQ(address->port, one.value("port", 0)) << one;
    EXPECT_EQ(address->path, one.value("path", "")) << one;
    EXPECT_EQ(address->local, one["local"].get<bool>()) << one;
  }
}

TEST_F(Addresses, AreRefusedWithWhatToWrite) {
  for (const json& one : Cases(/*refused=*/true)) {
    const absl::Status status = ReadAddress(one["given"].get<std::string>()).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << one;
    const std::string remedy =
        one.contains("write") ? "write " + one["write"].get<std::string>() : "expected host:port";
    EXPECT_THAT(std::string(status.message()), HasSubstr(remedy)) << one;
  }
}

TEST(GrpcTarget, IsTheAddressAndNothingElse) {
  EXPECT_EQ(GrpcTarget(*ReadAddress("dns:7450")), "dns:///dns:7450");
  EXPECT_EQ(GrpcTarget(*ReadAddress("[::1]:7450")), "dns:///%5b::1%5d:7450");
  EXPECT_EQ(GrpcTarget(*ReadAddress("unix:/a b%20?")), "unix:/a%20b%2520%3f");
}

}  // namespace
}  // namespace referee

// Claims about which addresses a network has.
#include "referee/service/access/network.h"

#include <gtest/gtest.h>

#include <string>

namespace referee::service {
namespace {

std::string Written(const char* text) {
  const absl::StatusOr<Network> network = Network::Parse(text);
  return network.ok() ? network->text() : "bad";
}

TEST(Network, HasTheAddressesOfItsPrefix) {
  const Network network = Network::Parse("10.1.0.0/16").value();
  EXPECT_TRUE(network.Contains("10.1.255.7"));
  EXPECT_FALSE(network.Contains("10.2.0.0"));
  EXPECT_FALSE(network.Contains("2001:db8::"));
  EXPECT_FALSE(network.Contains("unix"));
  EXPECT_TRUE(Network::Parse("0.0.0.0/0").value().Contains("203.0.113.7"));
  EXPECT_FALSE(Network::Parse("0.0.0.0/0").value().Contains("2001:db8::"));
}

TEST(Network, OfOneAddressHasThatAlone) {
  EXPECT_TRUE(Network::Parse("203.0.113.7").value().Contains("203.0.113.7"));
  EXPECT_FALSE(Network::Parse("203.0.113.7").value().Contains("203.0.113.8"));
}

TEST(Network, OfIPv6HasAllThatOneMachineMayCallItself) {
  const Network network = Network::Parse("2001:db8:0:1::5").value();
  EXPECT_EQ(network.text(), "2001:db8:0:1::/64");
  EXPECT_TRUE(network.Contains("2001:db8:0:1::"));
  EXPECT_FALSE(network.Contains("2001:db8:0:2::"));
}

TEST(Network, IsWrittenInOneWay) {
  EXPECT_EQ(Written("203.0.113.7/32"), "203.0.113.7");
  EXPECT_EQ(Written("::ffff:203.0.113.7"), "203.0.113.7");
  EXPECT_EQ(Written("2001:0db8:0:0::/32"), "2001:db8::/32");
}

TEST(Network, IsNotWhatIsNone) {
  for (const char* text : {"", "alice", "10.0.0", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.1/8",
                           "10.0.0.0/", "/8", "2001:db8::/129", "unix:"}) {
    EXPECT_EQ(Written(text), "bad") << text;
  }
}

}  // namespace
}  // namespace referee::service

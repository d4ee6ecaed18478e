// Tests of the address under which a client is counted.
#include "referee/service/client_address.h"

#include <gtest/gtest.h>

namespace referee::service {
namespace {

TEST(ClientAddress, IsTheSameForAllConnectionsFromOneMachine) {
  EXPECT_EQ(ClientAddress("ipv4:10.0.0.7:40122"), "10.0.0.7");
  EXPECT_EQ(ClientAddress("ipv4:10.0.0.7:40123"), "10.0.0.7");
  EXPECT_EQ(ClientAddress("unix:/run/referee"), "unix");
  EXPECT_EQ(ClientAddress("unix:"), "unix");
}

TEST(ClientAddress, IsTheSameForAllThatOneHasOfIPv6) {
  EXPECT_EQ(ClientAddress("ipv6:[2001:db8:0:1::5]:40122"), "2001:db8:0:1::");
  EXPECT_EQ(ClientAddress("ipv6:%5B2001:db8:0:1:ffff::9%5D:40122"), "2001:db8:0:1::");
  EXPECT_EQ(ClientAddress("ipv6:[2001:db8:0:2::5]:40122"), "2001:db8:0:2::");
  EXPECT_EQ(ClientAddress("ipv6:[fe80::1%25eth0]:1"), "fe80::");
}

TEST(ClientAddress, IsTheSameByWhicheverProtocol) {
  EXPECT_EQ(ClientAddress("ipv6:[::ffff:10.0.0.7]:40122"), "10.0.0.7");
}

TEST(ClientAddress, IsSomethingForWhatIsNoAddress) {
  EXPECT_EQ(ClientAddress(""), "");
  EXPECT_EQ(ClientAddress("ipv6:[nonsense]:1"), "ipv6");
  EXPECT_EQ(ClientAddress("ipv4:"), "ipv4");
}

}  // namespace
}  // namespace referee::service

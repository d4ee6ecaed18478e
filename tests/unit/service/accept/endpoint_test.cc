// Claims about how addresses are read, written and compared.
#include "referee/service/accept/endpoint.h"

#include <gtest/gtest.h>

#include <string>

namespace referee::service {
namespace {

IpAddress Ip(const std::string& text) { return IpAddress::Parse(text).value(); }
IpRange Range(const std::string& text) { return IpRange::Parse(text).value(); }

TEST(IpAddress, MappedIntoIpv6IsTheIpv4Address) {
  EXPECT_EQ(Ip("::ffff:192.0.2.1"), Ip("192.0.2.1"));
  EXPECT_EQ(Ip("::ffff:192.0.2.1").text(), "192.0.2.1");
  EXPECT_TRUE(Ip("::ffff:127.0.0.5").is_loopback());
}

TEST(IpAddress, CountsAsItselfOrAsItsFirst64Bits) {
  EXPECT_EQ(Ip("192.0.2.1").Counted(), Ip("192.0.2.1"));
  EXPECT_EQ(Ip("2001:db8:1:2:3:4:5:6").Counted(), Ip("2001:db8:1:2:ffff::").Counted());
  EXPECT_FALSE(Ip("2001:db8:1:2::").Counted() == Ip("2001:db8:1:3::").Counted());
}

TEST(IpAddress, IsLoopbackOnlyWhereItIs) {
  EXPECT_TRUE(Ip("127.3.2.1").is_loopback());
  EXPECT_TRUE(Ip("::1").is_loopback());
  for (const char* text : {"128.0.0.1", "::", "::2", "1::1", "0.0.0.0"}) {
    EXPECT_FALSE(Ip(text).is_loopback()) << text;
  }
}

TEST(IpAddress, IsNotReadFromWhatIsNone) {
  for (const char* text :
       {"", "1.2.3", "1.2.3.4.5", "256.0.0.1", "localhost", "[::1]", "::1%lo", "1.2.3.4 ", ":::"}) {
    EXPECT_FALSE(IpAddress::Parse(text)) << text;
  }
}

TEST(Endpoint, IsReadFromAPeerAsGrpcWritesIt) {
  EXPECT_EQ(Endpoint::FromPeer("ipv4:192.0.2.1:40122")->ToPeer(), "ipv4:192.0.2.1:40122");
  EXPECT_EQ(Endpoint::FromPeer("ipv6:%5B2001:db8::1%5D:40122")->ToPeer(),
            "ipv6:[2001:db8::1]:40122");
  EXPECT_EQ(Endpoint::FromPeer("ipv6:[fe80::1%25eth0]:1")->ToPeer(), "ipv6:[fe80::1]:1");
}

TEST(Endpoint, IsNotReadFromAnotherPeer) {
  for (const char* peer :
       {"unix:", "unix:/tmp/socket", "", "ipv4:", "ipv4:1.2.3.4",
        "ipv4:1.2.3.4:", "ipv4:1.2.3.4:-1", "ipv4:1.2.3.4:65536", "ipv6:[::1]", "gone"}) {
    EXPECT_FALSE(Endpoint::FromPeer(peer)) << peer;
  }
}

TEST(IpRange, ContainsWhatBeginsLikeIt) {
  EXPECT_TRUE(Range("10.0.0.0/8").Contains(Ip("10.255.0.1")));
  EXPECT_FALSE(Range("10.0.0.0/8").Contains(Ip("11.0.0.1")));
  EXPECT_TRUE(Range("10.1.2.3/15").Contains(Ip("10.0.9.9")));
  EXPECT_TRUE(Range("192.0.2.1").Contains(Ip("::ffff:192.0.2.1")));
  EXPECT_FALSE(Range("192.0.2.1").Contains(Ip("192.0.2.2")));
  EXPECT_TRUE(Range("2001:db8::/33").Contains(Ip("2001:db8:7fff::1")));
  EXPECT_FALSE(Range("2001:db8::/33").Contains(Ip("2001:db8:8000::1")));
  EXPECT_TRUE(Range("0.0.0.0/0").Contains(Ip("8.8.8.8")));
}

TEST(IpRange, OfOneFamilyContainsNothingOfTheOther) {
  EXPECT_FALSE(Range("::/0").Contains(Ip("10.0.0.1")));
  EXPECT_FALSE(Range("0.0.0.0/0").Contains(Ip("::1")));
}

TEST(IpRange, IsNotReadFromWhatIsNone) {
  for (const char* text : {"", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "::/129",
                           "example.org", "/8", "10/8"}) {
    EXPECT_FALSE(IpRange::Parse(text).ok()) << text;
  }
}

}  // namespace
}  // namespace referee::service

// Tests of parsing, formatting and comparing endpoint addresses.
#include "referee/base/endpoint.h"

#include <gtest/gtest.h>

#include <string>

namespace referee {
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
  EXPECT_TRUE(Range("10.2.0.0/15").Contains(Ip("10.3.9.9")));
  EXPECT_FALSE(Range("10.2.0.0/15").Contains(Ip("10.4.0.0")));
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
                           "example.org", "/8", "10/8", "10.0.0", "unix:"}) {
    EXPECT_FALSE(IpRange::Parse(text).ok()) << text;
  }
}

TEST(IpRange, IsNotReadFromAnAddressWithBitsAfterThePrefix) {
  for (const char* text : {"10.0.0.1/8", "10.1.2.3/15", "10.1.0.0/15", "2001:db8::1/64",
                           "2001:db8:0:1::/63", "0.0.0.1/0"}) {
    EXPECT_FALSE(IpRange::Parse(text).ok()) << text;
  }
}

TEST(IpRange, IsWrittenInOneWay) {
  EXPECT_EQ(Range("203.0.113.7/32").text(), "203.0.113.7");
  EXPECT_EQ(Range("::ffff:203.0.113.7").text(), "203.0.113.7");
  EXPECT_EQ(Range("10.0.0.0/08").text(), "10.0.0.0/8");
  EXPECT_EQ(Range("2001:0db8:0:0::/32").text(), "2001:db8::/32");
  EXPECT_EQ(Range("2001:db8::5/128").text(), "2001:db8::5");
  EXPECT_EQ(Range("0.0.0.0/0").text(), "0.0.0.0/0");
}

TEST(IpRange, CountedHasAllThatOneMachineMayCallItself) {
  const IpRange counted = Range("2001:db8:0:1::5").Counted();
  EXPECT_EQ(counted.text(), "2001:db8:0:1::/64");
  EXPECT_TRUE(counted.Contains(Ip("2001:db8:0:1:ffff::")));
  EXPECT_FALSE(counted.Contains(Ip("2001:db8:0:2::")));
  EXPECT_EQ(Range("2001:db8::/32").Counted().text(), "2001:db8::/32");
  EXPECT_EQ(Range("203.0.113.7").Counted().text(), "203.0.113.7");
}

}  // namespace
}  // namespace referee

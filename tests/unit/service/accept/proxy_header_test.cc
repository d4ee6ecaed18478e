// Tests of the header of the PROXY protocol.
#include "referee/service/accept/proxy_header.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "referee/base/limits.h"

namespace referee::service {
namespace {

std::string Version2(char command, char family, const std::string& rest) {
  std::string header("\r\n\r\n\0\r\nQUIT\n", 12);
  header += command;
  header += family;
  header += static_cast<char>(rest.size() >> 8);
  header += static_cast<char>(rest.size() & 0xff);
  return header + rest;
}

const std::string& V4Addresses() {
  static const auto* const addresses =
      new std::string("\xc0\x00\x02\x01\xc6\x33\x64\x01\x9c\xba\x1d\x1a", 12);
  return *addresses;
}

std::string V6Addresses() {
  const std::string source("\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\x01", 16);
  return source + source + std::string("\x9c\xba\x1d\x1a", 4);
}

// The whole headers that follow, with a client's bytes behind them: who the client is.
std::string ClientIn(const std::string& header) {
  const auto parsed = ParseProxyHeader(header + "PRI * HTTP/2.0");
  if (!parsed.ok()) return std::string(parsed.status().message());
  if (!*parsed) return "more";
  EXPECT_EQ((*parsed)->size, header.size());
  return (*parsed)->client ? (*parsed)->client->ToPeer() : "itself";
}

TEST(ProxyHeader, NamesTheClient) {
  EXPECT_EQ(ClientIn("PROXY TCP4 192.0.2.1 198.51.100.1 40122 7450\r\n"), "ipv4:192.0.2.1:40122");
  EXPECT_EQ(ClientIn("PROXY TCP6 2001:db8::1 2001:db8::2 40122 7450\r\n"),
            "ipv6:[2001:db8::1]:40122");
  EXPECT_EQ(ClientIn(Version2('\x21', '\x11', V4Addresses())), "ipv4:192.0.2.1:40122");
  EXPECT_EQ(ClientIn(Version2('\x21', '\x21', V6Addresses())), "ipv6:[2001:db8::1]:40122");
}

TEST(ProxyHeader, MaySayMoreThanIsWanted) {
  EXPECT_EQ(ClientIn(Version2('\x21', '\x11', V4Addresses() + std::string(500, '\x01'))),
            "ipv4:192.0.2.1:40122");
}

TEST(ProxyHeader, MayBeOfTheProxyItself) {
  EXPECT_EQ(ClientIn("PROXY UNKNOWN\r\n"), "itself");
  EXPECT_EQ(ClientIn("PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n"), "itself");
  EXPECT_EQ(ClientIn(Version2('\x20', '\x00', "")), "itself");
  EXPECT_EQ(ClientIn(Version2('\x20', '\x11', V4Addresses())), "itself");
  EXPECT_EQ(ClientIn(Version2('\x21', '\x31', std::string(216, 'u'))), "itself");
}

TEST(ProxyHeader, IsWaitedForUntilItIsWhole) {
  for (const std::string& whole : {std::string("PROXY TCP4 192.0.2.1 198.51.100.1 40122 7450\r\n"),
                                   Version2('\x21', '\x11', V4Addresses())}) {
    for (size_t size = 0; size < whole.size(); ++size) {
      const auto parsed = ParseProxyHeader(whole.substr(0, size));
      ASSERT_TRUE(parsed.ok()) << size << ": " << parsed.status();
      EXPECT_FALSE(*parsed) << size;
    }
    EXPECT_TRUE(*ParseProxyHeader(whole));
  }
}

TEST(ProxyHeader, ThatIsMalformedIsRefused) {
  for (const std::string& bytes :
       {std::string("PRI * HTTP/2.0\r\n\r\n"), std::string("PROXY \r\n"),
        std::string("PROXY TCP5 1.2.3.4 1.2.3.4 1 2\r\n"),
        std::string("PROXY TCP4 1.2.3.4 1.2.3.4 1\r\n"),
        std::string("PROXY TCP4 1.2.3.4 1.2.3.4 1 2 3\r\n"),
        std::string("PROXY TCP4 1.2.3.4 1.2.3.4 65536 2\r\n"),
        std::string("PROXY TCP4 1.2.3.4 nobody 1 2\r\n"), std::string("PROXY TCP4 ::1 ::1 1 2\r\n"),
        std::string("PROXY TCP6 1.2.3.4 1.2.3.4 1 2\r\n"), "PROXY TCP4 " + std::string(97, '1'),
        Version2('\x11', '\x11', V4Addresses()), Version2('\x22', '\x11', V4Addresses()),
        Version2('\x21', '\x11', "short"), Version2('\x21', '\x21', V4Addresses())}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseProxyHeader(bytes).status())) << bytes;
  }
}

TEST(ProxyHeader, ThatIsTooLongIsRefusedBeforeItHasCome) {
  const std::string header = Version2('\x21', '\x11', std::string(limits::kMaxProxyHeaderBytes, 0));
  EXPECT_TRUE(absl::IsInvalidArgument(ParseProxyHeader(header.substr(0, 16)).status()));
}

// Whatever bytes come, the answer is about those bytes, and one more of them never makes a header
// that was whole another.
TEST(ProxyHeader, OfAnyBytesEndsWithinThem) {
  std::mt19937 random(11);
  const std::string seeds[] = {"PROXY TCP4 192.0.2.1 198.51.100.1 40122 7450\r\n",
                               "PROXY UNKNOWN\r\n", Version2('\x21', '\x11', V4Addresses()),
                               Version2('\x21', '\x21', V6Addresses())};
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = seeds[random() % 4];
    for (unsigned changes = random() % 4; changes > 0; --changes) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    bytes.resize(random() % (2 * bytes.size()), static_cast<char>(random()));
    const auto parsed = ParseProxyHeader(bytes);
    if (!parsed.ok() || !*parsed) continue;
    EXPECT_LE((*parsed)->size, bytes.size());
    const auto again = ParseProxyHeader(bytes + "x");
    ASSERT_TRUE(again.ok() && *again);
    EXPECT_EQ((*again)->size, (*parsed)->size);
  }
}

}  // namespace
}  // namespace referee::service

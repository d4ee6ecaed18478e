// Claims about those who send what the transport keeps, or makes large, before anybody hears of it:
// compressed messages, halves of messages, headers without an end.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <zlib.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "tests/contract/referee_under_test.h"
#include "tests/end_to_end/hostile/flood.h"
#include "tests/end_to_end/hostile/hostile_fixture.h"
#include "tests/end_to_end/hostile/http2_client.h"
#include "tests/end_to_end/hostile/socket.h"

namespace referee::end_to_end {
namespace {

constexpr char kCreateMatch[] = "/referee.v1.MatchService/CreateMatch";
constexpr int kUnimplemented = 12;
constexpr size_t kMiB = 1 << 20;
// What the daemon may have more than before.
constexpr size_t kMaxGrowth = 100 * kMiB;
constexpr uint8_t kHeaders = 1;
constexpr uint8_t kSettings = 4;
constexpr uint8_t kPing = 6;
constexpr uint8_t kContinuation = 9;
constexpr uint8_t kEndHeaders = 4;

std::string Frame(uint8_t type, uint8_t flags, uint32_t stream, const std::string& payload) {
  std::string frame;
  for (const int shift : {16, 8, 0}) frame += static_cast<char>(payload.size() >> shift & 0xff);
  frame += static_cast<char>(type);
  frame += static_cast<char>(flags);
  for (const int shift : {24, 16, 8, 0}) frame += static_cast<char>(stream >> shift & 0xff);
  return frame + payload;
}

// So many zeros, packed as gzip or deflate, in a message that says that it is.
std::string Bomb(size_t zeros, bool gzip) {
  z_stream packer{};
  EXPECT_EQ(deflateInit2(&packer, 9, Z_DEFLATED, gzip ? 31 : 15, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string part(kMiB, '\0');
  std::string packed(zeros / 500, '\0');
  packer.next_out = reinterpret_cast<Bytef*>(packed.data());
  packer.avail_out = static_cast<uInt>(packed.size());
  for (size_t i = 0; i < zeros / kMiB; ++i) {
    packer.next_in = reinterpret_cast<Bytef*>(part.data());
    packer.avail_in = static_cast<uInt>(part.size());
    EXPECT_EQ(deflate(&packer, Z_NO_FLUSH), Z_OK);
  }
  EXPECT_EQ(deflate(&packer, Z_FINISH), Z_STREAM_END);
  packed.resize(packer.total_out);
  deflateEnd(&packer);
  std::string prefix(1, '\1');
  for (const int shift : {24, 16, 8, 0}) prefix += static_cast<char>(packed.size() >> shift & 0xff);
  return prefix + packed;
}

// Calls whose message never comes, the first of a connection, each with as many fields as may be.
std::string CallsWithoutAMessage(int count) {
  const std::string headers = absl::StrCat(
      "\x83\x86\x04\x24", kCreateMatch, "\x01\x01r", "\x0f\x10\x10", "application/grpc",
      std::string("\0\2te\x08trailers", 13), std::string(75, '\x91'));
  std::string calls;
  for (int i = 0; i < count; ++i) {
    calls += Frame(kHeaders, kEndHeaders, static_cast<uint32_t>(2 * i + 1), headers);
  }
  return calls;
}

// The first call of a connection, whole, with a token.
std::string FirstCall(const std::string& token) {
  const auto literal = [](const std::string& name, const std::string& value) {
    return std::string(1, '\0') + static_cast<char>(name.size()) + name +
           static_cast<char>(value.size()) + value;
  };
  const std::string headers =
      "\x83\x86" + literal(":path", kListMatches) + literal(":authority", "r") +
      literal("content-type", "application/grpc") + literal("te", "trailers") +
      literal("authorization", absl::StrCat("Bearer ", token));
  return "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + Frame(kSettings, 0, 0, "") +
         Frame(kHeaders, kEndHeaders, 1, headers) + Frame(0, 1, 1, std::string(5, '\0'));
}

// All of a message of that size but for its last byte.
std::string HalfMessage(size_t bytes) {
  std::string half(1, '\0');
  for (const int shift : {24, 16, 8, 0}) half += static_cast<char>(bytes >> shift & 0xff);
  return half + std::string(bytes - 1, 'x');
}

class Unfinished : public ::testing::Test {
 protected:
  Unfinished() { before_ = most_ = venue_.ResidentBytes(); }
  // Looks; returns how many bytes more than before the daemon has been seen to have.
  size_t Growth() {
    most_ = std::max(most_, venue_.ResidentBytes());
    return most_ - before_;
  }
  std::string Token() const { return testing::RefereeUnderTest::Token(kMallory); }
  // A connection on which mallory is known.
  std::unique_ptr<Http2Client> Known(const std::string& from = "") {
    Http2Options options;
    options.from = from;
    auto client = std::make_unique<Http2Client>(venue_.address(), options);
    const int32_t call = client->Call(kListMatches, Token());
    client->Send(call, "");
    client->SendLast(call);
    EXPECT_TRUE(client->Await([&] { return client->answer(call).ended; }));
    EXPECT_EQ(client->answer(call).status, 0) << client->answer(call).error;
    return client;
  }
  // Says headers without an end, this piece again and again, until it is cut off, as it must be
  // before it has said much. Ends by itself before the machine is harmed.
  void SayEndlessHeaders(Http2Client* client, const std::string& piece) {
    constexpr uint32_t kStream = 1'001;
    client->SayOctets(Frame(kHeaders, 0, kStream, "\x83\x86"));
    std::string many;
    while (many.size() < 64 * 1024) many += Frame(kContinuation, 0, kStream, piece);
    size_t said = 0;
    for (; client->open() && said < 64 * kMiB && Growth() < 3 * kMaxGrowth; said += many.size()) {
      client->SayOctets(many);
      client->Flush();
    }
    EXPECT_FALSE(client->open()) << said << " bytes";
    EXPECT_LT(Growth(), kMaxGrowth);
  }
  // What the log says of connections that were closed.
  bool IsNamed(const std::string& whom) {
    return Eventually([&] {
      return absl::StrContains(venue_.Log(), whom) &&
             absl::StrContains(venue_.Log(), "connections: one is closed");
    });
  }

  HostileFixture venue_;
  size_t before_;
  size_t most_;
};

TEST_F(Unfinished, CompressedMessagesAreRefusedAndNotUnpacked) {
  const std::string gzip = Bomb(150 * kMiB, true);
  // Without an encoding only the message says that it is packed.
  const std::vector<std::pair<std::string, std::string>> bombs = {
      {"gzip", gzip}, {"deflate", Bomb(150 * kMiB, false)}, {"", gzip}};
  for (const char* path :
       {kCreateMatch, "/referee.v1.BotService/Play", "/referee.v1.MatchService/WatchMatch",
        "/referee.v1.ReplayService/GetReplay", "/grpc.health.v1.Health/Check",
        "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"}) {
    for (const auto& [encoding, bomb] : bombs) {
      // On one of its own, as what is refused counts as of no use.
      const auto client = Known();
      std::vector<int32_t> calls;
      for (int i = 0; i < 4; ++i) {
        calls.push_back(client->Call(path, Token(), encoding));
        client->SendOctets(calls.back(), bomb);
        client->SendLast(calls.back());
      }
      for (const int32_t call : calls) {
        EXPECT_TRUE(client->Await([&] { return client->answer(call).ended; })) << path;
        if (encoding.empty()) continue;  // it is taken for what it is
        EXPECT_EQ(client->answer(call).status, kUnimplemented) << path;
      }
      ASSERT_LT(Growth(), kMaxGrowth) << path << " " << encoding;
    }
  }
  venue_.PlayHonest(1);
}

TEST_F(Unfinished, HeadersWithoutAnEndGetAnAccountCutOffAndNamed) {
  // A field of 7 kB; 160 fields of a byte each, which stand for one that is kept; parts of a field.
  const std::string field =
      "\x40\x05x-pad\x7f" + std::string("\xd9\x35", 2) + std::string(7'000, 'p');
  for (const std::string& piece : {field, std::string(160, '\x91'), std::string(1, 'p')}) {
    // From an address of its own: the account counts as unknown after the first.
    const auto offender = Known(absl::StrCat("127.0.0.", piece.size() % 100 + 2));
    SayEndlessHeaders(offender.get(), piece);
  }
  EXPECT_TRUE(IsNamed("mallory"));
  venue_.PlayHonest(1);
}

TEST_F(Unfinished, HeadersWithoutAnEndFromManyAddressesTakeNoMemory) {
  for (int i = 2; i < 66; ++i) {
    Http2Options options;
    options.from = absl::StrCat("127.0.0.", i);
    Http2Client stranger(venue_.address(), options);
    SayEndlessHeaders(&stranger, std::string(160, '\x91'));
  }
  EXPECT_TRUE(IsNamed("address 127.0.0."));
  venue_.PlayHonest(1);
}

// An answer costs the transport many times what the ping did, and stays while it is not read.
TEST_F(Unfinished, PingsWhoseAnswersAreNotReadGetAnAccountCutOffAndNamed) {
  constexpr int kConnections = 16;
  std::vector<std::unique_ptr<Socket>> deaf;
  for (int i = 0; i < kConnections; ++i) {
    deaf.push_back(std::make_unique<Socket>(venue_.address()));
    ASSERT_TRUE(deaf.back()->Send(FirstCall(Token())));
    std::string answer;
    // The last of it is the status, in trailers.
    ASSERT_TRUE(Eventually([&] {
      return deaf.back()->Read(absl::Milliseconds(10), &answer) &&
             absl::StrContains(answer, "grpc-status");
    }));
  }
  std::string pings;
  while (pings.size() < kMiB) pings += Frame(kPing, 0, 0, "12345678");
  for (const auto& socket : deaf) {
    send(socket->fd(), pings.data(), pings.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  EXPECT_TRUE(IsNamed("mallory"));
  venue_.PlayHonest(1);
}

TEST_F(Unfinished, HalvesOfMessagesGetAnAccountCutOffAndNamed) {
  std::vector<std::unique_ptr<Http2Client>> offenders;
  for (int connection = 0; connection < 8; ++connection) {
    offenders.push_back(Known(absl::StrCat("127.0.0.", 2 + connection)));
    Http2Client& client = *offenders.back();
    for (int i = 0; i < 100; ++i) {
      client.SendOctets(client.Call(kCreateMatch, Token()), HalfMessage(250'000));
    }
    EXPECT_FALSE(client.Await([&] { return Growth() > 3 * kMaxGrowth; }, absl::Seconds(20)));
    EXPECT_FALSE(client.open());
    EXPECT_LT(Growth(), kMaxGrowth);
    venue_.PlayHonest(1);
  }
  EXPECT_TRUE(IsNamed("mallory"));
}

TEST_F(Unfinished, HalvesOfMessagesFromManyAddressesTakeNoMemory) {
  std::vector<std::unique_ptr<Http2Client>> strangers;
  for (int i = 2; i < 66; ++i) {
    Http2Options options;
    options.from = absl::StrCat("127.0.0.", i);
    strangers.push_back(std::make_unique<Http2Client>(venue_.address(), options));
    Http2Client& client = *strangers.back();
    for (int j = 0; j < 10; ++j) client.SendOctets(client.Call(kCreateMatch), HalfMessage(250'000));
    client.Await([&] { return client.unsaid() == 0; }, absl::Milliseconds(100));
  }
  EXPECT_LT(Growth(), kMaxGrowth);
  venue_.PlayHonest(1);
}

TEST_F(Unfinished, MessagesThatAreTooLargeGetAnAccountCutOffAndNamed) {
  const auto client = Known();
  size_t refused = 0;
  // Each is refused after its first bytes, and what came of it is charged.
  for (; client->open() && refused < 100; ++refused) {
    const int32_t call = client->Call(kCreateMatch, Token());
    client->SendOctets(call, HalfMessage(300'000) + "x");
    client->SendLast(call);
    client->Await([&] { return client->answer(call).ended; });
  }
  EXPECT_LT(refused, 100u);
  EXPECT_TRUE(IsNamed("account mallory"));
  venue_.PlayHonest(1);
}

TEST_F(Unfinished, CallsWithoutAMessageFromManyAddressesTakeNoMemoryAndNoTimeOfOthers) {
  std::vector<std::unique_ptr<Http2Client>> strangers(64);
  const std::string calls = CallsWithoutAMessage(250);
  // Whoever was cut off comes back.
  const auto offend = [&](size_t stranger) {
    Http2Options options;
    options.from = absl::StrCat("127.0.0.", 2 + stranger);
    strangers[stranger] = std::make_unique<Http2Client>(venue_.address(), options);
    strangers[stranger]->SayOctets(calls);
  };
  const auto offend_all = [&] {
    for (size_t i = 0; i < strangers.size(); ++i) {
      if (strangers[i] == nullptr || !strangers[i]->open()) offend(i);
      strangers[i]->Await([] { return false; }, absl::Milliseconds(1));
    }
    EXPECT_LT(Growth(), kMaxGrowth);
  };
  venue_.PlayBeside([&](const std::function<bool()>& over) {
    while (!over()) offend_all();
  });
  EXPECT_TRUE(IsNamed("address 127.0.0."));
}

TEST_F(Unfinished, CallsWithoutAMessageOfAnAccountGetItCutOffAndNamed) {
  std::vector<std::unique_ptr<Http2Client>> offenders;
  bool open = true;
  while (open && offenders.size() < 8) {
    offenders.push_back(Known(absl::StrCat("127.0.0.", 2 + offenders.size())));
    Http2Client& client = *offenders.back();
    for (int i = 0; i < 250; ++i) client.Call(kCreateMatch, Token());
    client.Await([] { return false; }, absl::Milliseconds(200));
    open = client.open();
    EXPECT_LT(Growth(), kMaxGrowth);
  }
  EXPECT_FALSE(open);
  EXPECT_TRUE(IsNamed("account mallory"));
  venue_.PlayHonest(1);
}

}  // namespace
}  // namespace referee::end_to_end

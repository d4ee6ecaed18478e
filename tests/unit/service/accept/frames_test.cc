// Tests of frame headers that arrive in pieces.
#include "referee/service/accept/frames.h"

#include <gtest/gtest.h>

#include <string>

#include "referee/base/limits.h"

namespace referee::service {
namespace {

constexpr uint8_t kData = 0;
constexpr uint8_t kHeaders = 1;
constexpr uint8_t kContinuation = 9;
constexpr uint8_t kEndHeaders = 4;
constexpr char kPreface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

std::string Frame(uint8_t type, uint8_t flags, size_t bytes) {
  std::string frame;
  for (const int shift : {16, 8, 0}) frame += static_cast<char>(bytes >> shift & 0xff);
  frame += static_cast<char>(type);
  frame += static_cast<char>(flags);
  frame += std::string("\0\0\0\1", 4);
  // What a payload says is no frame's head.
  while (bytes-- > 0) frame += static_cast<char>(bytes % 2 == 0 ? kContinuation : 0);
  return frame;
}

// Whether it passes, in reads of so many bytes.
bool Passes(const std::string& said, size_t read) {
  FrameScreen screen;
  for (size_t at = 0; at < said.size(); at += read) {
    const std::string part = said.substr(at, read);
    if (!screen.Take(reinterpret_cast<const uint8_t*>(part.data()), part.size())) return false;
  }
  return true;
}

std::string HeadersOf(int frames) {
  std::string headers = Frame(kHeaders, frames == 1 ? kEndHeaders : 0, 100);
  for (int i = 2; i <= frames; ++i) {
    headers += Frame(kContinuation, i == frames ? kEndHeaders : 0, i == 2 ? 0 : 1'000);
  }
  return headers;
}

TEST(FrameScreen, LetsHeadersPassInAFewPiecesAndNotInMore) {
  for (const size_t read : {1, 7, 1'000'000}) {
    std::string said = kPreface;
    for (int i = 0; i < 100; ++i) {
      said += HeadersOf(limits::kMaxHeaderFrames) + Frame(kData, 0, 3'000) + HeadersOf(1);
    }
    EXPECT_TRUE(Passes(said, read)) << read;
    EXPECT_FALSE(Passes(said + HeadersOf(limits::kMaxHeaderFrames + 1), read)) << read;
  }
}

TEST(FrameScreen, LetsHeadersInPiecesHaveTheBytesOfMetadataAndNotMore) {
  const size_t most = limits::kMaxMetadataBytes;
  for (const size_t read : {1, 7, 1'000'000}) {
    const std::string said = kPreface + Frame(kHeaders, 0, most - 1'000);
    EXPECT_TRUE(Passes(said + Frame(kContinuation, kEndHeaders, 1'000), read)) << read;
    EXPECT_FALSE(Passes(said + Frame(kContinuation, kEndHeaders, 1'001), read)) << read;
    EXPECT_FALSE(Passes(said + Frame(kContinuation, 0, 1'001), read)) << read;
    EXPECT_FALSE(Passes(kPreface + Frame(kHeaders, 0, most + 1), read)) << read;
  }
}

TEST(FrameScreen, LetsHeadersInOneFrameHaveAnySize) {
  const std::string large = Frame(kHeaders, kEndHeaders, 16'384);
  EXPECT_TRUE(Passes(kPreface + large + large + HeadersOf(limits::kMaxHeaderFrames), 1'000));
}

TEST(FrameScreen, CountsFramesThatAskForAnAnswerAndNotTheAnswers) {
  constexpr uint8_t kSettings = 4, kPing = 6, kAck = 1;
  const std::string said = kPreface + Frame(kSettings, 0, 12) + Frame(kSettings, kAck, 0) +
                           Frame(kPing, 0, 8) + Frame(kPing, kAck, 8) + Frame(kData, 0, 100) +
                           Frame(kPing, 0, 8);
  for (const size_t read : {size_t{1}, size_t{7}, said.size()}) {
    FrameScreen screen;
    for (size_t at = 0; at < said.size(); at += read) {
      const std::string part = said.substr(at, read);
      EXPECT_TRUE(screen.Take(reinterpret_cast<const uint8_t*>(part.data()), part.size()));
    }
    EXPECT_EQ(screen.asks(), 3u) << read;
  }
}

TEST(FrameScreen, LetsWhatIsNoHttp2Pass) {
  std::string said = kPreface;
  said[3] = 'x';
  EXPECT_TRUE(Passes(said + HeadersOf(100), 1));
}

}  // namespace
}  // namespace referee::service

#include "referee/log/log_writer.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/log/limits.h"

namespace referee::log {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class LogWriterTest : public ::testing::Test {
 protected:
  LogWriterTest() { EXPECT_EQ(pipe2(pipe_, O_CLOEXEC), 0); }
  ~LogWriterTest() override {
    close(pipe_[0]);
    CloseEnd();
  }
  void CloseEnd() {
    if (pipe_[1] >= 0) close(pipe_[1]);
    pipe_[1] = -1;
  }
  LogWriter::Options Options(Level least = Level::kInfo) const {
    return {Format::kText, least, pipe_[1]};
  }
  // All that is in the pipe. REQUIRES: CloseEnd.
  std::string Rest() const {
    std::string rest;
    char bytes[4096];
    for (ssize_t size; (size = read(pipe_[0], bytes, sizeof(bytes))) > 0;) {
      rest.append(bytes, static_cast<size_t>(size));
    }
    return rest;
  }

  int pipe_[2];
};

TEST_F(LogWriterTest, WritesAFailureAsItStandsOrAsAnEvent) {
  {
    LogWriter writer(Options(Level::kError));
    writer.WriteFailure("refereed: no");
  }
  {
    LogWriter writer({Format::kJson, Level::kInfo, pipe_[1]});
    writer.WriteFailure("refereed: no");
  }
  CloseEnd();
  const std::string said = Rest();
  EXPECT_THAT(said, ::testing::StartsWith("refereed: no\n{"));
  EXPECT_THAT(said, HasSubstr("\"cannot_start\""));
}

TEST_F(LogWriterTest, WritesWhatIsNotBelowItsLevel) {
  {
    LogWriter writer(Options(Level::kWarning));
    writer.Write(Event(Level::kInfo, "x", "quiet"));
    writer.Write(Event(Level::kWarning, "x", "loud"));
    writer.log()(Event(Level::kError, "x", "louder"));
  }
  CloseEnd();
  const std::string said = Rest();
  EXPECT_THAT(said, Not(HasSubstr("quiet")));
  EXPECT_THAT(said, HasSubstr(" warning loud\n"));
  EXPECT_THAT(said, HasSubstr(" error louder\n"));
}

TEST_F(LogWriterTest, WritesWholeLinesOfManyThreads) {
  constexpr int kThreads = 8;
  constexpr int kLines = 500;
  std::string said;
  std::thread reader([&] { said = Rest(); });
  {
    LogWriter writer(Options());
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        for (int n = 0; n < kLines; ++n) writer.Write(Event(Level::kInfo, "x", "all of it"));
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  CloseEnd();
  reader.join();
  const std::string end = " info all of it\n";
  int whole = 0;
  for (size_t at = 0; (at = said.find(end, at)) != std::string::npos; at += end.size()) ++whole;
  EXPECT_EQ(whole, kThreads * kLines);
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), whole);
}

// Whoever reads the file meanwhile finds no half of a line.
TEST(LogWriter, WritesLinesAsAWhole) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
  constexpr int kLines = 200;
  int lines = 0;
  std::thread reader([&] {
    char bytes[8192];  // a packet is what one write has written
    for (ssize_t size; (size = read(ends[0], bytes, sizeof(bytes))) > 0;) {
      EXPECT_EQ(bytes[size - 1], '\n');
      lines += static_cast<int>(std::count(bytes, bytes + size, '\n'));
    }
  });
  {
    LogWriter writer({Format::kText, Level::kInfo, ends[1]});
    for (int i = 0; i < kLines; ++i) {
      writer.Write(Event(Level::kInfo, "x", std::string(static_cast<size_t>(i), 'x')));
    }
  }
  close(ends[1]);
  reader.join();
  close(ends[0]);
  EXPECT_EQ(lines, kLines);
}

// Nobody reads the pipe, which takes 64 KiB.
TEST_F(LogWriterTest, NeitherWaitsNorGrowsWhileNobodyReadsAndThenSaysHowMuchIsMissing) {
  const std::string text(1000, 'x');
  const size_t lines = 2 * limits::kMaxLogQueueBytes / text.size();
  std::string said;
  std::thread reader;
  {
    LogWriter writer(Options());
    for (size_t i = 0; i < lines; ++i) writer.Write(Event(Level::kInfo, "x", text));
    reader = std::thread([&] { said = Rest(); });
    writer.Flush();
    writer.Write(Event(Level::kInfo, "x", "later"));
  }
  CloseEnd();
  reader.join();
  EXPECT_LT(said.size(), 1.5 * limits::kMaxLogQueueBytes);
  EXPECT_THAT(said, HasSubstr("lines were left out"));
  EXPECT_THAT(said, HasSubstr("later"));
}

TEST_F(LogWriterTest, GivesUpAtTheEndIfNobodyReads) {
  LogWriter writer(Options());
  for (int i = 0; i < 1000; ++i) writer.Write(Event(Level::kInfo, "x", std::string(500, 'x')));
}

TEST(LogFlags, AreKnownByName) {
  Format format = Format::kText;
  EXPECT_TRUE(ParseFormat("json", &format));
  EXPECT_EQ(format, Format::kJson);
  EXPECT_FALSE(ParseFormat("JSON", &format));
  Level level = Level::kInfo;
  EXPECT_TRUE(ParseLevel("warning", &level));
  EXPECT_EQ(level, Level::kWarning);
  EXPECT_FALSE(ParseLevel("loud", &level));
  EXPECT_EQ(level, Level::kWarning);
}

}  // namespace
}  // namespace referee::log

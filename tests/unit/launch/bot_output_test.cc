#include "referee/launch/bot_output.h"

#include <unistd.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/launch/temp_dir.h"

namespace referee::launch {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class BotOutputTest : public ::testing::Test {
 protected:
  std::unique_ptr<BotOutput> Make() { return BotOutput::Make(path_).value(); }

  static void Write(const BotOutput& output, const std::string& text) {
    size_t done = 0;
    while (done < text.size()) {
      const ssize_t size = write(output.write_fd(), text.data() + done, text.size() - done);
      ASSERT_GT(size, 0);
      done += static_cast<size_t>(size);
    }
  }

  std::string File() const {
    std::ostringstream text;
    text << std::ifstream(path_, std::ios::binary).rdbuf();
    return text.str();
  }

  const TempDir directory_ = TempDir::Make().value();
  const std::string path_ = absl::StrCat(directory_.path(), "/bot.log");
};

TEST_F(BotOutputTest, WhatIsShortIsKeptWhole) {
  auto output = Make();
  Write(*output, "one\ntwo\n");
  EXPECT_EQ(output->Tail(100), "one\ntwo\n");
  EXPECT_EQ(output->Tail(4), "two\n");
  output = nullptr;
  EXPECT_EQ(File(), "one\ntwo\n");
}

TEST_F(BotOutputTest, TheFirstAndTheLastMegabyteAreKeptAndTheRestIsCounted) {
  auto output = Make();
  Write(*output, "begins" + std::string(BotOutput::kKeptBytes - 6, 'a'));
  Write(*output, std::string(5'000'000, 'b'));
  Write(*output, std::string(BotOutput::kKeptBytes - 4, 'c') + "ends");
  EXPECT_THAT(output->Tail(8), "ccccends");
  output = nullptr;
  const std::string file = File();
  EXPECT_THAT(file, AllOf(StartsWith("beginsa"), EndsWith("cends"),
                          HasSubstr("a\n[5000000 bytes are left out here]\nccc")));
  EXPECT_LT(file.size(), 2 * BotOutput::kKeptBytes + 100);
}

TEST_F(BotOutputTest, NothingIsLeftOutOfTwoMegabytes) {
  auto output = Make();
  const std::string text(2 * BotOutput::kKeptBytes - 1, 'x');
  Write(*output, text);
  output = nullptr;
  EXPECT_EQ(File(), text);
}

TEST_F(BotOutputTest, ATailReachesBackIntoTheFirstMegabyte) {
  auto output = Make();
  Write(*output, std::string(BotOutput::kKeptBytes, 'a'));
  Write(*output, "bc");
  EXPECT_EQ(output->Tail(5), "aaabc");
}

TEST_F(BotOutputTest, NeedsAFileThatCanBeWritten) {
  const auto output = BotOutput::Make("/nonexistent/log");
  ASSERT_FALSE(output.ok());
  EXPECT_THAT(std::string(output.status().message()), HasSubstr("/nonexistent/log"));
}

}  // namespace
}  // namespace referee::launch

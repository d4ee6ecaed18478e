#include "referee/log/line.h"

#include <algorithm>
#include <string>

#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "referee/log/limits.h"

namespace referee::log {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

const absl::Time kNow = absl::FromUnixMillis(1'795'537'248'123);

Event Void() {
  return Event(Level::kWarning, "match_void", "the disk is full").With(kMatch, "01hx");
}

// What a terminal would obey, what is no UTF-8, and what ends a string of JSON.
const std::string kHostile = std::string(
                                 "\x1b[2J\r\n\t\x7f\xc2\x9b"
                                 "31m\xff\xfe\"\\',{}",
                                 21) +
                             std::string(1, '\0');

bool IsOneLineWithoutControls(const std::string& line) {
  return std::count(line.begin(), line.end(), '\n') == 1 && line.back() == '\n' &&
         std::none_of(line.begin(), line.end() - 1,
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

TEST(TextLine, HasTimeLevelMessageAndFields) {
  EXPECT_EQ(TextLine(Void(), kNow),
            "2026-11-24T16:20:48.123Z warning the disk is full match=01hx\n");
  Event event = Void().With(kAccount, "Olga Two");
  event.left_out = 3;
  EXPECT_EQ(TextLine(event, kNow),
            "2026-11-24T16:20:48.123Z warning the disk is full match=01hx account='Olga Two' "
            "(3 more were left out before)\n");
}

TEST(TextLine, BringsNoControlCharacterToATerminal) {
  for (const Event& event :
       {Event(Level::kInfo, "x", kHostile), Event(Level::kInfo, "x", "").With(kBot, kHostile),
        Event(Level::kInfo, "x", "").With(kBot, "a b" + kHostile)}) {
    const std::string line = TextLine(event, kNow);
    EXPECT_TRUE(IsOneLineWithoutControls(line)) << line;
    EXPECT_THAT(line, Not(HasSubstr("\xc2\x9b")));
  }
  EXPECT_THAT(TextLine(Event(Level::kInfo, "x", "Zo\xc3\xab"), kNow), EndsWith("Zo\xc3\xab\n"));
}

TEST(JsonLine, HasTimeLevelEventMessageAndFields) {
  Event event = Void().With(kAddress, "10.0.0.7").With(kBlock, "01hy").With(kCompetition, "spring");
  event.left_out = 3;
  EXPECT_EQ(JsonLine(event, kNow),
            "{\"time\":\"2026-11-24T16:20:48.123Z\",\"level\":\"warning\",\"event\":\"match_void\","
            "\"message\":\"the disk is full\",\"match\":\"01hx\",\"competition\":\"spring\","
            "\"block\":\"01hy\",\"address\":\"10.0.0.7\",\"left_out\":3}\n");
}

TEST(JsonLine, IsAsciiAndJsonWhateverIsSaid) {
  const std::string line = JsonLine(Event(Level::kError, "x", kHostile).With(kBot, kHostile), kNow);
  EXPECT_TRUE(IsOneLineWithoutControls(line)) << line;
  EXPECT_TRUE(std::all_of(line.begin(), line.end(),
                          [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
  const auto json = nlohmann::json::parse(line, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << line;
  EXPECT_THAT(json["message"].get<std::string>(), HasSubstr("\x1b[2J\r\n"));
}

TEST(Lines, AreBounded) {
  const std::string long_text(100'000, '\x01');
  Event event(Level::kInfo, "x", long_text);
  for (size_t i = 0; i < kFieldNames.size(); ++i) event.fields[i] = long_text;
  const size_t most =
      6 * (limits::kMaxLogMessageBytes + kFieldNames.size() * limits::kMaxLogFieldBytes) + 300;
  EXPECT_LT(TextLine(event, kNow).size(), most);
  EXPECT_LT(JsonLine(event, kNow).size(), most);
}

TEST(Lines, AreCutBetweenCharacters) {
  std::string text;
  while (text.size() <= limits::kMaxLogMessageBytes) text += "\xe2\x82\xac";  // of three bytes
  EXPECT_THAT(TextLine(Event(Level::kInfo, "x", text), kNow), EndsWith("\xe2\x82\xac\n"));
  EXPECT_THAT(JsonLine(Event(Level::kInfo, "x", text), kNow), Not(HasSubstr("\\ufffd")));
}

}  // namespace
}  // namespace referee::log

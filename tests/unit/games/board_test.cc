// Board files and the boards that they describe.
#include "referee/games/hypnosia/board.h"

#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "proto/games/hypnosia/v1/hypnosia.pb.h"
#include "referee/base/limits.h"
#include "referee/games/hypnosia/board_file.h"
#include "tests/unit/games/boards.h"

namespace referee::games::hypnosia {
namespace {

using ::testing::HasSubstr;

// What is wrong with the tiny board after a replacement.
std::string ErrorWith(const std::string& from, const std::string& to,
                      const std::string& text = testing::kTinyBoard) {
  EXPECT_TRUE(absl::StrContains(text, from)) << from;
  const auto spec = ParseBoardFile(absl::StrReplaceAll(text, {{from, to}}));
  if (!spec.ok()) return std::string(spec.status().message());
  const auto board = Board::Make(*spec);
  EXPECT_FALSE(board.ok()) << to;
  EXPECT_EQ(board.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(board.status().message());
}

// The built-in board, by the rule that it follows.
std::string SpiralText() {
  std::string text = "name: \"spiral-36-24-12\"\nring { size: 36";
  for (int j = 0; j < 6; ++j) {
    absl::StrAppend(&text, " bridge { from: ", 6 * j + 3, " to: ", 4 * j, " }");
  }
  absl::StrAppend(&text, " }\nring { size: 24");
  for (int j = 0; j < 6; ++j) {
    absl::StrAppend(&text, " bridge { from: ", 4 * j + 2, " to: ", 2 * j, " }");
  }
  absl::StrAppend(&text, " }\nring { size: 12");
  for (int j = 0; j < 6; ++j) absl::StrAppend(&text, " bridge { from: ", 2 * j + 1, " }");
  absl::StrAppend(&text, " }\n");
  for (int j = 0; j < 6; ++j) absl::StrAppend(&text, "lane_entry: ", 6 * j, " ");
  return absl::StrCat(text, "\ncentre_places: 5\n");
}

// The first block of RULES.md.
std::string DocumentedText() {
  std::ifstream file(std::string(REFEREE_SOURCE_DIR) + "/referee/games/hypnosia/RULES.md");
  std::stringstream text;
  text << file.rdbuf();
  const std::string rules = text.str();
  const size_t begin = rules.find("```") + 3;
  return rules.substr(begin, rules.find("```", begin) - begin);
}

TEST(HypnosiaBoard, BuiltInIsTheSpiralOfTheRules) {
  const BoardSpec built_in = SpiralBoard();
  for (const std::string& text : {SpiralText(), DocumentedText()}) {
    const BoardSpec file = testing::Spec(text);
    EXPECT_EQ(file.name, built_in.name);
    EXPECT_EQ(file.lane_entries, built_in.lane_entries);
    EXPECT_EQ(file.centre_places, built_in.centre_places);
    ASSERT_EQ(file.rings.size(), built_in.rings.size());
    for (size_t r = 0; r < file.rings.size(); ++r) {
      EXPECT_EQ(file.rings[r].size, built_in.rings[r].size);
      ASSERT_EQ(file.rings[r].bridges.size(), built_in.rings[r].bridges.size());
      for (size_t b = 0; b < file.rings[r].bridges.size(); ++b) {
        EXPECT_EQ(file.rings[r].bridges[b].from, built_in.rings[r].bridges[b].from);
        EXPECT_EQ(file.rings[r].bridges[b].to, built_in.rings[r].bridges[b].to);
      }
    }
  }
}

TEST(HypnosiaBoard, StepsAreWorkedOutForEverySpace) {
  const auto board = Board::Make(SpiralBoard());
  ASSERT_TRUE(board.ok());
  EXPECT_EQ(board->spaces(), 72);
  const auto at = [&](int ring, int index) { return board->space(Place::Ring(ring, index)); };
  EXPECT_EQ(board->walk(at(0, 33), 6), at(0, 3));
  EXPECT_EQ(board->cross(at(0, 33), 6), at(1, 1));
  EXPECT_EQ(board->cross(at(1, 22), 1), at(2, 10));
  EXPECT_EQ(board->cross(at(2, 11), 1), kCentre);
  EXPECT_EQ(board->cross(at(2, 11), 2), kNowhere);
  EXPECT_EQ(board->cross(at(2, 10), 1), kNowhere);
  EXPECT_EQ(board->space(Place::Ring(3, 0)), kNowhere);
  EXPECT_EQ(board->space(Place::Ring(2, 12)), kNowhere);
  for (Space space = 0; space < 72; ++space) EXPECT_EQ(board->space(board->place(space)), space);
}

TEST(HypnosiaBoard, LargestBoardIsTaken) {
  BoardSpec spec;
  spec.name = std::string(64, 'z');
  for (int r = 0; r < 8; ++r) {
    spec.rings.push_back({99, {{98, r < 7 ? absl::make_optional(98u) : absl::nullopt}}});
  }
  spec.lane_entries = {0, 1, 2, 3, 97, 98};
  spec.centre_places = 24;
  const auto board = Board::Make(spec);
  ASSERT_TRUE(board.ok()) << board.status();
  EXPECT_EQ(board->spaces(), kMaxSpaces);
  EXPECT_EQ(board->cross(kMaxSpaces - 1, 1), kCentre);
  spec.rings.insert(spec.rings.begin(), spec.rings.front());
  EXPECT_FALSE(Board::Make(spec).ok());
}

TEST(HypnosiaBoard, RingsOutOfRangeAreNamed) {
  EXPECT_THAT(ErrorWith("size: 7", "size: 6"), HasSubstr("ring[0].size: 6 is not"));
  EXPECT_THAT(ErrorWith("size: 7", "size: 100"), HasSubstr("ring[0].size: 100 is not"));
  EXPECT_THAT(ErrorWith("size: 7", ""), HasSubstr("ring[0].size: 0 is not"));
  EXPECT_THAT(ErrorWith("name: \"tiny\"", "name: \"tiny\" ring {}"), HasSubstr("ring[0].size"));
  const std::string text = testing::kTinyBoard;
  const size_t ring = text.find("ring");
  EXPECT_THAT(ErrorWith(text.substr(ring, text.find("lane") - ring), ""),
              HasSubstr("there are 0 rings"));
}

TEST(HypnosiaBoard, BridgesThatDoNotFitAreNamed) {
  EXPECT_THAT(ErrorWith("from: 4", "from: 7"), HasSubstr("ring[0].bridge[2].from: 7 is not"));
  EXPECT_THAT(ErrorWith("from: 4", "from: 2"), HasSubstr("another bridge starts from space 2"));
  EXPECT_THAT(ErrorWith("from: 4", "from: 4 to: 0"), HasSubstr("ring[0].bridge[2].to: bridges"));
  EXPECT_THAT(ErrorWith("bridge { from: 0 } bridge { from: 2 } bridge { from: 4 }", ""),
              HasSubstr("ring[0].bridge: a ring has at least one bridge"));
  EXPECT_THAT(ErrorWith("from: 5 to: 6", "from: 5", testing::kCrowdedBoard),
              HasSubstr("ring[0].bridge[1].to: not set"));
  EXPECT_THAT(ErrorWith("from: 5 to: 6", "from: 5 to: 7", testing::kCrowdedBoard),
              HasSubstr("ring[0].bridge[1].to: 7 is not a number from 0 to 6"));
}

TEST(HypnosiaBoard, LaneEntriesThatDoNotFitAreNamed) {
  EXPECT_THAT(ErrorWith("3, 4, 5]", "3, 4]"), HasSubstr("lane_entry: there are 5"));
  EXPECT_THAT(ErrorWith("3, 4, 5]", "3, 4, 5, 6]"), HasSubstr("lane_entry: there are 7"));
  EXPECT_THAT(ErrorWith("3, 4, 5]", "3, 4, 7]"), HasSubstr("lane_entry[5]: 7 is not"));
  EXPECT_THAT(ErrorWith("3, 4, 5]", "3, 4, 3]"), HasSubstr("another lane opens onto space 3"));
}

TEST(HypnosiaBoard, CentreAndNameAreChecked) {
  EXPECT_THAT(ErrorWith("centre_places: 2", "centre_places: 0"), HasSubstr("centre_places: 0"));
  EXPECT_THAT(ErrorWith("centre_places: 2", "centre_places: 25"), HasSubstr("from 1 to 24"));
  EXPECT_THAT(ErrorWith("\"tiny\"", "\"\""), HasSubstr("name: ''"));
  EXPECT_THAT(ErrorWith("\"tiny\"", "\"Tiny\""), HasSubstr("name: 'Tiny'"));
  EXPECT_THAT(ErrorWith("tiny", std::string(65, 'x')), HasSubstr("name:"));
}

TEST(HypnosiaBoard, SyntaxErrorsNameLineAndColumn) {
  EXPECT_THAT(ErrorWith("lane_entry", "lane_entrance"),
              HasSubstr("line 3, column 1: there is no field 'lane_entrance'"));
  EXPECT_THAT(ErrorWith("centre_places: 2", "centre_places: two"), HasSubstr("line 4, column 16"));
  EXPECT_THAT(ErrorWith("centre_places: 2", "centre_places: -2"), HasSubstr("line 4"));
  EXPECT_THAT(ErrorWith("centre_places: 2", "centre_places: 2 }"), HasSubstr("line 4, column 18"));
  EXPECT_THAT(ErrorWith("centre_places: 2", "centre_places: 2 centre_places: 3"),
              HasSubstr("line 4"));
  EXPECT_THAT(ErrorWith("from: 4 } }", "from: 4 }"), HasSubstr("line 3"));
  EXPECT_THAT(ErrorWith("size: 7", "size: 07"), HasSubstr("a number in decimal"));
  EXPECT_THAT(ErrorWith("size: 7", "size: 4294967296"), HasSubstr("a number in decimal"));
  EXPECT_THAT(ErrorWith("size: 7", "size 7"), HasSubstr("'7' where there must be ':'"));
  EXPECT_THAT(ErrorWith("\"tiny\"", "\"tiny"), HasSubstr("line 1, column 7"));
  EXPECT_THAT(ErrorWith("\"tiny\"", "\"t\\151ny\""), HasSubstr("without escapes"));
  EXPECT_THAT(ErrorWith("4, 5]", "4, 5"), HasSubstr("',' or ']'"));
}

TEST(HypnosiaBoard, OtherSpellingsOfOneBoardAreRead) {
  const BoardSpec board = testing::Spec(
      "# a board\nname: 'tiny', ring: [<size: 7; bridge: {from: 0} bridge: [{from: 2}, {from: 4}]>]"
      "\r\nlane_entry: 0 lane_entry: [1,2] lane_entry: [] lane_entry: [3 ,4, "
      "5]centre_places:2#end");
  const BoardSpec same = testing::Spec(testing::kTinyBoard);
  EXPECT_EQ(board.name, same.name);
  EXPECT_EQ(board.lane_entries, same.lane_entries);
  EXPECT_EQ(board.centre_places, same.centre_places);
  ASSERT_EQ(board.rings.size(), 1u);
  EXPECT_EQ(board.rings[0].size, 7u);
  ASSERT_EQ(board.rings[0].bridges.size(), 3u);
  EXPECT_EQ(board.rings[0].bridges[2].from, 4u);
}

// The same files as protobuf's own parser, which the SDKs use.
TEST(HypnosiaBoard, WhatIsReadIsProtobufTextFormat) {
  std::mt19937 random(1);
  int read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = i % 2 == 0 ? testing::kTinyBoard : testing::kCrowdedBoard;
    constexpr absl::string_view kBytes = "{}<>[]:,;#\n 07ax'\"";
    for (int change = 0; change < 2; ++change) {
      text[random() % text.size()] = kBytes[random() % kBytes.size()];
    }
    const auto spec = ParseBoardFile(text);
    if (!spec.ok()) continue;
    ++read;
    ::games::hypnosia::v1::Board board;
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &board)) << text;
    ASSERT_EQ(board.name(), spec->name) << text;
    ASSERT_EQ(board.ring_size(), static_cast<int>(spec->rings.size())) << text;
    ASSERT_THAT(spec->lane_entries, ::testing::ElementsAreArray(board.lane_entry())) << text;
  }
  EXPECT_GT(read, 100);
}

TEST(HypnosiaBoard, UntrustedTextIsBoundedAndSilent) {
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(ParseBoardFile(std::string(limits::kMaxOptionBytes + 1, ' ')).ok());
  std::string nested;
  for (int i = 0; i < 10'000; ++i) nested += "ring{";
  EXPECT_FALSE(ParseBoardFile(nested).ok());
  EXPECT_FALSE(ParseBoardFile(absl::string_view("\0\xff\xfe{", 4)).ok());
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    std::string text = i % 2 == 0 ? testing::kTinyBoard : testing::kCrowdedBoard;
    for (int change = 0; change < 3; ++change) {
      text[random() % text.size()] = static_cast<char>(random() % 256);
    }
    if (i % 5 == 0) text.resize(random() % text.size());
    const auto spec = ParseBoardFile(text);
    if (spec.ok()) Board::Make(*spec).status().IgnoreError();
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace referee::games::hypnosia

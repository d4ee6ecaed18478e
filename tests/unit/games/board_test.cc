// Tests of board files and of the boards that they describe.
#include "referee/games/hypnosia/board.h"

#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "google/protobuf/util/json_util.h"
#include "gtest/gtest.h"
#include "proto/games/hypnosia/v1/hypnosia.pb.h"
#include "referee/base/limits.h"
#include "referee/games/hypnosia/board_file.h"
#include "tests/unit/games/boards.h"

namespace referee::games::hypnosia {
namespace {

using ::testing::HasSubstr;

// What is wrong with the tiny board after a replacement.
std::string ErrorWith(absl::string_view from, absl::string_view to,
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
  ::games::hypnosia::v1::Board board;
  board.set_name("spiral-36-24-12");
  for (const uint32_t size : {36, 24, 12}) board.add_rings()->set_size(size);
  for (uint32_t j = 0; j < 6; ++j) {
    auto* const outer = board.mutable_rings(0)->add_bridges();
    outer->set_from(6 * j + 3);
    outer->set_to(4 * j);
    auto* const middle = board.mutable_rings(1)->add_bridges();
    middle->set_from(4 * j + 2);
    middle->set_to(2 * j);
    board.mutable_rings(2)->add_bridges()->set_from(2 * j + 1);
    board.add_lane_entries(6 * j);
  }
  board.set_centre_places(5);
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  std::string text;
  EXPECT_TRUE(google::protobuf::util::MessageToJsonString(board, &text, options).ok());
  return text;
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
  EXPECT_THAT(ErrorWith("\"size\": 7", "\"size\": 6"), HasSubstr("rings[0].size: 6 is not"));
  EXPECT_THAT(ErrorWith("\"size\": 7", "\"size\": 100"), HasSubstr("rings[0].size: 100 is not"));
  EXPECT_THAT(ErrorWith("\"size\": 7, ", ""), HasSubstr("rings[0].size: 0 is not"));
  EXPECT_THAT(ErrorWith("[{\"size\"", "[{}, {\"size\""), HasSubstr("rings[0].size: 0 is not"));
  const std::string text = testing::kTinyBoard;
  const size_t rings = text.find("\"rings\"");
  EXPECT_THAT(ErrorWith(text.substr(rings, text.find("\"lane") - rings), ""),
              HasSubstr("rings: there are 0 rings"));
}

TEST(HypnosiaBoard, BridgesThatDoNotFitAreNamed) {
  EXPECT_THAT(ErrorWith("\"from\": 4", "\"from\": 7"),
              HasSubstr("rings[0].bridges[2].from: 7 is not a number from 0 to 6"));
  EXPECT_THAT(ErrorWith("\"from\": 4", "\"from\": 2"),
              HasSubstr("another bridge starts from space 2"));
  EXPECT_THAT(ErrorWith("\"from\": 4", "\"from\": 4, \"to\": 0"),
              HasSubstr("rings[0].bridges[2].to: bridges"));
  EXPECT_THAT(ErrorWith("{\"from\": 0}, {\"from\": 2}, {\"from\": 4}", ""),
              HasSubstr("rings[0].bridges: a ring has at least one bridge"));
  const std::string crossing = "\"from\": 5, \"to\": 6";
  EXPECT_THAT(ErrorWith(crossing, "\"from\": 5", testing::kCrowdedBoard),
              HasSubstr("rings[0].bridges[1].to: not set"));
  EXPECT_THAT(ErrorWith(crossing, "\"from\": 5, \"to\": 7", testing::kCrowdedBoard),
              HasSubstr("rings[0].bridges[1].to: 7 is not a number from 0 to 6"));
}

TEST(HypnosiaBoard, LaneEntriesThatDoNotFitAreNamed) {
  EXPECT_THAT(ErrorWith("3, 4, 5]", "3, 4]"), HasSubstr("lane_entries: there are 5"));
  EXPECT_THAT(ErrorWith("3, 4, 5]", "3, 4, 5, 6]"), HasSubstr("lane_entries: there are 7"));
  EXPECT_THAT(ErrorWith("3, 4, 5]", "3, 4, 7]"), HasSubstr("lane_entries[5]: 7 is not"));
  EXPECT_THAT(ErrorWith("3, 4, 5]", "3, 4, 3]"), HasSubstr("another lane opens onto space 3"));
}

TEST(HypnosiaBoard, CentreAndNameAreChecked) {
  EXPECT_THAT(ErrorWith("places\": 2", "places\": 0"), HasSubstr("centre_places: 0"));
  EXPECT_THAT(ErrorWith("places\": 2", "places\": 25"), HasSubstr("from 1 to 24"));
  EXPECT_THAT(ErrorWith("\"tiny\"", "\"\""), HasSubstr("name: ''"));
  EXPECT_THAT(ErrorWith("\"tiny\"", "\"Tiny\""), HasSubstr("name: 'Tiny'"));
  EXPECT_THAT(ErrorWith("\"tiny\"", "\"t\\u00e4ny\""), HasSubstr("name: "));
  EXPECT_THAT(ErrorWith("tiny", std::string(65, 'x')), HasSubstr("name:"));
}

TEST(HypnosiaBoard, SyntaxErrorsNameLineAndColumn) {
  EXPECT_THAT(ErrorWith("places\": 2", "places\": two"), HasSubstr("line 4, column 19: "));
  EXPECT_THAT(ErrorWith("places\": 2}", "places\": 2}}"), HasSubstr("line 4, column 20: "));
  EXPECT_THAT(ErrorWith("places\": 2}", "places\": 2"), HasSubstr("line 5, column 1: "));
  EXPECT_THAT(ErrorWith("\"tiny\"", "\"tiny"), HasSubstr("line 1, "));
  EXPECT_THAT(ErrorWith("\"size\": 7", "\"size\": 07"), HasSubstr("line 2, "));
  EXPECT_THAT(ErrorWith("\"size\"", "size"), HasSubstr("line 2, column 12: the file is not JSON"));
  EXPECT_THAT(ErrorWith("4, 5]", "4, 5"), HasSubstr("line 4, "));
  EXPECT_THAT(ErrorWith("{\"name\"", "\xef\xbb\xbf{\"name\""),
              HasSubstr("line 1, column 1: a board file is plain ASCII"));
  EXPECT_THAT(ErrorWith("2}\n", absl::string_view("2}\n\0 {", 6)),
              HasSubstr("line 5, column 1: a board file is plain ASCII"));
}

TEST(HypnosiaBoard, WhatIsNoFieldOrOfAnotherTypeIsNamed) {
  EXPECT_THAT(ErrorWith("lane_entries", "lane_entrances"),
              HasSubstr("board: the file: there is no field 'lane_entrances'; it has name, rings, "
                        "lane_entries, centre_places"));
  EXPECT_THAT(ErrorWith("\"from\": 4", "\"form\": 4"),
              HasSubstr("rings[0].bridges[2]: there is no field 'form'; it has from, to"));
  EXPECT_THAT(ErrorWith("places\": 2", "places\": 2, \"centre_places\": 3"),
              HasSubstr("board: the file: field 'centre_places' is given twice in one object"));
  EXPECT_THAT(ErrorWith("places\": 2", R"(places": 2, "\n": 1, "\n": 2)"),
              HasSubstr(R"(field '\n' is given twice)"));
  EXPECT_THAT(ErrorWith("\"tiny\"", "[]"), HasSubstr("name: array is not a string"));
  EXPECT_THAT(ErrorWith("places\": 2", "places\": null"),
              HasSubstr("centre_places: 'null' is not a whole number"));
  EXPECT_EQ(ParseBoardFile("[]").status().message(),
            "board: the file: array is not an object with name, rings, lane_entries, "
            "centre_places");
  for (const char* number : {"-7", "7.0", "7e0", "4294967296", "18446744073709551615", "\"7\""}) {
    EXPECT_THAT(ErrorWith("\"size\": 7", absl::StrCat("\"size\": ", number)),
                ::testing::AllOf(HasSubstr("rings[0].size: '"),
                                 HasSubstr("is not a whole number from 0 to 4294967295")));
  }
}

// The same files as protobuf's own reader, which the SDK of C++ uses.
TEST(HypnosiaBoard, WhatIsReadIsProtobufJson) {
  std::mt19937 random(1);
  int read = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = i % 2 == 0 ? testing::kTinyBoard : testing::kCrowdedBoard;
    constexpr absl::string_view kBytes = "{}[]:,\n 17ax\"";
    for (int change = 0; change < 2; ++change) {
      text[random() % text.size()] = kBytes[random() % kBytes.size()];
    }
    const auto spec = ParseBoardFile(text);
    if (!spec.ok()) continue;
    ++read;
    ::games::hypnosia::v1::Board board;
    ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(text, &board).ok()) << text;
    ASSERT_EQ(board.name(), spec->name) << text;
    ASSERT_EQ(board.rings_size(), static_cast<int>(spec->rings.size())) << text;
    ASSERT_THAT(spec->lane_entries, ::testing::ElementsAreArray(board.lane_entries())) << text;
  }
  EXPECT_GT(read, 100);
}

TEST(HypnosiaBoard, UntrustedTextIsBoundedAndSilent) {
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(ParseBoardFile(std::string(limits::kMaxOptionBytes + 1, ' ')).ok());
  const std::string nested(limits::kMaxOptionBytes / 4, '[');
  const std::string closed = nested + std::string(nested.size(), ']');
  for (const std::string& text : {nested, closed, absl::StrCat("{\"rings\": ", closed, "}"),
                                  absl::StrCat("{\"name\": ", closed, "}")}) {
    EXPECT_FALSE(ParseBoardFile(text).ok());
  }
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

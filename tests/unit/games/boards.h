// Board files for tests.
#ifndef REFEREE_TESTS_UNIT_GAMES_BOARDS_H_
#define REFEREE_TESTS_UNIT_GAMES_BOARDS_H_

#include <string>

#include "gtest/gtest.h"
#include "referee/games/hypnosia/board.h"
#include "referee/games/hypnosia/board_file.h"

namespace referee::games::hypnosia::testing {

// One ring of the smallest size, every second space a bridge, two places in the centre.
inline constexpr char kTinyBoard[] =
    "name: \"tiny\"\n"
    "ring { size: 7 bridge { from: 0 } bridge { from: 2 } bridge { from: 4 } }\n"
    "lane_entry: [0, 1, 2, 3, 4, 5]\n"
    "centre_places: 2\n";

// Two small rings, so that pawns meet often; bridges share a space that they lead to; a centre
// with room for everybody.
inline constexpr char kCrowdedBoard[] =
    "name: \"crowded\"\n"
    "ring { size: 9 bridge { from: 1 to: 6 } bridge { from: 5 to: 6 } bridge { from: 8 to: 0 } }\n"
    "ring { size: 7 bridge { from: 3 } }\n"
    "lane_entry: [8, 6, 5, 3, 2, 0]\n"
    "centre_places: 24\n";

// Eight rings, the outermost as large as can be.
inline constexpr char kDeepBoard[] =
    "name: \"deep\"\n"
    "ring { size: 99 bridge { from: 98 to: 13 } bridge { from: 40 to: 0 } }\n"
    "ring { size: 14 bridge { from: 2 to: 6 } bridge { from: 9 to: 1 } }\n"
    "ring { size: 7 bridge { from: 0 to: 9 } bridge { from: 3 to: 5 } }\n"
    "ring { size: 11 bridge { from: 10 to: 7 } bridge { from: 5 to: 5 } }\n"
    "ring { size: 8 bridge { from: 0 to: 6 } bridge { from: 3 to: 5 } }\n"
    "ring { size: 7 bridge { from: 0 to: 9 } bridge { from: 3 to: 5 } }\n"
    "ring { size: 12 bridge { from: 0 to: 7 } bridge { from: 3 to: 5 } }\n"
    "ring { size: 8 bridge { from: 0 } bridge { from: 3 } }\n"
    "lane_entry: [95, 10, 25, 40, 60, 80]\n"
    "centre_places: 1\n";

inline BoardSpec Spec(const std::string& text) {
  const auto spec = ParseBoardFile(text);
  EXPECT_TRUE(spec.ok()) << spec.status();
  return spec.ok() ? *spec : BoardSpec{};
}

}  // namespace referee::games::hypnosia::testing

#endif  // REFEREE_TESTS_UNIT_GAMES_BOARDS_H_

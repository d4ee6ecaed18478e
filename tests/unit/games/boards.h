// Board files for tests.
#ifndef REFEREE_TESTS_UNIT_GAMES_BOARDS_H_
#define REFEREE_TESTS_UNIT_GAMES_BOARDS_H_

#include <string>

#include "gtest/gtest.h"
#include "referee/games/hypnosia/board.h"
#include "referee/games/hypnosia/board_file.h"

namespace referee::games::hypnosia::testing {

// One ring of the smallest size. Every second space is a bridge; the centre has two places.
inline constexpr char kTinyBoard[] =
    R"({"name": "tiny",
"rings": [{"size": 7, "bridges": [{"from": 0}, {"from": 2}, {"from": 4}]}],
"lane_entries": [0, 1, 2, 3, 4, 5],
"centre_places": 2}
)";

// Two small rings, so that pawns meet often. Some bridges lead to the same space; the centre has
// room for all pawns.
inline constexpr char kCrowdedBoard[] =
    R"({"name": "crowded",
"rings": [{"size": 9, "bridges": [{"from": 1, "to": 6}, {"from": 5, "to": 6}, {"from": 8, "to": 0}]},
{"size": 7, "bridges": [{"from": 3}]}],
"lane_entries": [8, 6, 5, 3, 2, 0],
"centre_places": 24}
)";

// Eight rings; the outermost has the maximum size.
inline constexpr char kDeepBoard[] =
    R"({"name": "deep",
"rings": [{"size": 99, "bridges": [{"from": 98, "to": 13}, {"from": 40, "to": 0}]},
{"size": 14, "bridges": [{"from": 2, "to": 6}, {"from": 9, "to": 1}]},
{"size": 7, "bridges": [{"from": 0, "to": 9}, {"from": 3, "to": 5}]},
{"size": 11, "bridges": [{"from": 10, "to": 7}, {"from": 5, "to": 5}]},
{"size": 8, "bridges": [{"from": 0, "to": 6}, {"from": 3, "to": 5}]},
{"size": 7, "bridges": [{"from": 0, "to": 9}, {"from": 3, "to": 5}]},
{"size": 12, "bridges": [{"from": 0, "to": 7}, {"from": 3, "to": 5}]},
{"size": 8, "bridges": [{"from": 0}, {"from": 3}]}],
"lane_entries": [95, 10, 25, 40, 60, 80],
"centre_places": 1}
)";

inline BoardSpec Spec(const std::string& text) {
  const auto spec = ParseBoardFile(text);
  EXPECT_TRUE(spec.ok()) << spec.status();
  return spec.ok() ? *spec : BoardSpec{};
}

}  // namespace referee::games::hypnosia::testing

#endif  // REFEREE_TESTS_UNIT_GAMES_BOARDS_H_

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/conformance/check.h"
#include "referee/games/catalogue.h"

namespace referee::conformance {
namespace {

using ::testing::Contains;
using ::testing::SizeIs;

TEST(SampleTurns, AreOfEverySeatOptionAndNumberOfSeatsAndLeaveAChoice) {
  for (const games::Entry& entry : games::Catalogue()) {
    std::set<std::string> ids;
    std::set<std::pair<int, int>> seats;
    std::set<std::string> options;
    for (const AskedTurn& turn : SampleTurns(*entry.type, 1000)) {
      ids.insert(turn.match_id);
      seats.insert({turn.game->seats(), turn.seat().index()});
      for (const games::Option& option : turn.game->options()) {
        options.insert(option.name + "=" + option.value);
      }
      std::vector<games::Move> legal;
      turn.state->LegalMoves(&legal);
      EXPECT_GT(legal.size(), 1u);
      EXPECT_EQ(turn.bots[static_cast<size_t>(turn.seat().index())], TriedBot::kName);
    }
    EXPECT_THAT(ids, SizeIs(1000));
    for (int n = entry.type->min_seats(); n <= entry.type->max_seats(); ++n) {
      for (int seat = 0; seat < n; ++seat) EXPECT_THAT(seats, Contains(std::make_pair(n, seat)));
    }
    const bool isaac = entry.type->name() == "isaac";
    EXPECT_THAT(options, Contains(isaac ? "counter_advance=EXACT" : "stack_bridges=false"));
    EXPECT_THAT(options, Contains(isaac ? "scoring_starter=FIRST_TO_PASS" : "stack_bridges=true"));
  }
}

}  // namespace
}  // namespace referee::conformance

// Options for a sample match of a game from outside the tree.
#ifndef REFEREE_TESTS_UNIT_VIEW_PIG_SAMPLE_H_
#define REFEREE_TESTS_UNIT_VIEW_PIG_SAMPLE_H_

#include "gtest/gtest.h"
#include "referee/games/catalogue.h"
#include "tests/own_game/pig.h"
#include "tests/unit/replay/sample.h"

namespace referee::view {

inline replay::SampleOptions PigSample() {
  static const bool added = games::AddGames({MakePig()}).ok();
  EXPECT_TRUE(added);
  replay::SampleOptions options;
  options.game = "pig";
  options.seats = 3;
  options.options = {{"target", "30"}};
  return options;
}

}  // namespace referee::view

#endif  // REFEREE_TESTS_UNIT_VIEW_PIG_SAMPLE_H_

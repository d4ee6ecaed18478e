#include "referee/ctl/terminal/live_screen.h"

#include <sstream>

#include "gtest/gtest.h"

namespace referee::ctl {
namespace {

TEST(LiveScreen, DrawsOverWhatItDrewBefore) {
  std::ostringstream out;
  LiveScreen screen(&out);
  screen.Draw("one\ntwo\n", {24, 80});
  EXPECT_EQ(out.str(), "one\033[K\ntwo\033[K\n\033[J");
  out.str("");
  screen.Draw("three\n", {24, 80});
  EXPECT_EQ(out.str(), "\033[2Fthree\033[K\n\033[J");
}

TEST(LiveScreen, LetsWhatItDrewStand) {
  std::ostringstream out;
  LiveScreen screen(&out);
  screen.Draw("one\n", {24, 80});
  screen.Leave();
  out.str("");
  screen.Draw("two\n", {24, 80});
  EXPECT_EQ(out.str(), "two\033[K\n\033[J");
}

TEST(LiveScreen, CutsWhatDoesNotFit) {
  std::ostringstream out;
  LiveScreen screen(&out);
  screen.Draw("Zoë and others\n2\n3\n4\n5\n6\n", {5, 3});
  EXPECT_EQ(out.str(), "Zoë\033[K\n2\033[K\n3\033[K\n... and 3 more\033[K\n\033[J");
  out.str("");
  screen.Draw("1\n", {5, 3});
  EXPECT_EQ(out.str().substr(0, 4), "\033[4F") << "a line above is lost";
}

}  // namespace
}  // namespace referee::ctl

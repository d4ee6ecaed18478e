#include "referee/base/wrap.h"

#include <string>

#include "gtest/gtest.h"

namespace referee {
namespace {

TEST(WrapHelp, LeavesLinesThatFit) {
  for (const char* help : {"", "\n", "a b\n  c  d\n\n", "abc abc"}) {
    EXPECT_EQ(WrapHelp(help, 7), help);
  }
}

TEST(WrapHelp, GoesOnBelowTheTextOfTheLine) {
  EXPECT_EQ(WrapHelp("one two three\n  four five six\n", 10),
            "one two\nthree\n  four\n  five six\n");
  EXPECT_EQ(WrapHelp("rank   by points\nx", 12), "rank   by\n       points\nx");
  const std::string option = "  --name TEXT                 One two three four\n";
  EXPECT_EQ(WrapHelp(option, 40),
            "  --name TEXT                 One two\n"
            "                              three four\n");
}

TEST(WrapHelp, LeavesWhatHasNoSpace) {
  EXPECT_EQ(WrapHelp("unbroken\n  unbroken on\n", 5), "unbroken\n  unbroken\n  on\n");
}

TEST(WrapHelp, FillsWhatWasBrokenForAWiderTerminal) {
  const std::string full(50, 'x');
  EXPECT_EQ(WrapHelp(full + " " + std::string(40, 'y') + "\nz on\nnext\n", 80),
            full + "\n" + std::string(40, 'y') + " z on\nnext\n");
  EXPECT_EQ(WrapHelp(full + " " + std::string(40, 'y') + "\nlist: on\n", 80),
            full + "\n" + std::string(40, 'y') + "\nlist: on\n");
}

}  // namespace
}  // namespace referee

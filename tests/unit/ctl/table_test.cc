#include "referee/ctl/terminal/table.h"

#include "gtest/gtest.h"

namespace referee::ctl {
namespace {

TEST(Table, IsAsWideAsItsWidestCells) {
  EXPECT_EQ(TableText("lrl", {{"bot", "wins", "note"}, {"a", "12345", ""}, {"abcd", "1", "x"}}),
            "bot    wins  note\n"
            "a     12345\n"
            "abcd      1  x\n");
}

TEST(Table, CountsCharactersNotBytes) {
  EXPECT_EQ(TableText("lr", {{"Zoë", "1"}, {"Bob", "2"}}), "Zoë  1\nBob  2\n");
}

TEST(Table, OfNothingIsEmpty) { EXPECT_EQ(TableText("lr", {}), ""); }

TEST(Table, ShowsTextFromElsewhereWithoutWhatATerminalWouldObey) {
  EXPECT_EQ(Shown("Zoë's bot"), "Zoë's bot");
  EXPECT_EQ(Shown("a\033[2J").find('\033'), std::string::npos);
}

}  // namespace
}  // namespace referee::ctl

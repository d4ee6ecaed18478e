#include "referee/games/catalogue.h"

#include <algorithm>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/games/rules.h"

namespace referee::games {
namespace {

TEST(Catalogue, ListsGamesByName) {
  const auto entries = Catalogue();
  ASSERT_FALSE(entries.empty());
  EXPECT_TRUE(std::is_sorted(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.type->name() < b.type->name();
  }));
  for (const Entry& entry : entries) {
    EXPECT_EQ(Find(entry.type->name())->type, entry.type);
    const auto specs = entry.type->option_specs();
    EXPECT_TRUE(
        std::is_sorted(specs.begin(), specs.end(),
                       [](const OptionSpec& a, const OptionSpec& b) { return a.name < b.name; }));
  }
}

TEST(Catalogue, HasTheGamesOfTheRules) {
  ASSERT_EQ(Catalogue().size(), GameTypes().size());
  for (size_t i = 0; i < Catalogue().size(); ++i) {
    EXPECT_EQ(Catalogue()[i].type->name(), GameTypes()[i]->name());
  }
}

TEST(Rules, MakeAGameByItsName) {
  const auto game = MakeGame("hypnosia", 3, {{"turn_limit", "20"}});
  ASSERT_TRUE(game.ok()) << game.status();
  EXPECT_EQ((*game)->name(), "hypnosia");
  EXPECT_EQ((*game)->seats(), 3);
  EXPECT_EQ(MakeGame("chess", 2, {}).status().code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(MakeGame("isaac", 3, {}).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(Catalogue, UnknownGameIsAnsweredWithTheKnownOnes) {
  const auto entry = Find("chess");
  EXPECT_EQ(entry.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(entry.status().message()), ::testing::HasSubstr("hypnosia"));
}

}  // namespace
}  // namespace referee::games

// What the matches of refctl duel start from: dice that a seed repeats, and positions of a file.
#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/duel_fixture.h"
#include "tests/end_to_end/program.h"

namespace referee::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

// The dice of each match of a duel, which are those of its block, and where it started.
std::vector<std::pair<std::string, std::string>> StartsOf(
    const std::vector<std::string>& transcripts) {
  std::vector<std::pair<std::string, std::string>> starts;
  const auto line_of = [](const std::string& transcript, const std::string& name) {
    const size_t at = transcript.find("\n" + name) + name.size() + 1;
    return transcript.substr(at, transcript.find('\n', at) - at);
  };
  for (const std::string& transcript : transcripts) {
    starts.emplace_back(line_of(transcript, "pinned "), line_of(transcript, "option position="));
  }
  std::sort(starts.begin(), starts.end());
  return starts;
}

TEST_F(Duel, WithASeedIsPlayedAgainTheSameWhateverTheConcurrency) {
  for (const char* run : {"1", "2"}) {
    const Ran ran =
        Play({greedy_, random_}, {"--matches", "6", "--seed", "41", "--concurrency",
                                  run[0] == '1' ? "1" : "6", "--replay-dir", Path(run)});
    ASSERT_EQ(ran.status, 0) << ran.err;
  }
  const std::vector<std::string> first = Transcripts("1");
  ASSERT_THAT(first, SizeIs(6));
  EXPECT_EQ(first, Transcripts("2"));
  EXPECT_THAT(first, Each(HasSubstr("\npinned ")));
}

TEST_F(Duel, WithoutASeedNamesOneThatPlaysItAgain) {
  const Json duel =
      PlayForJson({greedy_, random_}, {"--matches", "4", "--replay-dir", Path("first")});
  const std::string seed = duel["seed"].get<std::string>();
  EXPECT_THAT(seed, SizeIs(64));
  ASSERT_EQ(
      Play({greedy_, random_}, {"--matches", "4", "--seed", seed, "--replay-dir", Path("second")})
          .status,
      0);
  ASSERT_THAT(Transcripts("first"), SizeIs(4));
  EXPECT_EQ(Transcripts("first"), Transcripts("second"));
}

TEST_F(Duel, BlocksHaveTheSameDice) {
  ASSERT_EQ(
      Play({greedy_, random_}, {"--matches", "4", "--seed", "7", "--replay-dir", Path("data")})
          .status,
      0);
  std::map<std::string, int> blocks;
  for (const auto& [dice, position] : StartsOf(Transcripts("data"))) ++blocks[dice];
  ASSERT_THAT(blocks, SizeIs(2));
  EXPECT_THAT(blocks, Each(::testing::Pair(SizeIs(64), 2)));
}

TEST_F(Duel, StartsEachBlockFromAPositionAndGoesOnWithTheSame) {
  const std::string first = "36/24/12 1111,1111 - 1,-1 - a -";
  const std::string second = "3a28B3/2b21/12 0110,0000 b -1,1 - a -";
  std::ofstream(Path("openings.txt")) << "# two openings\n" << first << "\n\n" << second << "\n";
  const std::vector<std::string> flags = {
      "--seed", "100", "--positions", Path("openings.txt"), "--resume", Path("data")};
  std::vector<std::string> half = flags;
  half.insert(half.end(), {"--matches", "4"});
  const Ran begun = Play({greedy_, random_}, half);
  ASSERT_EQ(begun.status, 0) << begun.err;
  EXPECT_THAT(begun.out, StartsWith("hypnosia: 4 matches from 2 positions, "));
  std::vector<std::string> whole = flags;
  whole.insert(whole.end(), {"--matches", "8"});
  const Json duel = PlayForJson({greedy_, random_}, whole);
  EXPECT_EQ(duel["status"], 0);
  EXPECT_EQ(duel["matches_resumed"], 4);
  EXPECT_EQ(duel["positions"], 2);
  std::map<std::string, int> starts;
  for (const auto& [dice, position] : StartsOf(Transcripts("data"))) ++starts[position];
  EXPECT_THAT(starts,
              ::testing::ElementsAre(::testing::Pair(first, 4), ::testing::Pair(second, 4)));
  std::ofstream(Path("openings.txt")) << second << "\n" << first << "\n";
  const Ran other = Play({greedy_, random_}, whole);
  EXPECT_EQ(other.status, 2);
  EXPECT_THAT(other.err, AllOf(HasSubstr("of another duel, with another positions"),
                               HasSubstr("give the same flags")));
}

TEST_F(Duel, StartsBlocksOfAnyGameFromPositions) {
  game_ = "isaac";
  const std::string placed = "a7h33,b3v70 54320,44321 0,0 0,0 - P b a";
  std::ofstream(Path("openings.txt")) << placed << "\n";
  const Ran ran = Play({random_, greedy_}, {"--matches", "4", "--positions", Path("openings.txt"),
                                            "--replay-dir", Path("data")});
  EXPECT_EQ(ran.status, 0) << ran.err;
  const auto starts = StartsOf(Transcripts("data"));
  ASSERT_THAT(starts, SizeIs(4));
  for (const auto& [dice, position] : starts) EXPECT_EQ(position, placed);
  std::ofstream(Path("openings.txt")) << "# one\n" << placed << "\nnonsense\n";
  const Ran bad = Play({random_, greedy_}, {"--positions", Path("openings.txt")});
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, AllOf(HasSubstr("openings.txt', line 3: "), HasSubstr("position: pieces")));
}

}  // namespace
}  // namespace referee::end_to_end

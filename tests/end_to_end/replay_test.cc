// refctl replay with a running refereed: from a competition's matches to their replays.
#include <string>
#include <vector>

#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/competition_fixture.h"

namespace referee::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// A referee with a competition that is over.
class ReplayCommand : public CompetitionFixture {
 protected:
  void SetUp() override {
    StartReferee({"--readers", "observers"});
    AddBot("alice");
    AddBot("bob");
    StartBot("alice", {"bots/greedy"});
    StartBot("bob", {"bots/random"});
    Well({"create", "spring", "--format", "round-robin", "--game", "hypnosia", "--bots",
          "alice,bob", "--option", "turn_limit=20", "--time", "30s", "--start"});
    ASSERT_EQ(sandbox_.Await(StartCompetitionCommand({"watch", "spring"})).status, 0);
    const std::string results = Well({"export", "spring", "--what", "results", "--format", "json"});
    const std::vector<std::string> lines = absl::StrSplit(results, '\n', absl::SkipEmpty());
    ASSERT_EQ(lines.size(), 2u);
    for (const std::string& line : lines) {
      ids_.push_back(nlohmann::json::parse(line)["match_id"].get<std::string>());
    }
  }

  std::vector<std::string> ids_;
};

TEST_F(ReplayCommand, TakesMatchesFromTheRefereeByTheirIds) {
  const Ran verified = Refctl({"replay", "verify", ids_[0], ids_[1]});
  EXPECT_EQ(verified.status, 0) << verified.err;
  EXPECT_THAT(verified.out, AllOf(HasSubstr("match " + ids_[0] + ": OK"),
                                  HasSubstr("match " + ids_[1] + ": OK")));
  const Ran shown = Refctl({"replay", "show", "--turn", "last", ids_[0]});
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("\nend: "));
  const Ran times = Refctl({"replay", "times", ids_[1]});
  EXPECT_EQ(times.status, 0) << times.err;
  EXPECT_THAT(times.out, StartsWith("match " + ids_[1]));
}

TEST_F(ReplayCommand, ExportNamesTheCompetitionWhereverTheMatchComesFrom) {
  for (const std::vector<std::string>& from :
       {std::vector<std::string>(), {"--data-dir", Path("data")}}) {
    std::vector<std::string> command = {"replay", "export", "--format", "jsonl", ids_[0], ids_[1]};
    command.insert(command.end(), from.begin(), from.end());
    const Ran exported = Refctl(command);
    ASSERT_EQ(exported.status, 0) << exported.err;
    const std::vector<std::string> lines = absl::StrSplit(exported.out, '\n', absl::SkipEmpty());
    ASSERT_EQ(lines.size(), 2u);
    for (size_t i = 0; i < lines.size(); ++i) {
      const auto match = nlohmann::json::parse(lines[i]);
      EXPECT_EQ(match["match_id"], ids_[i]);
      EXPECT_EQ(match["competition"], "spring");
    }
  }
  const Ran text = Refctl({"replay", "export", ids_[0]});
  EXPECT_THAT(text.out, HasSubstr("\ncompetition spring\n"));
  const Ran folder = Refctl({"replay", "export", Path("data/replays")});
  EXPECT_EQ(folder.status, 0) << folder.err;
  EXPECT_THAT(folder.out, Not(HasSubstr("\ncompetition "))) << "a file alone does not say";
  const Ran known = Refctl({"replay", "export", Path("data/replays"), "--data-dir", Path("data")});
  EXPECT_THAT(known.out, HasSubstr("\ncompetition spring\n"));
}

TEST_F(ReplayCommand, OfAMatchThatTheRefereeHasNotSaysWhatToDo) {
  const Ran none = Refctl({"replay", "export", "01m7xzk53v1c00000000000000", ids_[0]});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, AllOf(HasSubstr("match 01m7xzk53v1c00000000000000: there is no replay"),
                              HasSubstr("it comes there when it is over"),
                              HasSubstr("1 of 2 replays could not be read")));
  EXPECT_THAT(none.out, HasSubstr("\nend ")) << "the other is there";
}

TEST_F(ReplayCommand, HasTheRightsOfItsToken) {
  const Ran nobody = Refctl({"replay", "export", ids_[0]}, {{"REFEREE_TOKEN", ""}});
  EXPECT_EQ(nobody.status, 2);
  EXPECT_THAT(nobody.err, HasSubstr("refctl sends the token in --token-file or REFEREE_TOKEN"));
}

}  // namespace
}  // namespace referee::end_to_end

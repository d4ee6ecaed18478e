// Competitions and their replays: exports, the shelf, and refctl archive audit.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/competition_command.h"
#include "tests/end_to_end/competition_fixture.h"

namespace referee::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(CompetitionCommand, LeadsFromCreationToStandingsExportsAndAnAudit) {
  const Ran made = CreateSpring({"--rounds", "2"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(made.out, AllOf(StartsWith("spring  new"), HasSubstr("round-robin  hypnosia")));
  EXPECT_THAT(Well({"show", "spring"}),
              AllOf(HasSubstr("option turn_limit=20"), HasSubstr("entrants 3: alice, bob, carol"),
                    HasSubstr("time 30s"), HasSubstr("rounds 2")));
  EXPECT_THAT(Well({"start", "spring"}), StartsWith("spring  running"));
  const pid_t watch = StartCompetitionCommand({"watch", "spring"});
  ASSERT_TRUE(Eventually([&] { return !sandbox_.Written(watch).out.empty(); }));
  StartBots();
  const Ran watched = sandbox_.Await(watch);
  EXPECT_EQ(watched.status, 0) << watched.err;
  EXPECT_THAT(watched.out, AllOf(HasSubstr("  running, "), HasSubstr("  finished, 6 blocks"),
                                 HasSubstr("won-drawn-lost")));

  EXPECT_THAT(Well({"list"}), StartsWith("spring  finished"));
  EXPECT_THAT(Well({"list", "--bot", "alice"}), StartsWith("spring  finished"));
  const Ran none = Competition({"list", "--bot", "nobody"});
  EXPECT_EQ(none.status, 1);
  EXPECT_THAT(none.err, HasSubstr("bot 'nobody': the referee knows no bot of this name"));
  EXPECT_THAT(Competition({"list", "--bot", "olga"}).err,
              HasSubstr("the account of this name is an organiser, not a bot"));
  const std::string table = Well({"standings", "spring"});
  EXPECT_THAT(table, AllOf(HasSubstr("   1  "), HasSubstr("carol"), HasSubstr("superiority")));
  const auto standings = nlohmann::json::parse(Well({"standings", "spring", "--json"}));
  EXPECT_EQ(standings["standings"].size(), 3u);
  EXPECT_EQ(Lines(Well({"blocks", "spring"})).size(), 7u) << "six and a heading";
  EXPECT_EQ(Lines(Well({"blocks", "spring", "--bot", "bob"})).size(), 5u);
  EXPECT_EQ(Lines(Well({"matches", "spring"})).size(), 13u);

  EXPECT_THAT(Well({"standings", "spring", "--anchor", "carol=1500", "--min-blocks", "1"}),
              HasSubstr("so that carol has 1500"));
  EXPECT_EQ(Competition({"standings", "spring", "--anchor", "eve=1500"}).status, 2);
  EXPECT_EQ(Lines(Well({"export", "spring", "--what", "standings", "--format", "csv",
                        "--min-blocks", "5"}))
                .size(),
            1u)
      << "each has played four";
  EXPECT_EQ(Lines(Well({"rounds", "spring"})).size(), 7u) << "six and a heading";
  EXPECT_EQ(Lines(Well({"rounds", "spring", "--round", "1", "--json"})).size(), 1u)
      << "of three bots one waits";
  EXPECT_EQ(Competition({"bracket", "spring"}).status, 1);
  EXPECT_EQ(
      Lines(Well({"export", "spring", "--what", "blocks", "--format", "csv"})).front(),
      "block,state,attempt,begin_time,end_time,bot_1,points_1,score_1,forfeits_1,bot_2,points_2,"
      "score_2,forfeits_2,reason\r");
  EXPECT_THAT(Well({"crosstable", "spring"}),
              AllOf(StartsWith("spring: finished, 6 blocks"), HasSubstr("\n1  "),
                    HasSubstr("matches won-drawn-lost, below them points (blocks)")));
  EXPECT_THAT(Well({"crosstable", "spring", "--bot", "bob"}),
              AllOf(HasSubstr("alice"), HasSubstr("carol"), HasSubstr("\n      all ")));
  EXPECT_EQ(Lines(Well({"crosstable", "spring", "--json"})).size(), 3u);
  EXPECT_EQ(Lines(Well({"crosstable", "spring", "--format", "csv", "--bot", "bob"})).size(), 3u);

  const std::string csv = Well({"export", "spring", "--what", "results", "--format", "csv"});
  EXPECT_EQ(Lines(csv).size(), 13u);
  EXPECT_THAT(csv, AllOf(StartsWith("block,rotation,attempt,match_id,"), HasSubstr(",carol,")));
  EXPECT_EQ(Well({"export", "spring", "--what", "standings", "--format", "json", "--output",
                  Path("table.json")}),
            "");
  const std::vector<std::string> exported = Lines(ReadFile("table.json"));
  ASSERT_EQ(exported.size(), 3u);
  EXPECT_EQ(nlohmann::json::parse(exported[0])["rank"], 1);

  const Ran audit = Audit();
  EXPECT_EQ(audit.status, 0) << audit.out << audit.err;
  EXPECT_THAT(audit.out, HasSubstr("competitions: 1, blocks played: 6, their replays: 12"));
}

TEST_F(CompetitionCommand, CountsBlocksWhenTheirReplaysAreOnTheShelf) {
  const std::string shelf = Path("shelf");
  std::filesystem::create_directory(shelf);
  StopReferee();
  StartReferee({"--shelf", shelf});
  std::filesystem::rename(shelf, Path("unmounted"));
  StartBots();
  ASSERT_EQ(CreateSpring({"--start"}).status, 0);
  ASSERT_TRUE(Eventually([&] {
    return absl::StrContains(RefereeSaid(), "blocks wait until it takes their replays");
  }));
  EXPECT_TRUE(Eventually([&] {
    return absl::StrContains(Well({"show", "spring"}), "the directory of the shelf is not there");
  }));
  EXPECT_EQ(BlocksCounted("spring"), 0);

  std::filesystem::rename(Path("unmounted"), shelf);
  ASSERT_EQ(Watch().status, 0);
  EXPECT_TRUE(Eventually([&] { return absl::StrContains(RefereeSaid(), "it answers again"); }));
  EXPECT_EQ(Lines(Refctl({"archive", "list", "--shelf", shelf, "--json"}).out).size(), 6u);
  StopReferee();
  std::filesystem::remove_all(Path("data/replays"));
  EXPECT_EQ(Audit().status, 1);
  const Ran audit = Refctl({"archive", "audit", "--data-dir", Path("data"), "--shelf", shelf});
  EXPECT_EQ(audit.status, 0) << audit.out << audit.err;
}

TEST_F(CompetitionCommand, AuditFindsWhatWasDoneToTheArchive) {
  StartBots();
  ASSERT_EQ(CreateSpring({"--start"}).status, 0);
  ASSERT_EQ(Watch().status, 0);
  StopReferee();  // so that the index has all
  const std::vector<std::string> packs = sandbox_.Files("data/replays", ".pack");
  ASSERT_FALSE(packs.empty());
  {
    std::fstream pack(packs[0], std::ios::in | std::ios::out | std::ios::binary);
    // One byte: two may be of two entries.
    const auto middle = static_cast<std::streamoff>(std::filesystem::file_size(packs[0]) / 2);
    pack.seekg(middle);
    const int byte = pack.get();
    pack.seekp(middle);
    pack.put(static_cast<char>(byte ^ 1));
  }
  Ran audit = Audit();
  EXPECT_EQ(audit.status, 2) << "not all can be read";
  EXPECT_THAT(audit.out, AllOf(HasSubstr("competition 'spring': block "), HasSubstr("is damaged"),
                               HasSubstr("1 findings")));
  EXPECT_THAT(audit.err, HasSubstr(packs[0] + ": 1 entry is damaged and cannot be read"));
  audit = Refctl({"archive", "audit", "--data-dir", Path("data"), "--json"});
  EXPECT_EQ(audit.status, 2);
  EXPECT_EQ(nlohmann::json::parse(Lines(audit.out).back())["findings"], 1);
  EXPECT_EQ(nlohmann::json::parse(Lines(audit.out).back())["unread"].size(), 1u);
  const Ran elsewhere = Refctl({"archive", "audit", "--data-dir", Path("nowhere")});
  EXPECT_EQ(elsewhere.status, 2);
  EXPECT_THAT(elsewhere.err, HasSubstr("--data-dir"));
}

}  // namespace
}  // namespace referee::end_to_end

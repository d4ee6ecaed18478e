// A ladder of eight bots as it happens: some strong, some weak, one that crashes, one that hangs,
// one that is away for a while, and a referee that is killed twice. At the end the stronger rank
// above the weaker beyond their error bars, and all that is said agrees with the replays.

#include <signal.h>
#include <sys/wait.h>

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/competition_fixture.h"

namespace referee::end_to_end {
namespace {

using ::testing::HasSubstr;

struct Entrant {
  std::string name;
  std::vector<std::string> command;
  int strength;     // those of more rank above those of less; 0: not compared
  bool comes_back;  // is started again when it has ended
};

const std::vector<Entrant>& Entrants() {
  static const auto* const entrants = new std::vector<Entrant>{
      {"strong", {"bots/strong", "--think=20ms"}, 2, false},
      {"greedy-one", {"bots/greedy"}, 2, false},
      {"greedy-two", {"bots/greedy"}, 2, false},
      {"random-one", {"bots/random"}, 1, false},
      {"random-two", {"bots/random"}, 1, false},
      {"random-away", {"bots/random"}, 1, false},
      {"crashing", {"tests/faulty", "--crash-at=6"}, 0, true},
      {"hanging", {"tests/faulty", "--hang-at=6"}, 0, true},
  };
  return *entrants;
}

class Ladder : public CompetitionFixture {
 protected:
  void SetUp() override {
    StartReferee({"--resume-timeout", "2s"});
    std::vector<std::string> names;
    for (const Entrant& entrant : Entrants()) {
      AddBot(entrant.name);
      names.push_back(entrant.name);
    }
    Well({"create", "ladder", "--format", "ladder", "--game", "hypnosia", "--option",
          "turn_limit=60", "--time", "400ms", "--max-running", "6", "--pace", "0", "--bots",
          absl::StrJoin(names, ","), "--start"});
    for (const Entrant& entrant : Entrants()) Start(entrant);
  }

  void Start(const Entrant& entrant) {
    running_[entrant.name] = StartBot(entrant.name, entrant.command);
  }
  const Entrant& Find(const std::string& name) const {
    for (const Entrant& entrant : Entrants()) {
      if (entrant.name == name) return entrant;
    }
    return Entrants().front();
  }
  // Starts again what has ended and comes back.
  void ReviveBots() {
    for (const Entrant& entrant : Entrants()) {
      int status = 0;
      if (entrant.comes_back && waitpid(running_[entrant.name], &status, WNOHANG) > 0) {
        Start(entrant);
      }
    }
  }

  nlohmann::json Standings() {
    const Ran ran = Competition({"standings", "ladder", "--json"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    return nlohmann::json::parse(ran.out);
  }
  // Waits until so many blocks are counted.
  void AwaitBlocks(uint64_t blocks) {
    uint64_t counted = 0;
    const auto reached = [&] {
      ReviveBots();
      counted = std::stoull(Standings()["competition"]["blocks_counted"].get<std::string>());
      return counted >= blocks;
    };
    ASSERT_TRUE(Eventually(reached, absl::Milliseconds(200)))
        << counted << " of " << blocks << " blocks: " << Competition({"standings", "ladder"}).out;
  }

  // What the store says is what the replays say, whether a referee runs, was killed or is done.
  void ExpectAgreement() {
    const Ran audit = Audit();
    EXPECT_EQ(audit.status, 0) << audit.out << audit.err;
  }

  std::map<std::string, pid_t> running_;
};

TEST_F(Ladder, EndsWithTheStrongerAboveTheWeakerThoughTheRefereeWasKilledTwice) {
  AwaitBlocks(80);
  ExpectAgreement();
  KillReferee();
  ExpectAgreement();
  kill(running_["random-away"], SIGKILL);
  sandbox_.Await(running_["random-away"]);
  StartReferee({"--resume-timeout", "2s"});
  AwaitBlocks(160);
  KillReferee();
  StartReferee({"--resume-timeout", "2s"});
  Start(Find("random-away"));
  AwaitBlocks(240);

  Well({"finish", "ladder", "--yes"});
  const Ran watched = sandbox_.Await(StartCompetitionCommand({"watch", "ladder"}));
  EXPECT_EQ(watched.status, 0) << watched.err;
  const nlohmann::json table = Standings();
  const std::string text = Well({"standings", "ladder"});
  EXPECT_EQ(table["competition"]["state"], "COMPETITION_STATE_FINISHED");
  ASSERT_EQ(table["standings"].size(), Entrants().size());
  for (const auto& upper : table["standings"]) {
    for (const auto& lower : table["standings"]) {
      const int more = Find(upper["bot"]).strength;
      const int less = Find(lower["bot"]).strength;
      if (less == 0 || more <= less) continue;
      EXPECT_LT(upper["rank"].get<int>(), lower["rank"].get<int>()) << text;
      EXPECT_GT(upper["elo"].get<double>() - upper["elo_error"].get<double>(),
                lower["elo"].get<double>() + lower["elo_error"].get<double>())
          << upper["bot"] << " and " << lower["bot"] << "\n"
          << text;
    }
  }
  for (const auto& line : table["standings"]) {
    if (line["bot"] != "hanging") continue;
    EXPECT_THAT(line["remark"].get<std::string>(), HasSubstr("did not answer")) << text;
  }

  const Ran verified = Refctl({"replay", "verify", Path("data/replays")});
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  ExpectAgreement();
}

}  // namespace
}  // namespace referee::end_to_end

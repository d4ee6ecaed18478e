// Claims about bots of a ladder that seek voids: they lose what they have lost, blocks are counted,
// and nothing freezes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/competition_fixture.h"

namespace referee::end_to_end {
namespace {

constexpr char kMallory[] = "mallory";

class HostileLadder : public CompetitionFixture {
 protected:
  // Mallory gives up one match of each block, and takes so long for each move of the other.
  void Begin(const std::string& format, const std::string& time, int late_ms) {
    StartReferee();
    AddBot(kMallory);
    AddBot("honest");
    std::vector<std::string> create = {
        "create",        "ladder",   "--format",      format,           "--game",
        "hypnosia",      "--option", "turn_limit=60", "--time",         time,
        "--max-running", "1",        "--bots",        "mallory,honest", "--start"};
    if (format == "ladder") create.insert(create.end(), {"--pace", "0"});
    Well(create);
    mallory_ =
        StartBot(kMallory, {"tests/faulty", "--resign-one", absl::StrCat("--late-ms=", late_ms)});
    StartBot("honest", {"bots/random"});
  }

  nlohmann::json Table() {
    const Ran ran = Competition({"standings", "ladder", "--json"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    return nlohmann::json::parse(ran.out);
  }
  // How often mallory has begun to be late.
  int Lates() {
    const std::string said = sandbox_.Written(mallory_).err;
    int lates = 0;
    for (size_t at = said.find("late"); at != std::string::npos; at = said.find("late", at + 1)) {
      ++lates;
    }
    return lates;
  }
  // Her line in the standings.
  nlohmann::json LineOfMallory() {
    const nlohmann::json table = Table();
    for (const auto& line : table["standings"]) {
      if (line["bot"] == kMallory) return line;
    }
    return nlohmann::json::object();
  }
  // How many attempts at blocks came to nothing, and were followed by another.
  uint64_t BlocksReplayed() {
    const Ran ran = Competition({"show", "ladder", "--json"});
    EXPECT_EQ(ran.status, 0) << ran.err;
    return std::stoull(nlohmann::json::parse(ran.out).value("blocks_replayed", "0"));
  }
  // How many blocks of hers are counted.
  uint64_t BlocksOfMallory() { return std::stoull(LineOfMallory().value("blocks", "0")); }
  // Waits until that many are. Who is set aside in a ladder comes back.
  void AwaitBlocksOfMallory(uint64_t blocks) {
    uint64_t counted = 0;
    const auto reached = [&] {
      counted = BlocksOfMallory();
      if (counted >= blocks) return true;
      if (absl::StrContains(LineOfMallory().value("remark", ""), "set aside")) {
        Competition({"join", "ladder", "--bot", kMallory});  // a round robin refuses that
      }
      return false;
    };
    ASSERT_TRUE(Eventually(reached, absl::Milliseconds(100)))
        << counted << " of " << blocks << " blocks: " << Competition({"standings", "ladder"}).out
        << Competition({"blocks", "ladder"}).out;
  }
  // Every match that counts is lost.
  void ExpectMalloryHasLostAll() {
    const nlohmann::json table = Table();
    const std::string text = Competition({"standings", "ladder", "--wide"}).out;
    double elo[2] = {};
    for (const auto& line : table["standings"]) {
      const bool is_mallory = line["bot"] == kMallory;
      elo[is_mallory ? 1 : 0] = line.value("elo", 0.0);
      if (!is_mallory) continue;
      EXPECT_EQ(line.value("wins", "0"), "0") << text;
      EXPECT_EQ(line.value("draws", "0"), "0") << text;
      EXPECT_EQ(std::stoull(line.value("losses", "0")), 2 * std::stoull(line.value("blocks", "0")))
          << text;
    }
    EXPECT_LT(elo[1], elo[0]) << text;
    const Ran audit = Audit();
    EXPECT_EQ(audit.status, 0) << audit.out << audit.err;
  }

  pid_t mallory_ = 0;
};

TEST_F(HostileLadder, BotThatResignsOneMatchAndIsLateInTheOtherLosesBothAndBlocksAreCounted) {
  Begin("ladder", "100ms", 104);
  AwaitBlocksOfMallory(4);
  ExpectMalloryHasLostAll();
  // None is played again for her lateness; one may be if this machine has stood still for long.
  EXPECT_LE(BlocksReplayed(), 1u) << Competition({"blocks", "ladder"}).out;
}

TEST_F(HostileLadder, BotThatIsLosingEscapesNoBlockByVoidsOfARefereeThatStandsStillAgainAndAgain) {
  Begin("round-robin", "400ms", 700);  // of one block
  // The referee's machine stands still for 3 s whenever mallory is to move: more than is given
  // back.
  constexpr int kMostStalls = 5;
  for (int stall = 1; stall <= kMostStalls && BlocksOfMallory() == 0; ++stall) {
    const auto is_late = [&] { return Lates() >= stall || BlocksOfMallory() > 0; };
    ASSERT_TRUE(Eventually(is_late, absl::Milliseconds(20)))
        << Competition({"blocks", "ladder"}).out;
    if (Lates() < stall) break;
    SuspendReferee();
    const absl::Time until = absl::Now() + absl::Seconds(3);
    ASSERT_TRUE(Eventually([&] { return absl::Now() >= until; }));
    ContinueReferee();
  }
  ASSERT_LT(Lates(), kMostStalls) << Competition({"blocks", "ladder", "--json"}).out;
  AwaitBlocksOfMallory(1);
  ExpectMalloryHasLostAll();
}

}  // namespace
}  // namespace referee::end_to_end

#include "referee/ctl/duel/duel_state.h"

#include <sys/stat.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/ctl/dice_flag.h"
#include "referee/launch/temp_dir.h"
#include "tests/unit/ctl/countdown.h"

namespace referee::ctl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class DuelStateTest : public ::testing::Test {
 protected:
  static DuelPlan Plan(uint64_t seed) {
    DuelPlan plan;
    plan.game = games::Countdown().Create(2, {}).value();
    plan.bots = {{"x", "./x"}, {"y", "./y"}};
    plan.dice.pinned_number = seed;
    return plan;
  }

  // A bot and a folder whose names are bytes in Latin-1.
  static DuelPlan PlanOfBytes() {
    DuelPlan plan = Plan(7);
    plan.bots[0].command = "./M\xfcller";
    return plan;
  }

  static DuelMatch Match(int index) {
    const uint8_t random[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, static_cast<uint8_t>(index)};
    DuelMatch match;
    match.index = index;
    match.id = MatchId::Make(absl::UnixEpoch(), random);
    match.reason = "COUNTED";
    match.replay_path = "d/m.rpl";
    match.seats.resize(2);
    match.seats[0] = {0, 3, 1, {7, absl::Nanoseconds(123), absl::Nanoseconds(45)}, {1, 2, 3}, {}};
    match.seats[1] = {1, -1, 2, {}, {}, match::Cause::kDisconnected};
    match.seats[1].fault =
        SeatFault{match::Cause::kDisconnected, 9, "gone", true, true, 3, {"line"}};
    return match;
  }

  std::string WhyNot(const DuelPlan& plan) const {
    const auto state = DuelState::Open(path_, plan);
    return state.ok() ? "" : std::string(state.status().message());
  }

  std::string File() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }

  const launch::TempDir directory_ = launch::TempDir::Make().value();
  const std::string path_ = absl::StrCat(directory_.path(), "/state");
};

TEST_F(DuelStateTest, GivesBackWhatWasAddedToTheNextProcess) {
  ASSERT_TRUE(DuelState::Open(path_, Plan(7)).value()->Add(Match(4)).ok());
  const auto again = DuelState::Open(path_, Plan(7)).value();
  const std::vector<DuelMatch> matches = again->TakeMatches();
  ASSERT_THAT(matches, SizeIs(1));
  EXPECT_THAT(again->TakeMatches(), SizeIs(0));
  const DuelMatch& match = matches[0];
  EXPECT_EQ(match.index, 4);
  EXPECT_EQ(match.id, Match(4).id);
  EXPECT_EQ(match.ending, match::Ending::kFinished);
  EXPECT_EQ(match.reason, "COUNTED");
  EXPECT_EQ(match.replay_path, "d/m.rpl");
  const DuelSeat& first = match.seats[0];
  EXPECT_EQ(first.score, 3);
  EXPECT_EQ(first.rank, 1);
  EXPECT_EQ(first.times.moves, 7);
  EXPECT_EQ(first.times.total, absl::Nanoseconds(123));
  EXPECT_EQ(first.times.worst, absl::Nanoseconds(45));
  EXPECT_EQ(first.forgiven.retried, 3);
  EXPECT_FALSE(first.forfeit.has_value());
  const DuelSeat& second = match.seats[1];
  EXPECT_EQ(second.bot, 1);
  EXPECT_EQ(second.forfeit, match::Cause::kDisconnected);
  ASSERT_TRUE(second.fault.has_value());
  EXPECT_EQ(second.fault->detail, "gone");
  EXPECT_EQ(second.fault->turn, 9u);
  EXPECT_TRUE(second.fault->unready);
  EXPECT_EQ(second.fault->other_turns, 3);
  EXPECT_EQ(second.fault->written, std::vector<std::string>{"line"});
}

TEST_F(DuelStateTest, TellsItsDice) {
  EXPECT_FALSE(DiceInState(path_).value().has_value());
  ASSERT_TRUE(DuelState::Open(path_, Plan(7)).ok());
  EXPECT_EQ(DiceInState(path_).value()->pinned_number, 7u);
}

TEST_F(DuelStateTest, TellsDiceThatWereDrawn) {
  DuelPlan plan = Plan(7);
  plan.dice = DrawDiceSeed();
  ASSERT_TRUE(DuelState::Open(path_, plan).ok());
  EXPECT_EQ(DiceInState(path_).value()->pinned_seed, plan.dice.pinned_seed);
  EXPECT_EQ(WhyNot(plan), "");
  plan.dice = DrawDiceSeed();
  EXPECT_THAT(WhyNot(plan), HasSubstr("seed"));
}

TEST_F(DuelStateTest, IsForItsOwnerOnly) {
  ASSERT_TRUE(DuelState::Open(path_, Plan(7)).ok());
  struct stat found;
  ASSERT_EQ(stat(path_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
}

TEST_F(DuelStateTest, OfAnotherDuelIsRefusedAndSaysWhatDiffers) {
  ASSERT_TRUE(DuelState::Open(path_, Plan(7)).ok());
  EXPECT_THAT(WhyNot(Plan(8)), AllOf(HasSubstr("seed 7 there, 8 here"), HasSubstr("--resume")));
  DuelPlan other = Plan(7);
  other.bots[1].command = "./z";
  EXPECT_THAT(WhyNot(other), HasSubstr("bots"));
  DuelPlan longer = Plan(7);
  longer.matches = 1000;
  EXPECT_EQ(WhyNot(longer), "");
}

TEST_F(DuelStateTest, WithOtherPositionsIsRefused) {
  DuelPlan plan = Plan(7);
  plan.positions = {"p", "q"};
  ASSERT_TRUE(DuelState::Open(path_, plan).ok());
  EXPECT_EQ(WhyNot(plan), "");
  plan.positions = {"q", "p"};
  EXPECT_THAT(WhyNot(plan), AllOf(HasSubstr("of another duel: positions \"2 of SHA-256 "),
                                  HasSubstr("; go on with the same flags, or name another file")));
  EXPECT_THAT(WhyNot(Plan(7)), HasSubstr("positions"));
}

// Such as one that was begun when duels had no positions.
TEST_F(DuelStateTest, WithoutPositionsGoesOnWithoutThem) {
  ASSERT_TRUE(DuelState::Open(path_, Plan(7)).ok());
  const std::string line = File();
  const std::string field = ",\"positions\":\"\"";
  ASSERT_THAT(line, HasSubstr(field));
  std::ofstream(path_) << absl::StrReplaceAll(line, {{field, ""}});
  EXPECT_EQ(WhyNot(Plan(7)), "");
  DuelPlan plan = Plan(7);
  plan.positions = {"p"};
  EXPECT_THAT(WhyNot(plan), HasSubstr("positions"));
}

TEST_F(DuelStateTest, ALineThatWasCutShortIsDropped) {
  {
    const auto state = DuelState::Open(path_, Plan(7)).value();
    ASSERT_TRUE(state->Add(Match(0)).ok());
    ASSERT_TRUE(state->Add(Match(1)).ok());
  }
  const std::string whole = File();
  std::ofstream(path_) << whole.substr(0, whole.size() - 5);
  const auto state = DuelState::Open(path_, Plan(7)).value();
  EXPECT_THAT(state->TakeMatches(), SizeIs(1));
  ASSERT_TRUE(state->Add(Match(1)).ok());
  EXPECT_EQ(File(), whole);
}

TEST_F(DuelStateTest, LinesThatMakeNoSenseAreNamed) {
  ASSERT_TRUE(DuelState::Open(path_, Plan(7)).value()->Add(Match(0)).ok());
  std::ofstream(path_, std::ios::app) << "{\"match\":1}\n";
  EXPECT_THAT(WhyNot(Plan(7)), HasSubstr("line 3"));
}

TEST_F(DuelStateTest, AnotherFileIsLeftAsItIs) {
  std::ofstream(path_) << "my thesis\n";
  EXPECT_THAT(WhyNot(Plan(7)), HasSubstr("no state of a duel"));
  EXPECT_FALSE(DiceInState(path_).ok());
  EXPECT_EQ(File(), "my thesis\n");
}

TEST_F(DuelStateTest, IsWrittenByOneDuelAtATime) {
  const auto state = DuelState::Open(path_, Plan(7)).value();
  EXPECT_THAT(WhyNot(Plan(7)), HasSubstr("another duel"));
}

TEST_F(DuelStateTest, KeepsBytesThatAreNoText) {
  DuelMatch match = Match(4);
  match.replay_path = "M\xfcller/m.rpl";
  ASSERT_TRUE(DuelState::Open(path_, PlanOfBytes()).value()->Add(match).ok());
  const std::vector<DuelMatch> matches =
      DuelState::Open(path_, PlanOfBytes()).value()->TakeMatches();
  ASSERT_THAT(matches, SizeIs(1));
  EXPECT_EQ(matches[0].replay_path, "M\xfcller/m.rpl");
  DuelPlan other = PlanOfBytes();
  other.bots[0].command = "./M\xe4ller";
  EXPECT_THAT(WhyNot(other), HasSubstr("M\\\\xe4ller"));
}

}  // namespace
}  // namespace referee::ctl

// Tests of games that are paused on a host.
#include "referee/host/paused_games.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>

#include "tests/support/temp_folder.h"
#include "tests/unit/host/host_fixture.h"

namespace referee::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

class PausedGamesTest : public ::testing::Test {
 protected:
  PausedGamesTest() { Open(); }

  void Open() {
    paused_ = host::PausedGames::Open(folder_.Path("paused"), hall_.host.get()).value();
  }
  std::string Game() { return std::string(hall_.Request({"ada", "bob"}).game->name()); }
  host::HostView Look(const std::string& game) {
    host::HostQuestion question;
    question.game = game;
    return hall_.host->Look(question);
  }

  const TempFolder folder_;
  HostFixture hall_;
  std::unique_ptr<host::PausedGames> paused_;
};

TEST_F(PausedGamesTest, BeginNoMatchAndMakeNoneUntilTheyAreResumed) {
  hall_.Come("ada", 2);
  const MatchId waiting = hall_.Create({"ada", "bob"});
  ASSERT_TRUE(paused_->Pause(Game(), "a rule is wrong").ok());
  hall_.Come("bob", 2);
  EXPECT_FALSE(hall_.host->Find(waiting)->begun());
  const absl::Status refused = hall_.host->Create(hall_.Request({"ada", "bob"}), "").status();
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("a rule is wrong"));
  ASSERT_TRUE(paused_->Resume(Game()).ok());
  EXPECT_TRUE(hall_.host->Find(waiting)->begun());
  EXPECT_TRUE(hall_.host->Create(hall_.Request({"ada", "bob"}), "").ok());
}

TEST_F(PausedGamesTest, LetMatchesGoOnThatHaveBegun) {
  const HostFixture::Guest ada = hall_.Come("ada");
  const HostFixture::Guest bob = hall_.Come("bob");
  const MatchId id = hall_.Create({"ada", "bob"}, /*target=*/1);
  ASSERT_TRUE(paused_->Pause(Game(), "a rule is wrong").ok());
  hall_.Ready(id, ada);
  hall_.Ready(id, bob);
  hall_.Reply(id, ada, 1);
  EXPECT_TRUE(hall_.host->Find(id)->over());
}

TEST_F(PausedGamesTest, LeaveOtherGamesAlone) {
  ASSERT_TRUE(paused_->Pause("chess", "nobody plays it").ok());
  hall_.Come("ada");
  hall_.Come("bob");
  EXPECT_TRUE(hall_.host->Find(hall_.Create({"ada", "bob"}))->begun());
  EXPECT_EQ(Look(Game()).held_back, "");
  EXPECT_THAT(Look("chess").held_back, HasSubstr("nobody plays it"));
}

TEST_F(PausedGamesTest, StayPausedAfterARestart) {
  ASSERT_TRUE(paused_->Pause(Game(), "a rule is wrong").ok());
  ASSERT_TRUE(paused_->Pause("chess", "no").ok());
  ASSERT_TRUE(paused_->Resume("chess").ok());
  paused_ = nullptr;
  hall_.host->HoldBackGame(Game(), "");
  Open();
  EXPECT_THAT(paused_->List(), ElementsAre(Pair(Game(), "a rule is wrong")));
  EXPECT_THAT(Look(Game()).held_back, HasSubstr("a rule is wrong"));
}

TEST_F(PausedGamesTest, ResumeOfOneThatIsNotPausedSaysSo) {
  EXPECT_TRUE(absl::IsNotFound(paused_->Resume("chess")));
  EXPECT_THAT(paused_->List(), IsEmpty());
}

TEST_F(PausedGamesTest, FileThatIsNoListIsNamedWithWhatToDo) {
  std::ofstream(folder_.Path("paused")) << "chess\n";
  const absl::Status bad =
      host::PausedGames::Open(folder_.Path("paused"), hall_.host.get()).status();
  EXPECT_TRUE(absl::IsInvalidArgument(bad));
  EXPECT_THAT(std::string(bad.message()), HasSubstr("remove it, and none is paused"));
}

}  // namespace
}  // namespace referee::testing

// kill -9 of refereed at every write to the log: the match that was running ends as it would have
// ended, once.

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/end_to_end/open_matches.h"
#include "tests/end_to_end/recovery.h"

namespace referee::end_to_end {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const Game kGame = {"alice", "bob", 5};

class KilledAtAWrite : public Recovery {
 protected:
  void SetUp() override {
    StartBot("alice");
    StartBot("bob");
    LaunchReferee("quiet");
    ASSERT_TRUE(AwaitReady());
    ASSERT_TRUE(Create(kGame, "").ok());
    AwaitEnd("quiet");
    KillReferee();
    expected_ = OnlyTranscript("quiet");
    ASSERT_THAT(expected_, HasSubstr("\nend TURN_LIMIT\n"));
  }

  // Waits until the match is archived and the log is rid of it. Returns false when the referee ends
  // before that.
  bool AwaitEnd(const std::string& data) {
    bool archived = false;
    EXPECT_TRUE(Eventually([&] {
      archived =
          !Archived(data).empty() && OpenMatches(absl::StrCat(sandbox_.path(), "/", data)).empty();
      return archived || RefereeHasEnded();
    })) << sandbox_.Written(referee()).err;
    return archived;
  }

  // Asks for the match until a referee lives to say that it is made; those after the first have no
  // fault. Returns whether the first died.
  bool CreateWhateverHappens(const std::string& data) {
    if (AwaitReady() && Create(kGame, "the match").ok()) return false;
    AwaitKilled();
    LaunchReferee(data);
    EXPECT_TRUE(AwaitReady());
    EXPECT_TRUE(Create(kGame, "the match").ok());
    return true;
  }

  // Plays the match with a referee that dies at the fault and is started again. Returns whether
  // there was such a write.
  bool PlayWithFault(const std::string& fault, const std::string& data) {
    LaunchReferee(data, {"--fault-point=" + fault});
    bool died = CreateWhateverHappens(data);
    if (!AwaitEnd(data)) {
      died = true;
      AwaitKilled();
      LaunchReferee(data);
      EXPECT_TRUE(AwaitReady());
      EXPECT_TRUE(AwaitEnd(data));
    }
    KillReferee();
    EXPECT_EQ(OnlyTranscript(data), expected_) << fault;
    ExpectAllVerify(data);
    EXPECT_THAT(sandbox_.Files(data + "/quarantine", ".reason"), IsEmpty());
    return died;
  }

  std::string OnlyTranscript(const std::string& data) {
    const std::vector<std::string> replays = Archived(data);
    EXPECT_THAT(replays, SizeIs(1));
    return replays.size() == 1 ? TranscriptOf(replays[0]) : "";
  }

  // Kills at each write in turn; `how` follows its number.
  void KillAtEachWrite(const std::string& how) {
    int write = 1;
    while (!HasFailure()) {
      const std::string fault = absl::StrCat("log-write:", write, how);
      if (!PlayWithFault(fault, absl::StrCat("data", write))) break;
      ++write;
    }
    // The opening, the start, ten turns, the last of them with the end; that it is sealed.
    EXPECT_GT(write, 12);
  }

  std::string expected_;
};

TEST_F(KilledAtAWrite, BeforeIt) { KillAtEachWrite(""); }

TEST_F(KilledAtAWrite, AfterAFewBytesOfIt) { KillAtEachWrite(":7"); }

TEST_F(KilledAtAWrite, AfterAllOfIt) { KillAtEachWrite(":1000000"); }

TEST_F(KilledAtAWrite, AgainAndAgainInOneMatch) {
  // A resumed match writes that it was; then, if the write is whole, a turn.
  const std::string fault = "--fault-point=log-write:2:1000000";
  LaunchReferee("data", {fault});
  int deaths = 0;
  // It may die before it has said that the match is made.
  while (!HasFailure() && !(AwaitReady() && Create(kGame, "the match").ok())) {
    AwaitKilled();
    ++deaths;
    LaunchReferee("data", {fault});
  }
  while (!HasFailure() && !AwaitEnd("data")) {
    AwaitKilled();
    ++deaths;
    LaunchReferee("data", {fault});
  }
  KillReferee();
  EXPECT_GT(deaths, 9);
  EXPECT_EQ(OnlyTranscript("data"), expected_);
  ExpectAllVerify("data");
}

}  // namespace
}  // namespace referee::end_to_end

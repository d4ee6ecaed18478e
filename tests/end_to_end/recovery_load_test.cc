// kill -9 of refereed at random moments under load: of all that it said it had made, nothing is
// lost, nothing doubled, nothing different.
//
// REFEREE_RECOVERY_SEED in the environment repeats the moments of a run; the threads of the
// programs see to it that nothing else is the same.

#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "tests/end_to_end/open_matches.h"
#include "tests/end_to_end/recovery.h"

namespace referee::end_to_end {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kKills = 200;
// The longest life, on a quick machine; on a busy one, so many times as long as a start takes.
constexpr absl::Duration kLongestLife = absl::Milliseconds(250);
constexpr int kStartsInLife = 2;
constexpr size_t kMostOpen = 16;
// Calls are repeated to the end, so no match may be forgotten before. Each life has its share.
constexpr size_t kMostMatches = limits::kMaxRememberedMatches - 50;
constexpr int kNumbers = 4;

uint64_t Seed() {
  const char* given = std::getenv("REFEREE_RECOVERY_SEED");
  return given != nullptr ? std::stoull(given) : std::random_device()();
}

class KilledUnderLoad : public Recovery {
 protected:
  struct Asked {
    Game game;
    std::string id;  // empty: the referee did not live to say so
  };

  void SetUp() override {
    for (const char* name : {"alice", "bob", "carol", "dave"}) StartBot(name);
    for (int number = 1; number <= kNumbers; ++number) {
      for (const auto& [first, second] :
           {std::pair("alice", "bob"), std::pair("carol", "dave"), std::pair("bob", "carol")}) {
        games_.push_back({first, second, static_cast<uint64_t>(number)});
      }
    }
    LearnTranscripts();
  }

  // Plays each game once without trouble.
  void LearnTranscripts() {
    const absl::Time launched = absl::Now();
    LaunchReferee("quiet");
    ASSERT_TRUE(AwaitReady());
    longest_life_ = std::max(kLongestLife, kStartsInLife * (absl::Now() - launched));
    std::map<std::string, Game> made;
    for (const Game& game : games_) {
      const absl::StatusOr<std::string> id = Create(game, "");
      ASSERT_TRUE(id.ok()) << id.status();
      made[*id] = game;
    }
    ASSERT_TRUE(Eventually([&] { return Archived("quiet").size() == made.size(); }));
    KillReferee();
    for (const std::string& replay : Archived("quiet")) {
      const std::string transcript = TranscriptOf(replay);
      ASSERT_THAT(transcript, HasSubstr("\nend TURN_LIMIT\n"));
      expected_[made.at(IdOf(replay))] = transcript;
    }
  }

  // Asks for a match that may have been asked for before. Returns false if there was no answer.
  bool Ask(const std::string& request_id, Asked* asked) {
    const absl::StatusOr<std::string> id = Create(asked->game, request_id);
    if (!id.ok()) return false;
    EXPECT_TRUE(asked->id.empty() || *id == asked->id) << request_id << " was made twice";
    asked->id = *id;
    return true;
  }

  // Asks for matches for as long as the referee lives. Now and then a call is repeated.
  void AskWhileItLives() {
    size_t open = all_.size() - Archived("data").size();
    for (; !RefereeHasEnded() && open < kMostOpen && all_.size() < lives_ * kMostMatches / kKills;
         ++open) {
      const std::string request_id = absl::StrCat("request ", all_.size());
      Asked& asked = all_[request_id];
      asked.game = games_[random_() % games_.size()];
      if (!Ask(request_id, &asked)) return;
      const auto before = std::next(all_.begin(), static_cast<int>(random_() % all_.size()));
      if (random_() % 4 == 0 && !Ask(before->first, &before->second)) return;
    }
  }

  void LiveOnce() {
    ++lives_;
    LaunchReferee("data");
    const absl::Duration life = longest_life_ * std::uniform_real_distribution<>()(random_);
    std::thread killer([life, pid = referee()] {
      absl::SleepFor(life);
      kill(pid, SIGKILL);
    });
    if (AwaitReady()) {
      AskWhileItLives();
    } else if (all_.empty()) {
      longest_life_ += longest_life_ / 4;  // on a busy machine a start takes longer
    }
    killer.join();
    AwaitKilled();
  }

  absl::Duration longest_life_;
  std::mt19937_64 random_;
  size_t lives_ = 0;
  std::vector<Game> games_;
  std::map<Game, std::string> expected_;  // transcripts
  std::map<std::string, Asked> all_;      // by request id
};

TEST_F(KilledUnderLoad, TwoHundredTimesLosesDoublesAndChangesNothing) {
  const uint64_t seed = Seed();
  std::cout << "REFEREE_RECOVERY_SEED=" << seed << std::endl;
  RecordProperty("seed", std::to_string(seed));
  random_.seed(seed);
  for (int i = 0; i < kKills && !HasFailure(); ++i) LiveOnce();

  LaunchReferee("data");
  ASSERT_TRUE(AwaitReady());
  std::map<std::string, Game> made;  // by match id
  for (auto& [request_id, asked] : all_) {
    ASSERT_TRUE(Ask(request_id, &asked));
    EXPECT_TRUE(made.emplace(asked.id, asked.game).second) << asked.id;
  }
  EXPECT_TRUE(Eventually([&] { return OpenMatches(sandbox_.path() + "/data").empty(); }));
  KillReferee();

  std::cout << made.size() << " matches" << std::endl;
  ASSERT_FALSE(made.empty()) << "no referee lived until it was asked for a match";
  for (const std::string& replay : Archived("data")) {
    const auto match = made.find(IdOf(replay));
    ASSERT_NE(match, made.end()) << replay << " was never asked for";
    EXPECT_EQ(TranscriptOf(replay), expected_.at(match->second)) << replay;
    made.erase(match);
  }
  EXPECT_THAT(made, IsEmpty());  // lost
  EXPECT_THAT(sandbox_.Files("data/quarantine", ".reason"), IsEmpty());
  ExpectAllVerify("data");
}

}  // namespace
}  // namespace referee::end_to_end

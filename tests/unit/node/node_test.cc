// Tests of a whole referee: what a start and a stop leave behind.
#include "referee/node/node.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "referee/base/mutex.h"
#include "referee/dice/dice.h"
#include "referee/games/catalogue.h"
#include "referee/replay/archive.h"
#include "referee/service/server.h"
#include "referee/store/sqlite_store.h"
#include "referee/store/store.h"
#include "tests/support/health.h"
#include "tests/support/temp_folder.h"

namespace referee::node {
namespace {

using ::referee::testing::HealthOf;
using ::referee::testing::kNotServing;
using ::referee::testing::kServing;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class NodeTest : public ::testing::Test {
 protected:
  NodeOptions Options() const {
    NodeOptions options;
    options.listen = "127.0.0.1:0";
    options.data_dir = folder_.Path("data");
    options.software = "node under test";
    return options;
  }

  static std::unique_ptr<Node> Started(NodeOptions options) {
    absl::StatusOr<std::unique_ptr<Node>> node = Node::Start(std::move(options));
    EXPECT_TRUE(node.ok()) << node.status();
    return node.ok() ? *std::move(node) : nullptr;
  }

  static host::MatchRequest RequestOfTwo() {
    host::MatchRequest request;
    request.game = games::Find("isaac").value().type->Create(2, {}).value();
    request.bots = {"ada", "bob"};
    return request;
  }

  // A match that waits for two bots that are not connected.
  static MatchId Waiting(Node& node) { return node.host().Create(RequestOfTwo(), "").value(); }

  const testing::TempFolder folder_{testing::TempFolderOn::kMemory};
};

TEST_F(NodeTest, TellsTheAddressThatClientsDial) {
  const std::unique_ptr<Node> node = Started(Options());
  EXPECT_TRUE(absl::StartsWith(node->address(), "127.0.0.1:"));
  EXPECT_FALSE(absl::EndsWith(node->address(), ":0"));
}

TEST_F(NodeTest, MakesNothingInTheDataDirectoryForAnAddressThatItRefuses) {
  NodeOptions options = Options();
  options.listen = "0.0.0.0:0";  // plain text, for everybody
  EXPECT_FALSE(Node::Start(std::move(options)).ok());
  EXPECT_FALSE(std::filesystem::exists(folder_.Path("data")));
}

TEST_F(NodeTest, IsAloneInItsDataDirectory) {
  const std::unique_ptr<Node> first = Started(Options());
  const absl::StatusOr<std::unique_ptr<Node>> second = Node::Start(Options());
  ASSERT_FALSE(second.ok());
  EXPECT_THAT(std::string(second.status().message()), HasSubstr(folder_.Path("data")));
}

TEST_F(NodeTest, SignsWithTheSameKeyAfterARestart) {
  const std::string key = Started(Options())->key_fingerprint();
  EXPECT_FALSE(key.empty());
  EXPECT_EQ(Started(Options())->key_fingerprint(), key);
}

TEST_F(NodeTest, LeavesOpenMatchesToTheNextWhenItIsDestroyed) {
  const MatchId match = Waiting(*Started(Options()));
  const std::unique_ptr<Node> next = Started(Options());
  const std::shared_ptr<host::MatchRunner> found = next->host().Find(match);
  ASSERT_NE(found, nullptr);
  EXPECT_FALSE(found->over());
}

TEST_F(NodeTest, OnACopyOfALiveDirectoryTakesOverNothing) {
  const std::unique_ptr<Node> original = Started(Options());
  const MatchId match = Waiting(*original);
  const std::string copy = folder_.Path("copy");
  std::filesystem::copy(folder_.Path("data"), copy, std::filesystem::copy_options::recursive);
  Mutex mutex;
  std::string logged;
  NodeOptions options = Options();
  options.data_dir = copy;
  options.log = [&](const log::Event& event) {
    const MutexLock lock(&mutex);
    if (event.name == "data_dir_copied") absl::StrAppend(&logged, event.message);
  };
  // The second start finds a directory that belongs to the first.
  for (int start = 0; start < 2; ++start) {
    const std::unique_ptr<Node> other = Started(options);
    EXPECT_EQ(other->host().Find(match), nullptr);
    EXPECT_TRUE(absl::IsNotFound(replay::Archive(copy).Read(match).status()))
        << "its seed is there";
    const MutexLock lock(&mutex);
    if (start == 0) {
      EXPECT_THAT(logged,
                  AllOf(HasSubstr(copy), HasSubstr("void here: 1"), HasSubstr(copy + "/copied/1")));
    } else {
      EXPECT_EQ(logged, "");
    }
    logged.clear();
  }
  EXPECT_FALSE(original->host().Find(match)->over());
}

TEST_F(NodeTest, OnACopyWithoutTheLogTakesOverNothing) {
  Started(Options());
  std::filesystem::remove_all(folder_.Path("data/log"));
  Mutex mutex;
  bool known = false;
  NodeOptions options = Options();
  options.log = [&](const log::Event& event) {
    const MutexLock lock(&mutex);
    known = known || event.name == "data_dir_copied";
  };
  Started(std::move(options));
  const MutexLock lock(&mutex);
  EXPECT_TRUE(known);
}

TEST_F(NodeTest, OnACopyPlaysPinnedCompetitionsWithOtherDiceThanTheOriginal) {
  Started(Options());
  store::Competition cup;
  cup.id = store::CompetitionId("cup");
  cup.spec.name = "cup";
  cup.spec.format = schedule::Format::kLadder;
  cup.spec.pinned = true;
  cup.dice_seed = dice::PinnedSeed(7);
  const auto lives = [&](const std::string& folder) {
    const auto store = store::OpenSqliteStore(folder_.Path(folder + "/store.db"), {}).value();
    return store->GetCompetition(cup.id)->dice_lives.size();
  };
  ASSERT_TRUE(store::OpenSqliteStore(folder_.Path("data/store.db"), {})
                  .value()
                  ->CreateCompetition(cup, absl::nullopt)
                  .ok());
  std::filesystem::copy(folder_.Path("data"), folder_.Path("copy"),
                        std::filesystem::copy_options::recursive);
  NodeOptions options = Options();
  options.data_dir = folder_.Path("copy");
  for (int start = 0; start < 2; ++start) {
    Started(Options());
    Started(options);
    EXPECT_EQ(lives("data"), 0u);
    EXPECT_EQ(lives("copy"), 1u);
  }
}

TEST_F(NodeTest, OnADirectoryThatWasRenamedGoesOn) {
  const MatchId match = Waiting(*Started(Options()));
  std::filesystem::rename(folder_.Path("data"), folder_.Path("renamed"));
  NodeOptions options = Options();
  options.data_dir = folder_.Path("renamed");
  EXPECT_NE(Started(std::move(options))->host().Find(match), nullptr);
}

TEST_F(NodeTest, ThatCannotListenLeavesMatchesToTheNext) {
  const MatchId match = Waiting(*Started(Options()));
  const std::unique_ptr<Node> other = [&] {
    NodeOptions options = Options();
    options.data_dir = folder_.Path("other");
    return Started(std::move(options));
  }();
  NodeOptions taken = Options();
  taken.listen = other->address();
  EXPECT_TRUE(absl::IsUnavailable(Node::Start(std::move(taken)).status()));
  EXPECT_NE(Started(Options())->host().Find(match), nullptr);
}

TEST_F(NodeTest, EndsWhatIsLeftAsVoidWhenItsBotsEndWithIt) {
  const MatchId match = Waiting(*Started(Options()));
  NodeOptions options = Options();
  options.void_what_is_left = "the duel was killed";
  EXPECT_THAT(Started(std::move(options))->host().List(MatchId(), 10), IsEmpty());
  // The one after it knows how the match ended.
  const std::unique_ptr<Node> next = Started(Options());
  const std::shared_ptr<host::MatchRunner> found = next->host().Find(match);
  EXPECT_TRUE(found == nullptr || found->over());
}

TEST_F(NodeTest, CancelsOpenMatchesWhenItStopsForGood) {
  const std::unique_ptr<Node> node = Started(Options());
  const std::shared_ptr<host::MatchRunner> match = node->host().Find(Waiting(*node));
  node->Stop(absl::ZeroDuration(), host::Host::Rest::kVoid);
  EXPECT_TRUE(match->over());
  node->Stop(absl::ZeroDuration(), host::Host::Rest::kVoid);  // does nothing
}

TEST_F(NodeTest, WithCredentialsKeepsNoStore) {
  NodeOptions options = Options();
  options.credentials.emplace();
  const std::unique_ptr<Node> node = Started(std::move(options));
  EXPECT_EQ(node->store(), nullptr);
  EXPECT_FALSE(std::filesystem::exists(folder_.Path("data/store.db")));
}

TEST_F(NodeTest, BelowTheMarkOfFreeRoomNoMatchBeginsAndItsHealthSaysSo) {
  const MatchId left = Waiting(*Started(Options()));
  NodeOptions options = Options();
  options.min_free = std::numeric_limits<uint64_t>::max();
  Mutex mutex;
  std::vector<std::string> lines;
  // The threads of the node log too; they end before what they write to.
  options.log = [&](const log::Event& event) {
    const MutexLock lock(&mutex);
    lines.push_back(event.message);
  };
  const std::unique_ptr<Node> node = Started(std::move(options));
  {
    const MutexLock lock(&mutex);
    EXPECT_THAT(lines, Contains(HasSubstr("disk: no match begins")));
  }
  const absl::Status refused = node->host().Create(RequestOfTwo(), "").status();
  EXPECT_TRUE(absl::IsResourceExhausted(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("--min-free"));
  EXPECT_FALSE(node->host().Find(left)->over()) << "what was left waits on";
  EXPECT_THAT(node->WhyNotReady(), HasSubstr("no match begins"));
  for (const char* none : {"", service::kMatchesService, "referee.v1.BotService"}) {
    EXPECT_EQ(HealthOf(node->address(), none), kNotServing) << none;
  }
  EXPECT_EQ(HealthOf(node->address(), "referee.v1.ReplayService"), kServing);
}

TEST_F(NodeTest, WithoutAMarkOrADataDirectoryMatchesBegin) {
  const std::unique_ptr<Node> unmarked = Started(Options());
  Waiting(*unmarked);
  EXPECT_EQ(unmarked->WhyNotReady(), "");
  for (const char* all :
       {"", service::kMatchesService, "referee.v1.BotService", "referee.v1.MatchService",
        "referee.v1.ReplayService", "referee.v1.AdminService", "referee.v1.CompetitionService"}) {
    EXPECT_EQ(HealthOf(unmarked->address(), all), kServing) << all;
  }
  NodeOptions options = Options();
  options.min_free = std::numeric_limits<uint64_t>::max();
  options.data_dir.clear();
  options.credentials.emplace();
  const std::unique_ptr<Node> homeless = Started(std::move(options));
  EXPECT_EQ(homeless->host().Look({}).held_back, "");
}

}  // namespace
}  // namespace referee::node

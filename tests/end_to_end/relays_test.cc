// Two referees on one store that pass on the matches of their bots to each other: bots are
// connected to one of them, and play in what the other owns.

#include <signal.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "referee/competition/competitions.h"
#include "referee/competition/homes.h"
#include "referee/node/node.h"
#include "referee/postgres/postgres.h"
#include "referee/replay/archive.h"
#include "referee/replay/verifier.h"
#include "referee/schedule/spec.h"
#include "referee/store/postgres_store.h"
#include "tests/end_to_end/program.h"
#include "tests/support/accounts.h"
#include "tests/support/postgres_test.h"

namespace referee::end_to_end {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

class Relays : public SandboxTest {
 protected:
  // Where the referees are in nodes_.
  static constexpr size_t kEntry = 0;
  static constexpr size_t kOwner = 1;

  void SetUp() override {
    REFEREE_NEED_POSTGRES();
    const auto& cluster = **testing::PostgresCluster::Get();
    const std::string name = absl::StrCat(
        "relays_",
        absl::AsciiStrToLower(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    auto db = postgres::Connection::Open(cluster.conninfo(), {}).value();
    ASSERT_EQ(db->RunScript(absl::StrCat("CREATE DATABASE ", name)), absl::OkStatus());
    url_ = cluster.url(name);
    ASSERT_TRUE(store::MigratePostgresStore(url_, {}).ok());
    for (const size_t at : {kEntry, kOwner}) {
      auto node = node::Node::Start(OptionsOf(at));
      ASSERT_TRUE(node.ok()) << node.status();
      nodes_[at] = *std::move(node);
    }
  }
  void TearDown() override {
    for (const pid_t bot : bots_) {
      kill(bot, SIGTERM);
      sandbox_.Await(bot);
    }
    for (std::unique_ptr<node::Node>& node : nodes_) node = nullptr;
  }

  std::string DataOf(size_t at) const { return Path(absl::StrCat("data-", at)); }
  node::NodeOptions OptionsOf(size_t at) const {
    node::NodeOptions options;
    options.listen = absl::StrCat("unix:", Path(absl::StrCat("socket-", at)));
    options.data_dir = DataOf(at);
    options.store = url_;
    options.software = "referee under test";
    options.lease = limits::kMinBlockLease;
    return options;
  }

  // Starts a bot of this name that dials a referee, and knows no other.
  void StartBot(const std::string& name, size_t at) {
    const std::string token = name + "-token";
    testing::AddAccount(nodes_[at]->store(), name, token);
    bots_.push_back(sandbox_.Start(
        {"bots/random"}, {{"REFEREE_ADDRESS", nodes_[at]->address()}, {"REFEREE_TOKEN", token}}));
  }
  // The name that a referee has in the store; empty: it has not said where it is yet.
  std::string NameOf(size_t at) {
    const auto daemons = nodes_[at]->store()->ListDaemons();
    if (!daemons.ok()) return "";
    for (const store::Daemon& daemon : *daemons) {
      if (daemon.address == nodes_[at]->address()) return daemon.owner;
    }
    return "";
  }
  // A name of a competition that the referee is the first to take.
  std::string NameForOwner(size_t at) {
    std::vector<std::string> owners;
    EXPECT_TRUE(Eventually([&] {
      owners = {NameOf(kEntry), NameOf(kOwner)};
      return !owners[0].empty() && !owners[1].empty();
    }));
    for (int i = 0;; ++i) {
      std::string name = absl::StrCat("cup-", i);
      if (competition::HomeOrder(name, owners).front() == owners[at]) return name;
    }
  }
  // Has a referee play a round robin of these bots.
  store::Competition Begin(size_t at, std::vector<std::string> bots, int rounds) {
    competition::Competitions& competitions = *nodes_[at]->competitions();
    schedule::Spec spec;
    spec.name = NameForOwner(at);
    spec.format = schedule::Format::kRoundRobin;
    spec.game = "hypnosia";
    spec.options = {{"turn_limit", "10"}};
    spec.time_control = "60s,ready=60s";  // nobody is late because this machine is
    spec.entrants = std::move(bots);
    spec.rounds = rounds;
    const auto made = competitions.Create(spec, "", "olga");
    EXPECT_TRUE(made.ok()) << made.status();
    if (!made.ok()) return {};
    EXPECT_TRUE(competitions.Start(spec.name, "olga").ok());
    return made->competition;
  }
  int64_t Counted(size_t at, const store::Competition& competition) {
    const auto now = nodes_[at]->store()->FindCompetition(competition.spec.name);
    return now.ok() ? now->counted : 0;
  }
  // Returns its blocks once it is at its end.
  std::vector<store::Block> AwaitEnd(size_t at, const store::Competition& competition) {
    store::Store& store = *nodes_[at]->store();
    EXPECT_TRUE(Eventually(
        [&] {
          const auto now = store.FindCompetition(competition.spec.name);
          return now.ok() && now->state == store::CompetitionState::kFinished;
        },
        absl::Milliseconds(50)));
    const auto blocks = store.ListBlocks(competition.id, 0, 1000, absl::nullopt);
    EXPECT_TRUE(blocks.ok()) << blocks.status();
    return blocks.ok() ? *blocks : std::vector<store::Block>();
  }
  std::vector<store::Block> Play(size_t at, std::vector<std::string> bots) {
    return AwaitEnd(at, Begin(at, std::move(bots), /*rounds=*/2));
  }
  // All blocks were played, by nobody's fault, and their replays are true.
  void ExpectPlayed(const std::vector<store::Block>& blocks, size_t at) {
    const replay::Archive archive(DataOf(at));
    for (const store::Block& block : blocks) {
      EXPECT_EQ(block.state, store::BlockState::kPlayed) << block.number << ": " << block.reason;
      EXPECT_EQ(block.attempt, 0);
      EXPECT_THAT(block.forfeited_by, IsEmpty());
      EXPECT_THAT(block.matches, Not(IsEmpty()));
      for (const store::BlockMatch& match : block.matches) {
        EXPECT_THAT(match.verdict.forfeits, IsEmpty());
        const auto replay = archive.Read(match.id);
        ASSERT_TRUE(replay.ok()) << replay.status();
        const replay::Verification verified = replay::Verify(*replay);
        EXPECT_TRUE(verified.ok) << match.id.text() << ": " << verified.problem;
      }
    }
  }

  std::string url_;
  std::array<std::unique_ptr<node::Node>, 2> nodes_;
  std::vector<pid_t> bots_;
};

TEST_F(Relays, BotsOfOneRefereePlayInACompetitionOfTheOther) {
  for (const char* bot : {"ada", "bob", "cy"}) StartBot(bot, kEntry);
  const std::vector<store::Block> blocks = Play(kOwner, {"ada", "bob", "cy"});
  EXPECT_EQ(blocks.size(), 6u);
  ExpectPlayed(blocks, kOwner);
  const replay::Archive of_entry(DataOf(kEntry));
  for (const store::Block& block : blocks) {
    for (const store::BlockMatch& match : block.matches) {
      EXPECT_TRUE(absl::IsNotFound(of_entry.Read(match.id).status()));
    }
  }
}

TEST_F(Relays, BotsOfBothPlayEachOther) {
  StartBot("ada", kEntry);
  StartBot("bob", kOwner);
  for (const size_t at : {kOwner, kEntry}) {
    const std::vector<store::Block> blocks = Play(at, {"ada", "bob"});
    EXPECT_EQ(blocks.size(), 2u);
    ExpectPlayed(blocks, at);
  }
}

TEST_F(Relays, BotThatMovesToTheOtherRefereePlaysOn) {
  StartBot("ada", kEntry);
  StartBot("bob", kEntry);
  ExpectPlayed(Play(kOwner, {"ada", "bob"}), kOwner);
  // The same account, by a second connection: the first one ends.
  bots_.push_back(sandbox_.Start({"bots/random"}, {{"REFEREE_ADDRESS", nodes_[kOwner]->address()},
                                                   {"REFEREE_TOKEN", "ada-token"}}));
  EXPECT_TRUE(Eventually([this] { return HasEnded(bots_[0]); }));
  ExpectPlayed(Play(kEntry, {"ada", "bob"}), kEntry);
}

TEST_F(Relays, BotsOfARefereeThatDrainsPlayOnThroughTheOther) {
  for (const char* bot : {"ada", "bob"}) StartBot(bot, kEntry);
  const store::Competition cup = Begin(kOwner, {"ada", "bob"}, /*rounds=*/400);
  ASSERT_TRUE(Eventually([&] { return Counted(kOwner, cup) > 5; }));
  nodes_[kEntry]->Stop(absl::Seconds(20), host::Host::Rest::kLeft);
  const int64_t counted = Counted(kOwner, cup);
  EXPECT_LT(counted, 400) << "it was over before";
  const std::vector<store::Block> blocks = AwaitEnd(kOwner, cup);
  EXPECT_EQ(blocks.size(), 400u);
  ExpectPlayed(blocks, kOwner);
}

}  // namespace
}  // namespace referee::end_to_end

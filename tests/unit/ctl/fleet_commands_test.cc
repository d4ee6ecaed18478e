// Tests of refctl fleet with referees whose leases are valid, expired and ended.
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "referee/ctl/fleet/text.h"
#include "referee/store/sqlite_store.h"
#include "tests/unit/ctl/refctl_run.h"

namespace referee::ctl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::SizeIs;

constexpr absl::Duration kLong = absl::Hours(24);

absl::Time At(int second) { return absl::FromUnixSeconds(1'700'000'000 + second); }

store::LeaseHolder HolderOf(const std::string& owner, absl::optional<absl::Duration> remaining,
                            int64_t open_blocks) {
  store::LeaseHolder holder;
  holder.owner = owner;
  holder.remaining = remaining;
  if (remaining.has_value()) holder.term = 7;
  if (open_blocks == 0) return holder;
  holder.open_blocks = open_blocks;
  holder.competitions = 2;
  holder.oldest_begin_time = At(20);
  return holder;
}

TEST(FleetText, IsALineForEachRefereeAndOneWithTotals) {
  EXPECT_EQ(
      LeaseHoldersText({HolderOf("a", absl::Milliseconds(23'900), 12),
                        HolderOf("b", absl::Milliseconds(-12'900), 4),
                        HolderOf("c", absl::nullopt, 3), HolderOf("d", absl::ZeroDuration(), 0)},
                       Form::kTable),
      "referee  term  lease            open blocks  competitions  oldest since          address  "
      "home of\n"
      "a           7  23 s                      12             2  2023-11-14T22:13:40Z  -        "
      "-\n"
      "b           7  lapsed 12 s ago            4             2  2023-11-14T22:13:40Z  -        "
      "-\n"
      "c           -  none                       3             2  2023-11-14T22:13:40Z  -        "
      "-\n"
      "d           7  lapsed 0 s ago             0             0  -                     -        "
      "-\n"
      "referees with a lease: 1, open blocks: 19, of these to be claimed: 7\n");
}

TEST(FleetText, BlocksAreToBeClaimedUnlessALeaseLasts) {
  EXPECT_FALSE(IsToBeClaimed(HolderOf("a", absl::Microseconds(1), 1)));
  EXPECT_TRUE(IsToBeClaimed(HolderOf("a", absl::ZeroDuration(), 1)));
  EXPECT_TRUE(IsToBeClaimed(HolderOf("a", absl::nullopt, 1)));
  EXPECT_FALSE(IsToBeClaimed(HolderOf("a", absl::ZeroDuration(), 0)));
}

TEST(FleetText, OfANameThatIsNoneIsSafeOnATerminal) {
  EXPECT_THAT(LeaseHoldersText({HolderOf("\x1b[2J", absl::nullopt, 1)}, Form::kTable),
              Not(HasSubstr("\x1b")));
}

class FleetCommands : public RefctlTest {
 protected:
  FleetCommands() {
    store_ = store::OpenSqliteStore(folder_.Path("store.db"), {}).value();
    store::Competition ladder;
    ladder.id = store::CompetitionId("01HF7YAT000000000000000000");
    ladder.spec.name = "ladder";
    ladder.spec.format = schedule::Format::kLadder;
    ladder.spec.game = "isaac";
    ladder.spec.time_control = "500ms";
    ladder.spec.entrants = {"a", "b"};
    EXPECT_TRUE(store_->CreateCompetition(ladder, absl::nullopt).ok());
    ladder_ = store_
                  ->SetState(ladder.id, store::CompetitionState::kNew,
                             store::CompetitionState::kRunning, At(0), absl::nullopt)
                  .value();
  }

  // Becomes the home of the ladder, and begins blocks of these seconds.
  void Begin(const std::string& owner, const std::vector<int>& seconds) {
    const store::Lease lease{owner, store_->RenewLease(owner, kLong).value()};
    const bool moves = !home_.empty() && home_ != owner;
    if (moves) Lapse(home_);
    ASSERT_EQ(store_->TakeHomes(lease, {ladder_.id})->size(), 1u);
    if (moves) {
      ASSERT_TRUE(store_->RenewLease(home_, kLong).ok());
    }
    home_ = owner;
    for (const int second : seconds) {
      const store::BeginBlock begin{
          ladder_.id, ladder_.version, next_block_++, {{0, 1}}, At(second)};
      ASSERT_EQ(store_->Apply(lease, {begin}), absl::OkStatus());
    }
  }
  // Shortens the lease to one that has lapsed when somebody looks.
  void Lapse(const std::string& owner) {
    ASSERT_TRUE(store_->RenewLease(owner, absl::Microseconds(1)).ok());
  }

  Exit Run(std::vector<std::string> flags, const std::string& command = "show") {
    flags.insert(flags.begin(), {"fleet", command});
    return Refctl(flags);
  }
  Exit Show() { return Run({"--data-dir", folder_.path()}); }

  std::unique_ptr<store::Store> store_;
  store::Competition ladder_;
  int64_t next_block_ = 0;
  std::string home_;
};

TEST_F(FleetCommands, ShowOfAStoreThatNobodyPlaysInSaysSo) {
  EXPECT_EQ(Show(), Exit::kOk);
  EXPECT_EQ(out_, "no referee has a lease, and no block is open\n");
  EXPECT_EQ(Run({"--data-dir", folder_.path(), "--json"}), Exit::kOk);
  EXPECT_EQ(out_, "");
}

TEST_F(FleetCommands, ShowIsAllRightWhileEveryOpenBlockIsUnderALeaseThatLasts) {
  Begin("x", {30, 20});
  ASSERT_TRUE(store_->RenewLease("idle", kLong).ok());
  Lapse("idle");
  EXPECT_EQ(Show(), Exit::kOk) << err_;
  EXPECT_THAT(out_,
              HasSubstr("referees with a lease: 1, open blocks: 2, of these to be claimed: 0\n"));
  EXPECT_THAT(std::vector<std::string>(absl::StrSplit(out_, '\n'))[2],
              MatchesRegex("x +1 +[0-9]+ s +2 +1  2023-11-14T22:13:40Z  - +ladder"));
}

TEST_F(FleetCommands, ShowSaysWhatARefereeHelps) {
  const store::Lease x{"x", store_->RenewLease("x", kLong).value()};
  ASSERT_EQ(store_->OfferHelp(x, ladder_.id, {"", 2, {4, 4}}), absl::OkStatus());
  EXPECT_EQ(Show(), Exit::kOk) << err_;
  EXPECT_THAT(out_, HasSubstr("helps ladder\n"));
  EXPECT_EQ(Run({"--data-dir", folder_.path(), "--json"}), Exit::kOk) << err_;
  EXPECT_EQ(nlohmann::json::parse(out_)["helps"], nlohmann::json::parse(R"(["ladder"])"));
}

TEST_F(FleetCommands, ShowIsNegativeWhenBlocksAreOpenUnderALeaseThatLapsed) {
  Begin("x", {30});
  Begin("y", {40, 50});
  Lapse("y");
  EXPECT_EQ(Show(), Exit::kNegative);
  EXPECT_THAT(out_, AllOf(HasSubstr("lapsed "), HasSubstr("of these to be claimed: 2\n")));
  EXPECT_EQ(err_, "");
}

TEST_F(FleetCommands, ShowPrintsAnObjectForEachReferee) {
  Begin("x", {30, 20});
  Begin("y", {});
  EXPECT_EQ(Run({"--data-dir", folder_.path(), "--json"}), Exit::kOk) << err_;
  const std::vector<std::string> lines = absl::StrSplit(out_, '\n', absl::SkipEmpty());
  ASSERT_THAT(lines, SizeIs(2));
  nlohmann::json first = nlohmann::json::parse(lines[0]);
  EXPECT_GT(first["lease_remaining_ns"], 0);
  first.erase("lease_remaining_ns");
  EXPECT_EQ(first, nlohmann::json::parse(R"({"referee": "x", "term": 1, "open_blocks": 2,
      "competitions": 1, "oldest_begin_time": "2023-11-14T22:13:40+00:00", "draining": false,
      "unable": false, "address": null, "homes": [], "helps": []})"));
  EXPECT_EQ(nlohmann::json::parse(lines[1])["open_blocks"], 0);
  EXPECT_TRUE(nlohmann::json::parse(lines[1])["oldest_begin_time"].is_null());
  nlohmann::json unowned =
      nlohmann::json::parse(LeaseHoldersText({HolderOf("z", absl::nullopt, 1)}, Form::kJson));
  EXPECT_TRUE(unowned["term"].is_null());
  EXPECT_TRUE(unowned["lease_remaining_ns"].is_null());
}

TEST_F(FleetCommands, DrainAsksTheRefereeOfThatNameOrAddress) {
  Begin("x", {});
  const store::Lease lease{"x", store_->RenewLease("x", kLong).value()};
  ASSERT_EQ(store_->Announce(lease, "games1:7450", false), absl::OkStatus());
  ASSERT_TRUE(store_->RenewLease("y", kLong).ok());
  const auto drain = [&](const std::string& referee) {
    return Run({referee, "--data-dir", folder_.path()}, "drain");
  };
  EXPECT_NE(drain("games2:7450"), Exit::kOk);
  EXPECT_THAT(err_, AllOf(HasSubstr("games2:7450"), HasSubstr("refctl fleet show")));
  EXPECT_FALSE(store_->ListDaemons()->at(0).draining);
  EXPECT_EQ(drain("games1:7450"), Exit::kOk) << err_;
  EXPECT_TRUE(store_->ListDaemons()->at(0).draining);
  EXPECT_FALSE(store_->ListDaemons()->at(1).draining);
  EXPECT_EQ(store_->ListAudit(0, 1)->at(0).action, "fleet.drain");
  EXPECT_EQ(Show(), Exit::kOk);
  EXPECT_THAT(out_, AllOf(HasSubstr(" s, draining"), HasSubstr("games1:7450  ladder\n")));
  EXPECT_EQ(drain("y"), Exit::kOk) << err_;
  EXPECT_TRUE(store_->ListDaemons()->at(1).draining);
}

TEST_F(FleetCommands, DrainOfAnAddressThatSeveralHaveNamesNobody) {
  for (const char* owner : {"x", "y"}) {
    const store::Lease lease{owner, store_->RenewLease(owner, kLong).value()};
    ASSERT_EQ(store_->Announce(lease, "games:7450", false), absl::OkStatus());
  }
  EXPECT_EQ(Run({"games:7450", "--data-dir", folder_.path()}, "drain"), Exit::kUsage);
  EXPECT_FALSE(store_->ListDaemons()->at(0).draining);
}

TEST_F(FleetCommands, ShowNeedsAStoreThatIsThere) {
  EXPECT_EQ(Run({}), Exit::kUsage);
  EXPECT_THAT(err_, AllOf(HasSubstr("--store"), HasSubstr("--data-dir")));
  EXPECT_EQ(Run({"--data-dir", folder_.Path("none")}), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr(folder_.Path("none")));
  EXPECT_EQ(Run({"--data-dir", folder_.path(), "--store", "postgresql://h/d"}), Exit::kUsage);
  EXPECT_EQ(Run({"--store", "mysql://h/d"}), Exit::kUsage);
  EXPECT_THAT(err_, HasSubstr("--store: "));
}

}  // namespace
}  // namespace referee::ctl

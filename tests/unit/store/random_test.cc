// Tests of random operations on a durable store and on the model: both must agree.
//
// After each stretch the store is closed and reopened, and their contents are compared.

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tests/support/memory_store.h"
#include "tests/unit/store/harness.h"

namespace referee::store {
namespace {

constexpr int kBots = 5;
constexpr int kCompetitions = 2;
constexpr const char* kOwners[] = {"daemon-1", "daemon-2"};

// Draws one operation, and makes it on any store.
class Operation {
 public:
  // `terms` are those that the owners got last.
  Operation(std::mt19937* random, Store* model, std::map<std::string, int64_t>* terms)
      : random_(*random), terms_(*terms) {
    kind_ = Draw(26);
    bot_ = absl::StrCat("bot", Draw(kBots));
    token_ = static_cast<uint8_t>(Draw(6));
    second_ = Draw(100);
    owner_ = Draw(2);
    lease_.owner = kOwners[owner_];
    lease_.term = terms_[lease_.owner] - (Draw(16) == 0 ? 1 : 0);
    const absl::StatusOr<Competition> found =
        model->GetCompetition(CompetitionId(MatchIdOf(Draw(kCompetitions)).text()));
    if (found.ok()) competition_ = *found;
    state_ = static_cast<CompetitionState>(Draw(4));
    const int changes = 1 + Draw(3);
    for (int i = 0; i < changes; ++i) changes_.push_back(DrawChange());
  }

  absl::Status MakeOn(Store* store) const {
    switch (kind_) {
      case 0:
        return store->AddAccount(AccountOf(bot_, token_), AuditOf("add", bot_));
      case 1:
        return store->SetToken(bot_, Hash(token_), At(second_), absl::nullopt,
                               AuditOf("rotate", bot_));
      case 2:
        return store->SetDisabled(bot_, token_ % 2 == 0 ? "" : "why", AuditOf("disable", bot_));
      case 3:
        return store->RemoveAccount(bot_, AuditOf("remove", bot_));
      case 4: {
        const int number = token_ % kCompetitions;
        Competition made = LadderOf(number, absl::StrCat("cup ", number), {"bot0", "bot1"});
        made.request_id = absl::StrCat("r-", number);
        return store->CreateCompetition(made, absl::nullopt).status();
      }
      case 5:
        return store->Join(competition_.id, bot_, AuditOf("join", bot_)).status();
      case 6:
        return store
            ->TakeOut(competition_.id, bot_,
                      second_ % 2 == 0 ? Presence::kWithdrawn : Presence::kSetAside, "why",
                      absl::nullopt)
            .status();
      case 7:
        return store
            ->SetState(
                competition_.id, competition_.state,
                competition_.state == CompetitionState::kNew ? CompetitionState::kRunning : state_,
                At(second_), absl::nullopt)
            .status();
      case 8:
        return Renew(store);
      case 9:
        return store->ClaimExpired(lease_).status();
      case 10:
      case 11:
        return store->SetVersion(bot_, absl::StrCat("1.", token_ % 3), At(100 * second_),
                                 second_ % 2 == 0 ? VersionSource::kBot : VersionSource::kOrganiser,
                                 AuditOf("version", bot_));
      case 12:
        return store
            ->BeginSeason(competition_.id, absl::StrCat("r-", token_), At(second_), absl::nullopt)
            .status();
      case 13:
        return store->TakeOver(lease_, {kOwners[1 - owner_]}).status();
      case 14:
      case 15:
      case 16:
        return store->TakeHomes(lease_, {competition_.id}).status();
      case 17:
        return second_ % 4 == 0 ? store->AskToDrain(lease_.owner, AuditOf("drain", lease_.owner))
                                : store->Announce(lease_, bot_, second_ % 8 == 1);
      case 18:
        if (second_ % 4 == 0) {
          return store->BringBackByHome(lease_, competition_.id, bot_).status();
        }
        return store
            ->TakeOutByHome(lease_, competition_.id, bot_,
                            second_ % 2 == 0 ? Presence::kWithdrawn : Presence::kSetAside, "why",
                            Suspension{At(second_), absl::Minutes(1 + second_ % 3)})
            .status();
      default:
        return store->Apply(lease_, changes_);
    }
  }

 private:
  int Draw(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }

  absl::Status Renew(Store* store) const {
    const absl::StatusOr<int64_t> term =
        store->RenewLease(lease_.owner, absl::Seconds(1 + second_));
    if (term.ok()) terms_[lease_.owner] = *term;
    return term.status();
  }

  // Mostly one that fits what there is.
  Change DrawChange() {
    const int entrants = std::max<int>(2, static_cast<int>(competition_.spec.entrants.size()));
    const int64_t number =
        competition_.next_block > 0 ? Draw(static_cast<int>(competition_.next_block) + 1) : 0;
    switch (Draw(8)) {
      case 0:
        return NameMatches{competition_.id,
                           number,
                           Draw(2),
                           "block",
                           {MatchIdOf(second_), MatchIdOf(second_ + 1)}};
      case 1:
        return RetryBlock{competition_.id, number, Draw(2), FailureOf(competition_, number),
                          Draw(3) == 0 ? kOwners[1 - owner_] : ""};
      case 2: {
        DropBlock drop{competition_.id, number, Draw(2), At(second_)};
        if (Draw(2) == 0) drop.state = BlockState::kVoid;
        drop.reason = absl::StrCat("reason ", second_);
        if (Draw(2) == 0) drop.failed = FailureOf(competition_, number);
        return drop;
      }
      case 3:
      case 4: {
        FinishBlock finish = FinishOf(competition_, number);
        finish.attempt = Draw(2);
        return finish;
      }
      case 5: {
        CountBlocks count =
            CountOf(competition_, competition_.counted, competition_.counted + Draw(2));
        count.entrants = {{Draw(entrants), {}, Draw(4) == 0 ? "silent" : ""}};
        count.entrants[0].tally.half_points = second_;
        count.entrants[0].tally.conduct = {Draw(9), Draw(9), absl::Nanoseconds(Draw(9)), Draw(9),
                                           Draw(9)};
        count.pairs = {{0, 1, {1, 0, 2, 0, 0}, Draw(3)}};
        return count;
      }
      default: {
        const int first = Draw(entrants);
        BeginBlock begin = BeginOf(competition_, competition_.next_block + (Draw(8) == 0 ? 1 : 0),
                                   {first, (first + 1) % entrants});
        return begin;
      }
    }
  }

  std::mt19937& random_;
  std::map<std::string, int64_t>& terms_;
  int kind_ = 0;
  std::string bot_;
  uint8_t token_ = 0;
  int second_ = 0;
  int owner_ = 0;
  Lease lease_;
  Competition competition_;
  CompetitionState state_ = CompetitionState::kNew;
  std::vector<Change> changes_;
};

std::vector<Implementation> ThatLast() {
  std::vector<Implementation> all = AllImplementations();
  const auto goes = [](const Implementation& one) { return !one.lasts; };
  all.erase(std::remove_if(all.begin(), all.end(), goes), all.end());
  return all;
}

// Who has leases and open blocks, as text.
std::string DescribeHolders(Store* store) {
  std::string out;
  for (const LeaseHolder& holder : Value(store->ListLeaseHolders())) {
    absl::StrAppend(&out, holder.owner, " term ", holder.term, " ",
                    holder.remaining ? absl::FormatDuration(*holder.remaining) : "none", ", ",
                    holder.open_blocks, " open in ", holder.competitions, " since ",
                    holder.oldest_begin_time ? absl::FormatTime(*holder.oldest_begin_time) : "-",
                    ", at ", holder.address, holder.draining ? ", draining" : "",
                    holder.unable ? ", unable" : "", ", home of ",
                    absl::StrJoin(holder.homes, ", "), "\n");
  }
  return out;
}

class RandomOperations : public ::testing::TestWithParam<std::tuple<Implementation, unsigned>> {};

TEST_P(RandomOperations, LeaveTheStoreAsTheModelIs) {
  const auto& [implementation, seed] = GetParam();
  if (!implementation.missing.empty()) GTEST_SKIP() << implementation.missing;
  const testing::TempFolder folder;
  testing::SimulatedClock clock;
  std::unique_ptr<Store> store = implementation.open(folder.Path("store.db"), &clock);
  test::MemoryStore model(&clock);
  std::map<std::string, int64_t> terms;
  std::mt19937 random(seed);
  int made = 0;
  for (int stretch = 0; stretch < 20; ++stretch) {
    for (int i = 0; i < 50; ++i) {
      clock.Advance(absl::Milliseconds(300));
      const Operation operation(&random, &model, &terms);
      const absl::Status expected = operation.MakeOn(&model);
      const absl::Status status = operation.MakeOn(store.get());
      ASSERT_EQ(status.code(), expected.code()) << status << " where the model says " << expected;
      made += status.ok() ? 1 : 0;
    }
    ASSERT_EQ(Describe(store.get()), Describe(&model)) << "stretch " << stretch;
    ASSERT_EQ(DescribeHolders(store.get()), DescribeHolders(&model)) << "stretch " << stretch;
    store.reset();
    store = implementation.open(folder.Path("store.db"), &clock);
  }
  EXPECT_GT(made, 300);  // not only refusals
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomOperations,
                         ::testing::Combine(::testing::ValuesIn(ThatLast()),
                                            ::testing::Range(1u, 6u)),
                         [](const ::testing::TestParamInfo<RandomOperations::ParamType>& info) {
                           return absl::StrCat(std::get<0>(info.param).name,
                                               std::get<1>(info.param));
                         });

}  // namespace
}  // namespace referee::store

// Tests of properties of every finite format, however blocks end and bots come and go.
#include "referee/schedule/schedule.h"

#include <algorithm>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/unit/schedule/tournament.h"

namespace referee::schedule {
namespace {

struct Case {
  Format format;
  int entrants;
  int seats;
  int rounds;
  int best_of;
};

std::string NameOf(const testing::TestParamInfo<Case>& info) {
  std::string name =
      absl::StrCat(FormatName(info.param.format), info.param.entrants, "x", info.param.seats);
  name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
  return name;
}

class EachFormat : public testing::TestWithParam<Case> {
 protected:
  static Spec TheSpec() {
    Spec spec = SpecOf(GetParam().format, GetParam().entrants, GetParam().seats);
    spec.rounds = GetParam().rounds;
    spec.best_of = GetParam().best_of;
    return spec;
  }
};

TEST_P(EachFormat, EndsAndHasPlayedWhatItSaidWhenAllAreThere) {
  const Spec spec = TheSpec();
  ASSERT_EQ(Validate(spec), absl::OkStatus());
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Tournament tournament(spec, seed);
    ASSERT_TRUE(tournament.PlayToTheEnd(0, 20'000)) << "seed " << seed;
    EXPECT_EQ(tournament.schedule().blocks_left(), 0);
    EXPECT_TRUE(tournament.running().empty());
    if (spec.format != Format::kKnockout) {
      EXPECT_EQ(static_cast<int64_t>(tournament.blocks().size()), PlannedBlocks(spec));
    }
    int blocks = 0;
    for (const ScoreLine& line : tournament.schedule().Scores()) blocks += line.blocks;
    EXPECT_EQ(blocks, static_cast<int>(tournament.blocks().size()) * spec.seats);
  }
}

TEST_P(EachFormat, EndsWhoeverIsAbsentForAWhileOrLeaves) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Tournament tournament(TheSpec(), seed);
    tournament.absent_one_in = 2 + static_cast<int>(seed % 5);
    tournament.leave_one_in = seed % 2 == 0 ? 0 : 40;
    tournament.at_once = 1 + static_cast<int>(seed % 3) / 2;
    tournament.max_running = 1 + static_cast<int>(seed % 7);
    ASSERT_TRUE(tournament.PlayToTheEnd(300, 20'000)) << "seed " << seed;
    EXPECT_EQ(tournament.schedule().blocks_left(), 0) << "seed " << seed;
    for (size_t bot = 0; bot < tournament.begun().size(); ++bot) {
      EXPECT_FALSE(tournament.schedule().needs(static_cast<int>(bot)));
    }
  }
}

TEST_P(EachFormat, GoesOnAsTheLostOneWouldHaveWhenMadeAgain) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Tournament tournament(TheSpec(), seed);
    tournament.absent_one_in = 5;
    tournament.leave_one_in = 30;
    const int lost_after = static_cast<int>(seed % 50);
    for (int i = 0; i < lost_after; ++i) tournament.Step();
    tournament.MakeAgain();
    ASSERT_TRUE(tournament.PlayToTheEnd(200, 20'000)) << "seed " << seed;
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

TEST_P(EachFormat, GivesNothingToThoseThatLeft) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Tournament tournament(TheSpec(), seed);
    for (int i = 0; i < static_cast<int>(seed); ++i) tournament.Step();
    tournament.Withdraw(1);
    tournament.Withdraw(1);
    const int begun = tournament.begun()[1];
    ASSERT_TRUE(tournament.PlayToTheEnd(0, 20'000)) << "seed " << seed;
    EXPECT_EQ(tournament.begun()[1], begun);
    for (const ScoreLine& line : tournament.schedule().Scores()) {
      if (line.bot == 1) {
        EXPECT_EQ(line.remark, "withdrawn");
      }
    }
  }
}

TEST_P(EachFormat, TakesNobodyLater) {
  const auto schedule = Schedule::Make(TheSpec());
  EXPECT_EQ(schedule->Join().code(), absl::StatusCode::kFailedPrecondition);
  schedule->Withdraw(1);
  EXPECT_EQ(schedule->Rejoin(1).code(), absl::StatusCode::kFailedPrecondition);
}

INSTANTIATE_TEST_SUITE_P(
    All, EachFormat,
    testing::Values(Case{Format::kRoundRobin, 2, 2, 3, 0}, Case{Format::kRoundRobin, 3, 2, 2, 0},
                    Case{Format::kRoundRobin, 7, 2, 1, 0}, Case{Format::kRoundRobin, 8, 2, 2, 0},
                    Case{Format::kRoundRobin, 9, 2, 1, 0}, Case{Format::kRoundRobin, 7, 3, 1, 0},
                    Case{Format::kRoundRobin, 8, 6, 2, 0}, Case{Format::kRoundRobin, 6, 6, 2, 0},
                    Case{Format::kGauntlet, 2, 2, 3, 0}, Case{Format::kGauntlet, 8, 2, 2, 0},
                    Case{Format::kGauntlet, 8, 3, 1, 0}, Case{Format::kGauntlet, 9, 4, 2, 0},
                    Case{Format::kSwiss, 2, 2, 0, 0}, Case{Format::kSwiss, 7, 2, 0, 0},
                    Case{Format::kSwiss, 8, 2, 5, 0}, Case{Format::kSwiss, 9, 2, 5, 0},
                    Case{Format::kKnockout, 2, 2, 0, 3}, Case{Format::kKnockout, 7, 2, 0, 1},
                    Case{Format::kKnockout, 8, 2, 0, 3}, Case{Format::kKnockout, 9, 2, 0, 5}),
    NameOf);

}  // namespace
}  // namespace referee::schedule

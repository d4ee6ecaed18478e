// Tests of the simulation itself: it repeats exactly, and its faults happen.
#include <array>
#include <cstdio>
#include <set>
#include <sstream>
#include <string>

#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/simulation/trial.h"

namespace referee::simulation {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint64_t kSomeSeeds = 20;

std::string OutputOf(const std::string& command) {
  std::string output;
  FILE* const pipe = popen(command.c_str(), "r");
  std::array<char, 4096> buffer;
  while (pipe != nullptr && fgets(buffer.data(), buffer.size(), pipe) != nullptr) {
    output += buffer.data();
  }
  if (pipe != nullptr) pclose(pipe);
  return output;
}

TEST(Simulation, SameSeedGivesTheSameRun) {
  for (uint64_t seed = 1; seed <= kSomeSeeds; ++seed) {
    const Outcome one = Simulate(MakePlan(seed));
    const Outcome two = Simulate(MakePlan(seed));
    EXPECT_EQ(one.digest, two.digest) << "seed " << seed;
    EXPECT_EQ(one.recorded, two.recorded) << "seed " << seed;
  }
}

// Another process has other addresses, and its hash tables another order; and there may be runs
// beside it.
TEST(Simulation, SameSeedGivesTheSameRunInAnotherProcess) {
  const auto digest = [](int jobs) {
    return OutputOf(std::string(REFEREE_BINARY_DIR) + "/simulate --seeds 40 --jobs " +
                    std::to_string(jobs) + " | grep -o 'digest .*'");
  };
  const std::string alone = digest(1);
  EXPECT_THAT(alone, HasSubstr("digest "));
  EXPECT_EQ(alone, digest(1));
  EXPECT_EQ(alone, digest(4));
}

TEST(Simulation, DifferentSeedsGiveDifferentRuns) {
  std::set<uint64_t> digests;
  for (uint64_t seed = 1; seed <= kSomeSeeds; ++seed) {
    digests.insert(Simulate(MakePlan(seed)).digest);
  }
  EXPECT_EQ(digests.size(), kSomeSeeds);
}

TEST(Simulation, LogChangesNothing) {
  std::ostringstream log;
  EXPECT_EQ(Simulate(MakePlan(3), &log).digest, Simulate(MakePlan(3)).digest);
  EXPECT_THAT(log.str(), HasSubstr("referee starts 1"));
}

// Not at the event before: which that is depends on what other groups do.
TEST(Simulation, FaultsEndWhenThePlanSaysTheyDo) {
  for (uint64_t seed = 1; seed <= kSomeSeeds; ++seed) {
    const Plan plan = MakePlan(seed);
    std::ostringstream log;
    Simulate(plan, &log);
    EXPECT_THAT(log.str(), HasSubstr("\n" + absl::FormatDuration(plan.heals_at) + "  healed\n"))
        << "seed " << seed;
  }
}

TEST(Simulation, EveryKindOfFaultHappens) {
  std::ostringstream log;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    const Outcome outcome = Simulate(MakePlan(seed), &log);
    EXPECT_THAT(outcome.problem, IsEmpty()) << "seed " << seed;
  }
  for (const char* what : {"cut",
                           "hangs up",
                           "blocked",
                           "slow network",
                           "referee killed",
                           "referee drains",
                           "stalled",
                           "shut",
                           "calendar set",
                           "write failed",
                           "archive failed",
                           "set aside",
                           "recovered",
                           "resumed",
                           "faulted",
                           "no contest",
                           "cancelled",
                           "told fault",
                           "told hashes",
                           "resigned at start",
                           "nonce",
                           "block asked for",
                           "store refused",
                           "block begun again",
                           "joined",
                           "version set",
                           "season begun",
                           "entrant succeeded",
                           "turn waits",
                           "leaves",
                           "organiser meddles"}) {
    EXPECT_NE(log.str().find(std::string("  ") + what + " "), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace referee::simulation

// Shared code of store tests: sample values, a competition in progress, and the contract suite.
//
// Every implementation must pass the suite.
#ifndef REFEREE_TESTS_UNIT_STORE_HARNESS_H_
#define REFEREE_TESTS_UNIT_STORE_HARNESS_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "referee/store/store.h"
#include "tests/support/simulated_time.h"
#include "tests/support/temp_folder.h"

namespace referee::store {

// The value of a result, moved out: for example for a loop.
template <typename T>
T Value(absl::StatusOr<T> result) {
  return std::move(result).value();
}

// Second `second` of the time of the tests.
absl::Time At(int second);
// Longer than any other test process locks a store.
inline constexpr absl::Duration kBusy = absl::Seconds(10);
dice::Bytes32 Hash(uint8_t number);
Account AccountOf(const std::string& name, uint8_t token);
AuditEntry AuditOf(const std::string& action, const std::string& subject);
MatchId MatchIdOf(int number);

// A ladder with this name and these entrants. Ids sort as `number` does.
Competition LadderOf(int number, const std::string& name, std::vector<std::string> entrants);
// Stores such a ladder and starts it.
Competition StartLadder(Store* store, int number, std::vector<std::string> entrants);

BeginBlock BeginOf(const Competition& competition, int64_t number, std::vector<int> bots);
match::Verdict ResultOf(std::vector<int> scores, std::vector<int> ranks,
                        std::vector<match::SeatForfeit> forfeits = {});
// The end of the first attempt, with match ids that follow from the number. The bot at place 0 wins
// the first match; the second is a draw.
FinishBlock FinishOf(const Competition& competition, int64_t number);
// The record of a failed first attempt: the match of rotation 0 was decided, and the bot in its
// seat 0 was late in the other match.
Attempt FailureOf(const Competition& competition, int64_t number);
RetryBlock RetryOf(const Competition& competition, int64_t number);
DropBlock DropOf(const Competition& competition, int64_t number);
CountBlocks CountOf(const Competition& competition, int64_t from, int64_t to);

// The owner of these blocks.
inline constexpr char kOwner[] = "daemon-1";
// Applies changes as kOwner, under a lease that it renews first.
absl::Status Apply(Store* store, absl::Span<const Change> changes);

std::vector<int64_t> Numbers(const std::vector<Block>& blocks);
// All readable content of a store, as text.
std::string Describe(Store* store);

struct Implementation {
  std::string name;
  bool lasts;  // whether the content survives reopening
  // Opens the store of this path, in a folder of the test. `clock` times the leases, and outlives
  // the store.
  std::function<std::unique_ptr<Store>(const std::string& path, const Clock* clock)> open;
  std::string missing = {};  // the missing dependency, if one is not installed

  // Shows the name in lists of tests.
  friend void PrintTo(const Implementation& implementation, std::ostream* out) {
    *out << implementation.name;
  }
};

// A test of the contract, run on every implementation.
class StoreContract : public ::testing::TestWithParam<Implementation> {
 protected:
  void SetUp() override {
    if (!GetParam().missing.empty()) GTEST_SKIP() << GetParam().missing;
    store_ = GetParam().open(folder_.Path("store.db"), &clock_);
  }
  // Closes the store and opens it again, if its content survives.
  void Reopen();

  testing::TempFolder folder_{testing::TempFolderOn::kMemory};
  testing::SimulatedClock clock_;
  std::unique_ptr<Store> store_;
};

// The implementations that this program tests.
std::vector<Implementation> AllImplementations();

}  // namespace referee::store

#endif  // REFEREE_TESTS_UNIT_STORE_HARNESS_H_

// What tests of stores share: a folder that goes away, sample values, a competition that is being
// played, and the suite that every implementation must pass.
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

// What a result holds, as a value of its own, such as a loop needs.
template <typename T>
T Value(absl::StatusOr<T> result) {
  return std::move(result).value();
}

// Second `second` of the time that tests play in.
absl::Time At(int second);
// Longer than any other process of a test keeps a store locked.
inline constexpr absl::Duration kBusy = absl::Seconds(10);
dice::Bytes32 Hash(uint8_t number);
Account AccountOf(const std::string& name, uint8_t token);
AuditEntry AuditOf(const std::string& action, const std::string& subject);
MatchId MatchIdOf(int number);

// A ladder of this name with these entrants; ids sort as `number` does.
Competition LadderOf(int number, const std::string& name, std::vector<std::string> entrants);
// Puts it into the store and starts it.
Competition StartLadder(Store* store, int number, std::vector<std::string> entrants);

BeginBlock BeginOf(const Competition& competition, int64_t number, std::vector<int> bots);
match::Verdict ResultOf(std::vector<int> scores, std::vector<int> ranks,
                        std::vector<match::SeatForfeit> forfeits = {});
// The first attempt's end, with match ids that follow from the number: the bot at place 0 wins the
// first match, the second is a draw.
FinishBlock FinishOf(const Competition& competition, int64_t number);
// The record of the first attempt, which came to nothing: the match of rotation 0 was decided, and
// the bot of its seat 0 was late in the other.
Attempt FailureOf(const Competition& competition, int64_t number);
RetryBlock RetryOf(const Competition& competition, int64_t number);
DropBlock DropOf(const Competition& competition, int64_t number);
CountBlocks CountOf(const Competition& competition, int64_t from, int64_t to);

// Whose blocks these are.
inline constexpr char kOwner[] = "daemon-1";
// What it does, under a lease that it renews first.
absl::Status Apply(Store* store, absl::Span<const Change> changes);

std::vector<int64_t> Numbers(const std::vector<Block>& blocks);
// All that can be read of a store, as text.
std::string Describe(Store* store);

struct Implementation {
  std::string name;
  bool lasts;  // what it holds is there when it is opened again
  // Opens the one of this path, of a folder that is the test's own. Leases go by the clock, which
  // outlives it.
  std::function<std::unique_ptr<Store>(const std::string& path, const Clock* clock)> open;
  std::string missing = {};  // what it needs and is not installed

  // Its name, in lists of tests.
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
  // Closes the store and opens it again, if it lasts.
  void Reopen();

  testing::TempFolder folder_{testing::TempFolderOn::kMemory};
  testing::SimulatedClock clock_;
  std::unique_ptr<Store> store_;
};

// Those that this program tests.
std::vector<Implementation> AllImplementations();

}  // namespace referee::store

#endif  // REFEREE_TESTS_UNIT_STORE_HARNESS_H_

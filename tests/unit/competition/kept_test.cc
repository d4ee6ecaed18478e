// Tests of the cache of reads: the latest value of each of the most recently used keys.
#include "referee/competition/kept.h"

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace referee::competition {
namespace {

class KeptTest : public ::testing::Test {
 protected:
  // The value of a key as of `version`, a number that says how much was read by then.
  int Get(const std::string& key, int version) {
    const auto value = kept_.Get(
        key, [&](const Read& kept) { return kept.version == version; },
        [&]() -> absl::StatusOr<Read> {
          return Read{version, ++reads_};
        });
    return (*value)->number;
  }

  struct Read {
    int version = 0;
    int number = 0;
  };
  Kept<std::string, Read> kept_{2};
  int reads_ = 0;
};

TEST_F(KeptTest, IsReadAgainWhenItIsNotFresh) {
  EXPECT_EQ(Get("a", 1), 1);
  EXPECT_EQ(Get("a", 1), 1);
  EXPECT_EQ(Get("a", 2), 2);
  EXPECT_EQ(Get("a", 1), 3) << "one value of a key";
}

TEST_F(KeptTest, IsDroppedWhenOthersWereAskedForSince) {
  Get("a", 1);
  Get("b", 1);
  EXPECT_EQ(Get("a", 1), 1);
  Get("c", 1);
  EXPECT_EQ(Get("a", 1), 1);
  EXPECT_EQ(Get("b", 1), 4);
}

TEST_F(KeptTest, IsNotAnError) {
  const auto fails = [&] {
    return kept_.Get(
        "a", [](const Read&) { return true; },
        [&]() -> absl::StatusOr<Read> {
          ++reads_;
          return absl::UnavailableError("busy");
        });
  };
  EXPECT_TRUE(absl::IsUnavailable(fails().status()));
  EXPECT_TRUE(absl::IsUnavailable(fails().status()));
  EXPECT_EQ(Get("a", 1), 3);
}

TEST_F(KeptTest, StaysAsLongAsSomebodyHasIt) {
  const auto read = [] { return absl::StatusOr<Read>(Read{1, 7}); };
  const auto value = kept_
                         .Get(
                             "a", [](const Read&) { return true; }, read)
                         .value();
  for (const char* other : {"b", "c", "d"}) Get(other, 1);
  EXPECT_EQ(value->number, 7);
}

}  // namespace
}  // namespace referee::competition

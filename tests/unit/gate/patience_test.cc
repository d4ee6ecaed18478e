// Tests of when refgate --export retries a referee that refuses calls as too many.
#include "referee/gate/patience.h"

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/service/errors.h"

namespace referee::gate {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(Patience, WaitsAsLongAsTheRefereeSays) {
  std::vector<absl::Duration> waited;
  const auto wait = [&waited](absl::Duration time) { waited.push_back(time); };
  int calls = 0;
  const absl::StatusOr<int> answer = CallPatiently(
      [&calls]() -> absl::StatusOr<int> {
        ++calls;
        if (calls == 1) return service::TooOften("calls", absl::Milliseconds(88));
        if (calls == 2) return service::TooOften("calls", absl::Seconds(1.5));
        return calls;
      },
      wait);
  EXPECT_EQ(answer.value(), 3);
  EXPECT_THAT(waited, ElementsAre(absl::Milliseconds(88), absl::Seconds(1.5)));
}

TEST(Patience, EndsAndDoesNotBeginForOtherErrors) {
  std::vector<absl::Duration> waited;
  const auto wait = [&waited](absl::Duration time) { waited.push_back(time); };
  const absl::Status refused = service::TooOften("calls", absl::Seconds(25));
  EXPECT_EQ(CallPatiently([&]() -> absl::StatusOr<int> { return refused; }, wait).status(),
            refused);
  EXPECT_THAT(waited, SizeIs(2));
  for (const absl::Status& other :
       {absl::ResourceExhaustedError("too large"), absl::NotFoundError("call again in 1s, please"),
        service::TooOften("calls", absl::InfiniteDuration())}) {
    EXPECT_FALSE(CallAgainIn(other).has_value()) << other;
  }
}

}  // namespace
}  // namespace referee::gate

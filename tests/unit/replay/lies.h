// False replays: each takes a true match, changes one thing, and signs the result as if it were
// true.
//
// The verifier must find each change in its turn.
#ifndef REFEREE_TESTS_UNIT_REPLAY_LIES_H_
#define REFEREE_TESTS_UNIT_REPLAY_LIES_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "referee/replay/verifier.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {

inline constexpr absl::Duration kNano = absl::Nanoseconds(1);

inline match::Played& Turn(Replay& replay, uint32_t number) {
  for (match::Record& record : replay.records) {
    auto* turn = std::get_if<match::Played>(&record);
    if (turn != nullptr && turn->number == number) return *turn;
  }
  ADD_FAILURE() << "there is no turn " << number;
  std::abort();
}

// The index of the first record of this type, from `from` on.
template <typename R>
size_t Find(const Replay& replay, size_t from = 0) {
  for (size_t i = from; i < replay.records.size(); ++i) {
    if (std::holds_alternative<R>(replay.records[i])) return i;
  }
  ADD_FAILURE() << "there is no such record";
  std::abort();
}

template <typename R>
R& First(Replay& replay) {
  return std::get<R>(replay.records[Find<R>(replay)]);
}

inline void Erase(Replay& replay, size_t at) {
  replay.records.erase(replay.records.begin() + static_cast<std::ptrdiff_t>(at));
}

// Makes a turn longer by `by`, with all figures in agreement. REQUIRES: the match has no bank.
inline void Lengthen(match::Timing* timing, absl::Duration* used, absl::Duration by) {
  timing->read += by;
  timing->taken += by;
  *used += by;
}
inline void Lengthen(match::Played& turn, absl::Duration by) {
  Lengthen(&*turn.timing, &turn.used, by);
}

using Lie = std::function<void(Replay&)>;

// Returns the verifier's problem, and checks that it names this turn.
inline std::string Find(const SampleOptions& options, uint32_t turn, const Lie& lie) {
  Replay replay = PlaySample(options);
  EXPECT_EQ(Verify(Encode(replay, SampleSigner())).problem, "");
  lie(replay);
  const Verification found = Verify(Encode(replay, SampleSigner()));
  EXPECT_FALSE(found.ok);
  EXPECT_EQ(found.turn, turn) << found.problem;
  return found.problem;
}

inline void ExpectFound(const SampleOptions& options, uint32_t turn, const Lie& lie,
                        const std::string& problem) {
  EXPECT_THAT(Find(options, turn, lie), ::testing::HasSubstr(problem));
}

}  // namespace referee::replay

#endif  // REFEREE_TESTS_UNIT_REPLAY_LIES_H_

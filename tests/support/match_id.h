// Match ids for tests: few, distinct, and sorted by number.
#ifndef REFEREE_TESTS_SUPPORT_MATCH_ID_H_
#define REFEREE_TESTS_SUPPORT_MATCH_ID_H_

#include <cstdint>
#include <cstring>

#include "absl/time/time.h"
#include "referee/base/ids.h"

namespace referee::testing {

// 2023-11-14T22:13:20Z.
inline constexpr absl::Time kMadeAt = absl::FromUnixSeconds(1'700'000'000);

// The id of the match with this number, made at `created`.
inline MatchId NumberedId(uint64_t number, absl::Time created = kMadeAt) {
  uint8_t random[10] = {};
  std::memcpy(random, &number, sizeof(number));
  return MatchId::Make(created, random);
}

// The id of a match made `day` days after kMadeAt.
inline MatchId IdOfDay(int day, uint64_t number = 0) {
  return NumberedId(number, kMadeAt + absl::Hours(24) * day);
}

}  // namespace referee::testing

#endif  // REFEREE_TESTS_SUPPORT_MATCH_ID_H_

// The names of enum values in columns of the store.
#ifndef REFEREE_STORE_NAMES_H_
#define REFEREE_STORE_NAMES_H_

#include <cstddef>

#include "absl/strings/string_view.h"

namespace referee::store {

// In the order of Role, Ban::Kind, schedule::Format, CompetitionState, Presence and BlockState.
inline constexpr absl::string_view kRoles[] = {"BOT", "ORGANISER", "OBSERVER"};
inline constexpr absl::string_view kBanKinds[] = {"ACCOUNT", "ADDRESS"};
inline constexpr absl::string_view kFormats[] = {"ROUND_ROBIN", "GAUNTLET", "SWISS",
                                                 "KNOCKOUT",    "LADDER",   "TEST"};
inline constexpr absl::string_view kStates[] = {"NEW", "RUNNING", "PAUSED", "FINISHING",
                                                "FINISHED"};
inline constexpr absl::string_view kPresences[] = {"IN", "WITHDRAWN", "SET_ASIDE"};
inline constexpr absl::string_view kBlockStates[] = {"RUNNING", "PLAYED", "DROPPED", "VOID"};
// In the order of match::Ending.
inline constexpr absl::string_view kEndings[] = {"FINISHED", "VOID", "CANCELLED"};

template <typename Enum, size_t kCount>
absl::string_view NameOf(const absl::string_view (&names)[kCount], Enum value) {
  return names[static_cast<size_t>(value)];
}

// Returns false if `name` is not among `names`.
template <typename Enum, size_t kCount>
bool ReadName(const absl::string_view (&names)[kCount], absl::string_view name, Enum* value) {
  for (size_t i = 0; i < kCount; ++i) {
    if (names[i] != name) continue;
    *value = static_cast<Enum>(i);
    return true;
  }
  return false;
}

}  // namespace referee::store

#endif  // REFEREE_STORE_NAMES_H_

#include "referee/games/rules.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/games/errors.h"
#include "referee/games/hypnosia/type.h"
#include "referee/games/isaac/type.h"

namespace referee::games {

absl::Span<const GameType* const> GameTypes() {
  static const GameType* const types[] = {
      new hypnosia::HypnosiaType,
      new isaac::IsaacType,
  };
  return types;
}

absl::StatusOr<const GameType*> FindType(absl::string_view name) {
  for (const GameType* type : GameTypes()) {
    if (type->name() == name) return type;
  }
  return UnknownGame(name,
                     absl::StrJoin(GameTypes(), ", ", [](std::string* out, const GameType* type) {
                       absl::StrAppend(out, type->name());
                     }));
}

absl::StatusOr<std::shared_ptr<const Game>> MakeGame(absl::string_view name, int seats,
                                                     absl::Span<const Option> options) {
  const absl::StatusOr<const GameType*> type = FindType(name);
  if (!type.ok()) return type.status();
  return (*type)->Create(seats, options);
}

}  // namespace referee::games

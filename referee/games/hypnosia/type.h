// The GameType of Hypnosia: its options, their defaults and checks. See RULES.md.
#ifndef REFEREE_GAMES_HYPNOSIA_TYPE_H_
#define REFEREE_GAMES_HYPNOSIA_TYPE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "referee/games/game.h"

namespace referee::games::hypnosia {

inline constexpr absl::string_view kBoardOption = "board";
inline constexpr absl::string_view kStackBridgesOption = "stack_bridges";
inline constexpr absl::string_view kTurnLimitOption = "turn_limit";

class HypnosiaType final : public GameType {
 public:
  // `wire` is passed to the games that it makes; see Game.
  explicit HypnosiaType(const Wire* wire = nullptr) : wire_(wire) {}

  absl::string_view name() const override;
  int min_seats() const override;
  int max_seats() const override;
  absl::Span<const OptionSpec> option_specs() const override;
  absl::StatusOr<std::shared_ptr<const Game>> Create(
      int seats, absl::Span<const Option> options) const override;

 private:
  const Wire* const wire_;
};

}  // namespace referee::games::hypnosia

#endif  // REFEREE_GAMES_HYPNOSIA_TYPE_H_

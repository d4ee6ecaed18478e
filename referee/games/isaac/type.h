// The GameType of Isaac: its options, their defaults and checks. See RULES.md.
#ifndef REFEREE_GAMES_ISAAC_TYPE_H_
#define REFEREE_GAMES_ISAAC_TYPE_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "referee/games/game.h"

namespace referee::games::isaac {

inline constexpr absl::string_view kCounterAdvanceOption = "counter_advance";
inline constexpr absl::string_view kFirstPlayerOption = "first_player";
inline constexpr absl::string_view kScoringStarterOption = "scoring_starter";

// The values of the options, in the order of the enumerations.
inline constexpr absl::string_view kCounterAdvances[] = {"EXACT", "UP_TO"};
inline constexpr absl::string_view kFirstPlayers[] = {"RANDOM", "SEAT_A", "SEAT_B"};
inline constexpr absl::string_view kScoringStarters[] = {"FIRST_PLAYER", "FIRST_TO_PASS"};

class IsaacType final : public GameType {
 public:
  // `wire` is passed to the games that it makes; see Game.
  explicit IsaacType(const Wire* wire = nullptr) : wire_(wire) {}

  absl::string_view name() const override;
  int min_seats() const override;
  int max_seats() const override;
  absl::Span<const OptionSpec> option_specs() const override;
  absl::StatusOr<std::shared_ptr<const Game>> Create(
      int seats, absl::Span<const Option> options) const override;

 private:
  const Wire* const wire_;
};

}  // namespace referee::games::isaac

#endif  // REFEREE_GAMES_ISAAC_TYPE_H_

#include "referee/games/isaac/type.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "referee/base/errors.h"
#include "referee/games/errors.h"
#include "referee/games/isaac/game.h"
#include "referee/games/isaac/state.h"
#include "referee/games/options.h"

namespace referee::games::isaac {
namespace {

// Sorted by name.
constexpr OptionSpec kSpecs[] = {
    {kCounterAdvanceOption, OptionSpec::Kind::kEnum, "UP_TO",
     "how far a counter advances: EXACT (by all points scored) or UP_TO (by as many as it likes)"},
    {kFirstPlayerOption, OptionSpec::Kind::kEnum, "RANDOM",
     "who begins the placement: RANDOM, SEAT_A or SEAT_B"},
    {kPositionOption, OptionSpec::Kind::kText, "",
     "the position to start from, as a position string (default: the empty board)"},
    {kScoringStarterOption, OptionSpec::Kind::kEnum, "FIRST_PLAYER",
     "who begins the scoring: FIRST_PLAYER (of the placement) or FIRST_TO_PASS (in it)"},
};

// The index of the option's value in `values`.
absl::StatusOr<size_t> IndexOf(const Option& option, absl::Span<const absl::string_view> values) {
  const auto found = std::find(values.begin(), values.end(), absl::string_view(option.value));
  if (found != values.end()) return static_cast<size_t>(found - values.begin());
  return BadValue(option.name, option.value, absl::StrJoin(values, " or "));
}

}  // namespace

absl::string_view IsaacType::name() const { return kGameName; }
int IsaacType::min_seats() const { return kSeats; }
int IsaacType::max_seats() const { return kSeats; }
absl::Span<const OptionSpec> IsaacType::option_specs() const { return kSpecs; }

absl::StatusOr<std::shared_ptr<const Game>> IsaacType::Create(
    int seats, absl::Span<const Option> options) const {
  if (seats != kSeats) return BadSeatCount(kGameName, seats, kSeats, kSeats);
  absl::StatusOr<std::vector<Option>> settled = SettleOptions(kSpecs, options);
  if (!settled.ok()) return settled.status();
  const auto counter_advance = IndexOf((*settled)[0], kCounterAdvances);
  if (!counter_advance.ok()) return counter_advance.status();
  const auto first_player = IndexOf((*settled)[1], kFirstPlayers);
  if (!first_player.ok()) return first_player.status();
  const auto scoring_starter = IndexOf((*settled)[3], kScoringStarters);
  if (!scoring_starter.ok()) return scoring_starter.status();

  Rules rules;
  rules.exact_advance = *counter_advance == 0;
  rules.first_player = static_cast<FirstPlayer>(*first_player);
  rules.scoring_starter = static_cast<ScoringStarter>(*scoring_starter);
  const std::string& position = (*settled)[2].value;
  std::unique_ptr<const State> start;
  if (!position.empty()) {
    absl::StatusOr<std::unique_ptr<State>> parsed = IsaacState::Parse(rules, position);
    if (!parsed.ok()) return parsed.status();
    if ((*parsed)->phase() == Phase::kOver) {
      return BadValue("position", position, "a position in which somebody is to move");
    }
    start = *std::move(parsed);
  }
  return std::make_shared<const IsaacGame>(rules, std::move(start),
                                           WithoutEmpty(*std::move(settled)), wire_);
}

}  // namespace referee::games::isaac

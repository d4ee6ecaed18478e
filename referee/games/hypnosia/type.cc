#include "referee/games/hypnosia/type.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/base/limits.h"
#include "referee/dice/dice.h"
#include "referee/games/errors.h"
#include "referee/games/hypnosia/board_file.h"
#include "referee/games/hypnosia/game.h"
#include "referee/games/hypnosia/state.h"
#include "referee/games/options.h"

namespace referee::games::hypnosia {
namespace {

constexpr absl::string_view kBuiltInBoard = "spiral-36-24-12";
constexpr int kMaxTurnLimit = 100'000;

// Sorted by name.
constexpr OptionSpec kSpecs[] = {
    {kBoardOption, OptionSpec::Kind::kFile, kBuiltInBoard,
     "the board: spiral-36-24-12, or a board file in JSON"},
    {kPositionOption, OptionSpec::Kind::kText, "",
     "the position to start from, as a position string; its dice are rolled (default: the first)"},
    {kStackBridgesOption, OptionSpec::Kind::kBool, "true",
     "whether stacks may cross bridges, the centre's included: true or false"},
    {kTurnLimitOption, OptionSpec::Kind::kInt, "500",
     "how many turns are played at most, passes included: 1 to 100000"},
};

struct BoardChoice {
  std::shared_ptr<const Board> board;
  std::string shown;
};

// Computing a board takes as long as some dozen turns.
const std::shared_ptr<const Board>& BuiltInBoard() {
  static const auto* const kBoard = new std::shared_ptr<const Board>(
      std::make_shared<const Board>(Board::Make(SpiralBoard()).value()));
  return *kBoard;
}

absl::StatusOr<BoardChoice> ChooseBoard(const std::string& value) {
  if (value == kBuiltInBoard) return BoardChoice{BuiltInBoard(), value};
  const bool is_name =
      value.size() <= limits::kMaxNameBytes && std::all_of(value.begin(), value.end(), [](char c) {
        return absl::ascii_isalnum(c) || c == '-' || c == '_' || c == '.';
      });
  if (is_name) {
    return BadValue(kBoardOption, value,
                    absl::StrCat("a built-in board (", kBuiltInBoard, ") or a board file"));
  }
  absl::StatusOr<BoardSpec> spec = ParseBoardFile(value);
  if (!spec.ok()) return spec.status();
  absl::StatusOr<Board> board = Board::Make(*spec);
  if (!board.ok()) return board.status();
  // The digest of a text is the first 8 bytes of its SHA-256.
  const std::string sha = dice::DigestText(dice::Digest(value)).substr(0, 8);
  std::string shown = absl::StrCat(board->name(), "-", sha);
  return BoardChoice{std::make_shared<const Board>(*std::move(board)), std::move(shown)};
}

absl::StatusOr<bool> ParseBool(const Option& option) {
  if (option.value == "true") return true;
  if (option.value == "false") return false;
  return BadValue(option.name, option.value, "true or false");
}

absl::StatusOr<int> ParseTurnLimit(const Option& option) {
  const bool digits = !option.value.empty() &&
                      std::all_of(option.value.begin(), option.value.end(), absl::ascii_isdigit);
  int limit = 0;
  if (!digits || option.value[0] == '0' || !absl::SimpleAtoi(option.value, &limit) ||
      limit > kMaxTurnLimit) {
    return BadValue(option.name, option.value, absl::StrCat("a number from 1 to ", kMaxTurnLimit));
  }
  return limit;
}

}  // namespace

absl::string_view HypnosiaType::name() const { return kGameName; }
int HypnosiaType::min_seats() const { return kMinSeats; }
int HypnosiaType::max_seats() const { return kMaxSeats; }
absl::Span<const OptionSpec> HypnosiaType::option_specs() const { return kSpecs; }

absl::StatusOr<std::shared_ptr<const Game>> HypnosiaType::Create(
    int seats, absl::Span<const Option> options) const {
  if (seats < kMinSeats || seats > kMaxSeats) {
    return BadSeatCount(kGameName, seats, kMinSeats, kMaxSeats);
  }
  absl::StatusOr<std::vector<Option>> source = SettleOptions(kSpecs, options);
  if (!source.ok()) return source.status();
  absl::StatusOr<BoardChoice> board = ChooseBoard((*source)[0].value);
  if (!board.ok()) return board.status();
  const absl::StatusOr<bool> stack_bridges = ParseBool((*source)[2]);
  if (!stack_bridges.ok()) return stack_bridges.status();
  const absl::StatusOr<int> turn_limit = ParseTurnLimit((*source)[3]);
  if (!turn_limit.ok()) return turn_limit.status();

  auto rules =
      std::make_shared<const Rules>(std::move(board->board), seats, *stack_bridges, *turn_limit);
  std::string& position = (*source)[1].value;
  std::unique_ptr<const State> start;
  if (!position.empty()) {
    absl::StatusOr<std::unique_ptr<State>> parsed = HypnosiaState::ParseStart(rules, &position);
    if (!parsed.ok()) return parsed.status();
    start = *std::move(parsed);
  }
  std::vector<Option> shown = *source;
  shown[0].value = board->shown;
  return std::make_shared<const HypnosiaGame>(std::move(rules), std::move(start),
                                              WithoutEmpty(std::move(shown)),
                                              WithoutEmpty(*std::move(source)), wire_);
}

}  // namespace referee::games::hypnosia

#include "tests/unit/ctl/countdown.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace referee::games {
namespace {

class CountdownState final : public State {
 public:
  CountdownState(int seats, int heap) : seats_(seats), heap_(heap), rolls_(6) {}

  std::unique_ptr<State> Clone() const override { return std::make_unique<CountdownState>(*this); }
  void CopyFrom(const State& other) override {
    const auto& from = static_cast<const CountdownState&>(other);
    heap_ = from.heap_;
    seat_ = from.seat_;
    dice_ = from.dice_;
    rolls_ = from.rolls_;
  }

  Phase phase() const override {
    if (heap_ == 0) return Phase::kOver;
    return dice_.empty() ? Phase::kChance : Phase::kTurn;
  }
  Chance chance() const override {
    Chance chance;
    chance.seat = Seat(seat_);
    chance.index = rolls_[seat_];
    return chance;
  }
  void ApplyChance(absl::Span<const int> outcome) override {
    for (const int number : outcome) dice_.push_back(number + 1);
    ++rolls_[seat_];
  }

  Seat seat_to_move() const override { return heap_ == 0 ? Seat::None() : Seat(seat_); }
  Seat first_seat() const override { return Seat(0); }
  absl::Span<const int> roll() const override { return dice_; }
  absl::Status SetRoll(absl::Span<const int> dice) override {
    if (dice.size() != 2) return absl::InvalidArgumentError("countdown has two dice");
    dice_.assign(dice.begin(), dice.end());
    return absl::OkStatus();
  }

  void LegalMoves(std::vector<Move>* moves) const override {
    moves->clear();
    for (const int die : dice_) {
      if (die <= heap_) moves->push_back(Move(static_cast<uint64_t>(die)));
    }
    std::sort(moves->begin(), moves->end());
    moves->erase(std::unique(moves->begin(), moves->end()), moves->end());
    if (moves->empty()) moves->push_back(Move::Pass());
  }
  absl::StatusOr<Move> Resolve(Move claimed, absl::Span<const Move> legal) const override {
    if (std::count(legal.begin(), legal.end(), claimed) == 1) return claimed;
    return absl::InvalidArgumentError("no such die");
  }
  void Apply(Move move) override {
    heap_ -= static_cast<int>(move.code());
    dice_.clear();
    if (heap_ > 0) seat_ = (seat_ + 1) % seats_;
  }
  void Forfeit(Seat) override { heap_ = 0; }
  bool forfeited(Seat) const override { return false; }

  Outcome outcome() const override {
    Outcome outcome;
    outcome.reason = "EMPTY";
    for (int i = 0; i < seats_; ++i) {
      outcome.scores.push_back(i == seat_ ? 1 : 0);
      outcome.ranks.push_back(i == seat_ ? 1 : 2);
    }
    return outcome;
  }
  int score(Seat) const override { return 0; }

  void AppendPosition(std::string* out) const override {
    absl::StrAppend(out, heap_, "/", seats_, " ");
    out->push_back(heap_ == 0 ? '-' : Seat(seat_).letter());
    out->push_back(' ');
    for (const int die : dice_) absl::StrAppend(out, die);
    if (heap_ == 0) out->push_back('-');
  }
  std::string Draw(const DrawStyle&, Move) const override { return Position() + "\n"; }

  void SetSeat(int seat) { seat_ = seat; }

 private:
  const int seats_;
  int heap_;
  int seat_ = 0;
  std::vector<int> dice_;
  std::vector<int> rolls_;
};

class CountdownGame final : public Game {
 public:
  CountdownGame(int seats, int heap, const std::string& value)
      : Game(seats, {{"heap", value}}, {{"heap", value}}), heap_(heap) {}

  absl::string_view name() const override { return "countdown"; }
  std::unique_ptr<State> NewState() const override {
    return std::make_unique<CountdownState>(seats(), heap_);
  }
  absl::StatusOr<std::unique_ptr<State>> ParsePosition(absl::string_view text) const override {
    const std::vector<std::string> parts = absl::StrSplit(text, ' ');
    const std::vector<std::string> counts = absl::StrSplit(parts[0], '/');
    int heap, of;
    if (parts.size() != 3 || counts.size() != 2 || !absl::SimpleAtoi(counts[0], &heap) ||
        !absl::SimpleAtoi(counts[1], &of) || of != seats()) {
      return absl::InvalidArgumentError(absl::StrCat("not a position of ", seats(), " seats"));
    }
    auto state = std::make_unique<CountdownState>(seats(), heap);
    if (heap == 0) return state;
    state->SetSeat(parts[1][0] - 'a');
    const int dice[] = {parts[2][0] - '0', parts[2][1] - '0'};
    const absl::Status set = state->SetRoll(dice);
    if (!set.ok()) return set;
    return state;
  }
  void AppendMove(Move move, std::string* out) const override {
    absl::StrAppend(out, move.is_pass() ? "-" : absl::StrCat(move.code()));
  }
  absl::StatusOr<Move> ParseMove(absl::string_view text) const override {
    uint64_t code = 0;
    if (text != "-" && !absl::SimpleAtoi(text, &code)) {
      return absl::InvalidArgumentError("a move is one die");
    }
    return Move(code);
  }

 private:
  const int heap_;
};

class CountdownType final : public GameType {
 public:
  absl::string_view name() const override { return "countdown"; }
  int min_seats() const override { return 2; }
  int max_seats() const override { return 3; }
  absl::Span<const OptionSpec> option_specs() const override {
    static constexpr OptionSpec kSpecs[] = {
        {"heap", OptionSpec::Kind::kFile, "small", "where the count begins"},
        {"mood", OptionSpec::Kind::kEnum, "calm", "of no account"},
    };
    return kSpecs;
  }
  absl::StatusOr<std::shared_ptr<const Game>> Create(
      int seats, absl::Span<const Option> options) const override {
    if (seats < 2 || seats > 3) return absl::InvalidArgumentError("2 or 3 seats");
    std::string value = "small";
    for (const Option& option : options) {
      if (option.name == "heap") {
        value = option.value;
      } else if (option.name != "mood") {
        return absl::InvalidArgumentError("no such option");
      }
    }
    int heap = value == "small" ? 5 : 20;
    if (value != "small" && value != "large" &&
        (!absl::StartsWith(value, "heap ") || !absl::SimpleAtoi(value.substr(5), &heap))) {
      return absl::InvalidArgumentError("heap: neither small, large nor 'heap N'");
    }
    return std::make_shared<CountdownGame>(seats, heap, value);
  }
};

}  // namespace

const GameType& Countdown() {
  static const auto* const type = new CountdownType;
  return *type;
}

}  // namespace referee::games

#include "tests/support/counting_game.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"

namespace referee::testing {
namespace {

using games::Chance;
using games::Move;
using games::Phase;

constexpr int kMostTurns = 1000;

class CountingGame final : public games::Game {
 public:
  explicit CountingGame(const CountingRules& rules)
      : Game(rules.seats, {{"target", absl::StrCat(rules.target)}},
             {{"target", absl::StrCat(rules.target)}}),
        rules_(rules) {}

  const CountingRules& rules() const { return rules_; }

  absl::string_view name() const override { return "counting"; }
  std::unique_ptr<games::State> NewState() const override;
  absl::StatusOr<std::unique_ptr<games::State>> ParsePosition(absl::string_view) const override {
    return absl::UnimplementedError("positions of the counting game cannot be parsed");
  }
  void AppendMove(Move move, std::string* out) const override {
    if (move.is_pass()) {
      out->push_back('-');
      return;
    }
    absl::StrAppend(out, move.code());
  }
  absl::StatusOr<Move> ParseMove(absl::string_view text) const override {
    uint64_t code = 0;
    if (text == "-") return Move::Pass();
    if (!absl::SimpleAtoi(text, &code)) return absl::InvalidArgumentError("not a number");
    return Move(code);
  }

 private:
  const CountingRules rules_;
};

class CountingState final : public games::State {
 public:
  explicit CountingState(const CountingGame* game) : game_(game) {
    if (rules().first_player) {
      at_.phase = Phase::kChance;
      at_.chance = Chance{Chance::Kind::kFirstPlayer, 0, Seat::None(), rules().seats, 1};
    } else if (rules().setup_rolls) {
      at_.phase = Phase::kChance;
      at_.chance = Chance{Chance::Kind::kSetupRoll, 0, Seat(0), 6, 2};
    } else {
      BeginWith(Seat(0));
    }
  }

  std::unique_ptr<State> Clone() const override {
    auto clone = std::make_unique<CountingState>(game_);
    clone->at_ = at_;
    return clone;
  }
  void CopyFrom(const State& other) override { at_ = static_cast<const CountingState&>(other).at_; }

  Phase phase() const override { return at_.phase; }
  Chance chance() const override { return at_.chance; }

  void ApplyChance(absl::Span<const int> outcome) override {
    assert(phase() == Phase::kChance);
    switch (at_.chance.kind) {
      case Chance::Kind::kFirstPlayer:
        return BeginWith(Seat(outcome[0]));
      case Chance::Kind::kSetupRoll:
        return ApplySetupRoll(outcome[0] + outcome[1]);
      case Chance::Kind::kTurnRoll:
        at_.dice = {outcome[0] + 1, outcome[1] + 1};
        at_.phase = Phase::kTurn;
    }
  }

  Seat seat_to_move() const override { return at_.mover; }
  Seat first_seat() const override { return at_.first; }
  absl::Span<const int> roll() const override {
    return absl::MakeSpan(at_.dice.data(), rules().dice ? at_.dice.size() : 0);
  }
  absl::Status SetRoll(absl::Span<const int>) override {
    return absl::InvalidArgumentError("dice of the counting game cannot be set");
  }

  void LegalMoves(std::vector<Move>* moves) const override {
    assert(phase() == Phase::kTurn);
    moves->clear();
    for (int i = 1; i <= Limit(); ++i) moves->push_back(Move(static_cast<uint64_t>(i)));
    if (moves->empty()) moves->push_back(Move::Pass());
  }
  absl::StatusOr<Move> Resolve(Move claimed, absl::Span<const Move> legal) const override {
    const Move meant = claimed.code() > 100 ? Move(claimed.code() - 100) : claimed;
    if (std::binary_search(legal.begin(), legal.end(), meant)) return meant;
    return absl::InvalidArgumentError(absl::StrCat("at most ", Limit(), " may be added"));
  }
  void Apply(Move move) override {
    assert(phase() == Phase::kTurn);
    at_.count += static_cast<int>(move.code());
    at_.scores[at_.mover.index()] += static_cast<int>(move.code());
    ++at_.turns;
    EndTurn();
  }
  void Forfeit(Seat seat) override {
    assert(phase() == Phase::kTurn && !forfeited(seat));
    at_.forfeited[seat.index()] = true;
    if (seat == at_.mover || Active() == 1) EndTurn();
  }
  bool forfeited(Seat seat) const override { return at_.forfeited[seat.index()]; }

  games::Outcome outcome() const override {
    assert(phase() == Phase::kOver);
    games::Outcome outcome;
    outcome.reason = Reason();
    for (int i = 0; i < rules().seats; ++i) {
      outcome.scores.push_back(at_.scores[i]);
      outcome.ranks.push_back(1);
      for (int j = 0; j < rules().seats; ++j) outcome.ranks[i] += Worth(j) > Worth(i) ? 1 : 0;
    }
    return outcome;
  }
  int score(Seat seat) const override { return at_.scores[seat.index()]; }

  void AppendPosition(std::string* out) const override {
    assert(phase() != Phase::kChance);
    absl::StrAppend(out, at_.count, " ");
    out->push_back(at_.mover.valid() ? at_.mover.letter() : '-');
    out->push_back(' ');
    if (rules().dice) {
      absl::StrAppend(out, at_.dice[0], at_.dice[1], " ");
    } else {
      out->append("- ");
    }
    for (int i = 0; i < rules().seats; ++i) out->push_back(at_.forfeited[i] ? '1' : '0');
  }
  std::string Draw(const games::DrawStyle&, Move) const override {
    return absl::StrCat(at_.count, "\n");
  }

 private:
  // The mutable part of the state.
  struct Values {
    Phase phase = Phase::kTurn;
    Chance chance;
    int count = 0;
    int turns = 0;
    Seat mover;
    Seat first;
    int best_setup = -1;
    std::array<int, 2> dice{};
    std::array<int, limits::kMaxSeats> rolls{};
    std::array<int, limits::kMaxSeats> scores{};
    std::array<bool, limits::kMaxSeats> forfeited{};
  };

  const CountingRules& rules() const { return game_->rules(); }

  int Active() const {
    return rules().seats -
           static_cast<int>(std::count(at_.forfeited.begin(), at_.forfeited.end(), true));
  }
  int Limit() const {
    const size_t turn = static_cast<size_t>(at_.turns);
    return rules().limits[turn % rules().limits.size()] - (rules().seats - Active());
  }
  int Worth(int seat) const { return at_.forfeited[seat] ? -1 : at_.scores[seat]; }
  absl::string_view Reason() const {
    if (Active() == 1) return "ALONE";
    return at_.count >= rules().target ? "COUNTED" : "TURNS";
  }

  void ApplySetupRoll(int sum) {
    const Seat seat = at_.chance.seat;
    if (sum > at_.best_setup) {
      at_.best_setup = sum;
      at_.first = seat;
    }
    if (seat.index() + 1 == rules().seats) return BeginWith(at_.first);
    at_.chance.seat = Seat(seat.index() + 1);
  }
  void BeginWith(Seat seat) {
    at_.first = seat;
    BeginTurn(seat);
  }
  void BeginTurn(Seat seat) {
    at_.mover = seat;
    at_.phase = Phase::kTurn;
    if (!rules().dice) return;
    at_.phase = Phase::kChance;
    at_.chance = Chance{Chance::Kind::kTurnRoll, at_.rolls[seat.index()]++, seat, 6, 2};
  }
  void EndTurn() {
    if (at_.count >= rules().target || Active() == 1 || at_.turns >= kMostTurns) {
      at_.phase = Phase::kOver;
      at_.mover = Seat::None();
      return;
    }
    int next = at_.mover.index();
    do {
      next = (next + 1) % rules().seats;
    } while (at_.forfeited[next]);
    BeginTurn(Seat(next));
  }

  const CountingGame* const game_;
  Values at_;
};

std::unique_ptr<games::State> CountingGame::NewState() const {
  return std::make_unique<CountingState>(this);
}

}  // namespace

std::shared_ptr<const games::Game> NewCountingGame(const CountingRules& rules) {
  assert(rules.seats >= 2 && rules.seats <= limits::kMaxSeats && !rules.limits.empty());
  return std::make_shared<CountingGame>(rules);
}

}  // namespace referee::testing

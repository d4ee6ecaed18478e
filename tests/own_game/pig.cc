#include "tests/own_game/pig.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "referee/base/errors.h"
#include "referee/games/errors.h"
#include "referee/games/options.h"

namespace {

using namespace referee::games;  // NOLINT: it is the language of this file
using referee::Seat;

constexpr absl::string_view kName = "pig";
constexpr int kMaxSeats = 10;
constexpr int kMaxTurns = 20'000;  // of all seats: a game ends, whatever is played
constexpr OptionSpec kSpecs[] = {
    {"target", OptionSpec::Kind::kInt, "100", "the points that win: 10 to 1000"}};

// Their numeric order is that of their notation.
constexpr Move kHold(1);
constexpr Move kRoll(2);

// All that changes in a match.
struct Table {
  std::array<int, kMaxSeats> scores{};
  Seat first;
  Seat mover;                 // None before the first draw, and when the game is over
  int pot = 0;                // rolled in this go, and not held yet
  int die = 0;                // rolled last in this go; 0: nothing yet
  std::string out;            // letters of the seats that have forfeited, in order
  const char* end = nullptr;  // the reason, once the game is over
  bool rolling = false;
  int rolls = 0;  // the index of the roll that is due, or was the last
  Seat last_roller;
  int turns = 0;
};

class PigGame final : public Game {
 public:
  PigGame(int seats, int target, const std::vector<Option>& options)
      : Game(seats, options, options), target_(target) {}

  int target() const { return target_; }
  absl::string_view name() const override { return kName; }
  std::unique_ptr<State> NewState() const override;
  absl::StatusOr<std::unique_ptr<State>> ParsePosition(absl::string_view text) const override;
  void AppendMove(Move move, std::string* out) const override {
    out->append(move.is_pass() ? "-" : move == kHold ? "hold" : "roll");
  }
  absl::StatusOr<Move> ParseMove(absl::string_view text) const override {
    if (text == "-") return Move::Pass();
    if (text == "hold") return kHold;
    if (text == "roll") return kRoll;
    return BadMove(text, 0, "expected hold or roll");
  }

 private:
  const int target_;
};

class PigState final : public State {
 public:
  PigState(const PigGame* game, Table table) : game_(game), table_(std::move(table)) {}

  std::unique_ptr<State> Clone() const override { return std::make_unique<PigState>(*this); }
  void CopyFrom(const State& other) override {
    table_ = static_cast<const PigState&>(other).table_;
  }

  Phase phase() const override {
    if (table_.end != nullptr) return Phase::kOver;
    return table_.rolling || !table_.mover.valid() ? Phase::kChance : Phase::kTurn;
  }
  Chance chance() const override {
    if (table_.rolling) return {Chance::Kind::kTurnRoll, table_.rolls, table_.mover, 6, 1};
    return {Chance::Kind::kFirstPlayer, 0, Seat::None(), game_->seats(), 1};
  }
  void ApplyChance(absl::Span<const int> outcome) override {
    if (!std::exchange(table_.rolling, false)) {
      table_.first = table_.mover = Seat(outcome[0]);
      return;
    }
    table_.die = outcome[0] + 1;
    if (table_.die == 1) return PassOn();
    table_.pot += table_.die;
    if (score(table_.mover) + table_.pot < game_->target()) return;
    Bank();
    End("TARGET_REACHED");
  }

  Seat seat_to_move() const override { return table_.mover; }
  Seat first_seat() const override { return table_.first; }
  absl::Span<const int> roll() const override { return {&table_.die, table_.die > 0 ? 1u : 0u}; }
  absl::Status SetRoll(absl::Span<const int>) override { return NoDiceToReplace(); }  // it counts

  void LegalMoves(std::vector<Move>* moves) const override {
    moves->clear();
    if (table_.die > 0) moves->push_back(kHold);
    moves->push_back(kRoll);
  }
  absl::StatusOr<Move> Resolve(Move claimed, absl::Span<const Move> legal) const override {
    if (std::binary_search(legal.begin(), legal.end(), claimed)) return claimed;
    return IllegalMove(game_->MoveText(claimed), claimed.is_pass()
                                                     ? "nobody passes in this game"
                                                     : "nothing has been rolled in this go");
  }
  void Apply(Move move) override {
    if (++table_.turns == kMaxTurns) return End("TURN_LIMIT");
    if (move == kHold) {
      Bank();
      return PassOn();
    }
    // Rolls rise, around the table from who began.
    if (table_.last_roller.valid() && Around(table_.mover) <= Around(table_.last_roller)) {
      ++table_.rolls;
    }
    table_.last_roller = table_.mover;
    table_.rolling = true;
  }
  void Forfeit(Seat seat) override {
    table_.out.push_back(seat.letter());
    if (static_cast<int>(table_.out.size()) == game_->seats() - 1) return End("LAST_SEAT");
    if (seat == table_.mover) PassOn();
  }
  bool forfeited(Seat seat) const override {
    return table_.out.find(seat.letter()) != std::string::npos;
  }

  Outcome outcome() const override {
    Outcome outcome;
    outcome.reason = table_.end;
    for (int i = 0; i < game_->seats(); ++i) {
      int rank = 1;
      for (int j = 0; j < game_->seats(); ++j) rank += Worth(Seat(j)) > Worth(Seat(i)) ? 1 : 0;
      outcome.scores.push_back(score(Seat(i)));
      outcome.ranks.push_back(rank);
    }
    return outcome;
  }
  int score(Seat seat) const override { return table_.scores[seat.index()]; }

  // Such as "12,40 b 9 4 -": scores, who is to move, the pot, the die, who has forfeited.
  void AppendPosition(std::string* out) const override {
    const auto scores = absl::MakeConstSpan(table_.scores).subspan(0, game_->seats());
    const std::string mover(1, table_.mover.valid() ? table_.mover.letter() : '-');
    absl::StrAppend(out, absl::StrJoin(scores, ","), " ", mover, " ", table_.pot, " ", table_.die,
                    " ", table_.out.empty() ? "-" : table_.out);
  }
  std::string Draw(const DrawStyle&, Move) const override {
    std::string text;
    for (int i = 0; i < game_->seats(); ++i) {
      const bool moves = Seat(i) == table_.mover;
      absl::StrAppend(&text, moves ? "> " : "  ", std::string(1, Seat(i).letter()), " ",
                      table_.scores[i], moves ? absl::StrCat(" + ", table_.pot) : "",
                      forfeited(Seat(i)) ? " out" : "", "\n");
    }
    return text;
  }

 private:
  int Around(Seat seat) const {
    return (seat.index() - table_.first.index() + game_->seats()) % game_->seats();
  }
  // Whoever forfeited later ranks above who did earlier, and below everybody else.
  int Worth(Seat seat) const {
    if (!forfeited(seat)) return kMaxSeats + score(seat);
    return static_cast<int>(table_.out.find(seat.letter()));
  }
  void Bank() { table_.scores[table_.mover.index()] += table_.pot; }
  void PassOn() {
    table_.pot = table_.die = 0;
    do {
      table_.mover = Seat((table_.mover.index() + 1) % game_->seats());
    } while (forfeited(table_.mover));
  }
  void End(const char* reason) {
    table_.end = reason;
    table_.pot = table_.die = 0;
    table_.mover = Seat::None();
  }

  const PigGame* const game_;
  Table table_;
};

std::unique_ptr<State> PigGame::NewState() const {
  return std::make_unique<PigState>(this, Table());
}

absl::StatusOr<std::unique_ptr<State>> PigGame::ParsePosition(absl::string_view text) const {
  const std::vector<absl::string_view> fields = absl::StrSplit(text, ' ');
  if (fields.size() != 5) return BadPosition("end", text.size(), "a position has 5 fields");
  const auto bad = [&](absl::string_view name, int field, absl::string_view why) {
    return BadPosition(name, static_cast<size_t>(fields[field].data() - text.data()), why);
  };
  const auto read = [](absl::string_view digits, int most, int* number) {
    return absl::SimpleAtoi(digits, number) && absl::StrCat(*number) == digits && *number >= 0 &&
           *number <= most;
  };
  Table table;
  const std::vector<absl::string_view> scores = absl::StrSplit(fields[0], ',');
  if (static_cast<int>(scores.size()) != seats()) return bad("scores", 0, "not one for each seat");
  for (int i = 0; i < seats(); ++i) {
    if (!read(scores[i], target_ + 5, &table.scores[i])) return bad("scores", 0, "out of range");
  }
  const auto is_seat = [&](char c) { return c >= 'a' && c < 'a' + seats(); };
  if (fields[1] != "-") {
    if (fields[1].size() != 1 || !is_seat(fields[1][0])) return bad("mover", 1, "no such seat");
    table.mover = Seat(fields[1][0] - 'a');
  }
  if (!read(fields[2], target_, &table.pot)) return bad("pot", 2, "out of range");
  if (!read(fields[3], 6, &table.die) || (table.die == 0) != (table.pot == 0) ||
      table.die > table.pot || table.die == 1 || (table.die > 0 && !table.mover.valid())) {
    return bad("die", 3, "it does not fit the pot");
  }
  for (const char c : fields[4] == "-" ? "" : fields[4]) {
    if (!is_seat(c) || table.out.find(c) != std::string::npos || Seat(c - 'a') == table.mover) {
      return bad("out", 4, "not letters of seats that are out, each once");
    }
    table.out.push_back(c);
  }
  const int left = seats() - static_cast<int>(table.out.size());
  if (left < 1 || (left == 1 && table.mover.valid())) return bad("out", 4, "too many are out");
  if (!table.mover.valid()) table.end = left == 1 ? "LAST_SEAT" : "TARGET_REACHED";
  return std::make_unique<PigState>(this, std::move(table));
}

class PigType final : public GameType {
 public:
  absl::string_view name() const override { return kName; }
  int min_seats() const override { return 2; }
  int max_seats() const override { return kMaxSeats; }
  absl::Span<const OptionSpec> option_specs() const override { return kSpecs; }
  absl::StatusOr<std::shared_ptr<const Game>> Create(
      int seats, absl::Span<const Option> options) const override {
    if (seats < 2 || seats > kMaxSeats) return BadSeatCount(kName, seats, 2, kMaxSeats);
    const absl::StatusOr<std::vector<Option>> settled = SettleOptions(kSpecs, options);
    if (!settled.ok()) return settled.status();
    const std::string& text = settled->front().value;
    int target = 0;
    if (!absl::SimpleAtoi(text, &target) || target < 10 || target > 1000 ||
        absl::StrCat(target) != text) {
      return referee::BadValue("target", text, "a number from 10 to 1000");
    }
    return std::make_shared<const PigGame>(seats, target, *settled);
  }
};

}  // namespace

std::shared_ptr<const GameType> MakePig() { return std::make_shared<const PigType>(); }

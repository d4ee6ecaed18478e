// The interface of a game. Implement it to referee a game of your own.
//
// The rest of Referee knows games only through this interface:
//
//   GameType  one per game, as long as the process: its name, its seats, which options it takes
//   Game      a game with its options and number of seats settled: immutable, thread-safe
//   State     one match being played: a position, mutable, thread-compatible
//   Move      the choice of a seat in its turn: a value that only its game can read
//
// A match is played like this, in the referee and elsewhere:
//
//   std::shared_ptr<const Game> game = type->Create(2, {}).value();
//   std::unique_ptr<State> state = game->NewState();
//   std::vector<Move> legal;
//   while (state->phase() != Phase::kOver) {
//     if (state->phase() == Phase::kChance) {
//       DrawOnce(key, state.get(), [](const Chance&, absl::Span<const int>) {});
//       continue;
//     }
//     state->LegalMoves(&legal);
//     state->Apply(legal[0]);  // the choice of the bot in state->seat_to_move()
//   }
//   Outcome outcome = state->outcome();
//
// To write a game, derive three classes: from State (the rules), from Game (makes states, reads and
// writes moves and positions) and from GameType (reads options). Pass the type to RefereedMain and
// RefctlMain (daemon/refereed.h, ctl/refctl.h):
//
//   int main(int argc, char** argv) {
//     return referee::RefereedMain(argc, argv, {std::make_shared<const MyGameType>()});
//   }
//
// sdk/README.md ("A game of your own") has the build files. tests/own_game is a complete game in
// one file, with dice and 2 to 10 seats. games/errors.h has the errors of options, positions and
// moves.
//
// Every game guarantees, besides the contract of each method:
// - It is pure: no I/O, no clock, no threads, no randomness, no global state that changes. Dice
//   come from outside: a state that needs dice is in phase kChance until ApplyChance supplies them.
// - It is deterministic on every machine, for ever: the same options, draws and moves give the same
//   legal moves, positions and outcome, to the byte. So it uses no floating point, no iteration
//   over unordered containers and no std:: distributions. Verification replays a match by the
//   rules: if you change the rules, change the name, or make the change an option.
// - It ends, whatever moves are played: the judge has no limit of turns.
// - Its texts (names, notation, position strings) are printable ASCII on one line. Notation has at
//   most limits::kMaxMoveBytes bytes, a position string at most limits::kMaxPositionBytes.
//   ParseMove and ParsePosition refuse longer texts.
// - Input from outside (options, positions, notation, claimed moves) may be arbitrary. The game
//   answers bad input with an error and never crashes. It may rely on every REQUIRES.
//
// This header does not depend on protobuf; games/wire.h does. A game from outside the tree needs no
// conversion: its options, positions and moves travel as text.
#ifndef REFEREE_GAMES_GAME_H_
#define REFEREE_GAMES_GAME_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "referee/base/ids.h"
#include "referee/dice/dice.h"

namespace referee::games {

// A move as its game encodes it. Within one game, numeric order is the ASCII order of notation.
// Zero is the pass in every game.
class Move {
 public:
  constexpr Move() = default;
  explicit constexpr Move(uint64_t code) : code_(code) {}
  static constexpr Move Pass() { return Move(); }

  constexpr uint64_t code() const { return code_; }
  constexpr bool is_pass() const { return code_ == 0; }

  friend constexpr bool operator==(Move a, Move b) { return a.code_ == b.code_; }
  friend constexpr bool operator!=(Move a, Move b) { return a.code_ != b.code_; }
  friend constexpr bool operator<(Move a, Move b) { return a.code_ < b.code_; }

 private:
  uint64_t code_ = 0;
};

enum class Phase {
  kChance,  // the draw of chance() is due
  kTurn,    // seat_to_move() is to move
  kOver,
};

// A draw that a state needs: `count` numbers below `sides`, from the refdice label label().
//
// Setup rolls and the draw of the first player come only before the first turn. After a move or a
// forfeit, at most one roll is due before the next turn. If a roll can pass the dice to the next
// seat, as in Pig, that seat must first be asked whether it rolls.
//
// The rolls of a match come in ascending order of (index, seat). Seats count from first_seat()
// around the table; gaps are allowed. In a game with one roll a turn, the index is the number of
// turns that the seat has had. In other games, increment the index whenever the seat of a roll is
// not further around the table than the seat of the roll before:
//
//   // distance(s): how many seats s is after first_seat(); last_seat: of the roll before.
//   if (distance(seat) <= distance(last_seat)) ++index;
//
// The matches of a block have the same dice, roll by roll, and wait for each other in this order.
// No choice of a bot may precede the first roll of a match: the first seat is rolled for at once,
// or has only one legal move.
struct Chance {
  enum class Kind {
    kSetupRoll,    // decides who begins: round `index`, roll of `seat`
    kFirstPlayer,  // a draw among the seats: `index` and `seat` have no meaning
    kTurnRoll,     // the `index`-th roll, from 0, of the turns of `seat`
  };
  Kind kind = Kind::kTurnRoll;
  int index = 0;
  Seat seat;
  int sides = 6;  // 2 to 6 for a roll; the number of seats for kFirstPlayer
  int count = 2;  // 1 to kMaxChanceCount; 1 for kFirstPlayer

  dice::Label label() const;
};

// The maximum of Chance::count.
inline constexpr int kMaxChanceCount = 2;

// The end of a match under its rules. Scores and ranks are by seat and cover all seats.
//
// Ranks are competition ranks (1 2 2 4); standings and ratings use them. Every seat that has
// forfeited ranks below every seat that has not.
struct Outcome {
  absl::string_view reason;  // such as "CENTRE_FULL": A to Z and '_'; static storage
  std::vector<int> scores;
  std::vector<int> ranks;
};

// How State::Draw draws a position on a terminal.
struct DrawStyle {
  bool colour = false;  // ANSI colours and non-ASCII signs may be used
};

// A match being played: a position, and all other state that the rules need.
//
// Thread-compatible. It may keep pointers into its Game: the game outlives its states.
class State {
 public:
  virtual ~State() = default;
  State& operator=(const State&) = delete;

  virtual std::unique_ptr<State> Clone() const = 0;
  // Makes this a copy of `other`. Allocates nothing once this object has been used. REQUIRES:
  // `other` is a state of the same Game.
  virtual void CopyFrom(const State& other) = 0;

  virtual Phase phase() const = 0;

  // The draw that is due. REQUIRES: phase() == kChance.
  virtual Chance chance() const = 0;
  // Applies the outcome of chance(): chance().count numbers, each 0 to sides - 1, in the order
  // drawn. REQUIRES: phase() == kChance.
  virtual void ApplyChance(absl::Span<const int> outcome) = 0;

  // The seat to move. None before the first seat is known, and when the game is over. When a
  // kTurnRoll is due, the seat of that roll.
  virtual Seat seat_to_move() const = 0;
  // The seat that moves first. None before it is known, and in a parsed position of a game whose
  // positions do not state it.
  virtual Seat first_seat() const = 0;
  // The dice of the current turn, as rolled: each 1 to 6, at most kMaxChanceCount. Empty if the
  // turn has no roll. Valid until the next change of the state. REQUIRES: phase() == kTurn.
  virtual absl::Span<const int> roll() const = 0;
  // Replaces the dice of the current turn, for tools that ask "what if". Returns InvalidArgument if
  // the turn has no dice, or `dice` is not a possible roll.
  virtual absl::Status SetRoll(absl::Span<const int> dice) = 0;

  // Replaces the contents of `moves` by the legal moves, sorted and without repeats. Never empty.
  // If the seat can only pass, `moves` is exactly the pass, and the bot is not asked. Allocates
  // only to grow `moves`. REQUIRES: phase() == kTurn.
  virtual void LegalMoves(std::vector<Move>* moves) const = 0;
  // Returns the legal move that `claimed` means, or InvalidArgument with the rule that it breaks.
  // `claimed` is a parsed or converted move: parts that the position implies may be missing or
  // wrong. `legal` is the result of LegalMoves. REQUIRES: phase() == kTurn.
  virtual absl::StatusOr<Move> Resolve(Move claimed, absl::Span<const Move> legal) const = 0;
  // Plays `move` for the seat to move. REQUIRES: phase() == kTurn, `move` is legal.
  virtual void Apply(Move move) = 0;
  // Takes `seat` out of the game, in any seat's turn. The seat loses; the game ends when one seat
  // is left. If another seat is to move, its roll stays. REQUIRES: phase() == kTurn, `seat` has not
  // forfeited.
  virtual void Forfeit(Seat seat) = 0;
  virtual bool forfeited(Seat seat) const = 0;

  // REQUIRES: phase() == kOver.
  virtual Outcome outcome() const = 0;
  // The points of `seat` so far: its score in outcome() if the game ended now.
  virtual int score(Seat seat) const = 0;

  // Appends the position string: everything that bots may know of the position, including the seat
  // to move and its roll. The replay holds its digest, turn by turn. REQUIRES: phase() != kChance.
  virtual void AppendPosition(std::string* out) const = 0;
  std::string Position() const;

  // Draws the position for people: a few lines, each ended by a newline. Marks `last`, the move
  // that led to the position, unless it is the pass. REQUIRES: phase() != kChance.
  virtual std::string Draw(const DrawStyle& style, Move last) const = 0;

 protected:
  State() = default;
  State(const State&) = default;
};

// One option of a match, as given. A value of kind kFile is the name of a built-in file, or the
// bytes of a file.
struct Option {
  std::string name;
  std::string value;
  friend bool operator==(const Option& a, const Option& b) {
    return a.name == b.name && a.value == b.value;
  }
};

struct OptionSpec {
  enum class Kind { kBool, kInt, kEnum, kFile, kText };
  absl::string_view name;
  Kind kind;
  absl::string_view default_value;
  absl::string_view help;  // one line: the effect, and the values allowed
};

// Converts a game's values to and from protobuf; see wire.h.
class Wire;

// A game with its options settled. Immutable and thread-safe: matches share it.
class Game {
 public:
  virtual ~Game() = default;

  virtual absl::string_view name() const = 0;  // as GameType::name()
  int seats() const { return seats_; }
  // The protobuf conversion of the game's values. Null: the general members of the protocol carry
  // them.
  const Wire* wire() const { return wire_; }
  // Every option, sorted by name, with defaults written out, as transcripts show them. A file
  // appears as its name. options() and source() leave out an option that is empty by default and
  // was not given.
  const std::vector<Option>& options() const { return options_; }
  // The options from which GameType::Create makes the same game again. A file appears as its bytes.
  const std::vector<Option>& source() const { return source_; }

  // Returns a state before the first draw. An option may name its position.
  virtual std::unique_ptr<State> NewState() const = 0;
  // Returns the state of a position string, in phase kTurn or kOver. Turn and roll counts start at
  // 0. If positions of the game do not state forfeits, outcome() ranks as if no seat had forfeited.
  // Returns InvalidArgument with the field and its offset.
  virtual absl::StatusOr<std::unique_ptr<State>> ParsePosition(absl::string_view text) const = 0;

  // Appends the notation of a move of this game; "-" for the pass. Different moves have different
  // notation. ParseMove reads it back.
  virtual void AppendMove(Move move, std::string* out) const = 0;
  std::string MoveText(Move move) const;
  // Reads the notation. The result is well-formed, but not checked for legality: pass it to
  // State::Resolve. Returns InvalidArgument with the byte.
  virtual absl::StatusOr<Move> ParseMove(absl::string_view text) const = 0;

 protected:
  // `options` and `source` are the results of options() and source(). `wire` converts the values of
  // this class and lives for ever; null for a game from outside the tree.
  Game(int seats, std::vector<Option> options, std::vector<Option> source,
       const Wire* wire = nullptr)
      : seats_(seats), options_(std::move(options)), source_(std::move(source)), wire_(wire) {}

 private:
  const int seats_;
  const std::vector<Option> options_;
  const std::vector<Option> source_;
  const Wire* const wire_;
};

// A game before its options are settled: its name, seats and options. Thread-safe; lives as long as
// the process.
class GameType {
 public:
  virtual ~GameType() = default;
  // Such as "hypnosia": a lower-case letter, then lower-case letters, digits, '_' and '-'; at most
  // 64 bytes.
  virtual absl::string_view name() const = 0;
  virtual int min_seats() const = 0;  // at least 2
  virtual int max_seats() const = 0;  // at most limits::kMaxSeats
  // Sorted by name, at most limits::kMaxOptions, at most one of them a file. Option names follow
  // the rule of name().
  virtual absl::Span<const OptionSpec> option_specs() const = 0;
  // Makes the game. Options that are not given get their defaults (see games/options.h). An option
  // that is added to a game later must be empty by default, and an empty value must change nothing:
  // older records lack the option. Returns InvalidArgument with the option or field if `seats` or
  // `options` do not fit.
  virtual absl::StatusOr<std::shared_ptr<const Game>> Create(
      int seats, absl::Span<const Option> options) const = 0;
};

// Makes the draw that `state` needs, from `key`. Then calls `drawn`, a void(const Chance&,
// absl::Span<const int> outcome). Allocates nothing. REQUIRES: state->phase() == Phase::kChance.
template <typename Drawn>
void DrawOnce(const dice::Key& key, State* state, Drawn drawn) {
  const Chance chance = state->chance();
  int numbers[kMaxChanceCount];
  const absl::Span<int> outcome(numbers, chance.count);
  key.Uniform(chance.label(), chance.sides, outcome);
  state->ApplyChance(outcome);
  drawn(chance, absl::Span<const int>(outcome));
}

// Calls DrawOnce until the state needs a move or is over.
template <typename Drawn>
void DrawChance(const dice::Key& key, State* state, Drawn drawn) {
  while (state->phase() == Phase::kChance) DrawOnce(key, state, drawn);
}

}  // namespace referee::games

#endif  // REFEREE_GAMES_GAME_H_

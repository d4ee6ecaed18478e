// The interface of a game: implement it to referee a game of your own. The rest of Referee knows a
// game only by it.
//
//   GameType  one per game, as long as the process: its name, its seats, which options it takes
//   Game      a game with its options settled and its seats counted: immutable, thread-safe
//   State     one match being played: a position, mutable, thread-compatible
//   Move      what a seat plays in its turn: a value that only its game can read
//
// This is how a match goes, whoever runs it:
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
//     state->Apply(legal[0]);  // what the bot of state->seat_to_move() has chosen
//   }
//   Outcome outcome = state->outcome();
//
// To write a game, derive from State (the rules), from Game (it makes states and reads and writes
// moves and positions) and from GameType (it reads options), and hand the type to RefereedMain and
// RefctlMain (daemon/refereed.h, ctl/refctl.h):
//
//   int main(int argc, char** argv) {
//     return referee::RefereedMain(argc, argv, {std::make_shared<const MyGameType>()});
//   }
//
// sdk/README.md ("A game of your own") has the build files, and tests/own_game is a whole game with
// dice for 2 to 10 seats, in one file. games/errors.h words the errors of options, positions and
// moves.
//
// What a game promises, besides what each method says:
//   - It is pure: no I/O, no clock, no threads, no randomness, nothing global that changes. Chance
//     comes from outside: a state that needs dice says so (phase() == kChance), and goes on when it
//     is given them.
//   - It is the same on every machine and for ever: the same options, draws and moves give the same
//     legal moves, positions and outcome, to the byte. So no floating point, no iteration over
//     unordered containers, no std:: distributions. A replay is verified by playing it again: if
//     you change the rules, change the name, or make the change an option.
//   - It ends, whatever is played: a match has no limit of turns of its own.
//   - Its texts (names, notation, position strings) are printable ASCII on one line. Notation has
//     at most limits::kMaxMoveBytes bytes, a position string at most limits::kMaxPositionBytes;
//     ParseMove and ParsePosition refuse what is longer.
//   - What comes from outside (options, positions, notation, claimed moves) may be anything, and is
//     answered with an error, never with a crash. What a REQUIRES forbids does not happen.
//
// Nothing here knows protobuf; games/wire.h does. A game from outside the tree need not care: its
// options, positions and moves travel as the texts above.
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
  kChance,  // waits for the outcome of chance()
  kTurn,    // seat_to_move() is to move
  kOver,
};

// A draw that a state waits for: `count` numbers below `sides`, from refdice's label().
//
// Setup rolls and the draw of the first player come before the first turn, and only there. After a
// move or a forfeit at most one roll is due before the next turn. If a roll can pass the dice to
// the next seat, as in Pig, that seat must first be asked whether it rolls.
//
// The rolls of a match come in ascending order of (index, seat), with seats counted from
// first_seat() around the table; some may be left out. In a game with one roll a turn, the index is
// the number of turns that the seat has had. In other games, increment it whenever the seat of a
// roll is not further around the table than that of the roll before:
//
//   // distance(s): how many seats s is after first_seat(); last_seat: of the roll before.
//   if (distance(seat) <= distance(last_seat)) ++index;
//
// The matches of a block have the same dice, roll by roll, and wait for each other in this order.
// No choice of a bot may precede the first roll of a match: its seat is rolled for at once, or has
// only one legal move.
struct Chance {
  enum class Kind {
    kSetupRoll,    // decides who begins: round `index`, by `seat`
    kFirstPlayer,  // a draw among the seats: `index` and `seat` mean nothing
    kTurnRoll,     // the `index`-th roll, from 0, of the turns of `seat`
  };
  Kind kind = Kind::kTurnRoll;
  int index = 0;
  Seat seat;
  int sides = 6;  // 2 to 6 for a roll; the number of seats for kFirstPlayer
  int count = 2;  // 1 to kMaxChanceCount; 1 for kFirstPlayer

  dice::Label label() const;
};

// The most numbers in one draw.
inline constexpr int kMaxChanceCount = 2;

// How a match ended under its rules. Scores and ranks are by seat, of all seats; ranks are
// competition ranks (1 2 2 4), which standings and ratings are made of. A seat that has forfeited
// ranks below every one that has not.
struct Outcome {
  absl::string_view reason;  // such as "CENTRE_FULL": A to Z and '_'; static storage
  std::vector<int> scores;
  std::vector<int> ranks;
};

// One way of drawing a board on a terminal; see State::Draw.
struct DrawStyle {
  bool colour = false;  // ANSI colours and non-ASCII signs may be used
};

// A match being played: a position, and all else that the rules need. Thread-compatible. It may
// keep a pointer to what its Game holds: the game outlives its states.
class State {
 public:
  virtual ~State() = default;
  State& operator=(const State&) = delete;

  virtual std::unique_ptr<State> Clone() const = 0;
  // Makes this a copy of `other`. Allocates nothing once this has been used. REQUIRES: other is a
  // state of the same Game.
  virtual void CopyFrom(const State& other) = 0;

  virtual Phase phase() const = 0;

  // The draw that is due. REQUIRES: phase() == kChance.
  virtual Chance chance() const = 0;
  // Goes on with the outcome of chance(): chance().count numbers, each 0 to sides - 1, in the order
  // drawn. REQUIRES: phase() == kChance.
  virtual void ApplyChance(absl::Span<const int> outcome) = 0;

  // The seat to move; None while the first is not known yet, and when the game is over. During
  // kChance of kind kTurnRoll it is the seat that the roll is for.
  virtual Seat seat_to_move() const = 0;
  // The seat that began or will begin; None before it is known, and in a parsed position of a game
  // whose positions do not say.
  virtual Seat first_seat() const = 0;
  // The dice of the turn due, as rolled, each 1 to 6, at most kMaxChanceCount; empty when nothing
  // was rolled for it. Valid until the next change of the state. REQUIRES: phase() == kTurn.
  virtual absl::Span<const int> roll() const = 0;
  // Replaces the dice of the turn due, for tools that ask "what if".
  // Returns InvalidArgument when there are none to replace, or `dice` cannot be rolled.
  virtual absl::Status SetRoll(absl::Span<const int> dice) = 0;

  // Replaces the contents of `moves` by the legal moves, sorted, without repeats; exactly one, the
  // pass, when the seat can only pass: then nobody is asked. Never empty. Allocates only to grow
  // `moves`.
  // REQUIRES: phase() == kTurn.
  virtual void LegalMoves(std::vector<Move>* moves) const = 0;
  // Returns the legal move that a player meant by `claimed` (a move as parsed or converted, in
  // which what the position implies may be missing or wrong), or InvalidArgument that says which
  // rule it breaks. `legal` is what LegalMoves gave. REQUIRES: phase() == kTurn.
  virtual absl::StatusOr<Move> Resolve(Move claimed, absl::Span<const Move> legal) const = 0;
  // Plays `move` for the seat to move. REQUIRES: phase() == kTurn, `move` is legal.
  virtual void Apply(Move move) = 0;
  // Takes `seat` out of the game, whoever is to move. The seat loses; the game is over when one is
  // left. What was rolled for the turn stays if the seat was not to move.
  // REQUIRES: phase() == kTurn, `seat` has not forfeited.
  virtual void Forfeit(Seat seat) = 0;
  virtual bool forfeited(Seat seat) const = 0;

  // REQUIRES: phase() == kOver.
  virtual Outcome outcome() const = 0;
  // The points of `seat` so far, as outcome() would count them now.
  virtual int score(Seat seat) const = 0;

  // Appends the position string: all that bots may know of the position, including whose turn it is
  // and its roll. Its digest is in the replay, turn by turn. REQUIRES: phase() != kChance.
  virtual void AppendPosition(std::string* out) const = 0;
  std::string Position() const;

  // Draws the position for people, a few lines, each ended by a newline. Marks `last`, the move
  // that led here, unless it is the pass. REQUIRES: phase() != kChance.
  virtual std::string Draw(const DrawStyle& style, Move last) const = 0;

 protected:
  State() = default;
  State(const State&) = default;
};

// One option of a match, as given. A value of kind kFile is a built-in's name or the bytes of a
// file.
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
  absl::string_view help;  // one line: what it does, which values it takes
};

// Converts a game's values to and from protobuf; see wire.h.
class Wire;

// A game with its options settled. Immutable and thread-safe: matches share it.
class Game {
 public:
  virtual ~Game() = default;

  virtual absl::string_view name() const = 0;  // as GameType::name()
  int seats() const { return seats_; }
  // Converts its values; null: the general members of the protocol carry them.
  const Wire* wire() const { return wire_; }
  // Every option, sorted by name, with defaults written out, as transcripts show it: a file is
  // named, not quoted. One that is empty by default and is not given is left out, here and in
  // source().
  const std::vector<Option>& options() const { return options_; }
  // The options from which GameType::Create makes the same game again, with files whole.
  const std::vector<Option>& source() const { return source_; }

  // A state before the first draw. It may be a position that an option names.
  virtual std::unique_ptr<State> NewState() const = 0;
  // A state from a position string, in phase kTurn or kOver. Turn and roll counts start at 0. If
  // the positions of the game do not say who has forfeited, outcome() ranks as if nobody had.
  // Returns InvalidArgument that names the field and its offset.
  virtual absl::StatusOr<std::unique_ptr<State>> ParsePosition(absl::string_view text) const = 0;

  // Appends the notation of a move of this game; "-" for the pass. Different moves have different
  // notation, and ParseMove reads it back.
  virtual void AppendMove(Move move, std::string* out) const = 0;
  std::string MoveText(Move move) const;
  // Reads the notation. The result is for State::Resolve: well-formed, not yet legal. Returns
  // InvalidArgument that names the byte.
  virtual absl::StatusOr<Move> ParseMove(absl::string_view text) const = 0;

 protected:
  // `options` and `source` are what the methods return. `wire` converts the values of this class
  // and lives for ever; null for a game from outside the tree.
  Game(int seats, std::vector<Option> options, std::vector<Option> source,
       const Wire* wire = nullptr)
      : seats_(seats), options_(std::move(options)), source_(std::move(source)), wire_(wire) {}

 private:
  const int seats_;
  const std::vector<Option> options_;
  const std::vector<Option> source_;
  const Wire* const wire_;
};

// Thread-safe; lives as long as the process.
class GameType {
 public:
  virtual ~GameType() = default;
  // Such as "hypnosia": a lower-case letter, then such letters, digits, '_' and '-', 64 at most.
  virtual absl::string_view name() const = 0;
  virtual int min_seats() const = 0;  // at least 2
  virtual int max_seats() const = 0;  // at most limits::kMaxSeats
  // Sorted by name, at most limits::kMaxOptions; at most one is a file. The names are like name().
  virtual absl::Span<const OptionSpec> option_specs() const = 0;
  // Makes the game. Options that are not given have their defaults (games/options.h does that). An
  // option that is added to a game later must be empty by default, and then change nothing: the
  // records of former matches are without it.
  // Returns InvalidArgument that names the option or field when `seats` or `options` do not fit.
  virtual absl::StatusOr<std::shared_ptr<const Game>> Create(
      int seats, absl::Span<const Option> options) const = 0;
};

// Makes the draw that `state` waits for, from `key`, and calls `drawn`, a void(const Chance&,
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

// The same, until the state waits for a move or is over.
template <typename Drawn>
void DrawChance(const dice::Key& key, State* state, Drawn drawn) {
  while (state->phase() == Phase::kChance) DrawOnce(key, state, drawn);
}

}  // namespace referee::games

#endif  // REFEREE_GAMES_GAME_H_

// An independent, simple and slow model of Hypnosia, written from the rules to check the engine.
//
// It works on position strings, sets and maps, and shares only the board's description with the
// engine.
#ifndef REFEREE_TESTS_UNIT_GAMES_NAIVE_HYPNOSIA_H_
#define REFEREE_TESTS_UNIT_GAMES_NAIVE_HYPNOSIA_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "referee/games/hypnosia/board.h"

namespace referee::games::hypnosia::naive {

// A position. Spaces have their names in notation; seats are letters.
struct Position {
  std::map<std::string, std::string> rings;  // "A17" -> "a" or, for a stack, "aa"
  std::map<char, std::set<int>> lanes;       // the lane spaces with a pawn
  std::string centre;
  std::map<char, int> points;
  std::string forfeits;
  char mover = '-';
  std::vector<int> dice;
};

class Model {
 public:
  Model(BoardSpec board, int seats, bool stack_bridges)
      : board_(std::move(board)), seats_(seats), stack_bridges_(stack_bridges) {}

  // REQUIRES: `text` is a valid position string.
  Position Read(const std::string& text) const;
  std::set<std::string> LegalMoves(const Position& position) const;
  // The position after a legal move, before the next seat is chosen.
  Position After(const Position& position, const std::string& move) const;
  // The first seat after `mover` that has a pawn to move; '-' if the position is over.
  char NextMover(const Position& position, char mover) const;
  std::string EndReason(const Position& position) const;  // "" if the game goes on
  int Score(const Position& position, char seat) const;

 private:
  struct Play {
    std::string text;
    int dice = 0;
    bool ended = false;
    Position position;
  };

  std::vector<Play> StepsWith(const Position& position, int die) const;
  std::vector<Play> PlaysInOrder(const Position& position, int first, int second) const;
  std::vector<Play> AllPlays(const Position& position) const;
  // Moves `pawns` own pawns from one place to another, if legal. Appends the result to `plays`.
  void TryStep(const Position& position, int die, const std::string& from, int pawns,
               const std::string& to, std::vector<Play>* plays) const;
  std::string SpaceName(int ring, int index) const;
  int PawnsToMove(const Position& position, char seat) const;

  const BoardSpec board_;
  const int seats_;
  const bool stack_bridges_;
};

}  // namespace referee::games::hypnosia::naive

#endif  // REFEREE_TESTS_UNIT_GAMES_NAIVE_HYPNOSIA_H_

// An independent, simple and slow model of Isaac, written from the rules to check the engine.
//
// It works on position strings, sets and maps, and shares nothing with the engine.
#ifndef REFEREE_TESTS_UNIT_GAMES_NAIVE_ISAAC_H_
#define REFEREE_TESTS_UNIT_GAMES_NAIVE_ISAAC_H_

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace referee::games::isaac::naive {

// A cell, from seat a's side.
struct Cell {
  int row = 0;
  int column = 0;
  friend bool operator<(Cell x, Cell y) {
    return std::make_pair(x.row, x.column) < std::make_pair(y.row, y.column);
  }
  friend bool operator==(Cell x, Cell y) { return x.row == y.row && x.column == y.column; }
};

struct Piece {
  char owner = 'a';
  char direction = 'h';
  std::vector<Cell> cells;
};

// A position. Seats are letters.
struct Position {
  std::vector<Piece> pieces;
  std::map<char, std::multiset<int>> unplayed;  // lengths
  std::map<char, int> scores;
  std::map<char, int> floors;
  std::string out;
  char phase = 'P';
  char mover = '-';
  char first = 'a';
};

class Model {
 public:
  Model(bool exact, bool first_to_pass_begins)
      : exact_(exact), first_to_pass_begins_(first_to_pass_begins) {}

  // REQUIRES: `text` is a valid position string.
  Position Read(const std::string& text) const;
  std::string Write(const Position& position) const;
  std::set<std::string> LegalMoves(const Position& position) const;
  // The position after a legal move, with the next seat to move.
  Position After(Position position, const std::string& move) const;
  // The reason and the winner. REQUIRES: position.phase is '-', and no seat has forfeited.
  std::pair<std::string, char> Result(const Position& position) const;

 private:
  std::set<std::string> Placements(const Position& position) const;
  std::set<std::string> Removals(const Position& position) const;

  const bool exact_;
  const bool first_to_pass_begins_;
};

}  // namespace referee::games::isaac::naive

#endif  // REFEREE_TESTS_UNIT_GAMES_NAIVE_ISAAC_H_

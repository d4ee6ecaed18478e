#include "tests/unit/games/naive_isaac.h"

#include <algorithm>
#include <sstream>

namespace referee::games::isaac::naive {
namespace {

char Other(char seat) { return seat == 'a' ? 'b' : 'a'; }

std::string Name(Cell cell) { return std::to_string(cell.row) + std::to_string(cell.column); }

Cell CellOf(const std::string& name) { return {name.at(0) - '0', name.at(1) - '0'}; }

std::vector<Cell> CellsFrom(Cell anchor, char direction, int length) {
  std::vector<Cell> cells;
  for (int i = 0; i < length; ++i) {
    cells.push_back(direction == 'h' ? Cell{anchor.row, anchor.column + i}
                                     : Cell{anchor.row + i, anchor.column});
  }
  return cells;
}

bool OnBoard(Cell cell) {
  return cell.row >= 0 && cell.row < 10 && cell.column >= 0 && cell.column < 10;
}

bool Has(const Piece& piece, Cell cell) {
  return std::find(piece.cells.begin(), piece.cells.end(), cell) != piece.cells.end();
}

const Piece* PieceOn(const Position& position, Cell cell) {
  for (const Piece& piece : position.pieces) {
    if (Has(piece, cell)) return &piece;
  }
  return nullptr;
}

int Value(int length) { return std::map<int, int>{{3, 1}, {4, 2}, {5, 3}, {6, 4}, {7, 6}}[length]; }

// The cell of a seat's counter with this many points, counted from the seat's own corner.
Cell CounterCell(char seat, int score) {
  const Cell from_own_corner{score / 10, score % 10};
  if (seat == 'a') return from_own_corner;
  return {9 - from_own_corner.row, 9 - from_own_corner.column};
}

std::vector<Cell> Counters(const Position& position) {
  std::vector<Cell> cells;
  for (const auto& [seat, score] : position.scores) {
    if (score < 100) cells.push_back(CounterCell(seat, score));
  }
  return cells;
}

bool InLine(const Piece& piece, Cell cell) {
  const Cell anchor = piece.cells.front();
  return piece.direction == 'h' ? cell.row == anchor.row : cell.column == anchor.column;
}

int Points(const Position& position, const Piece& removed) {
  int pieces = 0;
  for (const Piece& piece : position.pieces) {
    if (piece.cells == removed.cells) continue;
    const bool in_line = std::any_of(piece.cells.begin(), piece.cells.end(),
                                     [&](Cell cell) { return InLine(removed, cell); });
    if (in_line) ++pieces;
  }
  int points = pieces * Value(static_cast<int>(removed.cells.size()));
  for (const Cell counter : Counters(position)) {
    if (InLine(removed, counter)) points *= 2;
  }
  return points;
}

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

}  // namespace

Position Model::Read(const std::string& text) const {
  const std::vector<std::string> fields = Split(text, ' ');
  Position position;
  if (fields.at(0) != "-") {
    for (const std::string& piece : Split(fields[0], ',')) {
      position.pieces.push_back({piece.at(0), piece.at(2),
                                 CellsFrom(CellOf(piece.substr(3)), piece[2], piece.at(1) - '0')});
    }
  }
  for (const char seat : {'a', 'b'}) {
    const size_t index = seat == 'a' ? 0 : 1;
    const std::string counts = Split(fields.at(1), ',').at(index);
    for (int length = 3; length <= 7; ++length) {
      for (int i = 0; i < counts.at(static_cast<size_t>(length) - 3) - '0'; ++i) {
        position.unplayed[seat].insert(length);
      }
    }
    position.scores[seat] = std::stoi(Split(fields.at(2), ',').at(index));
    position.floors[seat] = std::stoi(Split(fields.at(3), ',').at(index));
  }
  if (fields.at(4) != "-") position.out = fields[4];
  position.phase = fields.at(5).at(0);
  position.mover = fields.at(6).at(0);
  position.first = fields.at(7).at(0);
  return position;
}

std::string Model::Write(const Position& position) const {
  std::map<Cell, std::string> by_anchor;
  for (const Piece& piece : position.pieces) {
    by_anchor[piece.cells.front()] = piece.owner + std::to_string(piece.cells.size()) +
                                     piece.direction + Name(piece.cells.front());
  }
  std::string text;
  for (const auto& [anchor, piece] : by_anchor) text += (text.empty() ? "" : ",") + piece;
  if (text.empty()) text = "-";
  std::string unplayed, scores, floors;
  for (const char seat : {'a', 'b'}) {
    const std::string comma = seat == 'a' ? " " : ",";
    unplayed += comma;
    for (int length = 3; length <= 7; ++length) {
      const auto found = position.unplayed.find(seat);
      unplayed +=
          std::to_string(found == position.unplayed.end() ? 0 : found->second.count(length));
    }
    scores += comma + std::to_string(position.scores.at(seat));
    floors += comma + std::to_string(position.floors.at(seat));
  }
  return text + unplayed + scores + floors + " " + (position.out.empty() ? "-" : position.out) +
         " " + position.phase + " " + position.mover + " " + position.first;
}

std::set<std::string> Model::LegalMoves(const Position& position) const {
  const std::set<std::string> moves =
      position.phase == 'P' ? Placements(position) : Removals(position);
  return moves.empty() ? std::set<std::string>{"-"} : moves;
}

std::set<std::string> Model::Placements(const Position& position) const {
  std::set<std::string> moves;
  const auto stock = position.unplayed.find(position.mover);
  if (stock == position.unplayed.end()) return moves;
  for (const int length : stock->second) {
    for (const char direction : {'h', 'v'}) {
      for (int row = 0; row < 10; ++row) {
        for (int column = 0; column < 10; ++column) {
          const std::vector<Cell> cells = CellsFrom({row, column}, direction, length);
          const bool free = std::all_of(cells.begin(), cells.end(), [&](Cell cell) {
            return OnBoard(cell) && PieceOn(position, cell) == nullptr;
          });
          if (free) moves.insert(std::to_string(length) + direction + Name({row, column}));
        }
      }
    }
  }
  return moves;
}

std::set<std::string> Model::Removals(const Position& position) const {
  std::set<std::string> moves;
  const char seat = position.mover;
  for (const Piece& piece : position.pieces) {
    if (piece.owner != seat) continue;
    if (static_cast<int>(piece.cells.size()) < position.floors.at(seat)) continue;
    const std::vector<Cell> counters = Counters(position);
    if (std::any_of(counters.begin(), counters.end(),
                    [&](Cell counter) { return Has(piece, counter); })) {
      continue;
    }
    const int points = Points(position, piece);
    for (int advance = 0; advance <= points; ++advance) {
      if (exact_ && advance != points) continue;
      const int score = position.scores.at(seat) + advance;
      const Cell theirs = CounterCell(Other(seat), position.scores.at(Other(seat)));
      if (!exact_ && score < 100 && CounterCell(seat, score) == theirs) continue;
      moves.insert("x" + Name(piece.cells.front()) + piece.direction + "+" +
                   std::to_string(advance));
    }
  }
  return moves;
}

Position Model::After(Position position, const std::string& move) const {
  const char seat = position.mover;
  if (move == "-") {
    position.out += seat;
  } else if (move[0] == 'x') {
    const Piece* const piece = PieceOn(position, CellOf(move.substr(1)));
    position.floors[seat] = static_cast<int>(piece->cells.size());
    position.scores[seat] += std::stoi(move.substr(5));
    position.pieces.erase(position.pieces.begin() + (piece - position.pieces.data()));
  } else {
    const int length = move[0] - '0';
    position.pieces.push_back({seat, move[1], CellsFrom(CellOf(move.substr(2)), move[1], length)});
    position.unplayed[seat].erase(position.unplayed[seat].find(length));
  }
  if (position.scores[seat] >= 100 || (position.phase == 'S' && position.out.size() == 2)) {
    position.phase = position.mover = '-';
    return position;
  }
  if (position.out.size() == 2) {
    position.phase = 'S';
    position.mover = first_to_pass_begins_ ? position.out[0] : position.first;
    position.out.clear();
    return position;
  }
  if (position.out.find(Other(seat)) == std::string::npos) position.mover = Other(seat);
  return position;
}

std::pair<std::string, char> Model::Result(const Position& position) const {
  for (const auto& [seat, score] : position.scores) {
    if (score >= 100) return {"TARGET_REACHED", seat};
  }
  const auto line = [&](char seat) {
    int sum = 0;
    const auto found = position.unplayed.find(seat);
    if (found == position.unplayed.end()) return sum;
    for (const int length : found->second) sum += length;
    return sum;
  };
  const auto standing = [&](char seat) {
    return std::make_tuple(position.scores.at(seat), line(seat), seat == position.first);
  };
  return {"NO_MOVES", standing('a') > standing('b') ? 'a' : 'b'};
}

}  // namespace referee::games::isaac::naive

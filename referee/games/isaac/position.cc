// Reads and writes position strings of Isaac. The grammar is in RULES.md.
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "referee/base/errors.h"
#include "referee/games/field_reader.h"
#include "referee/games/isaac/notation.h"
#include "referee/games/isaac/state.h"

namespace referee::games::isaac {
namespace {

constexpr char kNone = '-';

char Letter(int seat) { return static_cast<char>('a' + seat); }

// A seat with 99 points may score up to 72 more.
constexpr int kMaxScore = 171;

struct Read {
  Table table;
  bool over = false;
};

// Reads a position string field by field.
class PositionReader final : private FieldReader {
 public:
  PositionReader(const Rules& rules, absl::string_view text) : FieldReader(text), rules_(rules) {
    read_.table.unplayed = {};
  }

  absl::StatusOr<Read> ReadAll() {
    static constexpr Field<PositionReader> kFields[] = {
        {"pieces", &PositionReader::ReadPieces}, {"unplayed", &PositionReader::ReadUnplayed},
        {"scores", &PositionReader::ReadScores}, {"floors", &PositionReader::ReadFloors},
        {"out", &PositionReader::ReadOut},       {"phase", &PositionReader::ReadPhase},
        {"turn", &PositionReader::ReadTurn},     {"first", &PositionReader::ReadFirst},
    };
    const absl::Status status = ReadFields(this, kFields);
    if (!status.ok()) return status;
    return read_;
  }

 private:
  // The seat of the next letter; -1 for any other character.
  int PeekSeat() const { return Peek() == 'a' ? 0 : Peek() == 'b' ? 1 : -1; }

  absl::Status ReadPieces() {
    if (SkipNone()) return absl::OkStatus();
    int last_anchor = -1;
    do {
      const absl::Status status = ReadPiece(&last_anchor);
      if (!status.ok()) return status;
    } while (Skip(','));
    return absl::OkStatus();
  }

  absl::Status ReadPiece(int* last_anchor) {
    const size_t start = at();
    const int seat = PeekSeat();
    if (seat < 0) return BadHere("expected a piece such as a7h33, or '-' for none");
    Advance();
    if (Peek() < '0' + kMinLength || Peek() > '0' + kMaxLength) {
      return BadHere("expected the length of a piece, 3 to 7");
    }
    Piece piece;
    piece.length = Peek() - '0';
    Advance();
    if (Peek() != 'h' && Peek() != 'v') return BadHere("expected 'h' or 'v'");
    piece.vertical = Peek() == 'v';
    Advance();
    for (int i = 0; i < 2; ++i) {
      if (!absl::ascii_isdigit(Peek())) return BadHere("expected a cell, 00 to 99");
      piece.anchor = 10 * piece.anchor + Peek() - '0';
      Advance();
    }
    if (piece.anchor < *last_anchor) return Bad("pieces are sorted by their anchors", start);
    *last_anchor = piece.anchor;
    return Put(seat, piece, start);
  }

  absl::Status Put(int seat, const Piece& piece, size_t start) {
    Table& table = read_.table;
    if (!piece.fits()) {
      return Bad(absl::StrCat(Quoted(Since(start)), " leaves the board"), start);
    }
    if ((table.covered & CellsOf(piece)) != 0) {
      return Bad(absl::StrCat(Quoted(Since(start)), " lies over another piece"), start);
    }
    const int index = piece.length - kMinLength;
    if (++known_[seat][index] > kStock[index]) return TooMany(seat, index, start);
    PutPiece(seat, piece, &table);
    return absl::OkStatus();
  }

  absl::Status TooMany(int seat, int index, size_t offset) const {
    return Bad(absl::StrCat("seat ", std::string(1, Letter(seat)), " has more than ", kStock[index],
                            index + 1 == kLengths ? " piece" : " pieces", " of length ",
                            kMinLength + index),
               offset);
  }

  // Reads the ',' before every seat except the first.
  absl::Status ReadComma(int seat) {
    if (seat == 0 || Skip(',')) return absl::OkStatus();
    return BadHere("expected ',' and what belongs to seat b");
  }

  absl::Status ReadUnplayed() {
    for (int seat = 0; seat < kSeats; ++seat) {
      const absl::Status status = ReadComma(seat);
      if (!status.ok()) return status;
      for (int i = 0; i < kLengths; ++i) {
        if (!absl::ascii_isdigit(Peek())) return BadHere("expected five digits for each seat");
        const int count = Peek() - '0';
        if (known_[seat][i] + count > kStock[i]) return TooMany(seat, i, at());
        read_.table.unplayed[seat][i] = static_cast<uint8_t>(count);
        Advance();
      }
    }
    return absl::OkStatus();
  }

  absl::Status ReadScores() {
    Table& table = read_.table;
    for (int seat = 0; seat < kSeats; ++seat) {
      const absl::Status status = ReadComma(seat);
      if (!status.ok()) return status;
      const size_t start = at();
      int score = 0;
      while (absl::ascii_isdigit(Peek()) && score <= kMaxScore) {
        score = 10 * score + Peek() - '0';
        Advance();
      }
      const absl::string_view digits = Since(start);
      if (digits.empty() || score > kMaxScore || (digits.size() > 1 && digits[0] == '0')) {
        return Bad(absl::StrCat("expected a number from 0 to ", kMaxScore), start);
      }
      table.scores[seat] = static_cast<int16_t>(score);
    }
    if (table.scores[0] >= kTarget && table.scores[1] >= kTarget) {
      return BadHere("only one seat reaches 100 points");
    }
    if (!rules_.exact_advance && table.scores[0] + table.scores[1] == kCells - 1) {
      return BadHere("both counters would stand on one cell (counter_advance=UP_TO)");
    }
    return absl::OkStatus();
  }

  absl::Status ReadFloors() {
    for (int seat = 0; seat < kSeats; ++seat) {
      const absl::Status status = ReadComma(seat);
      if (!status.ok()) return status;
      const int floor = Peek() - '0';
      if (floor != 0 && (floor < kMinLength || floor > kMaxLength)) {
        return BadHere("expected the length that a removed piece must reach, 3 to 7, or 0");
      }
      read_.table.floors[seat] = static_cast<uint8_t>(floor);
      Advance();
    }
    return absl::OkStatus();
  }

  absl::Status ReadOut() {
    Table& table = read_.table;
    if (SkipNone()) return absl::OkStatus();
    if (AtEnd()) return BadHere("expected seats in order, or '-'");
    for (; !AtEnd(); Advance()) {
      const int seat = PeekSeat();
      if (seat < 0) return BadHere("expected a seat, a or b");
      if (table.is_out(seat)) return BadHere("a seat passes or is out once");
      table.out[table.out_count++] = static_cast<uint8_t>(seat);
    }
    return absl::OkStatus();
  }

  absl::Status ReadPhase() {
    Table& table = read_.table;
    if (SkipNone()) {
      table.stage = Stage::kScoring;
      read_.over = true;
      return absl::OkStatus();
    }
    if (Peek() != 'P' && Peek() != 'S') {
      return BadHere("expected P (placement), S (scoring) or '-' for a match that is over");
    }
    if (Peek() == 'S') table.stage = Stage::kScoring;
    if (table.scores[0] >= kTarget || table.scores[1] >= kTarget) {
      return BadHere("a seat has 100 points: the match is over, expected '-'");
    }
    if (Peek() == 'P' && (table.scores[0] != 0 || table.scores[1] != 0)) {
      return BadHere("nobody has points in the placement");
    }
    if (Peek() == 'P' && (table.floors[0] != 0 || table.floors[1] != 0)) {
      return BadHere("floors are 0 in the placement");
    }
    if (Peek() == 'P' && table.out_count == kSeats) {
      return BadHere("both seats have passed: the scoring begins, expected S");
    }
    if (table.out_count == kSeats) {
      return BadHere("both seats are out: the match is over, expected '-'");
    }
    Advance();
    return absl::OkStatus();
  }

  absl::Status ReadTurn() {
    if (read_.over) {
      return SkipNone() ? absl::OkStatus() : BadHere("expected '-': the match is over");
    }
    const int seat = PeekSeat();
    if (seat < 0) return BadHere("expected the seat to move, a or b");
    if (read_.table.is_out(seat)) {
      return BadHere(absl::StrCat("seat ", std::string(1, Letter(seat)),
                                  " has passed or is out: it is not to move"));
    }
    read_.table.mover = static_cast<int8_t>(seat);
    Advance();
    return absl::OkStatus();
  }

  absl::Status ReadFirst() {
    const int seat = PeekSeat();
    if (seat < 0) return BadHere("expected the seat that began the placement, a or b");
    if (rules_.first_player != FirstPlayer::kRandom &&
        seat != (rules_.first_player == FirstPlayer::kSeatA ? 0 : 1)) {
      return BadHere("another seat begins in this match (first_player)");
    }
    read_.table.first = static_cast<int8_t>(seat);
    Advance();
    return absl::OkStatus();
  }

  const Rules& rules_;
  ::referee::games::isaac::Read read_;
  // By seat and length: the number of pieces on the board.
  std::array<std::array<int, kLengths>, kSeats> known_{};
};

void AppendPieces(const Table& table, std::string* out) {
  bool any = false;
  for (int cell = 0; cell < kCells; ++cell) {
    if (table.piece[cell] == 0) continue;
    if (any) out->push_back(',');
    any = true;
    const Piece piece = table.piece_at(cell);
    out->push_back(Letter(table.anchored(0, cell) ? 0 : 1));
    out->push_back(static_cast<char>('0' + piece.length));
    out->push_back(piece.vertical ? 'v' : 'h');
    AppendCell(cell, out);
  }
  if (!any) out->push_back(kNone);
}

}  // namespace

void IsaacState::AppendPosition(std::string* out) const {
  AppendPieces(table_, out);
  for (int seat = 0; seat < kSeats; ++seat) {
    out->push_back(seat == 0 ? ' ' : ',');
    for (const uint8_t count : table_.unplayed[seat]) {
      out->push_back(static_cast<char>('0' + count));
    }
  }
  absl::StrAppend(out, " ", table_.scores[0], ",", table_.scores[1]);
  absl::StrAppend(out, " ", table_.floors[0], ",", table_.floors[1], " ");
  for (int i = 0; i < table_.out_count; ++i) out->push_back(Letter(table_.out[i]));
  if (table_.out_count == 0) out->push_back(kNone);
  out->push_back(' ');
  out->push_back(over() ? kNone : table_.stage == Stage::kPlacement ? 'P' : 'S');
  out->push_back(' ');
  out->push_back(over() ? kNone : Letter(table_.mover));
  out->push_back(' ');
  out->push_back(Letter(table_.first));
}

absl::StatusOr<std::unique_ptr<State>> IsaacState::Parse(const Rules& rules,
                                                         absl::string_view text) {
  const absl::StatusOr<Read> read = PositionReader(rules, text).ReadAll();
  if (!read.ok()) return read.status();
  auto state = std::make_unique<IsaacState>(rules);
  state->table_ = read->table;
  if (read->over) {
    const auto& scores = read->table.scores;
    // The match is over, and the position shows no reason: it can only be a forfeit.
    state->end_ = scores[0] >= kTarget || scores[1] >= kTarget ? End::kTargetReached
                  : read->table.out_count == kSeats            ? End::kNoMoves
                                                               : End::kLastSeat;
  }
  return std::unique_ptr<State>(std::move(state));
}

}  // namespace referee::games::isaac

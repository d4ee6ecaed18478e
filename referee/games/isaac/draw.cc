// Draws a position of Isaac on a terminal.
//
// The board is seen from seat a's side. A piece is a chain of its owner's letter. The counters A
// and B stand beside the content of their cells. Below the board is one line for each seat.
#include <array>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "referee/games/isaac/notation.h"
#include "referee/games/isaac/state.h"

namespace referee::games::isaac {
namespace {

constexpr absl::string_view kPlain = "\x1b[0m";
constexpr absl::string_view kDim = "\x1b[2m";
constexpr absl::string_view kMarked = "\x1b[7m";  // inverse
constexpr std::array<absl::string_view, kSeats> kSeatColours = {"\x1b[1;31m", "\x1b[1;34m"};

// One column of one line of the terminal.
struct Glyph {
  absl::string_view text = " ";
  absl::string_view colour;
  bool marked = false;

  bool LooksLike(const Glyph& other) const {
    return colour == other.colour && marked == other.marked;
  }
};

constexpr absl::string_view kLetters[] = {"a", "b"};
constexpr absl::string_view kCounters[] = {"A", "B"};

// A cell is three columns and a gap wide, a line and a gap high. Its letter is in the middle, a's
// counter on the left, b's counter on the right.
constexpr int kCellColumns = 4;
constexpr int kCellLines = 2;
constexpr int kColumns = kCellColumns * kSide;
constexpr int kLines = kCellLines * kSide - 1;

class Picture {
 public:
  Picture(const IsaacState& state, const DrawStyle& style, Move last)
      : state_(state), table_(state.table()), colour_(style.colour) {
    FindMarked(DecodeMove(last));
    for (auto& line : glyphs_) line.fill(Glyph());
  }

  std::string Draw() {
    for (int cell = 0; cell < kCells; ++cell) DrawEmptyCell(cell);
    for (int anchor = 0; anchor < kCells; ++anchor) {
      if (table_.piece[anchor] != 0) DrawPiece(table_.piece_at(anchor));
    }
    if (table_.stage == Stage::kScoring) DrawCounters();
    std::string out;
    for (int line = 0; line < kLines; ++line) AppendLine(line, &out);
    AppendColumnNames(&out);
    for (int seat = 0; seat < kSeats; ++seat) AppendSeat(seat, &out);
    return out;
  }

 private:
  // The column of the middle of a cell.
  static int ColumnOn(int cell) { return kCellColumns * ColumnOf(cell) + 1; }
  static int LineOn(int cell) { return kLines - 1 - kCellLines * RowOf(cell); }
  Glyph& At(int line, int column) {
    return glyphs_[static_cast<size_t>(line)][static_cast<size_t>(column)];
  }
  std::string In(absl::string_view colour, absl::string_view text) const {
    return colour_ ? absl::StrCat(colour, text, kPlain) : std::string(text);
  }

  // Finds the cells of the piece that was just placed or removed.
  void FindMarked(const Play& last) {
    if (last.kind == Play::Kind::kPass) return;
    Piece piece{last.length, last.vertical, last.cell};
    if (last.kind == Play::Kind::kRemoval) piece.length = LengthRemoved();
    marked_ = CellBit(last.cell);
    if (piece.length >= kMinLength && piece.fits()) marked_ = CellsOf(piece);
  }

  // The length of the piece removed last: it is now its owner's floor. 0 if the owner is unknown. A
  // seat that is out does not move.
  int LengthRemoved() const {
    if (state_.over()) {
      for (int seat = 0; seat < kSeats; ++seat) {
        if (table_.scores[seat] >= kTarget) return table_.floors[seat];
      }
    }
    if (table_.mover < 0) return 0;
    const int other = OtherSeat(table_.mover);
    return table_.floors[table_.is_out(other) ? table_.mover : other];
  }

  bool IsMarked(int cell) const { return (marked_ >> cell & 1) != 0; }

  void DrawEmptyCell(int cell) {
    Glyph& glyph = At(LineOn(cell), ColumnOn(cell));
    glyph.text = IsMarked(cell) ? "x" : ".";
    glyph.colour = kDim;
    glyph.marked = IsMarked(cell);
  }

  void DrawPiece(const Piece& piece) {
    const int seat = table_.anchored(0, piece.anchor) ? 0 : 1;
    const bool marked = IsMarked(piece.anchor);
    const absl::string_view link = !colour_ ? (marked           ? "#"
                                               : piece.vertical ? "|"
                                                                : "-")
                                            : (piece.vertical ? "┃" : "━");
    for (int cell = piece.anchor; cell <= piece.last(); cell += piece.stride()) {
      const int line = LineOn(cell), column = ColumnOn(cell);
      At(line, column) = {kLetters[seat], kSeatColours[seat], marked};
      if (cell == piece.last()) continue;
      const int links = piece.vertical ? kCellLines - 1 : kCellColumns - 1;
      for (int i = 1; i <= links; ++i) {
        (piece.vertical ? At(line - i, column) : At(line, column + i)) = {link, kSeatColours[seat],
                                                                          marked};
      }
    }
  }

  void DrawCounters() {
    for (int seat = 0; seat < kSeats; ++seat) {
      if (table_.scores[seat] >= kTarget) continue;
      const int cell = table_.counter(seat);
      At(LineOn(cell), ColumnOn(cell) + (seat == 0 ? -1 : 1)) = {kCounters[seat],
                                                                 kSeatColours[seat], true};
    }
  }

  void AppendLine(int line, std::string* out) const {
    const auto& glyphs = glyphs_[static_cast<size_t>(line)];
    size_t end = glyphs.size();
    while (end > 0 && glyphs[end - 1].text == " ") --end;
    if (line % kCellLines == 0) {
      absl::StrAppend(out, In(kDim, absl::StrCat((kLines - 1 - line) / kCellLines, "0")), " ");
    } else if (end > 0) {
      absl::StrAppend(out, "   ");
    }
    // Adjacent columns with the same look share their escape sequences.
    for (size_t column = 0; column < end;) {
      const Glyph& first = glyphs[column];
      std::string run;
      for (; column < end && glyphs[column].LooksLike(first); ++column) {
        absl::StrAppend(&run, glyphs[column].text);
      }
      const std::string style = absl::StrCat(first.colour, first.marked ? kMarked : "");
      absl::StrAppend(out, style.empty() ? run : In(style, run));
    }
    out->push_back('\n');
  }

  void AppendColumnNames(std::string* out) const {
    std::string names = "   ";
    for (int column = 0; column < kSide; ++column) absl::StrAppend(&names, " ", column, "  ");
    names.resize(names.size() - 2);
    absl::StrAppend(out, In(kDim, names), "\n");
  }

  // Appends one line: seat, turn, points, unplayed pieces, remaining rights.
  void AppendSeat(int seat, std::string* out) const {
    const bool to_move = !state_.over() && table_.mover == seat;
    const std::string score = absl::StrCat(table_.scores[seat]);
    absl::StrAppend(out, to_move ? "> " : "  ", In(kSeatColours[seat], kLetters[seat]), "  score ",
                    std::string(score.size() < 3 ? 3 - score.size() : 0, ' '), score, "  unplayed ",
                    Unplayed(seat));
    if (table_.stage == Stage::kScoring) {
      absl::StrAppend(out, "  floor ",
                      table_.floors[seat] == 0 ? "-" : absl::StrCat(table_.floors[seat]));
    }
    if (table_.first == seat) absl::StrAppend(out, "  began");
    if (table_.is_out(seat)) {
      absl::StrAppend(out, table_.stage == Stage::kPlacement ? "  passed" : "  out");
    }
    if (table_.forfeited == seat) absl::StrAppend(out, "  forfeited");
    out->push_back('\n');
  }

  // Length and number of unplayed pieces, such as "3x5 7x1".
  std::string Unplayed(int seat) const {
    std::string text;
    for (int length = kMinLength; length <= kMaxLength; ++length) {
      const int count = table_.unplayed_of(seat, length);
      if (count == 0) continue;
      absl::StrAppend(&text, text.empty() ? "" : " ", count, "x", length);
    }
    return text.empty() ? "-" : text;
  }

  const IsaacState& state_;
  const Table& table_;
  const bool colour_;
  Cells marked_ = 0;
  std::array<std::array<Glyph, kColumns>, kLines> glyphs_;
};

}  // namespace

std::string IsaacState::Draw(const DrawStyle& style, Move last) const {
  return Picture(*this, style, last).Draw();
}

}  // namespace referee::games::isaac

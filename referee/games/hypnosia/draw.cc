// Draws a position of Hypnosia on a terminal.
//
// The rings are nested rectangles, numbered counter-clockwise from the lower left corner. Below
// them, one line for each seat names the place of every pawn.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "referee/games/hypnosia/notation.h"
#include "referee/games/hypnosia/state.h"

namespace referee::games::hypnosia {
namespace {

constexpr absl::string_view kPlain = "\x1b[0m";
constexpr absl::string_view kDim = "\x1b[2m";
constexpr absl::string_view kMarked = "\x1b[7m";  // inverse
constexpr std::array<absl::string_view, kMaxSeats> kSeatColours = {
    "\x1b[1;31m", "\x1b[1;34m", "\x1b[1;32m", "\x1b[1;33m", "\x1b[1;35m", "\x1b[1;36m"};
constexpr int kCellColumns = 3;
constexpr int kGap = 1;  // cells between adjacent rings

struct Point {
  int x, y;
};

// A rectangle of cells with a ring along its edge.
struct Frame {
  int width = 1;
  int height = 1;

  int edge() const { return 2 * (width + height) - 4; }
  // The `slot`-th cell of the edge, counter-clockwise from the lower left; y grows downwards.
  Point At(int slot) const {
    const int right = width - 1, down = height - 1;
    if (slot < right) return {slot, down};
    slot -= right;
    if (slot < down) return {right, down - slot};
    slot -= down;
    if (slot < right) return {right - slot, 0};
    return {0, slot - right};
  }
};

// The rectangles of all rings: each encloses the next, the innermost encloses the centre.
std::vector<Frame> LayOut(const Board& board) {
  std::vector<Frame> frames(board.rings());
  Frame inside;
  for (int ring = board.rings() - 1; ring >= 0; --ring) {
    Frame& frame = frames[ring];
    frame.width = inside.width + 2 + 2 * kGap;
    frame.height = inside.height + 2;
    while (frame.edge() < board.ring_size(ring)) {
      // Terminal cells are wider than high, so a slightly wide rectangle looks square.
      ++(2 * frame.width < 3 * frame.height ? frame.width : frame.height);
    }
    inside = frame;
  }
  return frames;
}

class Picture {
 public:
  Picture(const Rules& rules, const Table& table, const DrawStyle& style, Move last)
      : rules_(rules), board_(rules.board()), table_(table), colour_(style.colour) {
    const Steps steps = DecodeMove(last);
    for (int i = 0; i < steps.count; ++i) {
      marked_.push_back(board_.space(steps.step[i].from));
      marked_.push_back(board_.space(steps.step[i].to));
    }
  }

  std::string Draw() {
    DrawRings();
    std::string out;
    for (const std::vector<std::string>& row : rows_) {
      std::string line;
      int blank = 0;
      for (const std::string& cell : row) {
        if (cell.empty()) {
          blank += kCellColumns;
          continue;
        }
        line.append(std::exchange(blank, 0), ' ');
        line.append(cell);
      }
      absl::StrAppend(&out, line, "\n");
    }
    absl::StrAppend(&out, "\n");
    for (int seat = 0; seat < rules_.seats(); ++seat) DrawSeat(seat, &out);
    return out;
  }

 private:
  std::string In(absl::string_view colour, absl::string_view text) const {
    return colour_ ? absl::StrCat(colour, text, kPlain) : std::string(text);
  }
  bool IsMarked(Space space) const {
    return colour_ && std::find(marked_.begin(), marked_.end(), space) != marked_.end();
  }

  void DrawRings() {
    const std::vector<Frame> frames = LayOut(board_);
    rows_.assign(frames[0].height, std::vector<std::string>(frames[0].width));
    for (int ring = 0; ring < board_.rings(); ++ring) {
      const Frame& frame = frames[ring];
      const Point corner = {(frames[0].width - frame.width) / 2,
                            (frames[0].height - frame.height) / 2};
      for (int i = 0; i < board_.ring_size(ring); ++i) {
        const Point at = frame.At(i * frame.edge() / board_.ring_size(ring));
        rows_[corner.y + at.y][corner.x + at.x] = CellText(board_.ring_offset(ring) + i);
      }
    }
    const std::string centre = IsMarked(kCentre) ? In(kMarked, " X ") : " X ";
    rows_[(frames[0].height - 1) / 2][(frames[0].width - 1) / 2] = centre;
  }

  // " a " is a pawn, " A " a stack, " . " an empty space; parentheses mark a bridge. Some empty
  // spaces show their names as landmarks.
  std::string CellText(int space) const {
    const Cell cell = table_.cells[space];
    const bool bridge = board_.is_bridge(static_cast<Space>(space));
    std::string text = bridge ? "(.)" : " . ";
    if (cell != kEmpty) {
      text[1] = static_cast<char>((IsStack(cell) ? 'A' : 'a') + OwnerOf(cell));
    } else if (!bridge && IsLandmark(space)) {
      text.clear();
      AppendPlace(board_.place(static_cast<Space>(space)), &text);
      text.resize(kCellColumns, ' ');
    }
    if (!colour_) return text;
    std::string colour(cell == kEmpty ? kDim : kSeatColours[OwnerOf(cell)]);
    if (IsMarked(static_cast<Space>(space))) absl::StrAppend(&colour, kMarked);
    return In(colour, text);
  }

  // Whether the space is the first of a ring, or a lane opens onto it.
  bool IsLandmark(int space) const {
    for (int lane = 0; lane < kLanes; ++lane) {
      if (board_.lane_entry(lane) == space) return true;
    }
    return board_.place(static_cast<Space>(space)).index() == 0;
  }

  // Draws one line: seat, turn and dice, points, lane, rings, centre.
  void DrawSeat(int seat, std::string* out) const {
    const std::string letter(1, static_cast<char>('a' + seat));
    const bool to_move = table_.mover == seat;
    absl::StrAppend(out, to_move ? "> " : "  ", In(kSeatColours[seat], letter), "  score ",
                    Padded(ScoreOf(rules_, table_, seat)), "  lane A",
                    PaddedIndex(rules_.lane_of(seat)), " ");
    for (int k = 0; k < kLaneSpaces; ++k) {
      out->append(table_.pieces[seat].lane >> k & 1 ? letter : ".");
    }
    absl::StrAppend(out, "  rings ", RingPieces(seat), "  centre ", CentrePieces(seat));
    if (HasForfeited(table_, seat)) absl::StrAppend(out, "  forfeited");
    if (to_move) absl::StrAppend(out, "  rolled ", table_.dice[0], " ", table_.dice[1]);
    absl::StrAppend(out, "\n");
  }

  static std::string Padded(int number) {
    const std::string text = absl::StrCat(number);
    return std::string(text.size() < 3 ? 3 - text.size() : 0, ' ') + text;
  }
  std::string PaddedIndex(int lane) const {
    const std::string text = absl::StrCat(board_.lane_entry(lane));
    return text + std::string(text.size() < 2 ? 1 : 0, ' ');
  }

  std::string RingPieces(int seat) const {
    const Pieces& pieces = table_.pieces[seat];
    std::vector<Space> spaces(pieces.at.begin(), pieces.at.begin() + pieces.units);
    if (spaces.empty()) return "-";
    std::sort(spaces.begin(), spaces.end());
    return absl::StrJoin(spaces, " ", [this](std::string* out, Space space) {
      AppendPlace(board_.place(space), out);
      if (IsStack(table_.cells[space])) out->push_back('*');
    });
  }

  // The value of each pawn of the seat in the centre, such as "5+3".
  std::string CentrePieces(int seat) const {
    std::vector<int> values;
    for (int i = 0; i < table_.centre_count; ++i) {
      if (table_.centre[i] == seat) values.push_back(board_.centre_places() - i);
    }
    return values.empty() ? "-" : absl::StrJoin(values, "+");
  }

  const Rules& rules_;
  const Board& board_;
  const Table& table_;
  const bool colour_;
  std::vector<Space> marked_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace

std::string HypnosiaState::Draw(const DrawStyle& style, Move last) const {
  return Picture(*rules_, table_, style, last).Draw();
}

}  // namespace referee::games::hypnosia

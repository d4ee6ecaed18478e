#include "referee/games/isaac/notation.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/games/errors.h"
#include "referee/games/isaac/pieces.h"

namespace referee::games::isaac {
namespace {

constexpr uint64_t kRemoval = uint64_t{1} << 20;
// Flag of a claim that does not state its advance.
constexpr uint64_t kAdvanceOpen = uint64_t{1} << 21;

uint64_t EncodeAdvance(int advance) {
  if (advance < 10) return AdvanceCode(advance);
  if (advance < 100) return AdvanceCode(advance / 10, advance % 10);
  return AdvanceCode(advance / 100, advance / 10 % 10) | static_cast<uint64_t>(advance % 10 + 1);
}

int DecodeAdvance(uint64_t code) {
  int advance = static_cast<int>(code >> 8 & 15);
  for (const int shift : {4, 0}) {
    const int digit = static_cast<int>(code >> shift & 15);
    if (digit != 0) advance = 10 * advance + digit - 1;
  }
  return advance;
}

}  // namespace

Play Play::Placement(int length, bool vertical, int cell) {
  Play play;
  play.kind = Kind::kPlacement;
  play.length = length;
  play.vertical = vertical;
  play.cell = cell;
  return play;
}

Play Play::Removal(int cell, bool vertical, int advance) {
  Play play;
  play.kind = Kind::kRemoval;
  play.vertical = vertical;
  play.cell = cell;
  play.advance = advance;
  return play;
}

Move EncodeMove(const Play& play) {
  switch (play.kind) {
    case Play::Kind::kPass:
      return Move::Pass();
    case Play::Kind::kPlacement:
      return Move(PlacementCode(play.length, play.vertical) + static_cast<uint64_t>(play.cell));
    case Play::Kind::kRemoval:
      break;
  }
  const uint64_t advance = play.advance_stated ? EncodeAdvance(play.advance) : kAdvanceOpen;
  return Move(RemovalCode(play.cell, play.vertical) | advance);
}

Play DecodeMove(Move move) {
  const uint64_t code = move.code();
  if (move.is_pass()) return Play();
  if ((code & kRemoval) == 0) {
    return Play::Placement(static_cast<int>(code >> 8 & 7), (code >> 7 & 1) != 0,
                           static_cast<int>(code & 127));
  }
  Play play = Play::Removal(static_cast<int>(code >> 13 & 127), (code >> 12 & 1) != 0, 0);
  play.advance_stated = (code & kAdvanceOpen) == 0;
  if (play.advance_stated) play.advance = DecodeAdvance(code);
  return play;
}

void AppendCell(int cell, std::string* out) {
  out->push_back(static_cast<char>('0' + cell / 10));
  out->push_back(static_cast<char>('0' + cell % 10));
}

void AppendMoveText(Move move, std::string* out) {
  const Play play = DecodeMove(move);
  const char direction = play.vertical ? 'v' : 'h';
  switch (play.kind) {
    case Play::Kind::kPass:
      out->push_back('-');
      return;
    case Play::Kind::kPlacement:
      out->push_back(static_cast<char>('0' + play.length));
      out->push_back(direction);
      AppendCell(play.cell, out);
      return;
    case Play::Kind::kRemoval:
      out->push_back('x');
      AppendCell(play.cell, out);
      out->push_back(direction);
      if (play.advance_stated) absl::StrAppend(out, "+", play.advance);
      return;
  }
}

namespace {

// Reads a move from left to right.
class MoveReader {
 public:
  explicit MoveReader(absl::string_view text) : text_(text) {}

  absl::StatusOr<Move> Read() {
    if (text_.size() > limits::kMaxMoveBytes) {
      return BadMove(text_, limits::kMaxMoveBytes,
                     absl::StrCat("a move has at most ", limits::kMaxMoveBytes, " bytes"));
    }
    if (text_ == "-") return Move::Pass();
    Play play;
    const absl::Status status = Peek() == 'x' ? ReadRemoval(&play) : ReadPlacement(&play);
    if (!status.ok()) return status;
    if (at_ < text_.size()) return Expected("the end of the move");
    return EncodeMove(play);
  }

 private:
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  absl::Status Expected(absl::string_view what, int move = 0) const {
    return BadMove(text_, at_ + move, absl::StrCat("expected ", what));
  }

  absl::Status ReadPlacement(Play* play) {
    play->kind = Play::Kind::kPlacement;
    if (Peek() < '0' + kMinLength || Peek() > '0' + kMaxLength) {
      return Expected("the length of a piece, 3 to 7, or 'x' for a removal");
    }
    play->length = text_[at_++] - '0';
    const absl::Status status = ReadDirection(play);
    return status.ok() ? ReadCell(play) : status;
  }

  absl::Status ReadRemoval(Play* play) {
    play->kind = Play::Kind::kRemoval;
    ++at_;
    absl::Status status = ReadCell(play);
    if (status.ok()) status = ReadDirection(play);
    if (!status.ok()) return status;
    if (Peek() != '+') return Expected("'+' and how far the counter advances");
    ++at_;
    return ReadAdvance(play);
  }

  absl::Status ReadDirection(Play* play) {
    if (Peek() != 'h' && Peek() != 'v') return Expected("'h' or 'v'");
    play->vertical = text_[at_++] == 'v';
    return absl::OkStatus();
  }

  absl::Status ReadCell(Play* play) {
    for (int i = 0; i < 2; ++i) {
      if (!absl::ascii_isdigit(Peek())) return Expected("the two digits of a cell, 00 to 99");
      play->cell = 10 * play->cell + text_[at_++] - '0';
    }
    return absl::OkStatus();
  }

  absl::Status ReadAdvance(Play* play) {
    if (!absl::ascii_isdigit(Peek())) return Expected("how far the counter advances");
    const bool zero = Peek() == '0';
    while (absl::ascii_isdigit(Peek())) {
      play->advance = 10 * play->advance + text_[at_++] - '0';
      if (play->advance > kMaxAdvance) {
        return Expected(absl::StrCat("an advance of at most ", kMaxAdvance), -1);
      }
      if (zero && absl::ascii_isdigit(Peek())) {
        return Expected("an advance without a leading 0", -1);
      }
    }
    return absl::OkStatus();
  }

  const absl::string_view text_;
  size_t at_ = 0;
};

}  // namespace

absl::StatusOr<Move> ParseMoveText(absl::string_view text) { return MoveReader(text).Read(); }

}  // namespace referee::games::isaac

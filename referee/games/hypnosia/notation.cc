#include "referee/games/hypnosia/notation.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/games/errors.h"

namespace referee::games::hypnosia {
namespace {

// Flag of a claim that does not state its captures; above the bits of both steps.
constexpr uint64_t kCapturesOpen = uint64_t{1} << (2 * kStepBits);

// Codes of the characters after a first digit. '*' and the end sort before digits, '>' and 'x'
// after them.
constexpr uint32_t kBeforeDigits = 0;
constexpr uint32_t kFirstDigit = 1;
constexpr uint32_t kAfterDigits = 11;

// The number with the digits `first` and `second`, if they form one.
int Number(uint32_t first, uint32_t second) {
  const bool two_digits = second != kBeforeDigits && second != kAfterDigits;
  return static_cast<int>(two_digits ? first * 10 + second - kFirstDigit : first);
}

}  // namespace

uint32_t EncodeFrom(Place from, bool stack) {
  const uint32_t letter = from.area_;
  uint32_t first = from.index_, second = stack ? kBeforeDigits : kAfterDigits, third = 0;
  if (from.index_ >= 10) {
    first = from.index_ / 10;
    second = kFirstDigit + from.index_ % 10;
    third = stack ? 0 : 1;
  }
  return (letter << 9 | first << 5 | second << 1 | third) << kFromShift;
}

uint32_t EncodeTo(Place to, int captured) {
  const uint32_t letter = to.area_;
  const uint32_t count = static_cast<uint32_t>(captured);
  uint32_t first = to.index_, second = kBeforeDigits, tail = 0;
  if (to.index_ >= 10) {
    first = to.index_ / 10;
    second = kFirstDigit + to.index_ % 10;
    tail = count;
  } else if (count > 0) {
    second = kAfterDigits;
    tail = count - 1;
  }
  return letter << 10 | first << 6 | second << 2 | tail;
}

Step DecodeStep(uint32_t code) {
  Step step;
  step.die = static_cast<int>(code >> kDieShift & 7);
  const uint32_t from = code >> kFromShift & 0x1fff;
  const uint32_t from_second = from >> 1 & 15;
  step.from = Place(static_cast<int>(from >> 9), Number(from >> 5 & 15, from_second));
  step.stack = from_second == kBeforeDigits || (from_second != kAfterDigits && (from & 1) == 0);
  const uint32_t to = code & 0x3fff;
  const uint32_t to_second = to >> 2 & 15;
  const int tail = static_cast<int>(to & 3);
  step.to = Place(static_cast<int>(to >> 10), Number(to >> 6 & 15, to_second));
  step.captured = to_second == kAfterDigits ? tail + 1 : tail;
  return step;
}

Move EncodeMove(const Steps& steps) {
  uint64_t code = steps.captures_stated ? 0 : kCapturesOpen;
  if (steps.count > 0) code |= uint64_t{EncodeStep(steps.step[0])} << kStepBits;
  if (steps.count > 1) code |= EncodeStep(steps.step[1]);
  return Move(code);
}

Steps DecodeMove(Move move) {
  Steps steps;
  steps.captures_stated = (move.code() & kCapturesOpen) == 0;
  for (const uint32_t code : {FirstStepCode(move), SecondStepCode(move)}) {
    if (code != 0) steps.step[steps.count++] = DecodeStep(code);
  }
  return steps;
}

void AppendPlace(Place place, std::string* out) {
  if (place.is_centre()) out->push_back('X');
  if (place.is_lane()) absl::StrAppend(out, "L", place.index());
  if (!place.is_ring()) return;
  out->push_back(static_cast<char>('A' + place.ring()));
  if (place.index() >= 10) out->push_back(static_cast<char>('0' + place.index() / 10));
  out->push_back(static_cast<char>('0' + place.index() % 10));
}

void AppendMoveText(Move move, std::string* out) {
  const Steps steps = DecodeMove(move);
  if (steps.count == 0) out->push_back('-');
  for (int i = 0; i < steps.count; ++i) {
    const Step& step = steps.step[i];
    if (i > 0) out->push_back(' ');
    out->push_back(static_cast<char>('0' + step.die));
    out->push_back(':');
    AppendPlace(step.from, out);
    if (step.stack) out->push_back('*');
    out->push_back('>');
    AppendPlace(step.to, out);
    out->append(steps.captures_stated ? step.captured : 0, 'x');
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
    Steps steps;
    do {
      if (steps.count == kDice) return Expected("the end: a move has at most two steps", -1);
      const absl::Status status = ReadStep(&steps.step[steps.count++]);
      if (!status.ok()) return status;
    } while (Skip(' '));
    if (at_ < text_.size()) return Expected("'x', ' ' and another step, or the end");
    return EncodeMove(steps);
  }

 private:
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool Skip(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  absl::Status Expected(absl::string_view what, int move = 0) const {
    return BadMove(text_, at_ + move, absl::StrCat("expected ", what));
  }

  absl::Status ReadStep(Step* step) {
    if (Peek() < '1' || Peek() > '6') return Expected("a die, 1 to 6");
    step->die = text_[at_++] - '0';
    if (!Skip(':')) return Expected("':' after the die");
    absl::Status status = ReadPlace(&step->from);
    if (!status.ok()) return status;
    step->stack = Skip('*');
    if (!Skip('>')) return Expected(step->stack ? "'>'" : "'>' or '*>'");
    status = ReadPlace(&step->to);
    if (!status.ok()) return status;
    while (step->captured < 2 && Skip('x')) ++step->captured;
    return absl::OkStatus();
  }

  absl::Status ReadPlace(Place* place) {
    const char letter = Peek();
    if (letter == 'X') {
      ++at_;
      *place = Place::Centre();
      return absl::OkStatus();
    }
    if (letter != 'L' && (letter < 'A' || letter >= 'A' + kMaxRings)) {
      return Expected("a space such as A17, L3 or X");
    }
    ++at_;
    if (letter == 'L') {
      if (Peek() < '1' || Peek() > '4') return Expected("a lane space, 1 to 4");
      *place = Place::Lane(text_[at_++] - '0');
      return absl::OkStatus();
    }
    if (!absl::ascii_isdigit(Peek())) return Expected("the number of a space");
    int index = text_[at_++] - '0';
    if (absl::ascii_isdigit(Peek())) {
      if (index == 0) return Expected("the number of a space without a leading 0", -1);
      index = 10 * index + text_[at_++] - '0';
    }
    *place = Place::Ring(letter - 'A', index);
    return absl::OkStatus();
  }

  const absl::string_view text_;
  size_t at_ = 0;
};

}  // namespace

absl::StatusOr<Move> ParseMoveText(absl::string_view text) { return MoveReader(text).Read(); }

}  // namespace referee::games::hypnosia

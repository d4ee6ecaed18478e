#include "referee/sdk/hypnosia.h"

#include <google/protobuf/util/json_util.h>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace referee::sdk::hypnosia {
namespace {

constexpr char kSpiral[] = "spiral-36-24-12";

void AppendSpace(const Space& space, std::string* out) {
  if (space.area() == kCentre) {
    out->push_back('X');
  } else if (space.area() == kLane) {
    absl::StrAppend(out, "L", space.index());
  } else {
    out->push_back(static_cast<char>('A' + space.area() - kRingA));
    absl::StrAppend(out, space.index());
  }
}

// Removes a number of one or two digits from the front of `text`.
bool TakeNumber(absl::string_view* text, uint32_t* out) {
  size_t digits = 0;
  while (digits < text->size() && digits < 2 && absl::ascii_isdigit((*text)[digits])) ++digits;
  const bool taken = absl::SimpleAtoi(text->substr(0, digits), out);
  text->remove_prefix(digits);
  return taken;
}

bool TakeSpace(absl::string_view* text, Space* out) {
  if (absl::ConsumePrefix(text, "X")) {
    out->set_area(kCentre);
    return true;
  }
  if (text->empty()) return false;
  const char letter = text->front();
  if (letter != 'L' && (letter < 'A' || letter >= 'A' + kCentre - kRingA)) return false;
  text->remove_prefix(1);
  uint32_t index = 0;
  if (!TakeNumber(text, &index)) return false;
  out->set_area(letter == 'L' ? kLane : static_cast<uint32_t>(letter - 'A' + kRingA));
  out->set_index(index);
  return true;
}

bool TakeStep(absl::string_view* text, Step* out) {
  uint32_t die = 0;
  if (!TakeNumber(text, &die) || !absl::ConsumePrefix(text, ":")) return false;
  out->set_die(die);
  if (!TakeSpace(text, out->mutable_from())) return false;
  if (absl::ConsumePrefix(text, "*")) out->set_stack(true);
  if (!absl::ConsumePrefix(text, ">") || !TakeSpace(text, out->mutable_to())) return false;
  while (absl::ConsumePrefix(text, "x")) out->set_captured(out->captured() + 1);
  return true;
}

}  // namespace

Board SpiralBoard() {
  Board board;
  board.set_name(kSpiral);
  for (const uint32_t size : {36, 24, 12}) board.add_rings()->set_size(size);
  for (uint32_t j = 0; j < 6; ++j) {
    Board::Bridge* outer = board.mutable_rings(0)->add_bridges();
    outer->set_from(6 * j + 3);
    outer->set_to(4 * j);
    Board::Bridge* middle = board.mutable_rings(1)->add_bridges();
    middle->set_from(4 * j + 2);
    middle->set_to(2 * j);
    board.mutable_rings(2)->add_bridges()->set_from(2 * j + 1);
    board.add_lane_entries(6 * j);
  }
  board.set_centre_places(5);
  return board;
}

absl::StatusOr<Board> BoardOf(const Options& options) {
  if (!options.has_board() || options.board() == kSpiral) return SpiralBoard();
  Board board;
  const auto read = google::protobuf::util::JsonStringToMessage(options.board(), &board);
  if (!read.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the board of the match: ", std::string(read.message())));
  }
  return board;
}

int LaneOf(int seat, int seats) { return (6 - 6 * seat / seats) % 6; }

std::string Notation(const Move& move) {
  if (move.steps().empty()) return "-";
  std::string text;
  for (const Step& step : move.steps()) {
    if (!text.empty()) text.push_back(' ');
    absl::StrAppend(&text, step.die(), ":");
    AppendSpace(step.from(), &text);
    absl::StrAppend(&text, step.stack() ? "*>" : ">");
    AppendSpace(step.to(), &text);
    text.append(step.captured(), 'x');
  }
  return text;
}

bool ParseMove(absl::string_view notation, Move* out) {
  out->Clear();
  if (notation == "-") return true;
  do {
    if (!TakeStep(&notation, out->add_steps())) return false;
  } while (absl::ConsumePrefix(&notation, " "));
  return notation.empty();
}

}  // namespace referee::sdk::hypnosia

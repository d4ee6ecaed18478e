#include "referee/sdk/isaac.h"

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

namespace referee::sdk::isaac {
namespace {

const char* Letter(Direction direction) {
  return direction == ::games::isaac::v1::DIRECTION_VERTICAL ? "v" : "h";
}

// Removes a number of at most `most` digits from the front of `text`.
bool TakeNumber(absl::string_view* text, size_t most, uint32_t* out) {
  size_t digits = 0;
  while (digits < text->size() && digits < most && absl::ascii_isdigit((*text)[digits])) ++digits;
  const bool taken = absl::SimpleAtoi(text->substr(0, digits), out);
  text->remove_prefix(digits);
  return taken;
}

bool TakeDirection(absl::string_view* text, Direction* out) {
  *out = ::games::isaac::v1::DIRECTION_VERTICAL;
  if (absl::ConsumePrefix(text, "v")) return true;
  *out = ::games::isaac::v1::DIRECTION_HORIZONTAL;
  return absl::ConsumePrefix(text, "h");
}

bool TakePlacement(absl::string_view* text, Placement* out) {
  uint32_t length = 0;
  uint32_t cell = 0;
  Direction direction;
  if (!TakeNumber(text, 1, &length) || !TakeDirection(text, &direction)) return false;
  if (!TakeNumber(text, 2, &cell)) return false;
  out->set_length(length);
  out->set_direction(direction);
  out->set_cell(cell);
  return true;
}

bool TakeRemoval(absl::string_view* text, Removal* out) {
  uint32_t cell = 0;
  uint32_t advance = 0;
  Direction direction;
  if (!TakeNumber(text, 2, &cell) || !TakeDirection(text, &direction)) return false;
  if (!absl::ConsumePrefix(text, "+") || !TakeNumber(text, 3, &advance)) return false;
  out->set_cell(cell);
  out->set_direction(direction);
  out->set_advance(advance);
  return true;
}

}  // namespace

std::vector<int> CellsOf(int length, Direction direction, int anchor) {
  const int stride = direction == ::games::isaac::v1::DIRECTION_VERTICAL ? kSide : 1;
  std::vector<int> cells;
  for (int i = 0; i < length; ++i) cells.push_back(anchor + i * stride);
  return cells;
}

std::vector<int> Cover(const Position& position) {
  std::vector<int> cover(kCells, -1);
  for (int i = 0; i < position.pieces_size(); ++i) {
    for (const int cell : CellsOf(position.pieces(i))) cover[static_cast<size_t>(cell)] = i;
  }
  return cover;
}

std::string Notation(const Move& move) {
  switch (move.kind_case()) {
    case Move::kPlacement: {
      const Placement& placement = move.placement();
      return absl::StrCat(placement.length(), Letter(placement.direction()),
                          absl::Dec(placement.cell(), absl::kZeroPad2));
    }
    case Move::kRemoval: {
      const Removal& removal = move.removal();
      return absl::StrCat("x", absl::Dec(removal.cell(), absl::kZeroPad2),
                          Letter(removal.direction()), "+", removal.advance());
    }
    case Move::KIND_NOT_SET:
      break;
  }
  return "-";
}

bool ParseMove(absl::string_view notation, Move* out) {
  out->Clear();
  if (notation == "-") return true;
  const bool taken = absl::ConsumePrefix(&notation, "x")
                         ? TakeRemoval(&notation, out->mutable_removal())
                         : TakePlacement(&notation, out->mutable_placement());
  return taken && notation.empty();
}

}  // namespace referee::sdk::isaac

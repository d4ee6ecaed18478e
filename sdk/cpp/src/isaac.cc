#include "referee/sdk/isaac.h"

#include "absl/strings/str_cat.h"

namespace referee::sdk::isaac {
namespace {

const char* Letter(Direction direction) {
  return direction == ::games::isaac::v1::DIRECTION_VERTICAL ? "v" : "h";
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

}  // namespace referee::sdk::isaac

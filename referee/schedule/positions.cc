#include "referee/schedule/positions.h"

#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/dice/dice.h"

namespace referee::schedule {
namespace {

// The numbers that shuffle a pass; positions.h defines them.
class Draws {
 public:
  explicit Draws(int64_t pass) : pass_(pass) {}

  uint32_t Next() {
    if (used_ == bytes_.size()) {
      bytes_ = dice::HashedSeed(absl::StrCat("referee-positions-v1/", pass_, "/", chunk_++)).bytes;
      used_ = 0;
    }
    uint32_t number = 0;
    for (int i = 0; i < 4; ++i) number = number << 8 | bytes_[used_++];
    return number;
  }

 private:
  const int64_t pass_;
  int chunk_ = 0;
  dice::Bytes32 bytes_{};
  size_t used_ = bytes_.size();
};

}  // namespace

int PositionOf(int64_t block, int positions) {
  const auto count = static_cast<size_t>(positions);
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  Draws draws(block / positions);
  for (size_t i = count - 1; i > 0; --i) std::swap(order[i], order[draws.Next() % (i + 1)]);
  return order[static_cast<size_t>(block % positions)];
}

absl::Status ValidatePositions(absl::Span<const std::string> positions) {
  if (positions.size() > limits::kMaxPositions) {
    return absl::InvalidArgumentError(absl::StrCat("positions: ", positions.size(),
                                                   " given; at most ", limits::kMaxPositions,
                                                   " are allowed"));
  }
  size_t bytes = 0;
  for (size_t i = 0; i < positions.size(); ++i) {
    const size_t size = positions[i].size();
    if (size == 0 || size > limits::kMaxPositionBytes) {
      return absl::InvalidArgumentError(absl::StrCat("positions[", i, "]: it has ", size,
                                                     " bytes; expected 1 to ",
                                                     limits::kMaxPositionBytes));
    }
    bytes += size;
  }
  if (bytes <= limits::kMaxPositionsBytes) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("positions: they have ", bytes, " bytes in all; at most ",
                   limits::kMaxPositionsBytes, " are allowed; give fewer"));
}

}  // namespace referee::schedule

#include "referee/rating/dense.h"

#include <vector>

#include "gtest/gtest.h"
#include "tests/unit/rating/simulated_blocks.h"

namespace referee::rating {
namespace {

// R R' + 1, for a random R.
std::vector<double> PositiveDefinite(size_t n, SimulatedBlocks* random) {
  std::vector<double> r(n * n);
  for (double& cell : r) cell = random->Uniform() - 0.5;
  std::vector<double> a(n * n);
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      for (size_t k = 0; k < n; ++k) a[i * n + j] += r[i * n + k] * r[j * n + k];
    }
    a[i * n + i] += 1;
  }
  return a;
}

TEST(Cholesky, SolvesForSixteenRightSidesWhateverTheSize) {
  SimulatedBlocks random(1);
  for (const size_t n : {1U, 2U, 15U, 16U, 17U, 32U, 50U}) {
    const std::vector<double> a = PositiveDefinite(n, &random);
    std::vector<double> right(n * kPanelColumns);
    for (double& cell : right) cell = random.Uniform();
    std::vector<double> x = right;
    Cholesky(a, static_cast<int>(n)).Solve(x.data());
    for (size_t i = 0; i < n; ++i) {
      for (size_t c = 0; c < kPanelColumns; ++c) {
        double product = 0;
        for (size_t k = 0; k < n; ++k) product += a[i * n + k] * x[k * kPanelColumns + c];
        ASSERT_NEAR(product, right[i * kPanelColumns + c], 1e-9) << n;
      }
    }
  }
}

}  // namespace
}  // namespace referee::rating

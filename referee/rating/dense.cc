#include "referee/rating/dense.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace referee::rating {

namespace {

// Two columns, which every 64-bit processor takes as one. Spelled out, because compilers left to
// themselves keep the sums in memory, at four times the cost.
using Two = double __attribute__((vector_size(16), aligned(8), may_alias));

}  // namespace

void SubtractProduct(const double* factors, const double* panel, int count, double* row) {
  static_assert(kPanelColumns == 16);
  auto* const result = reinterpret_cast<Two*>(row);
  Two a = result[0], b = result[1], c = result[2], d = result[3];
  Two e = result[4], f = result[5], g = result[6], h = result[7];
  const auto* columns = reinterpret_cast<const Two*>(panel);
  for (int k = 0; k < count; ++k, columns += kPanelColumns / 2) {
    const Two factor = {factors[k], factors[k]};
    a -= factor * columns[0];
    b -= factor * columns[1];
    c -= factor * columns[2];
    d -= factor * columns[3];
    e -= factor * columns[4];
    f -= factor * columns[5];
    g -= factor * columns[6];
    h -= factor * columns[7];
  }
  result[0] = a, result[1] = b, result[2] = c, result[3] = d;
  result[4] = e, result[5] = f, result[6] = g, result[7] = h;
}

Cholesky::Cholesky(std::vector<double> matrix, int n) : n_(n), factors_(std::move(matrix)) {
  std::vector<double> panel(static_cast<size_t>(n) * kPanelColumns);
  std::array<double, kPanelColumns> row;
  for (int first = 0; first < n; first += kPanelColumns) {
    const int width = std::min(kPanelColumns, n - first);
    // The rows of this panel's columns, as far as they are known, turned round.
    std::fill(panel.begin(), panel.end(), 0.0);
    for (int c = 0; c < width; ++c) {
      for (int k = 0; k < first; ++k) {
        panel[static_cast<size_t>(k) * kPanelColumns + static_cast<size_t>(c)] = Row(first + c)[k];
      }
    }
    for (int i = first; i < n; ++i) {
      const int columns = std::min(width, i - first + 1);  // up to the diagonal
      row.fill(0.0);
      std::copy_n(Row(i) + first, columns, row.begin());
      SubtractProduct(Row(i), panel.data(), first, row.data());
      for (int c = 0; c < columns; ++c) {
        double value = row[static_cast<size_t>(c)];
        const double* const pivot_row = Row(first + c) + first;
        for (int k = 0; k < c; ++k) value -= row[static_cast<size_t>(k)] * pivot_row[k];
        const bool diagonal = first + c == i;
        // Rounding may take the last digit of a pivot that is next to nothing.
        value = diagonal ? std::sqrt(std::max(value, std::numeric_limits<double>::min()))
                         : value / pivot_row[c];
        row[static_cast<size_t>(c)] = value;
        Row(i)[first + c] = value;
        Row(first + c)[i] = value;
      }
    }
  }
}

void Cholesky::Solve(double* panel) const {
  const auto divide = [](double* row, double by) {
    for (int c = 0; c < kPanelColumns; ++c) row[c] /= by;
  };
  for (int i = 0; i < n_; ++i) {
    double* const row = panel + static_cast<size_t>(i) * kPanelColumns;
    SubtractProduct(Row(i), panel, i, row);
    divide(row, Row(i)[i]);
  }
  for (int i = n_ - 1; i >= 0; --i) {
    double* const row = panel + static_cast<size_t>(i) * kPanelColumns;
    SubtractProduct(Row(i) + i + 1, row + kPanelColumns, n_ - i - 1, row);
    divide(row, Row(i)[i]);
  }
}

}  // namespace referee::rating

// Dense symmetric matrices as far as error bars need them, fast enough for a few thousand rows:
// everything is done in panels of sixteen columns, which stay in the processor's cache. Nothing
// about this is specific to ratings.
#ifndef REFEREE_RATING_DENSE_H_
#define REFEREE_RATING_DENSE_H_

#include <cstddef>
#include <vector>

namespace referee::rating {

// Columns of a panel. A panel of n rows is n * kPanelColumns numbers, row by row.
inline constexpr int kPanelColumns = 16;

// row -= factors x panel, for `count` factors and rows of the panel; `row` has kPanelColumns
// numbers, and is none of the panel's first `count` rows.
void SubtractProduct(const double* factors, const double* panel, int count, double* row);

// The factors L of A = L L'. Thread-compatible.
class Cholesky {
 public:
  // `matrix` is n x n, row by row, symmetric and positive definite; its lower triangle is read.
  // Takes n^3 / 6 multiplications.
  Cholesky(std::vector<double> matrix, int n);

  // Solves A X = B for a panel of right sides, in place; n^2 multiplications a column.
  void Solve(double* panel) const;

 private:
  double* Row(int i) { return &factors_[static_cast<size_t>(i) * static_cast<size_t>(n_)]; }
  const double* Row(int i) const {
    return &factors_[static_cast<size_t>(i) * static_cast<size_t>(n_)];
  }

  int n_;
  std::vector<double> factors_;  // L below the diagonal and on it, L' above
};

}  // namespace referee::rating

#endif  // REFEREE_RATING_DENSE_H_

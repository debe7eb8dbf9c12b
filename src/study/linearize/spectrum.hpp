#pragma once
// Eigenvalues and modes of x' = A x. Zero roots are split off first, by the ranks of A and of what A does inside its
// own range, so that they are exactly zero and rounding does not spread those of a Jordan block.

#include <dalembert/study/linearize.hpp>

namespace dalembert {

struct Spectrum {
  bool ok = false;
  double size = 0;                 ///< of A, balanced: what rounding is judged by
  std::vector<std::size_t> zeros;  ///< how many directions each step has split off
  std::vector<Mode> modes;         ///< by falling real part; those of zero roots are the kernel of A
  std::size_t kernel = 0;          ///< its dimension

  std::size_t zero_count() const;
  /// Roots with a real part above `margin`, zero roots not counted.
  std::size_t count_right(double margin) const;
};

/// `zeros`: how many to split off; found by rank where not given. `coordinate_count`: by which modes are scaled.
Spectrum find_spectrum(const NumberMatrix& a, std::size_t coordinate_count,
                       const std::vector<std::size_t>* zeros = nullptr);

/// x of least norm with least |A x - b|.
std::vector<double> solve_least(const NumberMatrix& a, const std::vector<double>& b);
/// The lower triangle of a matrix that ought to be symmetric: is it positive definite by more than rounding?
bool is_positive_definite(const NumberMatrix& a);

}  // namespace dalembert

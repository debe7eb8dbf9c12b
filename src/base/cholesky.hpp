#pragma once
// A = L L^T of symmetric matrices, in place and without allocation up to `largest_unblocked`. Only the lower triangle
// is read. The diagonal of the factor holds reciprocals, so that solving divides nothing.

#include <cstddef>
#include <span>

namespace dalembert {

struct CholeskyReport {
  std::size_t failed = 0;   ///< the first index whose pivot is not told from zero; the size where there is none
  double least = 1;         ///< the smallest pivot in parts of its diagonal entry; 0 where the factorisation failed
  std::size_t weakest = 0;  ///< its index
};

/// Up to this size plain loops are fastest; above, Eigen's blocked kernels, which may allocate.
constexpr std::size_t largest_unblocked = 24;

/// `a`: size x size. `noise`: what entry (i, j) may be off by, in parts of the root of a_ii a_jj; the factorisation's
/// own errors are of that form too (Higham, Accuracy and Stability of Numerical Algorithms, theorem 10.3). Fails at the
/// first index whose pivot such errors could make or unmake (or that is not above zero, or not finite): a pivot is v.A
/// v for the v that has a one there and is orthogonal in A to what comes before, so they change it by up to noise (sum
/// of |v_i| sqrt(a_ii))^2, which is large where what comes before is nearly singular. The strict upper triangle is
/// scratch.
CholeskyReport factor_cholesky(std::span<double> a, std::size_t size, double noise);

struct SemidefiniteReport {
  bool finite = true;
  std::size_t rank = 0;
};

/// The same of a matrix with unit diagonal that may be singular: an index whose pivot is not above `least` is passed
/// over, and solving gives zero there. A pivot that is not finite ends the factorisation.
SemidefiniteReport factor_semidefinite(std::span<double> a, std::size_t size, double least);

/// L^-1 x and L^-T x, in place; the size is that of x.
void solve_lower(std::span<const double> l, std::span<double> x);
void solve_upper(std::span<const double> l, std::span<double> x);
/// A^-1 x.
inline void solve_cholesky(std::span<const double> l, std::span<double> x) {
  solve_lower(l, x);
  solve_upper(l, x);
}

}  // namespace dalembert

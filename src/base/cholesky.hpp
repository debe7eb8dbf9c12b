#pragma once
// A = L L^T of symmetric matrices, in place and without allocation up to `largest_unblocked`. Only the lower triangle
// is read. The diagonal of the factor holds reciprocals, so that solving divides nothing.

#include <cstddef>
#include <span>

namespace dalembert {

struct CholeskyReport {
  std::size_t failed = 0;   ///< the first index whose pivot is too small or not finite; the size where there is none
  double least = 1;         ///< the smallest pivot in parts of its diagonal entry; 0 where the factorisation failed
  std::size_t weakest = 0;  ///< its index
};

/// Up to this size plain loops are fastest; above, Eigen's blocked kernels, which may allocate.
constexpr std::size_t largest_unblocked = 24;

/// `a`: size x size. Fails at the first index whose pivot is not above `least` times its diagonal entry (nor above
/// zero); a pivot that is not finite fails. The strict upper triangle is scratch.
CholeskyReport factor_cholesky(std::span<double> a, std::size_t size, double least);

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

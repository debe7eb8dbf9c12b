#pragma once
// An orthonormal basis that grows vector by vector: Gram-Schmidt, each vector orthogonalised twice, which leaves it
// orthogonal to rounding whatever it was (Giraud, Langou and Rozloznik 2005). With the coefficients it is X = Q R.

#include <span>
#include <vector>

namespace dalembert {

class OrthonormalBasis {
 public:
  /// Of vectors of `size` numbers. No more is allocated while there are up to `capacity` directions.
  explicit OrthonormalBasis(std::size_t size, std::size_t capacity = 0);

  std::size_t size() const { return size_; }
  std::size_t count() const { return count_; }
  std::span<const double> direction(std::size_t k) const { return {q_.data() + k * size_, size_}; }

  /// Takes off x its parts along the directions, which go to `inside` (count() numbers); the length of what is left.
  double split(std::span<double> x, std::span<double> inside) const;

  /// What is left of x as the next direction. False, and nothing changes, where that is not more than `dependent` times
  /// the length of x: x lies in the span, vanishes or is not finite.
  bool add(std::span<const double> x, double dependent);

  /// Forgets all directions from the k-th on: what is added then comes out as if they had never been.
  void truncate(std::size_t k);

  /// R^-1 x and R^-T x for the R of the vectors that made the directions; count() numbers, in place.
  void solve(std::span<double> x) const;
  void solve_transposed(std::span<double> x) const;

 private:
  /// Column k of R: k + 1 numbers.
  const double* column(std::size_t k) const { return r_.data() + k * (k + 1) / 2; }

  std::size_t size_, count_ = 0;
  std::vector<double> q_, r_;
};

}  // namespace dalembert

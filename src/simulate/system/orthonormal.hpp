#pragma once
// Constraint rows made orthonormal in the kinetic metric, in the user's order (Spain 1940, (2)): Gram-Schmidt, twice,
// in the coordinates w = L^-1 a of M = L L^T. Rows that depend on those before them are left out, and how they do is
// kept. For doubles and for numbers that track their errors.

#include <cmath>
#include <vector>

namespace dalembert {

inline double value_of(double x) { return x; }

template <class Number>
class Orthonormal {
 public:
  /// mass: size x size, full. jacobian: rows x size.
  Orthonormal(std::size_t size, std::vector<Number> mass, std::size_t rows, const std::vector<Number>& jacobian)
      : size_(size), rows_(rows), l_(std::move(mass)) {
    ok_ = factor();
    for (std::size_t r = 0; ok_ && r < rows; ++r) add_row(r, jacobian);
    for (const std::vector<Number>& w : w_) raised_.push_back(solve_upper(w));
    for (const std::vector<Number>& c : combination_) lowered_.push_back(combine(c, jacobian));
  }

  bool ok() const { return ok_; }  ///< M is positive definite
  std::size_t count() const { return w_.size(); }
  /// Phi_(a)i, Phi_(a)^i, and the combinations C with Phi = C A.
  const std::vector<std::vector<Number>>& lowered() const { return lowered_; }
  const std::vector<std::vector<Number>>& raised() const { return raised_; }
  const std::vector<std::vector<Number>>& combination() const { return combination_; }
  const std::vector<std::size_t>& kept() const { return kept_; }

  /// M^-1 x.
  std::vector<Number> raise(std::vector<Number> x) const { return solve_upper(solve_lower(std::move(x))); }

  struct Projected {
    std::vector<Number> acceleration, theta, multipliers;
  };
  /// M u' + bias = A^T lambda, A u' + drift = 0: the free acceleration projected, plus theta along the Phi that keeps
  /// the constraints (Spain 1940, (6)).
  Projected solve(const std::vector<Number>& bias, const std::vector<Number>& drift) const {
    std::vector<Number> z = solve_lower(bias);
    for (Number& x : z) x = -x;
    Projected motion;
    for (std::size_t a = 0; a < w_.size(); ++a) {
      Number sum = -dot(w_[a], z);
      for (std::size_t r = 0; r < rows_; ++r) sum = sum - combination_[a][r] * drift[r];
      motion.theta.push_back(sum);
    }
    for (std::size_t a = 0; a < w_.size(); ++a)
      for (std::size_t i = 0; i < size_; ++i) z[i] = z[i] + motion.theta[a] * w_[a][i];
    motion.acceleration = solve_upper(std::move(z));
    motion.multipliers = multipliers(motion.theta);
    return motion;
  }

  /// lambda with A^T lambda = Phi^T theta, of least norm.
  std::vector<Number> multipliers(const std::vector<Number>& theta) const {
    std::vector<Number> lambda(rows_, Number(0.0));
    for (std::size_t a = 0; a < theta.size(); ++a)
      for (std::size_t r = 0; r < rows_; ++r) lambda[r] = lambda[r] + theta[a] * combination_[a][r];
    for (const std::vector<Number>& null : null_) subtract(lambda, dot(null, lambda), null);
    return lambda;
  }

 private:
  static constexpr double dependent = 1e-8;   // what is left of a row, in parts of its length
  static constexpr double mass_rank = 1e-14;  // pivots of M, in parts of the diagonal

  static Number dot(const std::vector<Number>& a, const std::vector<Number>& b) {
    Number sum(0.0);
    for (std::size_t i = 0; i < a.size(); ++i) sum = sum + a[i] * b[i];
    return sum;
  }
  static void subtract(std::vector<Number>& x, const Number& factor, const std::vector<Number>& y) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] - factor * y[i];
  }

  bool factor() {
    using std::sqrt;
    for (std::size_t i = 0; i < size_; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        Number sum = l_[i * size_ + j];
        const double diagonal = value_of(sum);
        for (std::size_t k = 0; k < j; ++k) sum = sum - l_[i * size_ + k] * l_[j * size_ + k];
        if (i != j) {
          l_[i * size_ + j] = sum / l_[j * size_ + j];
          continue;
        }
        if (!(value_of(sum) > mass_rank * diagonal)) return false;
        l_[i * size_ + i] = sqrt(sum);
      }
    return true;
  }

  std::vector<Number> solve_lower(std::vector<Number> x) const {
    for (std::size_t i = 0; i < size_; ++i) {
      for (std::size_t k = 0; k < i; ++k) x[i] = x[i] - l_[i * size_ + k] * x[k];
      x[i] = x[i] / l_[i * size_ + i];
    }
    return x;
  }
  std::vector<Number> solve_upper(std::vector<Number> x) const {
    for (std::size_t i = size_; i-- > 0;) {
      for (std::size_t k = i + 1; k < size_; ++k) x[i] = x[i] - l_[k * size_ + i] * x[k];
      x[i] = x[i] / l_[i * size_ + i];
    }
    return x;
  }

  void add_row(std::size_t r, const std::vector<Number>& jacobian) {
    using std::sqrt;
    const auto begin = jacobian.begin() + static_cast<std::ptrdiff_t>(r * size_);
    std::vector<Number> w = solve_lower({begin, begin + static_cast<std::ptrdiff_t>(size_)});
    std::vector<Number> c(rows_, Number(0.0));
    c[r] = Number(1.0);
    const double length = std::sqrt(value_of(dot(w, w)));
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t a = 0; a < w_.size(); ++a) {
        Number part = dot(w_[a], w);
        subtract(w, part, w_[a]);
        subtract(c, part, combination_[a]);
      }
    Number square = dot(w, w);
    if (!(std::sqrt(value_of(square)) > dependent * length)) return add_dependence(std::move(c));
    Number left = sqrt(square);
    for (Number& x : w) x = x / left;
    for (Number& x : c) x = x / left;
    w_.push_back(std::move(w));
    combination_.push_back(std::move(c));
    kept_.push_back(r);
  }

  /// c A = 0: orthonormal to the other dependences, so that multipliers can be freed of them.
  void add_dependence(std::vector<Number> c) {
    using std::sqrt;
    for (int pass = 0; pass < 2; ++pass)
      for (const std::vector<Number>& null : null_) subtract(c, dot(null, c), null);
    Number length = sqrt(dot(c, c));
    for (Number& x : c) x = x / length;
    null_.push_back(std::move(c));
  }

  std::vector<Number> combine(const std::vector<Number>& c, const std::vector<Number>& jacobian) const {
    std::vector<Number> sum(size_, Number(0.0));
    for (std::size_t r = 0; r < rows_; ++r)
      for (std::size_t i = 0; i < size_; ++i) sum[i] = sum[i] + c[r] * jacobian[r * size_ + i];
    return sum;
  }

  std::size_t size_, rows_;
  std::vector<Number> l_;
  bool ok_ = false;
  std::vector<std::size_t> kept_;
  std::vector<std::vector<Number>> w_, lowered_, raised_, combination_, null_;
};

}  // namespace dalembert

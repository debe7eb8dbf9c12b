#include "simulate/system/least_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dalembert {
namespace {

constexpr double dependent = 1e-8;  // a unit column closer than this to the span of others counts as in it
constexpr double infinity = std::numeric_limits<double>::infinity();

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add(double factor, std::span<const double> from, std::span<double> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

/// Columns in the order they came, X = Q R with orthonormal Q; made anew when one leaves.
class Basis {
 public:
  Basis(std::size_t size, std::span<const double> columns) : size_(size), columns_(columns) {}

  std::size_t count() const { return members_.size(); }
  const std::vector<std::size_t>& members() const { return members_; }
  std::span<const double> column(std::size_t i) const { return columns_.subspan(i * size_, size_); }

  /// What is left of a column outside the span, with its coefficients in Q.
  std::vector<double> split(std::span<const double> x, std::vector<double>& inside) const {
    std::vector<double> rest(x.begin(), x.end());
    inside.assign(count(), 0.0);
    for (int pass = 0; pass < 2; ++pass) {
      for (std::size_t k = 0; k < count(); ++k) {
        const double part = dot(direction(k), rest);
        inside[k] += part;
        add(-part, direction(k), rest);
      }
    }
    return rest;
  }
  /// R^-1 and R^-T.
  void solve(std::vector<double>& x) const {
    for (std::size_t k = count(); k-- > 0;) {
      for (std::size_t j = k + 1; j < count(); ++j) x[k] -= r_[j][k] * x[j];
      x[k] /= r_[k][k];
    }
  }
  void solve_transposed(std::vector<double>& x) const {
    for (std::size_t k = 0; k < count(); ++k) {
      for (std::size_t j = 0; j < k; ++j) x[k] -= r_[k][j] * x[j];
      x[k] /= r_[k][k];
    }
  }
  /// False, and nothing changed, where the column lies in the span.
  bool add_member(std::size_t i) {
    std::vector<double> inside;
    std::vector<double> rest = split(column(i), inside);
    const double left = std::sqrt(dot(rest, rest));
    if (!(left > dependent)) return false;
    for (double& value : rest) value /= left;
    inside.push_back(left);
    q_.insert(q_.end(), rest.begin(), rest.end());
    r_.push_back(std::move(inside));
    members_.push_back(i);
    return true;
  }
  void remove_at(std::size_t k) {
    std::vector<std::size_t> rest = members_;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
    members_.clear();
    q_.clear();
    r_.clear();
    for (std::size_t i : rest) add_member(i);
  }

 private:
  std::span<const double> direction(std::size_t k) const { return {q_.data() + k * size_, size_}; }

  std::size_t size_;
  std::span<const double> columns_;
  std::vector<std::size_t> members_;
  std::vector<double> q_;
  std::vector<std::vector<double>> r_;  // column k of R
};

class Solver {
 public:
  Solver(std::size_t size, std::span<const double> columns, std::span<const double> g, std::span<const double> noise)
      : columns_(columns), g_(g), noise_(noise), basis_(size, columns) {
    result_.z.assign(size, 0.0);
    result_.multipliers.assign(g.size(), 0.0);
  }

  LeastDistance run() {
    // Each round ends with a shorter dual distance, so that no basis comes twice; the limit is against rounding only.
    const std::size_t most = 50 + 20 * g_.size();
    for (std::size_t round = 0; round < most; ++round) {
      evaluate_slack();
      const std::size_t worst = most_violated();
      if (worst == g_.size()) return finish(LeastDistanceOutcome::solved);
      if (!enter(worst)) return finish(LeastDistanceOutcome::contradiction);
      settle();
    }
    return finish(LeastDistanceOutcome::undecided);
  }

 private:
  void evaluate_slack() {
    result_.slack.resize(g_.size());
    for (std::size_t i = 0; i < g_.size(); ++i) result_.slack[i] = dot(basis_.column(i), result_.z) + g_[i];
  }

  std::size_t most_violated() const {
    std::size_t worst = g_.size();
    double least = 0;
    for (std::size_t i = 0; i < g_.size(); ++i) {
      if (result_.slack[i] >= -noise_[i]) continue;
      bool inside = false;
      for (std::size_t member : basis_.members()) inside |= member == i;
      if (inside || !(result_.slack[i] < least)) continue;
      least = result_.slack[i];
      worst = i;
    }
    return worst;
  }

  /// Raises the multiplier of a violated inequality until it holds, those in the basis giving way; false where that
  /// never happens.
  bool enter(std::size_t entering) {
    double slack = result_.slack[entering];
    while (true) {
      std::vector<double> give;
      std::vector<double> rest = basis_.split(basis_.column(entering), give);
      basis_.solve(give);
      const double square = dot(rest, rest);
      const double full = square > dependent * dependent ? -slack / square : infinity;
      double most = infinity;
      std::size_t leaving = 0;
      for (std::size_t k = 0; k < basis_.count(); ++k) {
        if (!(give[k] > 1e-14)) continue;
        const double step = result_.multipliers[basis_.members()[k]] / give[k];
        if (step < most) {
          most = step;
          leaving = k;
        }
      }
      const double step = std::min(full, most);
      if (step == infinity) return false;
      for (std::size_t k = 0; k < basis_.count(); ++k) result_.multipliers[basis_.members()[k]] -= step * give[k];
      result_.multipliers[entering] += step;
      if (full != infinity) {
        add(step, rest, result_.z);
        slack += step * square;
      }
      if (full <= most) return basis_.add_member(entering);
      result_.multipliers[basis_.members()[leaving]] = 0;
      basis_.remove_at(leaving);
    }
  }

  /// z and the multipliers of the basis afresh: X^T X m = -g there. What was added up in steps is forgotten.
  void settle() {
    std::vector<double> m;
    for (std::size_t i : basis_.members()) m.push_back(-g_[i]);
    basis_.solve_transposed(m);
    basis_.solve(m);
    std::fill(result_.z.begin(), result_.z.end(), 0.0);
    for (std::size_t k = 0; k < m.size(); ++k) {
      const std::size_t i = basis_.members()[k];
      result_.multipliers[i] = std::max(m[k], 0.0);
      add(m[k], basis_.column(i), result_.z);
    }
  }

  LeastDistance finish(LeastDistanceOutcome outcome) {
    result_.outcome = outcome;
    result_.basis = basis_.members();
    return std::move(result_);
  }

  std::span<const double> columns_, g_, noise_;
  Basis basis_;
  LeastDistance result_;
};

}  // namespace

LeastDistance solve_least_distance(std::size_t size, std::span<const double> columns, std::span<const double> g,
                                   std::span<const double> noise) {
  return Solver(size, columns, g, noise).run();
}

std::vector<std::size_t> independent_columns(std::size_t size, std::span<const double> columns,
                                             std::span<const std::size_t> first) {
  Basis basis(size, columns);
  for (std::size_t i : first) basis.add_member(i);
  const std::size_t count = size == 0 ? 0 : columns.size() / size;
  for (std::size_t i = 0; i < count; ++i) {
    if (std::find(first.begin(), first.end(), i) == first.end()) basis.add_member(i);
  }
  return basis.members();
}

}  // namespace dalembert

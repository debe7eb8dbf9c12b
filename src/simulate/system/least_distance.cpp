#include "simulate/system/least_distance.hpp"

#include <algorithm>
#include <cmath>
#include <dalembert/base/work_limit.hpp>
#include <limits>

#include "base/basis.hpp"
#include "base/matrix_view.hpp"
#include "base/tolerances.hpp"

namespace dalembert {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Columns in the order they came, X = Q R; those after one that leaves are taken in again.
class Basis {
 public:
  Basis(std::size_t size, std::span<const double> columns)
      : size_(size), columns_(columns), span_(size, std::min(size, size == 0 ? 0 : columns.size() / size)) {}

  std::size_t count() const { return members_.size(); }
  const std::vector<std::size_t>& members() const { return members_; }
  std::span<const double> column(std::size_t i) const { return columns_.subspan(i * size_, size_); }

  /// What is left of a column outside the span, and its coefficients over the members.
  void split(std::span<const double> x, std::vector<double>& rest, std::vector<double>& over) const {
    rest.assign(x.begin(), x.end());
    over.resize(count());
    span_.split(rest, over);
    span_.solve(over);
  }
  /// (X^T X)^-1 x.
  void solve_gram(std::vector<double>& x) const {
    span_.solve_transposed(x);
    span_.solve(x);
  }
  /// False, and nothing changed, where the column lies in the span.
  bool add_member(std::size_t i) {
    if (!span_.add(column(i), tolerance::dependent)) return false;
    members_.push_back(i);
    return true;
  }
  void remove_at(std::size_t k) {
    const std::vector<std::size_t> after(members_.begin() + static_cast<std::ptrdiff_t>(k) + 1, members_.end());
    members_.resize(k);
    span_.truncate(k);
    for (std::size_t i : after) add_member(i);
  }

 private:
  std::size_t size_;
  std::span<const double> columns_;
  OrthonormalBasis span_;
  std::vector<std::size_t> members_;
};

class DistanceSolver {
 public:
  DistanceSolver(std::size_t size, std::span<const double> columns, std::span<const double> g,
                 std::span<const double> noise)
      : columns_(columns), g_(g), noise_(noise), basis_(size, columns) {
    result_.z.assign(size, 0.0);
    result_.multipliers.assign(g.size(), 0.0);
  }

  LeastDistance run() {
    // Each round ends with a shorter dual distance, so that no basis comes twice; the limit is against rounding only.
    const std::size_t most = 50 + 20 * g_.size();
    for (std::size_t round = 0; round < most; ++round) {
      spend_work(0.1 * static_cast<double>(columns_.size()));
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
    std::vector<double> rest, give;
    while (true) {
      basis_.split(basis_.column(entering), rest, give);
      const double square = dot(rest, rest);
      const double full = square > tolerance::dependent * tolerance::dependent ? -slack / square : infinity;
      double most = infinity;
      std::size_t leaving = 0;
      for (std::size_t k = 0; k < basis_.count(); ++k) {
        if (!(give[k] > tolerance::cancelled)) continue;
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
        add_scaled(step, rest, result_.z);
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
    basis_.solve_gram(m);
    std::fill(result_.z.begin(), result_.z.end(), 0.0);
    for (std::size_t k = 0; k < m.size(); ++k) {
      const std::size_t i = basis_.members()[k];
      result_.multipliers[i] = std::max(m[k], 0.0);
      add_scaled(m[k], basis_.column(i), result_.z);
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
  return DistanceSolver(size, columns, g, noise).run();
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

#include "simulate/system/sharing.hpp"

#include <algorithm>
#include <cmath>
#include <dalembert/base/work_limit.hpp>

#include "base/basis.hpp"
#include "base/matrix_view.hpp"
#include "base/tolerances.hpp"

namespace dalembert {
namespace {

/// With B = [1; C] the shortest are lambda = B y where the sign allows it and zero elsewhere (the multipliers y of the
/// condition B^T lambda = F). Which rows push is guessed from y, and y found again for those, until nothing changes:
/// Newton's method for a piecewise linear equation. Where it settles the answer is exact, however it got there.
class Sharing {
 public:
  Sharing(const std::vector<std::vector<double>>& combinations, std::span<const double> multipliers,
          std::span<const double> signs)
      : combinations_(combinations), signs_(signs), kept_(multipliers.size() - combinations.size()) {
    force_.assign(multipliers.begin(), multipliers.begin() + static_cast<std::ptrdiff_t>(kept_));
    for (std::size_t d = 0; d < combinations.size(); ++d) add_scaled(multipliers[kept_ + d], combinations[d], force_);
    pushes_.assign(multipliers.size(), true);
  }

  std::optional<std::vector<double>> run() {
    constexpr int most = 50;
    for (int round = 0; round < most; ++round) {
      spend_work(0.3 * static_cast<double>(pushes_.size() * kept_ * (kept_ + 1)));
      if (!solve()) return std::nullopt;
      if (!choose()) return lambda_;
    }
    return std::nullopt;
  }

 private:
  double entry(std::size_t row, std::size_t k) const {
    return row < kept_ ? (row == k ? 1.0 : 0.0) : combinations_[row - kept_][k];
  }

  /// y and lambda where exactly the rows in pushes_ do; false where they do not reach all forces.
  bool solve() {
    OrthonormalBasis columns(pushes_.size(), kept_);
    std::vector<double> column(pushes_.size());
    for (std::size_t k = 0; k < kept_; ++k) {
      for (std::size_t r = 0; r < column.size(); ++r) column[r] = pushes_[r] ? entry(r, k) : 0.0;
      if (!columns.add(column, tolerance::dependent)) return false;
    }
    y_ = force_;
    columns.solve_transposed(y_);
    lambda_.assign(pushes_.size(), 0.0);
    for (std::size_t k = 0; k < kept_; ++k) add_scaled(y_[k], columns.direction(k), lambda_);
    columns.solve(y_);
    return true;
  }

  /// Which rows y makes push; whether these are others than before.
  bool choose() {
    constexpr double rounding = 1e-13;  // of what the terms amount to
    bool changes = false;
    for (std::size_t r = 0; r < pushes_.size(); ++r) {
      if (signs_[r] == 0) continue;
      double sum = 0, parts = 0;
      for (std::size_t k = 0; k < kept_; ++k) {
        sum += entry(r, k) * y_[k];
        parts += std::abs(entry(r, k) * y_[k]);
      }
      const bool is_rounding = std::abs(sum) <= rounding * parts;
      const bool pushes = is_rounding ? pushes_[r] : signs_[r] * sum > 0;
      changes |= pushes != pushes_[r];
      pushes_[r] = pushes;
    }
    return changes;
  }

  const std::vector<std::vector<double>>& combinations_;
  std::span<const double> signs_;
  std::size_t kept_;
  std::vector<bool> pushes_;
  std::vector<double> force_, y_, lambda_;
};

}  // namespace

std::optional<std::vector<double>> share_least(const std::vector<std::vector<double>>& combinations,
                                               std::span<const double> multipliers, std::span<const double> signs) {
  return Sharing(combinations, multipliers, signs).run();
}

std::vector<double> share_least(std::size_t size, std::span<const double> columns, std::vector<double> multipliers) {
  const std::size_t count = multipliers.size();
  OrthonormalBasis span(size, std::min(size, count));
  std::vector<std::size_t> order, dropped;
  for (std::size_t k = 0; k < count; ++k)
    (span.add(columns.subspan(k * size, size), tolerance::dependent) ? order : dropped).push_back(k);
  std::vector<std::vector<double>> combinations;
  for (std::size_t k : dropped) {
    std::vector<double> rest(columns.begin() + static_cast<std::ptrdiff_t>(k * size),
                             columns.begin() + static_cast<std::ptrdiff_t>((k + 1) * size));
    combinations.emplace_back(span.count());
    span.split(rest, combinations.back());
    span.solve(combinations.back());
    order.push_back(k);
  }
  std::vector<double> values;
  for (std::size_t k : order) values.push_back(multipliers[k]);
  if (const auto shared = share_least(combinations, values, std::vector<double>(count, 1.0)))
    for (std::size_t k = 0; k < count; ++k) multipliers[order[k]] = (*shared)[k];
  return multipliers;
}

}  // namespace dalembert

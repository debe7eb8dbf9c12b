#include <algorithm>
#include <cmath>
#include <dalembert/expr/linear.hpp>

#include "base/basis.hpp"
#include "base/tolerances.hpp"
#include "mechanics/hamel/rows.hpp"
#include "mechanics/lagrange/dynamics.hpp"

// A frame for a motion. Base velocities v are the user's, or rates and body rates; constraints over them are C v + c =
// psi. Free velocities are u = S v with S parameters. With weights W and P = W - W C^T (C W C^T)^-1 C W,
//   v = N u + X (psi - c),   N = P S^T (S P S^T)^-1,   X = (1 - N S) W C^T (C W C^T)^-1:
// only definite matrices are factored, in the graph, so no pivot has to be chosen that a later state could spoil.

namespace dalembert {
namespace {

using Column = std::vector<Expr>;

class CompletedFrame {
 public:
  CompletedFrame(const Model& model, std::vector<FrameRow> rows, std::vector<FrameRow> missing)
      : model_(model), graph_(*model.graph), rows_(std::move(rows)), missing_(std::move(missing)) {
    xi_ = invert_rows(model, rows_).xi;
    for (std::size_t r = 0; r < rows_.size(); ++r) (rows_[r].velocity.row ? held_ : base_).push_back(r);
    keep_independent();
    make_symbols();
    invert();
  }

  QuasiFrame make() {
    QuasiFrame frame;
    frame.dependent = dependent_;
    const std::size_t n = model_.coordinates.size();
    for (std::size_t k = 0; k < free_; ++k) {
      std::string name = "u[" + std::to_string(k + 1) + "]";  // no name of a model
      frame.velocities.push_back({name, graph_.symbol(name), graph_.symbol(name + "'"), std::nullopt, Expr(), {}});
      frame.pi.emplace_back();
      for (std::size_t l = 0; l <= n; ++l) {
        std::vector<Expr> terms;
        for (std::size_t v = 0; v < base_.size(); ++v) terms.push_back(s(k, v) * rows_[base_[v]].pi[l]);
        frame.pi.back().push_back(graph_.sum(terms));
      }
      frame.xi.push_back(through_base(n_[k]));
    }
    for (std::size_t r : held_) {
      frame.velocities.push_back(rows_[r].velocity);
      frame.pi.push_back(rows_[r].pi);
      frame.xi.push_back(
          minus(xi_[r], through_base(response([&](std::size_t a) { return coefficient(missing_[a], r); }))));
    }
    for (std::size_t a = 0; a < missing_.size(); ++a) {
      frame.velocities.push_back(missing_[a].velocity);
      frame.pi.push_back(missing_[a].pi);
      frame.xi.push_back(through_base(x_[a]));
    }
    frame.xi.push_back(drift());
    frame.completion = std::move(completion_);
    frame.is_solved = true;
    return frame;
  }

 private:
  Expr s(std::size_t k, std::size_t v) const { return completion_.symbols[k * base_.size() + v]; }
  Expr weight(std::size_t v) const { return completion_.symbols[free_ * base_.size() + v]; }

  /// Of a constraint on base velocity r: A xi_r.
  Expr coefficient(const FrameRow& constraint, std::size_t r) const {
    std::vector<Expr> terms;
    for (std::size_t l = 0; l < xi_[r].size(); ++l) terms.push_back(constraint.pi[l] * xi_[r][l]);
    return graph_.sum(terms);
  }
  /// xi_0l = -xi_rl pi_r0 of the base.
  Column base_drift() const {
    Column result;
    for (std::size_t l = 0; l < rows_.size(); ++l) {
      std::vector<Expr> terms;
      for (std::size_t r = 0; r < rows_.size(); ++r) terms.push_back(-xi_[r][l] * rows_[r].pi.back());
      result.push_back(graph_.sum(terms));
    }
    return result;
  }

  /// Constraints that the others make superfluous at the initial state are left out, later ones first; not those that
  /// do not depend on others a moment later on the motion: there the start is a singular configuration.
  void keep_independent() {
    at_ = state_bindings(model_);
    std::vector<bool> is_kept = find_independent(at_, tolerance::dependent);
    const std::vector<Binding> beside = bindings_beside(model_);
    if (std::ranges::count(is_kept, false) > 0 && !beside.empty()) {
      const std::vector<bool> there = find_independent(beside, tolerance::doubtful);
      if (std::ranges::count(there, true) > std::ranges::count(is_kept, true)) is_kept = there, at_ = beside;
    }
    std::vector<FrameRow> kept;
    for (std::size_t a = 0; a < missing_.size(); ++a) {
      if (is_kept[a])
        kept.push_back(missing_[a]);
      else
        dependent_.push_back(*missing_[a].velocity.row);
    }
    missing_ = std::move(kept);
  }

  std::vector<bool> find_independent(const std::vector<Binding>& at, double dependent) const {
    OrthonormalBasis basis(base_.size());
    std::vector<bool> found;
    for (const FrameRow& constraint : missing_) {
      Column coefficients;
      for (std::size_t r : base_) coefficients.push_back(coefficient(constraint, r));
      found.push_back(!is_rounding(coefficients, at) && basis.add(evaluate(coefficients, at), dependent));
    }
    return found;
  }

  void make_symbols() {
    free_ = base_.size() - missing_.size();
    for (std::size_t k = 0; k < free_; ++k)
      for (std::size_t v = 0; v < base_.size(); ++v)
        completion_.symbols.push_back(graph_.symbol("S[" + std::to_string(k) + "," + std::to_string(v) + "]"));
    for (std::size_t v = 0; v < base_.size(); ++v)
      completion_.symbols.push_back(graph_.symbol("w[" + std::to_string(v) + "]"));
    for (std::size_t a = 0; a < missing_.size(); ++a) {
      completion_.rows.emplace_back();
      for (std::size_t r : base_) completion_.rows.back().push_back(coefficient(missing_[a], r));
    }
    make_mass();
    if (choose_completion(completion_, at_).size() != completion_.symbols.size())
      throw ModelError({model_.file, missing_.empty() ? Place{} : missing_[0].velocity.place, "constraints",
                        "no velocities that the constraints leave free could be chosen at the initial state",
                        "give a [frame] that contains the constraints, or use --by multipliers"});
  }

  /// xi_v M xi_w.
  void make_mass() {
    std::vector<Expr> rates;
    for (const Coordinate& coordinate : model_.coordinates) rates.push_back(coordinate.rate);
    std::vector<Expr> momentum = gradient(make_dynamics(model_).lagrangian, rates);
    auto hessian = sparse_jacobian(momentum, rates);
    for (std::size_t v : base_) {
      std::vector<Expr> image;  // M xi_v
      for (const auto& row : hessian) {
        std::vector<Expr> terms;
        for (const Entry& entry : row) terms.push_back(entry.value * xi_[v][entry.column]);
        image.push_back(graph_.sum(terms));
      }
      completion_.mass.emplace_back();
      for (std::size_t w : base_) {
        std::vector<Expr> terms;
        for (std::size_t l = 0; l < image.size(); ++l) terms.push_back(xi_[w][l] * image[l]);
        completion_.mass.back().push_back(graph_.sum(terms));
      }
    }
  }

  /// N and X.
  void invert() {
    const Unflattened shared(graph_);
    const std::size_t size = base_.size(), rows = missing_.size();
    const auto& c = completion_.rows;
    Dense gram(rows, Column(rows));
    for (std::size_t a = 0; a < rows; ++a)
      for (std::size_t b = 0; b < rows; ++b) {
        std::vector<Expr> terms;
        for (std::size_t v = 0; v < size; ++v) terms.push_back(c[a][v] * weight(v) * c[b][v]);
        gram[a][b] = graph_.sum(terms);
      }
    SymmetricRows lower = make_symmetric_rows(gram);
    LdltFactor factor = factor_ldlt(lower, minimum_degree_order(lower));
    Dense spread;  // columns of W C^T (C W C^T)^-1
    for (std::size_t a = 0; a < rows; ++a) {
      Column unit(rows, graph_.constant(0));
      unit[a] = graph_.constant(1);
      Column solved = solve_ldlt(factor, unit), column;
      for (std::size_t v = 0; v < size; ++v) {
        std::vector<Expr> terms;
        for (std::size_t b = 0; b < rows; ++b) terms.push_back(c[b][v] * solved[b]);
        column.push_back(weight(v) * graph_.sum(terms));
      }
      spread.push_back(std::move(column));
    }
    Dense projected;  // P S^T by columns
    for (std::size_t k = 0; k < free_; ++k) {
      Column reach;  // C W s_k
      for (std::size_t a = 0; a < rows; ++a) {
        std::vector<Expr> terms;
        for (std::size_t v = 0; v < size; ++v) terms.push_back(c[a][v] * weight(v) * s(k, v));
        reach.push_back(graph_.sum(terms));
      }
      Column column;
      for (std::size_t v = 0; v < size; ++v) {
        std::vector<Expr> terms{weight(v) * s(k, v)};
        for (std::size_t a = 0; a < rows; ++a) terms.push_back(-spread[a][v] * reach[a]);
        column.push_back(graph_.sum(terms));
      }
      projected.push_back(std::move(column));
    }
    Dense inner(free_, Column(free_));
    for (std::size_t k = 0; k < free_; ++k)
      for (std::size_t j = 0; j < free_; ++j) inner[k][j] = s_times(k, projected[j]);
    LdltFactor small = factor_ldlt(make_symmetric_rows(inner));
    for (std::size_t k = 0; k < free_; ++k) {
      Column unit(free_, graph_.constant(0));
      unit[k] = graph_.constant(1);
      n_.push_back(combine(projected, solve_ldlt(small, unit)));
    }
    for (std::size_t a = 0; a < rows; ++a) {
      Column parts;
      for (std::size_t k = 0; k < free_; ++k) parts.push_back(s_times(k, spread[a]));
      x_.push_back(minus(spread[a], combine(n_, parts)));
    }
  }

  Expr s_times(std::size_t k, const Column& column) const {
    std::vector<Expr> terms;
    for (std::size_t v = 0; v < column.size(); ++v) terms.push_back(s(k, v) * column[v]);
    return graph_.sum(terms);
  }
  /// Sum of columns with these factors.
  Column combine(const Dense& columns, const Column& factors) const {
    Column result;
    for (std::size_t v = 0; v < base_.size(); ++v) {
      std::vector<Expr> terms;
      for (std::size_t k = 0; k < columns.size(); ++k) terms.push_back(columns[k][v] * factors[k]);
      result.push_back(graph_.sum(terms));
    }
    return result;
  }
  Column minus(Column a, const Column& b) const {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] - b[i];
    return a;
  }
  /// X of the numbers that value(a) gives for each constraint.
  template <class Value>
  Column response(Value&& value) const {
    Column factors;
    for (std::size_t a = 0; a < missing_.size(); ++a) factors.push_back(value(a));
    return combine(x_, factors);
  }
  /// The rates that base velocities stand for.
  Column through_base(const Column& velocities) const {
    Column result;
    for (std::size_t l = 0; l < rows_.size(); ++l) {
      std::vector<Expr> terms;
      for (std::size_t v = 0; v < base_.size(); ++v) terms.push_back(velocities[v] * xi_[base_[v]][l]);
      result.push_back(graph_.sum(terms));
    }
    return result;
  }
  Column drift() const {
    Column rates = base_drift();
    Column back = response([&](std::size_t a) {
      std::vector<Expr> terms{missing_[a].pi.back()};
      for (std::size_t l = 0; l < rates.size(); ++l) terms.push_back(missing_[a].pi[l] * rates[l]);
      return graph_.sum(terms);
    });
    return minus(rates, through_base(back));
  }

  const Model& model_;
  Graph& graph_;
  std::vector<FrameRow> rows_, missing_;
  Dense xi_;
  std::vector<std::size_t> held_, base_, dependent_;  // rows: those that vanish, the others; constraints left out
  std::size_t free_ = 0;
  std::vector<Binding> at_;  // where rows and velocities are chosen
  Completion completion_;
  Dense n_, x_;  // by columns, over the base
};

}  // namespace

QuasiFrame make_motion_frame(const Model& model) {
  std::vector<FrameRow> rows = base_rows(model);
  std::vector<FrameRow> missing = recognise_constraints(model, rows);
  if (missing.empty()) return make_frame(model);
  constexpr std::size_t largest = 120;
  if (rows.size() > largest)
    throw InputError(
        {model.file,
         {},
         "--by hamel",
         "with " + std::to_string(rows.size()) + " coordinates the constraints are not completed to a frame",
         "give a [frame] that contains the constraints, or use --by multipliers"});
  return CompletedFrame(model, std::move(rows), std::move(missing)).make();
}

}  // namespace dalembert

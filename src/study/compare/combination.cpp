#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "base/tolerances.hpp"
#include "mechanics/simplify.hpp"
#include "study/compare/proof.hpp"

namespace dalembert {
namespace {

/// constant + sum of coefficients times the unknowns u', lambda.
struct Form {
  std::vector<Expr> coefficients;
  Expr constant;
};

class Combination {
 public:
  Combination(const Equations& equations, std::span<const Binding> at, double work)
      : equations_(equations), graph_(*equations.graph), at_(at), simplify_(work), unknowns_(equations.accelerations) {
    for (const auto* rows : {&equations.rows, &equations.contacts})
      for (const ConstraintRow& row : *rows) unknowns_.push_back(graph_.symbol(reaction_symbol(row.name)));
  }

  bool proves_zero(Expr expression) {
    if (!read_target(expression)) return false;
    make_forms();
    keep_those_needed();
    if (!eliminate()) return false;
    std::vector<Expr> rest = target_.coefficients;
    rest.push_back(target_.constant);
    return vanish_on_constraints(equations_, std::move(rest), at_);
  }

 private:
  /// False where it is not of first degree.
  bool read_target(Expr expression) {
    target_.coefficients = gradient(expression, unknowns_);
    std::vector<Replacement> zero;
    for (const Expr& unknown : unknowns_) zero.push_back({unknown, graph_.constant(0)});
    target_.constant = substitute(expression, zero);
    return std::ranges::none_of(target_.coefficients, [&](const Expr& coefficient) {
      return std::ranges::any_of(unknowns_, [&](const Expr& unknown) { return depends_on(coefficient, unknown); });
    });
  }

  /// A contact presses or not: its multiplier is an unknown without an equation of its own.
  void make_forms() {
    const std::size_t size = equations_.velocities.size();
    const std::vector<Expr> none(unknowns_.size(), graph_.constant(0));
    for (const Expr& bias : equations_.bias) forms_.push_back({none, bias});
    for (std::size_t i = 0; i < size; ++i)
      for (const Entry& entry : equations_.mass[i])
        forms_[i].coefficients[entry.column] = forms_[entry.column].coefficients[i] = entry.value;
    std::size_t column = size;
    for (const auto* rows : {&equations_.rows, &equations_.contacts})
      for (const ConstraintRow& row : *rows) {
        for (const Entry& entry : row.jacobian) forms_[entry.column].coefficients[column] = -entry.value;
        ++column;
      }
    for (const ConstraintRow& row : equations_.rows) {
      forms_.push_back({none, row.drift});
      for (const Entry& entry : row.jacobian) forms_.back().coefficients[entry.column] = entry.value;
    }
  }

  std::vector<double> unit_numbers(const Form& form) const {
    std::vector<double> row = evaluate(form.coefficients, at_);
    const double length = std::sqrt(dot(row, row));
    for (double& value : row) value = length > 0 ? value / length : 0;
    return row;
  }

  /// y with K^T y = c in numbers: one row of K alone, whatever the others are, else independent ones, of which a row
  /// with y = 0 is not needed.
  void keep_those_needed() {
    const std::size_t size = unknowns_.size();
    const std::vector<double> wanted = unit_numbers(target_);
    std::vector<double> rows;
    for (Form& form : forms_) {
      const std::vector<double> row = unit_numbers(form);
      if (std::fabs(dot(row, wanted)) > 1 - tolerance::consistent) {
        forms_ = {Form(form)};
        return;
      }
      rows.insert(rows.end(), row.begin(), row.end());
    }
    const RowRank rank = find_rank({forms_.size(), size, rows}, tolerance::dependent);
    std::vector<double> transposed;
    for (std::size_t j = 0; j < size; ++j)
      for (std::size_t k : rank.kept) transposed.push_back(rows[k * size + j]);
    const LeastNorm solved = solve_least_norm({size, rank.kept.size(), transposed}, evaluate(target_.coefficients, at_),
                                              tolerance::dependent);
    std::vector<Form> needed;
    for (std::size_t k = 0; k < solved.x.size(); ++k)
      if (std::fabs(solved.x[k]) > tolerance::consistent) needed.push_back(std::move(forms_[rank.kept[k]]));
    forms_ = std::move(needed);
  }

  /// Gauss's elimination of the target by all forms, pivots that do not vanish at the state, the simplest first.
  bool eliminate() {
    while (!forms_.empty()) {
      const auto [row, column] = choose_pivot();
      if (row == forms_.size()) return false;
      const Form pivot = forms_[row];
      forms_.erase(forms_.begin() + static_cast<std::ptrdiff_t>(row));
      reduce(target_, pivot, column);
      for (Form& form : forms_) reduce(form, pivot, column);
      if (simplify_.is_exhausted()) return false;
    }
    return true;
  }

  std::pair<std::size_t, std::size_t> choose_pivot() const {
    std::pair<std::size_t, std::size_t> best{forms_.size(), 0};
    double least = INFINITY;
    for (std::size_t r = 0; r < forms_.size(); ++r)
      for (std::size_t j = 0; j < unknowns_.size(); ++j) {
        const Expr& entry = forms_[r].coefficients[j];
        if (entry.is_zero() || std::fabs(evaluate(entry, at_)) <= tolerance::clearly_nonzero) continue;
        const double size = count_written(entry) * weight(forms_[r]);
        if (size < least) least = size, best = {r, j};
      }
    return best;
  }
  /// A pivot's row is added to all others.
  static double weight(const Form& form) {
    double sum = count_written(form.constant);
    for (const Expr& each : form.coefficients) sum += each.is_zero() ? 0 : count_written(each);
    return sum;
  }

  void reduce(Form& form, const Form& pivot, std::size_t column) {
    if (form.coefficients[column].is_zero()) return;
    const Expr factor = simplify_(form.coefficients[column] / pivot.coefficients[column]);
    for (std::size_t j = 0; j < unknowns_.size(); ++j)
      if (!pivot.coefficients[j].is_zero())
        form.coefficients[j] = simplify_(form.coefficients[j] - factor * pivot.coefficients[j]);
    form.coefficients[column] = graph_.constant(0);
    form.constant = simplify_(form.constant - factor * pivot.constant);
  }

  const Equations& equations_;
  Graph& graph_;
  std::span<const Binding> at_;
  Simplifier simplify_;
  std::vector<Expr> unknowns_;
  Form target_;
  std::vector<Form> forms_;
};

}  // namespace

bool follows_from_equations(const Equations& equations, Expr expression, std::span<const Binding> at, double work) {
  return Combination(equations, at, work).proves_zero(expression);
}

}  // namespace dalembert

#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "base/tolerances.hpp"
#include "mechanics/simplify.hpp"
#include "study/compare/proof.hpp"
#include "study/metric_reactions.hpp"

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
    make_rows();
    if (!keep_one() && !keep_those_needed()) return false;
    if (!eliminate()) return false;
    std::vector<Expr> rest = target_.coefficients;
    rest.push_back(target_.constant);
    return vanish_on_constraints(equations_, std::move(rest), at_);
  }

 private:
  /// A form as it comes.
  struct Row {
    std::vector<Entry> entries;
    Expr constant;
  };

  /// False where it is not of first degree.
  bool read_target(Expr expression) {
    target_.coefficients = gradient(expression, unknowns_);
    std::vector<Replacement> zero;
    for (const Expr& unknown : unknowns_) zero.push_back({unknown, graph_.constant(0)});
    target_.constant = substitute(expression, zero);
    return !reads_any(target_.coefficients, unknowns_);
  }

  /// A contact presses or not: its multiplier is an unknown without an equation of its own.
  void make_rows() {
    for (const Expr& bias : equations_.bias) rows_.push_back({{}, bias});
    for (std::uint32_t i = 0; i < equations_.mass.size(); ++i)
      for (const Entry& entry : equations_.mass[i]) {
        rows_[i].entries.push_back(entry);
        if (entry.column != i) rows_[entry.column].entries.push_back({i, entry.value});
      }
    auto column = static_cast<std::uint32_t>(equations_.velocities.size());
    for (const auto* list : {&equations_.rows, &equations_.contacts})
      for (const ConstraintRow& row : *list) {
        for (const Entry& entry : row.jacobian) rows_[entry.column].entries.push_back({column, -entry.value});
        ++column;
      }
    for (const ConstraintRow& row : equations_.rows) rows_.push_back({row.jacobian, row.drift});
  }

  Form form_of(const Row& row) const {
    Form form{std::vector<Expr>(unknowns_.size(), graph_.constant(0)), row.constant};
    for (const Entry& entry : row.entries) form.coefficients[entry.column] = entry.value;
    return form;
  }

  std::vector<double> unit_numbers(const Form& form) const {
    std::vector<double> row = evaluate(form.coefficients, at_);
    const double length = std::sqrt(dot(row, row));
    for (double& value : row) value = length > 0 ? value / length : 0;
    return row;
  }

  /// One row alone that the target is a multiple of, whatever the others are.
  bool keep_one() {
    const auto count = static_cast<std::size_t>(
        std::ranges::count_if(target_.coefficients, [](const Expr& each) { return !each.is_zero(); }));
    const std::vector<double> wanted = unit_numbers(target_);
    for (const Row& row : rows_) {
      if (row.entries.size() != count) continue;
      if (std::fabs(dot(unit_numbers(form_of(row)), wanted)) < 1 - tolerance::consistent) continue;
      forms_ = {form_of(row)};
      return true;
    }
    return false;
  }

  /// y with K^T y = c in numbers over independent rows of K: one with y = 0 is not needed. False where there are too
  /// many to look for.
  bool keep_those_needed() {
    const std::size_t size = unknowns_.size();
    if (size > 2 * most_dense) return false;
    std::vector<double> rows;
    for (const Row& row : rows_) {
      const std::vector<double> numbers = unit_numbers(form_of(row));
      rows.insert(rows.end(), numbers.begin(), numbers.end());
    }
    const RowRank rank = find_rank({rows_.size(), size, rows}, tolerance::dependent);
    std::vector<double> transposed;
    for (std::size_t j = 0; j < size; ++j)
      for (std::size_t k : rank.kept) transposed.push_back(rows[k * size + j]);
    const LeastNorm solved = solve_least_norm({size, rank.kept.size(), transposed}, evaluate(target_.coefficients, at_),
                                              tolerance::dependent);
    for (std::size_t k = 0; k < solved.x.size(); ++k)
      if (std::fabs(solved.x[k]) > tolerance::consistent) forms_.push_back(form_of(rows_[rank.kept[k]]));
    return true;
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
  std::vector<Row> rows_;
  std::vector<Form> forms_;
};

}  // namespace

bool reads_any(std::span<const Expr> expressions, std::span<const Expr> symbols) {
  const std::vector<Expr> read = free_symbols(expressions);
  return std::ranges::any_of(symbols, [&](const Expr& each) { return std::ranges::find(read, each) != read.end(); });
}

bool follows_from_equations(const Equations& equations, Expr expression, std::span<const Binding> at, double work) {
  return Combination(equations, at, work).proves_zero(expression);
}

}  // namespace dalembert

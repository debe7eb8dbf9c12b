#include <algorithm>
#include <cmath>
#include <dalembert/expr/canonical.hpp>
#include <optional>

#include "base/tolerances.hpp"
#include "study/compare/proof.hpp"
#include "study/metric_reactions.hpp"

namespace dalembert {
namespace {

/// A fifth of what one expression may cost: there are several to try.
bool is_proved_zero(const Expr& expression) {
  CanonicalLimits limits;
  limits.work = 2e7;
  return expression.is_zero() || test_zero(expression, limits).verdict == Verdict::zero;
}

class OnConstraints {
 public:
  OnConstraints(const Equations& equations, std::vector<Expr> left, std::span<const Binding> at)
      : equations_(equations), left_(std::move(left)), at_(at) {}

  bool vanish() {
    if (are_proved()) return true;
    put_in_parameters();
    const bool is_large = equations_.coordinates.size() > most_dense;  // too many to solve one after the other
    if (!is_large) use(velocity_relations(), equations_.velocities);
    if (are_proved()) return true;
    std::vector<Expr> positions, unknowns = equations_.coordinates;
    for (const ConstraintRow& row : equations_.rows)
      if (row.position) positions.push_back(put_in(row.position));
    std::erase_if(left_, [&](const Expr& each) {
      const std::vector<Expr> read = coordinates_of(each);
      return std::ranges::any_of(positions, [&](const Expr& position) {
        return coordinates_of(position) == read && is_multiple(each, position);
      });
    });
    for (const Parameter& parameter : equations_.model->parameters)
      if (parameter.value.is_constant()) unknowns.push_back(parameter.symbol);
    if (!is_large) use(std::move(positions), unknowns);
    return are_proved();
  }

 private:
  struct Pivot {
    std::size_t relation;
    Expr unknown, slope;
    double size;
  };

  bool are_proved() {
    std::erase_if(left_, is_proved_zero);
    return left_.empty();
  }

  /// Parameters that are formulas of others are no unknowns of their own.
  void put_in_parameters() {
    for (const Parameter& parameter : equations_.model->parameters)
      if (!parameter.value.is_constant()) parameters_.push_back({parameter.symbol, parameter.value});
    for (Expr& each : left_) each = put_in(each);
  }
  Expr put_in(Expr expression) const {
    for (std::size_t depth = 0; depth < parameters_.size(); ++depth) {
      const Expr next = substitute(expression, parameters_);
      if (next == expression) break;
      expression = next;
    }
    return expression;
  }

  std::vector<Expr> velocity_relations() const {
    std::vector<Expr> relations;
    for (const ConstraintRow& row : equations_.rows) {
      std::vector<Expr> terms{row.offset};
      for (const Entry& entry : row.jacobian) terms.push_back(entry.value * equations_.velocities[entry.column]);
      relations.push_back(put_in(equations_.graph->sum(terms)));
    }
    return relations;
  }

  /// Those of first degree in an unknown first, the simplest slope next; a pure square, with both its roots, last.
  void use(std::vector<Expr> relations, const std::vector<Expr>& unknowns) {
    while (std::optional<Pivot> pivot = find_pivot(relations, unknowns)) {
      const Expr rest = substitute_zero(relations[pivot->relation], pivot->unknown);
      relations.erase(relations.begin() + static_cast<std::ptrdiff_t>(pivot->relation));
      const Replacement solved{pivot->unknown, -rest / pivot->slope};
      left_ = substitute(left_, {&solved, 1});
      relations = substitute(relations, {&solved, 1});
      std::erase_if(relations, is_proved_zero);
    }
    for (const Expr& relation : relations)
      if (use_square(relation, unknowns)) return;
  }

  std::optional<Pivot> find_pivot(const std::vector<Expr>& relations, const std::vector<Expr>& unknowns) const {
    std::optional<Pivot> best;
    for (const Expr& unknown : unknowns)  // the first of equals: coordinates before parameters
      for (std::size_t k = 0; k < relations.size(); ++k) {
        if (!depends_on(relations[k], unknown)) continue;
        const Expr slope = derivative(relations[k], unknown);
        const double size = count_written(slope) + (depends_on(slope, unknown) ? INFINITY : 0);
        if (std::isfinite(size) && (!best || size < best->size) && is_safe(slope)) best = {k, unknown, slope, size};
      }
    return best;
  }

  bool use_square(const Expr& relation, const std::vector<Expr>& unknowns) {
    for (const Expr& unknown : unknowns) {
      if (!depends_on(relation, unknown)) continue;
      const Expr slope = derivative(relation, unknown), bend = derivative(slope, unknown);
      if (depends_on(bend, unknown) || !is_proved_zero(substitute_zero(slope, unknown)) || !is_safe(bend)) continue;
      const Expr root = sqrt(-2 * substitute_zero(relation, unknown) / bend);
      const std::vector<Replacement> signs{{unknown, root}, {unknown, -root}};
      std::vector<Expr> both = substitute(left_, {&signs[0], 1});
      for (const Expr& each : substitute(left_, {&signs[1], 1})) both.push_back(each);
      left_ = std::move(both);
      return true;
    }
    return false;
  }

  /// By a factor of parameters alone.
  bool is_multiple(const Expr& expression, const Expr& relation) const {
    const Displayed factor = make_canonical(expression / relation);
    return factor.complete &&
           std::ranges::none_of(equations_.coordinates,
                                [&](const Expr& coordinate) { return depends_on(factor.expression, coordinate); }) &&
           is_proved_zero(expression - factor.expression * relation);
  }

  std::vector<Expr> coordinates_of(const Expr& expression) const {
    std::vector<Expr> list = free_symbols({&expression, 1});
    std::erase_if(list, [&](const Expr& symbol) {
      return std::ranges::find(equations_.coordinates, symbol) == equations_.coordinates.end();
    });
    return list;
  }

  bool is_safe(const Expr& divisor) const { return std::fabs(evaluate(divisor, at_)) > tolerance::clearly_nonzero; }
  Expr substitute_zero(Expr expression, Expr unknown) const {
    const Replacement at_zero{unknown, equations_.graph->constant(0)};
    return substitute(expression, {&at_zero, 1});
  }

  const Equations& equations_;
  std::vector<Expr> left_;
  std::span<const Binding> at_;
  std::vector<Replacement> parameters_;
};

}  // namespace

bool vanish_on_constraints(const Equations& equations, std::vector<Expr> expressions, std::span<const Binding> at) {
  return OnConstraints(equations, std::move(expressions), at).vanish();
}

}  // namespace dalembert

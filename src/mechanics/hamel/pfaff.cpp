#include <algorithm>
#include <dalembert/expr/antiderivative.hpp>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/mechanics/pfaff.hpp>

#include "mechanics/hamel/manifold.hpp"

namespace dalembert {
namespace {

using Form = std::vector<Expr>;  // coefficients of dq_1 ... dq_n, dt

Expr simplified(Expr expression) { return make_display(expression).expression; }

bool is_proved_zero(Expr expression) { return expression.is_zero() || test_zero(expression).verdict == Verdict::zero; }

/// Looks for F with dF = factor * form on the variables that are not frozen.
class Pfaffian {
 public:
  Pfaffian(std::vector<Expr> variables, Form form) : variables_(std::move(variables)), form_(std::move(form)) {}

  std::optional<Expr> integrate() {
    if (auto found = integrate_scaled(form_)) return found;
    for (std::size_t j = 0; j < form_.size() && !work_.is_used_up(); ++j) {
      if (form_[j].is_zero() || form_[j].is_one()) continue;
      Form scaled;
      for (const Expr& entry : form_) scaled.push_back(simplify(entry / form_[j]));
      if (auto found = integrate_scaled(scaled)) return found;
    }
    return std::nullopt;
  }

 private:
  Expr simplify(Expr expression) {
    Displayed simple = make_display(expression);
    work_.spend(simple.work);
    return simple.expression;
  }

  bool vanishes(Expr expression) {
    if (expression.is_zero()) return true;
    ZeroTest test = test_zero(expression);
    work_.spend(test.work);
    return test.verdict == Verdict::zero;
  }

  Expr curl(const Form& form, std::size_t i, std::size_t j) {
    return simplify(derivative(form[j], variables_[i]) - derivative(form[i], variables_[j]));
  }

  std::optional<Expr> integrate_scaled(const Form& form) {
    if (auto exact = accept(form)) return exact;
    for (std::size_t k = 0; k < form.size() && !work_.is_used_up(); ++k)
      if (auto found = with_factor_of(form, k)) return found;
    return std::nullopt;
  }

  /// mu(q_k) form is closed exactly when d form = -(log mu)' dq_k ^ form.
  std::optional<Expr> with_factor_of(const Form& form, std::size_t k) {
    Expr rate;
    for (std::size_t j = 0; j < form.size() && !rate; ++j)
      if (j != k && !form[j].is_zero()) rate = simplify(-curl(form, k, j) / form[j]);
    if (!rate || rate.is_zero()) return std::nullopt;
    for (std::size_t i = 0; i < variables_.size(); ++i)
      if (i != k && depends_on(rate, variables_[i])) return std::nullopt;
    std::optional<Expr> exponent = find_antiderivative(rate, variables_[k]);
    if (!exponent) return std::nullopt;
    Expr factor = simplify(exponential(*exponent));
    Form scaled;
    for (const Expr& entry : form) scaled.push_back(simplify(factor * entry));
    return accept(scaled);
  }

  /// exp of a sum; logarithms become powers, those of squares without the sign, which does not matter to a factor.
  static Expr exponential(Expr exponent) {
    Graph& graph = exponent.graph();
    std::vector<Expr> factors, rest;
    auto add = [&](Expr term, const mpq_class& weight) {
      if (term.op() != Op::log) return rest.push_back(graph.constant(weight) * term);
      const Expr inside = graph[graph.arguments(term.id())[0]];
      if (inside.op() == Op::product && graph.parts(inside.id()).size() == 1) {
        const Part part = graph.parts(inside.id())[0];
        factors.push_back(graph.power(graph[part.node], weight * graph.value(part.weight)));
      } else {
        factors.push_back(graph.power(inside, weight));
      }
    };
    if (exponent.op() == Op::sum) {
      const std::vector<Part> parts(graph.parts(exponent.id()).begin(), graph.parts(exponent.id()).end());
      rest.push_back(graph[graph.offset(exponent.id())]);
      for (const Part& part : parts) add(graph[part.node], graph.value(part.weight));
    } else {
      add(exponent, 1);
    }
    factors.push_back(exp(graph.sum(rest)));
    return graph.product(factors);
  }

  /// The potential of a form that is exact, proved to be an integral of the form as given.
  std::optional<Expr> accept(const Form& exact) {
    std::optional<Expr> potential = find_potential(exact, variables_);
    if (!potential) return std::nullopt;
    Form slope = gradient(*potential, variables_);
    bool constant = true;
    for (std::size_t i = 0; i < form_.size(); ++i) {
      constant &= slope[i].is_zero();
      for (std::size_t j = i + 1; j < form_.size(); ++j)
        if (!vanishes(slope[i] * form_[j] - slope[j] * form_[i])) return std::nullopt;
    }
    return constant ? std::nullopt : potential;
  }

  std::vector<Expr> variables_;
  Form form_;
  Work work_{1e8};  // a search, not a promise
};

/// Coordinates that a constraint fixes by itself: its form is a multiple of dq_k.
std::vector<bool> frozen_coordinates(const Model& model) {
  std::vector<bool> frozen(model.coordinates.size() + 1, false);
  for (const Constraint& constraint : model.constraints) {
    if (constraint.kind == ConstraintKind::one_sided) continue;
    Form form = constraint_form(model, constraint);
    auto is_there = [](Expr entry) { return !is_proved_zero(entry); };
    if (std::ranges::count_if(form, is_there) != 1) continue;
    frozen[static_cast<std::size_t>(std::ranges::find_if(form, is_there) - form.begin())] = true;
  }
  return frozen;
}

/// The integral's value at the start, in parameters.
Expr value_at_start(const Model& model, Expr formula) {
  std::vector<Replacement> start{{model.time, model.graph->constant(0)}};
  for (const Coordinate& coordinate : model.coordinates) start.push_back({coordinate.q, coordinate.value});
  return simplified(substitute(formula, start));
}

}  // namespace

std::vector<ConstraintIntegral> find_constraint_integrals(const Model& model, const Integrability& integrability) {
  std::vector<ConstraintIntegral> integrals;
  std::vector<bool> frozen;
  for (const Constraint& constraint : model.constraints) {
    if (constraint.kind != ConstraintKind::differential) continue;
    auto entry = std::ranges::find(integrability.constraints, constraint.name, &Integrability::Entry::name);
    if (entry == integrability.constraints.end() || entry->in_system != std::optional(true)) continue;
    const bool by_itself = entry->by_itself == std::optional(true);
    if (!by_itself && frozen.empty()) frozen = frozen_coordinates(model);
    std::vector<Expr> all = configuration_symbols(model), variables;
    Form whole = constraint_form(model, constraint), form;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!by_itself && frozen[i]) continue;
      variables.push_back(all[i]);
      form.push_back(simplified(whole[i]));
    }
    if (auto formula = Pfaffian(variables, form).integrate())
      integrals.push_back({constraint.name, *formula, value_at_start(model, *formula), by_itself});
  }
  return integrals;
}

std::string write_as_geometric(const ConstraintIntegral& integral) {
  std::string name = integral.constraint;
  std::ranges::replace(name, '.', '_');  // a component of a vector equation becomes an equation of its own
  return name + " = \"" + to_text(make_display(integral.formula)) + " = " + to_text(make_display(integral.value)) +
         "\"";
}

}  // namespace dalembert

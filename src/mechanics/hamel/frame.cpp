#include <algorithm>
#include <cmath>
#include <dalembert/base/work_limit.hpp>
#include <dalembert/expr/canonical.hpp>
#include <map>

#include "base/linear_algebra.hpp"
#include "base/tolerances.hpp"
#include "mechanics/hamel/nearby.hpp"
#include "mechanics/hamel/rows.hpp"
#include "mechanics/simplify.hpp"
#include "model/time_derivative.hpp"

// The frame: rows of pi from the formulas, constraints recognised among them or exchanged for others.

namespace dalembert {
namespace {

std::vector<Expr> rate_symbols(const Model& model) {
  std::vector<Expr> rates;
  for (const Coordinate& coordinate : model.coordinates) rates.push_back(coordinate.rate);
  return rates;
}

/// Coefficients of an expression affine in the rates.
std::vector<Expr> affine_row(const Model& model, Expr formula) {
  Graph& graph = *model.graph;
  std::vector<Expr> rates = rate_symbols(model);
  spend_work(2 * static_cast<double>(rates.size()));
  std::vector<Expr> row(rates.size() + 1, graph.constant(0));
  auto slopes = sparse_jacobian({&formula, 1}, rates);
  std::vector<Replacement> rest;
  for (const Entry& entry : slopes[0]) {
    row[entry.column] = entry.value;
    rest.push_back({rates[entry.column], graph.constant(0)});
  }
  row.back() = substitute(formula, rest);
  return row;
}

FrameRow make_row(const Model& model, const std::string& name, Expr formula, Place place) {
  Graph& graph = *model.graph;
  FrameRow row;  // part by part: GCC 12 destroys what is nested in braces twice where a later part throws
  row.velocity = {name, graph.symbol(name), graph.symbol(name + "'"), std::nullopt, Expr(), place};
  row.pi = affine_row(model, formula);
  return row;
}

/// The factor s with row = s * psi, where there is one: every 2x2 minor must vanish, proved. `lead`: the first entry of
/// psi that is not zero.
Expr proportionality(const std::vector<Expr>& row, const std::vector<Expr>& psi, std::size_t lead) {
  if (lead == psi.size() || row[lead].is_zero()) return {};
  spend_work(0.1 * static_cast<double>(row.size()));
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (k == lead) continue;
    if (psi[k].is_zero() && row[k].is_zero()) continue;
    if (test_zero(row[k] * psi[lead] - row[lead] * psi[k]).verdict != Verdict::zero) return {};
  }
  return make_display(row[lead] / psi[lead]).expression;
}

/// A name that the model does not use.
std::string free_name(const Model& model, std::string name) {
  auto taken = [&](const auto& list) {
    return std::ranges::any_of(list, [&](const auto& item) { return item.name == name; });
  };
  while (taken(model.parameters) || taken(model.coordinates) || taken(model.outputs) || taken(model.quasi_velocities))
    name += '_';
  return name;
}

/// Puts the constraint in place of the velocity that it is most nearly made of at the initial state: by numbers, since
/// nothing but the choice comes of it. False where it is made of constraints only.
bool exchange(const Model& model, std::vector<FrameRow>& rows, FrameRow constraint) {
  const std::size_t size = rows.size();
  std::vector<Binding> bindings = state_bindings(model);
  std::vector<double> transposed(size * size), shares = evaluate(constraint.pi, bindings);
  for (std::size_t r = 0; r < size; ++r) {
    const std::vector<double> pi = evaluate(rows[r].pi, bindings);
    for (std::size_t l = 0; l < size; ++l) transposed[l * size + r] = pi[l];
  }
  shares.resize(size);
  if (!solve_square(transposed, size, shares)) invert_rows(model, rows);  // says which velocity depends on others
  std::size_t best = rows.size();
  double largest = tolerance::dependent;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (!rows[r].velocity.row && std::fabs(shares[r]) > largest) best = r, largest = std::fabs(shares[r]);
  if (best == rows.size()) return false;
  rows[best] = std::move(constraint);
  return true;
}

}  // namespace

std::vector<Binding> state_bindings(const Model& model) {
  const std::vector<double> parameters = parameter_values(model);
  return bind_symbols(model, initial_state(model, parameters), parameters);
}

std::vector<Binding> bindings_beside(const Model& model) {
  const std::vector<double> parameters = parameter_values(model);
  ModelState state = initial_state(model, parameters);
  state.q = move_along(state.q, state.rates);
  return state.q.empty() ? std::vector<Binding>() : bind_symbols(model, state, parameters);
}

std::vector<FrameRow> base_rows(const Model& model) {
  std::vector<FrameRow> rows;
  for (const QuasiVelocity& velocity : model.quasi_velocities)
    rows.push_back(make_row(model, velocity.name, velocity.formula, velocity.place));
  if (!rows.empty()) return rows;
  std::vector<const Frame*> turned_by(model.coordinates.size(), nullptr);
  for (const Frame& frame : model.frames)
    for (std::size_t k : frame.quaternion) turned_by[k] = &frame;
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    const Coordinate& coordinate = model.coordinates[i];
    if (!turned_by[i]) {
      rows.push_back(make_row(model, coordinate.rate.name(), coordinate.rate, coordinate.place));
      continue;
    }
    const Frame& frame = *turned_by[i];
    if (i != *std::ranges::min_element(frame.quaternion)) continue;
    for (std::size_t k = 0; k < 3; ++k)
      rows.push_back(make_row(model, free_name(model, "omega_" + frame.name + "_" + "xyz"[k]), frame.omega_inside[k],
                              coordinate.place));
  }
  return rows;
}

bool is_rounding(const std::vector<Expr>& row, const std::vector<Binding>& at) {
  const std::vector<double> values = evaluate(row, at), sizes = evaluate(majorant(row), at);
  for (std::size_t i = 0; i < row.size(); ++i)
    if (!(std::fabs(values[i]) <= tolerance::unchanged * sizes[i])) return false;
  return true;
}

std::vector<FrameRow> recognise_constraints(const Model& model, std::vector<FrameRow>& rows) {
  const std::vector<Binding> start = state_bindings(model);
  const TimeDerivative derive(model);
  std::vector<FrameRow> missing;
  for (std::size_t a = 0; a < model.constraints.size(); ++a) {
    const Constraint& constraint = model.constraints[a];
    if (constraint.kind == ConstraintKind::one_sided) continue;
    const Expr psi = constraint.kind == ConstraintKind::differential ? constraint.f : derive(constraint.f);
    FrameRow row = make_row(model, "constraint(" + constraint.name + ")", psi, constraint.place);
    row.velocity.row = a;
    row.velocity.scale = model.graph->constant(1);
    bool found = false;
    const auto is_zero = [](const Expr& entry) { return entry.is_zero(); };
    const auto lead = std::ranges::find_if_not(row.pi, is_zero) - row.pi.begin();
    const bool is_nothing = is_rounding({row.pi.begin(), row.pi.end() - 1}, start);
    for (FrameRow& candidate : rows) {
      if (found || is_nothing || candidate.velocity.row) continue;
      if (Expr scale = proportionality(candidate.pi, row.pi, static_cast<std::size_t>(lead))) {
        candidate.velocity.row = a;
        candidate.velocity.scale = scale;
        found = true;
      }
    }
    if (found) continue;
    (constraint.is_unit ? rows : missing).push_back(std::move(row));
  }
  if (rows.size() != model.coordinates.size())
    throw ModelError({model.file, model.quasi_velocities.empty() ? Place{} : model.quasi_velocities[0].place, "frame",
                      "there are " + std::to_string(model.quasi_velocities.size()) + " quasi-velocities for " +
                          std::to_string(model.coordinates.size()) + " coordinates",
                      "give as many as coordinates, less one for each quaternion"});
  return missing;
}

QuasiFrame make_frame(const Model& model) {
  Graph& graph = *model.graph;
  std::vector<FrameRow> rows = base_rows(model);
  QuasiFrame frame;
  for (FrameRow& row : recognise_constraints(model, rows)) {
    const std::size_t constraint = *row.velocity.row;
    if (!exchange(model, rows, std::move(row))) frame.dependent.push_back(constraint);
  }
  Inverse inverse = invert_rows(model, rows);
  frame.xi = std::move(inverse.xi);
  frame.is_solved = !inverse.is_short;
  Simplifier simplify(frame.is_solved ? 0 : 5e7, Simplifier::Form::display);
  for (auto& row : frame.xi)
    for (Expr& entry : row) entry = simplify(entry);
  std::vector<Expr> drift(rows.size());  // xi_0l = -xi_rl pi_r0
  for (std::size_t l = 0; l < rows.size(); ++l) {
    std::vector<Expr> terms;
    for (std::size_t r = 0; r < rows.size(); ++r) terms.push_back(-frame.xi[r][l] * rows[r].pi.back());
    drift[l] = simplify(graph.sum(terms));
  }
  frame.xi.push_back(drift);
  for (FrameRow& row : rows) {
    frame.velocities.push_back(row.velocity);
    frame.pi.push_back(std::move(row.pi));
  }
  return frame;
}

namespace {

/// d pi_l/dq_s - d pi_s/dq_l for one pair l < s.
struct Turn {
  std::size_t l, s;
  Expr value;
};

std::vector<Turn> turns_of(const std::vector<Expr>& pi, const std::vector<Expr>& variables) {
  std::vector<std::vector<Entry>> slope = sparse_jacobian(pi, variables);
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Expr>> terms;
  for (std::size_t l = 0; l < slope.size(); ++l)
    for (const Entry& entry : slope[l])
      if (l != entry.column)
        terms[std::minmax(l, std::size_t{entry.column})].push_back(l < entry.column ? entry.value : -entry.value);
  std::vector<Turn> turns;
  for (const auto& [pair, parts] : terms)
    if (Expr value = pi[0].graph().sum(parts); !value.is_zero()) turns.push_back({pair.first, pair.second, value});
  return turns;
}

/// The time derivative of a function: all its coefficients vanish.
bool is_exact(const Model& model, const QuasiFrame::Velocity& velocity) {
  return velocity.row && model.constraints[*velocity.row].kind == ConstraintKind::geometric && velocity.scale.is_one();
}

}  // namespace

/// beta_mnr = (d pi_rl/dq_s - d pi_rs/dq_l) xi_ml xi_ns, with time as one more coordinate (Hamel 1904, section 1).
std::vector<TransitionCoefficient> derive_transition_coefficients(const Model& model, const QuasiFrame& frame,
                                                                  double patience) {
  Graph& graph = *model.graph;
  const std::size_t count = frame.size();
  std::vector<Expr> variables;
  for (const Coordinate& coordinate : model.coordinates) variables.push_back(coordinate.q);
  variables.push_back(model.time);
  // The extended xi: q'_l by velocities and time; t' = 1 belongs to the time velocity alone.
  auto xi = [&](std::size_t m, std::size_t l) {
    if (l < count) return frame.xi[m][l];
    return graph.constant(m == count ? 1 : 0);
  };
  Simplifier simplify(5e8 * patience, Simplifier::Form::display);
  std::vector<TransitionCoefficient> beta;
  for (std::size_t r = 0; r < count; ++r) {
    if (is_exact(model, frame.velocities[r])) continue;
    std::vector<Turn> turns = turns_of(frame.pi[r], variables);
    for (std::size_t m = 0; m <= count && !turns.empty(); ++m)
      for (std::size_t n = m + 1; n <= count; ++n) {
        std::vector<Expr> terms;
        for (const Turn& turn : turns)
          terms.push_back(turn.value * (xi(m, turn.l) * xi(n, turn.s) - xi(m, turn.s) * xi(n, turn.l)));
        Expr value = simplify(graph.sum(terms));
        if (!value.is_zero()) beta.push_back({m, n, r, value});
      }
  }
  return beta;
}

std::vector<TransitionCoefficient> derive_transition_coefficients(const Model& model, const QuasiFrame& frame) {
  return derive_transition_coefficients(model, frame, frame.is_solved ? 0 : reading_patience);
}

}  // namespace dalembert

#include <cmath>
#include <dalembert/canonical.hpp>
#include <dalembert/hamel.hpp>
#include <limits>

#include "mechanics/simplify.hpp"

// The frame: rows of pi from the formulas, xi by Gauss-Jordan elimination with pivots chosen at the initial state.

namespace dalembert {
namespace {

using Dense = std::vector<std::vector<Expr>>;

struct Row {
  QuasiFrame::Velocity velocity;
  std::vector<Expr> pi;  // over the coordinates, then time
};

std::vector<Expr> rate_symbols(const Model& model) {
  std::vector<Expr> rates;
  for (const Coordinate& coordinate : model.coordinates) rates.push_back(coordinate.rate);
  return rates;
}

/// Coefficients of an expression affine in the rates.
std::vector<Expr> affine_row(const Model& model, Expr formula) {
  Graph& graph = *model.graph;
  std::vector<Expr> rates = rate_symbols(model);
  std::vector<Expr> row(rates.size() + 1, graph.constant(0));
  auto slopes = sparse_jacobian({&formula, 1}, rates);
  for (const Entry& entry : slopes[0]) row[entry.column] = entry.value;
  std::vector<Replacement> rest;
  for (const Expr& rate : rates) rest.push_back({rate, graph.constant(0)});
  row.back() = substitute(formula, rest);
  return row;
}

Expr velocity_form(const Model& model, const Constraint& constraint) {
  return constraint.kind == ConstraintKind::differential ? constraint.f : time_derivative(model, constraint.f);
}

Row make_row(const Model& model, const std::string& name, Expr formula, Place place) {
  Graph& graph = *model.graph;
  return {{name, graph.symbol(name), graph.symbol(name + "'"), std::nullopt, Expr(), place},
          affine_row(model, formula)};
}

/// The factor s with row = s * psi, where there is one: every 2x2 minor must vanish, proved.
Expr proportionality(const std::vector<Expr>& row, const std::vector<Expr>& psi) {
  std::size_t lead = 0;
  while (lead + 1 < psi.size() && psi[lead].is_zero()) ++lead;
  if (psi[lead].is_zero() || row[lead].is_zero()) return {};
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (k == lead) continue;
    if (psi[k].is_zero() && row[k].is_zero()) continue;
    if (test_zero(row[k] * psi[lead] - row[lead] * psi[k]).verdict != Verdict::zero) return {};
  }
  return make_display(row[lead] / psi[lead]).expression;
}

std::vector<Binding> state_bindings(const Model& model) {
  std::vector<Binding> bindings{{model.time, 0.0}};
  std::vector<double> parameters = parameter_values(model);
  InitialState start = initial_state(model);
  for (std::size_t i = 0; i < parameters.size(); ++i) bindings.push_back({model.parameters[i].symbol, parameters[i]});
  for (std::size_t i = 0; i < start.q.size(); ++i) bindings.push_back({model.coordinates[i].q, start.q[i]});
  return bindings;
}

[[noreturn]] void refuse_singular(const Model& model, const QuasiFrame::Velocity& velocity) {
  throw ModelError(
      {model.file, velocity.place, "frame." + velocity.name,
       "the frame is not invertible: this velocity depends on the others at the initial state",
       "give independent combinations of the rates, as many as coordinates (less one for each quaternion)"});
}

/// xi^T = pi^-1 without the time column; Gauss-Jordan on [pi | 1]. A pivot is taken among entries that are not small at
/// the initial state, the simplest expression first, so that inverses stay readable.
class Inverse {
 public:
  Inverse(const Model& model, const std::vector<Row>& rows) : model_(model), rows_(rows), simplify_(5.0) {
    Graph& graph = *model.graph;
    const std::size_t size = rows.size();
    for (std::size_t i = 0; i < size; ++i) {
      left_.emplace_back(rows[i].pi.begin(), rows[i].pi.end() - 1);
      right_.emplace_back(size, graph.constant(0));
      right_[i][i] = graph.constant(1);
    }
  }

  /// xi[r][l] for velocities r.
  Dense solve() {
    const std::size_t size = rows_.size();
    std::vector<Binding> bindings = state_bindings(model_);
    std::vector<std::size_t> row_of(size, size);  // of each column
    std::vector<bool> used(size, false);
    for (std::size_t step = 0; step < size; ++step) {
      auto [row, column] = choose_pivot(used, row_of, bindings);
      if (row == size) refuse_singular(model_, rows_[column].velocity);
      used[row] = true;
      row_of[column] = row;
      eliminate(row, column);
    }
    Dense xi(size, std::vector<Expr>(size));
    for (std::size_t l = 0; l < size; ++l)
      for (std::size_t r = 0; r < size; ++r) xi[r][l] = right_[row_of[l]][r];
    return xi;
  }

 private:
  std::pair<std::size_t, std::size_t> choose_pivot(const std::vector<bool>& used,
                                                   const std::vector<std::size_t>& row_of,
                                                   const std::vector<Binding>& bindings) const {
    const std::size_t size = rows_.size();
    std::size_t best_row = size, best_column = 0;
    double best_cost = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < size; ++i) {
      if (used[i]) continue;
      best_column = best_row == size ? i : best_column;
      std::vector<double> values = evaluate(left_[i], bindings);
      double largest = 0;
      for (std::size_t j = 0; j < size; ++j)
        if (row_of[j] == size) largest = std::max(largest, std::fabs(values[j]));
      for (std::size_t j = 0; j < size; ++j) {
        if (row_of[j] != size || std::fabs(values[j]) < 0.3 * largest || std::fabs(values[j]) < 1e-9) continue;
        double cost = count_written(left_[i][j]);
        if (cost >= best_cost) continue;
        best_cost = cost, best_row = i, best_column = j;
      }
    }
    return {best_row, best_column};
  }

  void eliminate(std::size_t row, std::size_t column) {
    Expr inverse = pow(left_[row][column], -1);
    auto scale = [&](std::vector<Expr>& entries) {
      for (Expr& entry : entries)
        if (!entry.is_zero()) entry = simplify_(entry * inverse);
    };
    scale(left_[row]);
    scale(right_[row]);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      Expr factor = left_[i][column];
      if (i == row || factor.is_zero()) continue;
      subtract(left_[i], factor, left_[row]);
      subtract(right_[i], factor, right_[row]);
    }
  }

  void subtract(std::vector<Expr>& target, Expr factor, const std::vector<Expr>& row) {
    for (std::size_t j = 0; j < row.size(); ++j)
      if (!row[j].is_zero()) target[j] = simplify_(target[j] - factor * row[j]);
  }

  const Model& model_;
  const std::vector<Row>& rows_;
  Simplifier simplify_;
  Dense left_, right_;
};

std::vector<Row> user_rows(const Model& model) {
  std::vector<Row> rows;
  for (const QuasiVelocity& velocity : model.frame)
    rows.push_back(make_row(model, velocity.name, velocity.formula, velocity.place));
  if (model.frame.empty())
    for (const Coordinate& coordinate : model.coordinates)
      rows.push_back(make_row(model, "rate of " + coordinate.name, coordinate.rate, coordinate.place));
  return rows;
}

/// Puts the constraint in place of the velocity that it is most nearly made of at the initial state.
void exchange(const Model& model, std::vector<Row>& rows, Row constraint) {
  Dense xi = Inverse(model, rows).solve();
  std::vector<Binding> bindings = state_bindings(model);
  std::size_t best = rows.size();
  double largest = 1e-9;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (rows[r].velocity.row) continue;
    double share = 0;
    std::vector<double> pi = evaluate(constraint.pi, bindings), column = evaluate(xi[r], bindings);
    for (std::size_t l = 0; l < column.size(); ++l) share += pi[l] * column[l];
    if (std::fabs(share) > largest) best = r, largest = std::fabs(share);
  }
  if (best == rows.size())
    throw ModelError({model.file, constraint.velocity.place, "constraints." + constraint.velocity.name,
                      "the constraint depends on the others at the initial state",
                      "remove it, or use --by multipliers, which keeps an independent subset"});
  rows[best] = std::move(constraint);
}

/// Each constraint becomes a velocity: recognised up to scale among the rows, added (a quaternion's), or exchanged.
void place_constraints(const Model& model, std::vector<Row>& rows) {
  std::vector<Row> missing;
  for (std::size_t a = 0; a < model.constraints.size(); ++a) {
    const Constraint& constraint = model.constraints[a];
    if (constraint.kind == ConstraintKind::one_sided) continue;
    Row row = make_row(model, "constraint " + constraint.name, velocity_form(model, constraint), constraint.place);
    row.velocity.row = a;
    row.velocity.scale = model.graph->constant(1);
    bool found = false;
    for (Row& candidate : rows) {
      if (found || candidate.velocity.row) continue;
      if (Expr scale = proportionality(candidate.pi, row.pi)) {
        candidate.velocity.row = a;
        candidate.velocity.scale = scale;
        found = true;
      }
    }
    if (found) continue;
    if (constraint.is_unit && !model.frame.empty())
      rows.push_back(std::move(row));
    else
      missing.push_back(std::move(row));
  }
  if (rows.size() != model.coordinates.size())
    throw ModelError({model.file, model.frame.empty() ? Place{} : model.frame[0].place, "frame",
                      "there are " + std::to_string(model.frame.size()) + " quasi-velocities for " +
                          std::to_string(model.coordinates.size()) + " coordinates",
                      "give as many as coordinates, less one for each quaternion"});
  for (Row& row : missing) exchange(model, rows, std::move(row));
}

}  // namespace

QuasiFrame make_frame(const Model& model) {
  Graph& graph = *model.graph;
  std::vector<Row> rows = user_rows(model);
  place_constraints(model, rows);
  QuasiFrame frame;
  Simplifier simplify(2.0, Simplifier::Form::display);
  frame.xi = Inverse(model, rows).solve();
  for (auto& row : frame.xi)
    for (Expr& entry : row) entry = simplify(entry);
  std::vector<Expr> drift(rows.size());  // xi_0l = -xi_rl pi_r0
  for (std::size_t l = 0; l < rows.size(); ++l) {
    std::vector<Expr> terms;
    for (std::size_t r = 0; r < rows.size(); ++r) terms.push_back(-frame.xi[r][l] * rows[r].pi.back());
    drift[l] = simplify(graph.sum(terms));
  }
  frame.xi.push_back(drift);
  for (Row& row : rows) {
    frame.velocities.push_back(row.velocity);
    frame.pi.push_back(std::move(row.pi));
  }
  return frame;
}

/// beta_mnr = (d pi_rl/dq_s - d pi_rs/dq_l) xi_ml xi_ns, with time as one more coordinate (Hamel 1904, section 1).
std::vector<TransitionCoefficient> derive_transition_coefficients(const Model& model, const QuasiFrame& frame) {
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
  Simplifier simplify(5.0, Simplifier::Form::display);
  std::vector<TransitionCoefficient> beta;
  for (std::size_t r = 0; r < count; ++r) {
    std::vector<std::vector<Entry>> slope = sparse_jacobian(frame.pi[r], variables);
    for (std::size_t m = 0; m <= count; ++m)
      for (std::size_t n = m + 1; n <= count; ++n) {
        std::vector<Expr> terms;
        for (std::size_t l = 0; l <= count; ++l)
          for (const Entry& entry : slope[l]) {
            terms.push_back(entry.value * xi(m, l) * xi(n, entry.column));
            terms.push_back(-entry.value * xi(m, entry.column) * xi(n, l));
          }
        Expr value = simplify(graph.sum(terms));
        if (!value.is_zero()) beta.push_back({m, n, r, value});
      }
  }
  return beta;
}

}  // namespace dalembert

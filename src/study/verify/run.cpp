#include "study/verify/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/tolerances.hpp"
#include "model/time_derivative.hpp"

namespace dalembert {
namespace {

constexpr double coarse = 1e-8, fine = 1e-11;  // tolerances of the two runs
constexpr double violated =
    1e-9;  // of a constraint's terms; what a run may leave of a row that it dropped (numerics 2)
constexpr double dependent = 1e-7;  // of the reactions: rows that count as dependent are so to this part
constexpr double idle = 1e-3;       // of the largest coordinate, or rate
constexpr double apart = 1e-5;      // of a coordinate's size: from there on two motions are not the same

std::string acceleration_column(const Coordinate& coordinate) { return "acceleration of " + coordinate.name; }

/// The model with accelerations as columns, and events that do not end the run.
Equations with_accelerations(Equations equations) {
  Model model = *equations.model;
  model.outputs.clear();
  for (const Coordinate& c : model.coordinates) model.outputs.push_back({acceleration_column(c), c.acceleration, {}});
  for (Event& event : model.events) event.stop = false;
  equations.model = std::make_shared<const Model>(std::move(model));
  equations.released.clear();
  return equations;
}

std::vector<std::size_t> all_contacts(const Equations& equations) {
  std::vector<std::size_t> all(equations.contacts.size());
  for (std::size_t c = 0; c < all.size(); ++c) all[c] = c;
  return all;
}

/// One run, row by row.
class Rows {
 public:
  Rows(const Equations& equations, const Trajectory& motion, bool redundant)
      : equations_(equations),
        model_(*equations.model),
        held_(hold_contacts(equations, all_contacts(equations))),
        parameters_(tracked_parameters(model_)),
        motion_(motion),
        redundant_(redundant) {
    for (const Coordinate& c : model_.coordinates) sizes_.push_back(largest(c.name));
    for (const Coordinate& c : model_.coordinates) sizes_.push_back(largest(c.rate.name()));
    // What stays where it is has no size of its own: it is judged by a part of what the others do (numerics 1).
    for (std::span<double> half :
         {std::span(sizes_).first(model_.coordinates.size()), std::span(sizes_).last(model_.coordinates.size())}) {
      const double most = half.empty() ? 0 : std::ranges::max(half);
      for (double& size : half) size = std::max(size, idle * most);
    }
    make_conditions();
  }

  void compare(Ledger& ledger) {
    for (std::size_t k = 0; k < motion_.rows.size(); ++k) {
      State state{motion_.rows[k][0], {}, {}};
      for (const Coordinate& c : model_.coordinates) {
        state.q.push_back(motion_[c.name][k]);
        state.u.push_back(motion_[c.rate.name()][k]);
      }
      const Values<Tracked> at = tracked_state(parameters_, equations_, state);
      if (k == 0) find_falls(at);
      compare_balance(k, at, ledger);
      compare_constraints(k, at, ledger);
    }
  }

 private:
  double largest(const std::string& column) const {
    double most = 0;
    for (double value : motion_[column]) most = std::max(most, std::abs(value));
    return most;
  }
  std::string where(std::size_t k, const std::string& what) const {
    return fmt::format("{} at t = {:.6g}", what, motion_.rows[k][0]);
  }

  /// How fast forces would make each coordinate over the coordinates' sizes: what rounding is a part of where all
  /// rests.
  void find_falls(const Values<Tracked>& at) {
    const Matrices m = evaluate_matrices(held_, at);
    double work = 0;
    for (std::size_t i = 0; i < m.n; ++i) work = std::max(work, std::abs(m.bias[i].value) * sizes_[i]);
    for (std::size_t i = 0; i < m.n; ++i) {
      const double mass = m.mass[i * m.n + i].value;
      falls_.push_back(mass > 0 ? std::sqrt(work / mass) : 0);
    }
  }

  /// The unit constraint of a quaternion has no column: its reaction is along the quaternion, and is taken out.
  void take_out(const ConstraintRow& row, const Matrices& m, std::size_t r, std::vector<double>& sums) const {
    double along = 0, square = 0;
    for (const Entry& entry : row.jacobian) {
      const double a = m.jacobian[r * m.n + entry.column].value;
      along += a * sums[entry.column];
      square += a * a;
    }
    for (const Entry& entry : row.jacobian)
      sums[entry.column] -= m.jacobian[r * m.n + entry.column].value * along / square;
  }

  void compare_balance(std::size_t k, const Values<Tracked>& at, Ledger& ledger) {
    const Matrices m = evaluate_matrices(held_, at);
    std::vector<double> sums(m.n), sizes(m.n), errors(m.n);
    for (std::size_t i = 0; i < m.n; ++i) {
      sums[i] = m.bias[i].value;
      sizes[i] = std::abs(sums[i]);
      errors[i] = m.bias[i].error;
      if (!(m.mass[i * m.n + i].value > 0)) return;  // M by itself is singular: mended by rows, with their rounding
      for (std::size_t j = 0; j < m.n; ++j) {
        const double a = motion_[acceleration_column(model_.coordinates[j])][k];
        sums[i] += m.mass[i * m.n + j].value * a;
        sizes[i] += std::sqrt(m.mass[i * m.n + i].value * m.mass[j * m.n + j].value) * std::abs(a);
        errors[i] += m.mass[i * m.n + j].error * std::abs(a);
      }
    }
    std::vector<double> reactions(m.n);
    for (std::size_t r = 0; r < m.rows; ++r) {
      if (held_.rows[r].is_unit) continue;
      const double lambda = motion_[reaction_symbol(held_.rows[r].name)][k];
      for (const Entry& entry : held_.rows[r].jacobian) {
        const Tracked& a = m.jacobian[r * m.n + entry.column];
        sums[entry.column] -= a.value * lambda;
        reactions[entry.column] += std::abs(a.value * lambda);
        errors[entry.column] += a.error * std::abs(lambda);
      }
    }
    for (std::size_t r = 0; r < m.rows; ++r)
      if (held_.rows[r].is_unit) take_out(held_.rows[r], m, r, sums);
    if (std::ranges::any_of(sums, [](double sum) { return std::isnan(sum); })) return;  // unbounded there
    // Rounding of a factorisation of M is that of |L||L^T|, of the columns written that of their terms.
    const double rounding = 16 * static_cast<double>(m.n + m.rows) * tolerance::epsilon;
    double size = 0;
    for (std::size_t i = 0; i < m.n; ++i) size = std::max(size, sizes[i] + reactions[i]);
    for (std::size_t i = 0; i < m.n; ++i) {
      const double share = redundant_ ? dependent * reactions[i] : 0;
      ledger("balance at every row of a run", "M q'' + h", "F + A^T lambda")
          .add(sums[i], rounding * (has_units() ? size : sizes[i] + reactions[i]) + 4 * errors[i] + share,
               where(k, model_.coordinates[i].name));
    }
  }
  bool has_units() const {
    return std::ranges::any_of(held_.rows, [](const ConstraintRow& row) { return row.is_unit; });
  }

  /// f of every constraint, and what it is to first order in coordinates and rates; of a geometric one its rate as
  /// well.
  void make_conditions() {
    std::vector<Expr> symbols;
    for (const Coordinate& c : model_.coordinates) symbols.push_back(c.q);
    for (const Coordinate& c : model_.coordinates) symbols.push_back(c.rate);
    const TimeDerivative derive(model_);
    for (const Constraint& constraint : model_.constraints) {
      std::vector<Expr> conditions{constraint.f};
      if (constraint.kind == ConstraintKind::geometric) conditions.push_back(derive(constraint.f));
      for (const Expr& condition : conditions) {
        std::vector<Expr> wanted = gradient(condition, symbols);
        wanted.push_back(condition);
        conditions_.push_back({&constraint, std::move(wanted)});
      }
    }
  }

  void compare_constraints(std::size_t k, const Values<Tracked>& at, Ledger& ledger) {
    for (const Condition& condition : conditions_) {
      const std::vector<Tracked> values = evaluate_tracked(condition.wanted, at);
      double bound = 4 * values.back().error, f = values.back().value;
      for (std::size_t i = 0; i < sizes_.size(); ++i) bound += violated * std::abs(values[i].value) * sizes_[i];
      const std::size_t n = falls_.size();
      for (std::size_t i = 0; i < n; ++i) bound += tolerance::epsilon * std::abs(values[n + i].value) * falls_[i];
      if (condition.of->kind == ConstraintKind::one_sided)
        f = condition.of->relation == Relation::less_equal ? std::max(f, 0.0) : std::min(f, 0.0);
      ledger("constraints at every row of a run", "kept or dropped", "as written")
          .add(f, bound, where(k, condition.of->name));
    }
  }

  struct Condition {
    const Constraint* of;
    std::vector<Expr> wanted;
  };
  const Equations& equations_;
  const Model& model_;
  Equations held_;  // every contact as an equation
  Values<Tracked> parameters_;
  const Trajectory& motion_;
  bool redundant_;
  std::vector<double> sizes_;  // of coordinates and rates
  std::vector<double> falls_;  // of rates, from the forces at the first row
  std::vector<Condition> conditions_;
};

/// Until when two motions are the same.
double common_end(const Trajectory& a, const Trajectory& b, const Model& model) {
  const std::size_t rows = std::min(a.rows.size(), b.rows.size());
  double end = rows == 0 ? 0 : a.rows[rows - 1][0];
  for (const Coordinate& coordinate : model.coordinates) {
    double size = 0;
    for (double value : b[coordinate.name]) size = std::max(size, std::abs(value));
    for (std::size_t k = 0; k < rows; ++k)
      if (std::abs(a[coordinate.name][k] - b[coordinate.name][k]) > apart * size)
        end = std::min(end, k == 0 ? 0.0 : a.rows[k - 1][0]);
  }
  return end;
}

/// "floor impact", in order, before a time. Of infinitely many impacts it depends on the run how many are counted.
std::vector<std::string> events_before(const Trajectory& motion, const Trajectory& other, double end) {
  std::vector<std::string> found;
  const auto chatters = [](const Trajectory& run, const std::string& name) {
    return std::ranges::any_of(
        run.events, [&](const EventRecord& event) { return event.name == name && event.kind == "chattering ends"; });
  };
  for (const EventRecord& event : motion.events) {
    if (event.t < end * (1 - 1e-6) && !chatters(motion, event.name) && !chatters(other, event.name))
      found.push_back(event.name + " " + event.kind);
  }
  return found;
}

}  // namespace

void compare_run(const Equations& multipliers, Ledger& ledger, std::vector<std::string>& notes) {
  const Equations equations = with_accelerations(multipliers);
  const System system(equations);
  Workspace workspace = system.make_workspace();
  const State start = system.make_consistent_start(workspace, system.initial_state(workspace), false).state;
  const bool redundant = !system.analyse_constraints(workspace, start).redundant.empty();
  const double until = equations.model->simulate.until;
  const Trajectory motion = run_briefly(system, start, until, fine);
  if (redundant)
    ledger("constraints of a run", "those dropped", "those kept")
        .add(motion.contradicting.empty() ? 0 : 1, 0, motion.contradicting);
  if (motion.rows.empty()) return;
  if (!motion) notes.push_back("a run of the model as it is ends early: " + motion.brief());
  Rows(equations, motion, redundant).compare(ledger);
  if (equations.model->events.empty() && equations.contacts.empty()) return;
  const Trajectory other = run_briefly(system, start, until, coarse);
  const double end = common_end(motion, other, *equations.model);
  const std::vector<std::string> a = events_before(motion, other, end), b = events_before(other, motion, end);
  const auto [first, second] = std::ranges::mismatch(a, b);
  const std::string where = first != a.end() ? *first : second != b.end() ? *second : "";
  ledger("events of a run", "tolerance 1e-11", "tolerance 1e-8").add(a == b ? 0 : 1, 0, where);
}

}  // namespace dalembert

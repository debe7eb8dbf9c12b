#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "expr/walk.hpp"
#include "study/verify/verify.hpp"

namespace dalembert {
namespace {

constexpr double order_of_method = 8;  // DOP853

std::vector<std::size_t> columns_of(const Trajectory& motion, const Equations& equations) {
  std::vector<std::size_t> columns;
  auto find = [&](Expr symbol) {
    auto found = std::ranges::find(motion.columns, symbol.name());
    columns.push_back(static_cast<std::size_t>(found - motion.columns.begin()));
  };
  std::ranges::for_each(equations.coordinates, find);
  std::ranges::for_each(equations.velocities, find);
  return columns;
}

State state_of(const Table::Row& row, const std::vector<std::size_t>& columns, std::size_t coordinates) {
  State state{row[0], {}, {}};
  for (std::size_t i = 0; i < columns.size(); ++i) (i < coordinates ? state.q : state.u).push_back(row[columns[i]]);
  return state;
}

/// By how much the motion's local errors may change a function of the state: each step may leave each component wrong
/// by the tolerance times its size so far, and a projection may move it by ten times that (numerics 1).
class InvariantBound {
 public:
  InvariantBound(const Model& model, const Equations& equations, const Trajectory& motion, double tolerance)
      : equations_(equations),
        motion_(motion),
        columns_(columns_of(motion, equations)),
        parameters_(tracked_parameters(model)),
        sizes_(columns_.size()) {
    const std::size_t coordinates = equations.coordinates.size();
    double largest[2] = {0, 0};
    for (const Table::Row row : motion.rows)
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        sizes_[i] = std::max(sizes_[i], std::abs(row[columns_[i]]));
        largest[i >= coordinates] = std::max(largest[i >= coordinates], sizes_[i]);
      }
    for (std::size_t i = 0; i < sizes_.size(); ++i) sizes_[i] = std::max(sizes_[i], 1e-3 * largest[i >= coordinates]);
    step_ = 11 * tolerance * static_cast<double>(std::max<std::size_t>(1, motion.statistics.steps));
  }

  /// Largest change along the rows, and its bound.
  void compare(Expr invariant, Tally& tally) const {
    std::vector<Expr> symbols = equations_.coordinates;
    symbols.insert(symbols.end(), equations_.velocities.begin(), equations_.velocities.end());
    std::vector<Expr> wanted = gradient(invariant, symbols);
    wanted.push_back(invariant);
    double slack = 0, change = 0, first = 0;
    for (std::size_t k = 0; k < motion_.rows.size(); ++k) {
      State state = state_of(motion_.rows[k], columns_, equations_.coordinates.size());
      std::vector<Tracked> values = evaluate_tracked(wanted, tracked_state(parameters_, equations_, state));
      double reach = 4 * values.back().error;
      for (std::size_t i = 0; i < symbols.size(); ++i) reach += step_ * std::abs(values[i].value) * sizes_[i];
      slack = std::max(slack, reach);
      if (k == 0) first = values.back().value;
      change = std::max(change, std::abs(values.back().value - first));
    }
    tally.add(change, slack);
  }

 private:
  const Equations& equations_;
  const Trajectory& motion_;
  std::vector<std::size_t> columns_;
  Values<Tracked> parameters_;
  std::vector<double> sizes_;
  double step_ = 0;
};

/// Functions without derivatives somewhere lower the order of any method.
bool is_smooth(const Equations& equations) {
  std::vector<Expr> all = equations.bias;
  for (const ConstraintRow& row : equations.rows) all.push_back(row.drift);
  if (all.empty() || !equations.contacts.empty()) return equations.contacts.empty();
  Graph& graph = *equations.graph;
  Walk walk(graph, all);
  return std::ranges::none_of(walk.order(), [&](NodeId id) {
    Op op = graph.op(id);
    return op == Op::abs || op == Op::sign || op == Op::min || op == Op::max;
  });
}

/// Largest difference of the last rows in units of each component's size.
double difference(const Trajectory& a, const Trajectory& b, const std::vector<std::size_t>& columns) {
  double worst = 0;
  for (std::size_t column : columns) {
    double size = 0, gap = 0;
    for (std::size_t k = 0; k < std::min(a.rows.size(), b.rows.size()); ++k) {
      size = std::max(size, std::abs(b.rows[k][column]));
      gap = std::max(gap, std::abs(a.rows[k][column] - b.rows[k][column]));
    }
    if (size > 0) worst = std::max(worst, gap / size);
  }
  return worst;
}

/// A run's error against one that is finer by far, and its steps.
struct Measured {
  double error, steps;
};

/// error ~ steps^-8 as the tolerance falls: the order that two runs show; nothing where rounding is near or the steps
/// are too few to tell.
std::optional<double> order_between(const Measured& coarse, const Measured& fine) {
  const double ratio = fine.steps / std::max(1.0, coarse.steps);
  if (!(fine.error >= 1e-11) || !(coarse.error <= 0.1) || coarse.steps < 8 || ratio < 2) return std::nullopt;
  return std::log(coarse.error / fine.error) / std::log(ratio);
}

/// Local errors add with signs, so that any one run may happen to be better or worse than its steps; a low order shows
/// between all of them, a high one between some. The highest that a pair shows is judged. Two orders and a half are
/// allowed for: errors that grow along the motion count early ones more than late ones, and steps are not alike. A
/// method with a wrong coefficient, or a formula that is not what its derivative says, has at most five.
void compare_order(const Equations& equations, const System& system, const State& start, double until, Ledger& ledger,
                   std::vector<std::string>& notes) {
  if (!is_smooth(equations)) {
    notes.push_back("the integrator's order was not looked at: the equations are not smooth");
    return;
  }
  const Trajectory finest = run_briefly(system, start, until, 1e-13);
  // A singular configuration on the way is stepped over with steps of its own choosing.
  bool finished = finest.status == Status::finished && finest.statistics.crossings == 0;
  std::vector<Measured> runs;
  for (double tolerance : {1e-4, 1e-5, 1e-6, 1e-8}) {
    if (!finished) break;
    const Trajectory run = run_briefly(system, start, until, tolerance);
    finished = run.status == Status::finished && run.statistics.crossings == 0;
    runs.push_back({difference(run, finest, columns_of(finest, equations)), static_cast<double>(run.statistics.steps)});
  }
  std::optional<double> observed;
  for (std::size_t i = 0; finished && i < runs.size(); ++i)
    for (std::size_t j = i + 1; j < runs.size(); ++j) observed = std::max(observed, order_between(runs[i], runs[j]));
  if (!observed) {
    notes.push_back("the integrator's order cannot be seen on this motion");
    return;
  }
  ledger("order of the integrator (" + equations.by + ")", fmt::format("observed {:.1f}", *observed), "8")
      .add(std::max(0.0, order_of_method - *observed), 2.5);
}

}  // namespace

Trajectory run_briefly(const System& system, const State& start, double until, double tolerance) {
  // So many steps as cost about the same whatever the size; progress is told every 64.
  const double unknowns = static_cast<double>(system.equations().velocities.size() + system.equations().rows.size());
  const double most = std::clamp(2e6 / (unknowns * unknowns), 10.0, 1000.0);
  std::atomic<bool> stop = false;
  double told = 0;
  SimulateOptions options;
  options.until = until;
  options.every = (until - start.t) / 64;
  options.tolerance = tolerance;
  options.start = start;
  options.stop = &stop;
  options.progress = [&](double) { stop = ++told > most; };
  return system.simulate(options);
}

void compare_along_motion(const Equations& equations, const System& system, const State& start,
                          const Trajectory& motion, bool with_order, Ledger& ledger, std::vector<std::string>& notes) {
  const double tolerance = 1e-10;
  if (motion.rows.size() < 2) {
    notes.push_back("no motion to look at: " + motion.message);
    return;
  }
  InvariantBound bound(*equations.model, equations, motion, tolerance);
  for (const FirstIntegral& integral : find_integrals_in(equations, Effort::glance))
    bound.compare(integral.formula,
                  ledger(integral.name + " (" + equations.by + ")", "along the motion", "at the start"));
  // The work is integrated beside the state, with errors of the same kind.
  Tally scale("", "", "");
  bound.compare(equations.jacobi, scale);
  const Drift& balance = motion.summary.balance;
  if (!balance.name.empty())
    ledger("energy balance along the motion (" + equations.by + ")", "Jacobi's function", "work done on it")
        .add(balance.largest,
             scale.result().bound * (1 + scale.result().largest / std::max(1e-300, motion.summary.largest_kinetic)));
  double steps = static_cast<double>(std::max<std::size_t>(1, motion.statistics.steps));
  double until = start.t + (motion.rows.back()[0] - start.t) * std::min(1.0, 200 / steps);
  if (with_order && until > start.t) compare_order(equations, system, start, until, ledger, notes);
}

}  // namespace dalembert

#include "simulate/march/run_up.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/tolerances.hpp"
#include "simulate/system/magnitudes.hpp"
#include "simulate/system/rank.hpp"

namespace dalembert {
namespace {

// Parts of the magnitudes that a run-up leads through: nearer the accelerations are noise (numerics 3), further one
// step is no longer exact.
constexpr double moment = 5e-2;
constexpr double shorter = 0.1;  // the same tried next, where the motion bends sooner than its magnitudes tell
constexpr int most_moments = 4;
constexpr double distant = 10;  // moments that lead away from the start
constexpr int most_corrections = 20;

class Search {
 public:
  explicit Search(Course& course)
      : course_(course),
        t_(course.t()),
        start_(course.state().begin(), course.state().end()),
        magnitudes_(find_reach(course.evaluator(), t_, start_.data(), course.magnitudes())),
        passed_(start_.size()) {}

  std::optional<RunUp> run() {
    const std::shared_ptr<const Selection> here = course_.selection();
    double part = moment;
    const std::vector<double> lengths(course_.row_lengths().begin(), course_.row_lengths().end());
    for (int k = 0; k < most_moments; ++k, part *= shorter) {
      std::optional<RunUp> found = begin(part);
      if (found && approach(*found)) return found;
      std::ranges::copy(lengths, course_.row_lengths().begin());  // from too far away they say nothing of nearness
      course_.restart(t_, start_, here);
    }
    return std::nullopt;
  }

 private:
  /// Straight back along the velocity, by a part of the magnitudes, onto the constraints that are independent there.
  std::optional<RunUp> begin(double part) {
    SystemEvaluator& evaluator = course_.evaluator();
    const std::size_t q = course_.system().q_count();
    std::vector<double> rates(q);
    evaluator.evaluate_rates(t_, start_.data(), rates.data());
    double time = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < q; ++i)
      if (rates[i] != 0 && magnitudes_[i] > 0) time = std::min(time, magnitudes_[i] / std::abs(rates[i]));
    if (!std::isfinite(time)) return std::nullopt;
    const auto [from, to] = course_.method().largest_gap();
    RunUp found{t_ - part * time, part * time / ((from + to) / 2), start_, nullptr, 0, {}};
    for (std::size_t i = 0; i < q; ++i) found.y[i] -= part * time * rates[i];
    Evaluation at(course_.system());
    if (!evaluator.evaluate(found.t, found.y.data(), at)) return std::nullopt;
    const std::vector<bool> vanishing = find_vanishing(evaluator, found.t, found.y.data(), at);
    found.selection = decide_rank(at, course_.selection(), vanishing).selection;
    course_.restart(found.t, found.y, found.selection);
    if (!project(found.t, found.y.data())) return std::nullopt;
    found.away_t = t_ - distant * part * time;
    found.away = start_;
    for (std::size_t i = 0; i < q; ++i) found.away[i] -= distant * part * time * rates[i];
    Projector& projector = course_.projector();
    if (projector.factor(found.away_t, found.away.data())) projector.factor().include_lengths(course_.row_lengths());
    return found;
  }

  bool project(double t, double* y) {
    Projector& projector = course_.projector();
    return projector.factor(t, y) && projector.project(t, y, magnitudes_).ok;
  }

  /// What the step misses the start by is what its beginning is off by, but for the moment's part of it. The best is as
  /// good as a start has to be.
  bool approach(RunUp& found) {
    double least = std::numeric_limits<double>::infinity();
    std::vector<double> best;
    for (int k = 0; k < most_corrections; ++k) {
      course_.restart(found.t, found.y, found.selection);
      const double missed = step_over(found);
      if (!(missed < least)) break;
      least = missed;
      best = found.y;
      for (std::size_t i = 0; i < start_.size(); ++i) found.y[i] += start_[i] - passed_[i];
      if (!project(found.t, found.y.data())) break;
    }
    if (!(least <= tolerance::consistent)) return false;
    found.y = best;
    course_.restart(found.t, found.y, found.selection);
    return true;
  }

  /// How far the step from the run-up's beginning passes from the start, in magnitudes.
  double step_over(const RunUp& found) {
    Method& method = course_.method();
    method.take(course_.f(), found.t, found.step, [this](double t, double* y) { project(t, y); });
    project(found.t + found.step, method.end().data());
    course_.f()(found.t + found.step, method.end().data(), method.end_derivative().data());
    method.interpolate(course_.f(), (t_ - found.t) / found.step, passed_);
    double missed = 0;
    for (std::size_t i = 0; i < magnitudes_.size(); ++i) {
      const double off = std::abs(start_[i] - passed_[i]);
      if (!std::isfinite(off)) return off;
      if (off > 0) missed = std::max(missed, magnitudes_[i] > 0 ? off / magnitudes_[i] : 1.0);
    }
    return missed;
  }

  Course& course_;
  double t_;
  std::vector<double> start_, magnitudes_, passed_;
};

std::optional<SingularStart> find_singular(SystemEvaluator& evaluator,
                                           const std::shared_ptr<const Selection>& selection, double t, const double* y,
                                           std::span<const double> magnitudes) {
  constexpr double dependent = 1e-8;  // rows of unit length
  const std::vector<double> reach = find_reach(evaluator, t, y, magnitudes);
  if (!is_singular_start(evaluator, selection, t, y, reach)) return std::nullopt;
  SingularStart found{{}, velocity_selects_branch(evaluator, selection, t, y, dependent)};
  for (Index r : selection->dropped()) found.dependent.push_back(evaluator.system().row(r).name);
  return found;
}

/// A state of quasi-velocities by Lagrange's equations.
struct Knot {
  Knot(SystemEvaluator& quasi, const ModelState& state)
      : in_rates(quasi),
        y(in_rates.evaluator().to_vector({state.t, state.q, state.rates, {}})),
        at(in_rates.evaluator().system()) {
    if (in_rates.evaluator().evaluate(state.t, y.data(), at))
      selection = select_rows(in_rates.evaluator(), state.t, y.data(), at);
  }
  InRates in_rates;
  std::vector<double> y;
  Evaluation at;
  std::shared_ptr<const Selection> selection;
};

}  // namespace

std::optional<SingularStart> find_singular_start(Course& course, const Start& start) {
  const double t = course.t();
  if (!course.system().is_quasi())
    return find_singular(course.evaluator(), course.selection(), t, course.state().data(), course.magnitudes());
  if (!start.in_rates) return std::nullopt;  // no constraint depends on others
  Knot knot(course.evaluator(), *start.in_rates);
  if (!knot.selection) return std::nullopt;
  SystemEvaluator& evaluator = knot.in_rates.evaluator();
  const Magnitudes magnitudes(evaluator.system(), knot.at, knot.y.data());
  return find_singular(evaluator, knot.selection, t, knot.y.data(), magnitudes.values());
}

std::optional<RunUp> find_run_up(Course& course) { return Search(course).run(); }

std::optional<RunUp> find_run_up(Course& course, const ModelState& start, const std::string& method) {
  Knot knot(course.evaluator(), start);
  if (!knot.selection) return std::nullopt;
  Course by_rates(knot.in_rates.evaluator(), knot.selection, method);
  by_rates.restart(start.t, knot.y, knot.selection);
  std::optional<RunUp> found = Search(by_rates).run();
  if (!found) return std::nullopt;
  SystemEvaluator& evaluator = course.evaluator();
  const State earlier = knot.in_rates.evaluator().from_vector(found->t, found->y.data());
  found->y = evaluator.to_vector(evaluator.to_state({earlier.t, earlier.q, earlier.u}));
  Evaluation at(course.system());
  if (!evaluator.evaluate(found->t, found->y.data(), at)) return std::nullopt;
  found->selection = select_rows(evaluator, found->t, found->y.data(), at);
  course.include_held(found->away_t, found->away.data());
  course.restart(found->t, found->y, found->selection);
  return found;
}

}  // namespace dalembert

#include "simulate/system/start.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "base/tolerances.hpp"
#include "simulate/system/contact.hpp"
#include "simulate/system/magnitudes.hpp"

namespace dalembert {
namespace {

constexpr Index angle = 1;  // the class of angles

[[noreturn]] void refuse(const SystemEvaluator& evaluator, Place place, const std::string& key,
                         const std::string& problem, const std::string& remedy) {
  throw ModelError({evaluator.model().file, place, key, problem, remedy});
}

std::string join(std::string text, const std::string& more) { return text + (text.empty() ? "" : ", ") + more; }

/// Residuals of the equations, and what their terms amount to.
struct Violation {
  std::vector<double> position, velocity, position_size, velocity_size;

  bool is_off(std::size_t r) const { return is_off_position(r) || is_off_velocity(r); }
  bool is_off_position(std::size_t r) const {
    return !(std::abs(position[r]) <= tolerance::consistent * position_size[r]);
  }
  bool is_off_velocity(std::size_t r) const {
    return !(std::abs(velocity[r]) <= tolerance::consistent * velocity_size[r]);
  }
};

Violation measure(SystemEvaluator& evaluator, double t, const double* y) {
  const CompiledSystem& system = evaluator.system();
  const std::size_t rows = system.row_count(), all = system.all_row_count();
  Violation v{std::vector<double>(all), std::vector<double>(all), std::vector<double>(rows), std::vector<double>(rows)};
  Evaluation at(system);
  evaluator.evaluate(t, y, at);
  const Magnitudes magnitudes(system, at, y);
  evaluator.evaluate_constraints(t, y, v.position.data(), v.velocity.data());
  const std::vector<double> sizes = evaluator.evaluate_row_sizes(t, y);
  const double *f = sizes.data(), *b = f + rows, *a = b + rows;
  for (std::size_t r = 0; r < rows; ++r) {
    v.position_size[r] = f[r];
    v.velocity_size[r] = b[r];
    for (const Entry& entry : system.row(r).jacobian)
      v.velocity_size[r] += *a++ * magnitudes.values()[system.q_count() + entry.column];
  }
  return v;
}

std::string list_violations(const SystemEvaluator& evaluator, const Violation& v) {
  std::string text;
  for (std::size_t r = 0; r < v.position_size.size(); ++r) {
    const std::string& name = evaluator.equations().rows[r].name;
    if (v.is_off_position(r)) text = join(text, fmt::format("{}: {:.3g}", name, v.position[r]));
    if (v.is_off_velocity(r)) text = join(text, fmt::format("{} (rates): {:.3g}", name, v.velocity[r]));
  }
  return text;
}

Place first_place(const SystemEvaluator& evaluator, const Violation& v) {
  for (std::size_t r = 0; r < v.position_size.size(); ++r)
    if (v.is_off(r)) return evaluator.equations().rows[r].place;
  return {};
}

/// One Gauss-Newton step in the kinetic metric for the geometric rows: lengths of the rows, scaled residuals, change of
/// u.
class Newton {
 public:
  Newton(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, double t)
      : evaluator_(evaluator),
        at_(evaluator.system()),
        factor_(std::move(selection)),
        t_(t),
        f_(evaluator.system().all_row_count()),
        psi_(f_.size()) {
    for (Index r : factor_.selection().active())
      if (evaluator.system().row(r).position) rows_.push_back(r);
  }

  /// False if it cannot go on: M not factored or something not finite.
  bool linearise(const double* y) {
    if (!evaluator_.evaluate(t_, y, at_) || !factor_.factor(at_.mass().data(), at_.jacobian().data())) return false;
    x_.resize(static_cast<Eigen::Index>(evaluator_.system().u_count()), static_cast<Eigen::Index>(rows_.size()));
    factor_.dense_columns(at_.jacobian().data(), rows_, x_.data());
    lengths_ = x_.colwise().norm();
    for (Eigen::Index r = 0; r < x_.cols(); ++r) {
      if (lengths_[r] > 0) x_.col(r) /= lengths_[r];
    }
    residual_ = scaled(y);
    return residual_.allFinite();
  }
  double merit() const { return residual_.squaredNorm(); }
  double merit(const double* y) { return scaled(y).squaredNorm(); }
  /// No direction reduces the residuals: they contradict each other, here at least.
  bool is_stationary() const { return (x_ * residual_).norm() < 1e-11 * residual_.norm(); }

  void step(double damping, const double* y, double* change) {
    constexpr double truncation = 1e-9;
    Eigen::VectorXd z;
    if (damping == 0) {
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
      decomposition.setThreshold(truncation);
      z = -decomposition.compute(x_.transpose()).solve(residual_);
    } else {
      Eigen::MatrixXd normal = x_.transpose() * x_;
      normal.diagonal().array() += damping;
      z = -x_ * normal.ldlt().solve(residual_);
    }
    std::vector<double> du(evaluator_.system().u_count());
    factor_.from_kinetic(z.data(), du.data());
    evaluator_.displace(t_, y, du.data(), change);
  }

 private:
  Eigen::VectorXd scaled(const double* y) {
    evaluator_.evaluate_constraints(t_, y, f_.data(), psi_.data());
    Eigen::VectorXd g(lengths_.size());
    for (Eigen::Index r = 0; r < g.size(); ++r) {
      const double f = f_[rows_[static_cast<std::size_t>(r)]];
      g[r] = lengths_[r] > 0 ? f / lengths_[r] : f;
    }
    return g;
  }

  SystemEvaluator& evaluator_;
  Evaluation at_;
  Factor factor_;
  double t_;
  std::vector<Index> rows_;
  std::vector<double> f_, psi_;
  Eigen::MatrixXd x_;
  Eigen::VectorXd lengths_, residual_;
};

/// Gauss-Newton with Armijo's rule and capped rotations; Levenberg-Marquardt damping when it stalls. False if the
/// geometric constraints cannot be met from here.
bool assemble(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection, double t,
              std::vector<double>& y) {
  constexpr int most_iterations = 200;
  constexpr double cap = 0.7, armijo = 1e-4;
  const std::size_t q = evaluator.system().q_count();
  Newton newton(evaluator, std::move(selection), t);
  std::vector<double> trial = y, change(q);
  double damping = 0;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (!newton.linearise(y.data())) return false;
    const double before = newton.merit();
    if (before == 0) return true;
    newton.step(damping, y.data(), change.data());
    double scale = 1, size = 0, largest = 0;
    for (std::size_t i = 0; i < q; ++i) {
      if (evaluator.system().classes[i] == angle) scale = std::min(scale, cap / std::max(cap, std::abs(change[i])));
      size = std::max(size, std::abs(change[i]));
      largest = std::max(largest, std::abs(y[i]));
    }
    double after = before;
    for (int halving = 0; halving < 30; ++halving, scale /= 2) {
      for (std::size_t i = 0; i < q; ++i) trial[i] = y[i] + scale * change[i];
      after = newton.merit(trial.data());
      if (std::isfinite(after) && after <= (1 - armijo * scale) * before) break;
    }
    if (!(after < before)) {
      if (size <= 1e-13 * largest) return true;
      if (newton.is_stationary() || damping > 1e6) return false;
      damping = damping == 0 ? 1e-3 : damping * 10;
      continue;
    }
    damping = damping > 1e-8 ? damping / 5 : 0;
    std::copy_n(trial.begin(), q, y.begin());
    if (scale == 1 && size <= 1e-15 * largest) return true;
  }
  return false;
}

/// One-sided constraints that are violated are put to the edge of what they allow. Their names.
std::string raise_penetrating(SystemEvaluator& evaluator, const std::shared_ptr<const Selection>& selection, double t,
                              std::vector<double>& y) {
  const CompiledSystem& system = evaluator.system();
  if (system.contact_count() == 0) return {};
  Contacts contacts(evaluator, selection);
  Evaluation at(system);
  evaluator.evaluate(t, y.data(), at);
  contacts.scale(t, y.data(), Magnitudes(system, at, y.data()).values());
  contacts.measure(t, y.data());
  std::vector<Index> below;
  std::string names;
  for (Index c = 0; c < contacts.count(); ++c) {
    if (!(contacts.gaps()[c] < -tolerance::consistent * contacts.gap_scale(c))) continue;
    below.push_back(c);
    names = join(names, contacts.name(c));
  }
  if (below.empty()) return {};
  if (!assemble(evaluator, std::make_shared<const Selection>(selection->close(below)), t, y))
    refuse(evaluator, system.row(system.row_count() + below[0]).place, "constraints",
           "the initial state cannot be brought to where these hold: " + names, "start nearer");
  return names;
}

/// Rates that no motion can have: dependent rows that ask for different velocities.
void check_rates(SystemEvaluator& evaluator, const Selection& selection, double t, const double* y,
                 const Evaluation& at) {
  if (selection.dropped().empty()) return;
  const Violation v = measure(evaluator, t, y);
  for (Index r : selection.dropped()) {
    if (!v.is_off(r)) continue;
    const ConstraintRow& row = evaluator.equations().rows[r];
    std::string others;
    for (const auto& redundant : report_rank(evaluator, at).redundant) {
      if (redundant.name != row.name) continue;
      for (const std::string& name : redundant.depends_on) others = join(others, name);
    }
    refuse(evaluator, row.place, "constraints." + row.name,
           fmt::format("contradicts {}: it is off by {:.3g} where they hold", others.empty() ? "the others" : others,
                       v.is_off_position(r) ? v.position[r] : v.velocity[r]),
           "leave one of them out or make them agree");
  }
}

/// Dependent rows must ask for the same accelerations too.
void check_accelerations(const SystemEvaluator& evaluator, const Selection& selection, const Evaluation& at) {
  if (selection.dropped().empty()) return;
  for (const auto& redundant : report_rank(evaluator, at).redundant) {
    if (redundant.consistent) continue;
    std::string others;
    for (const std::string& name : redundant.depends_on) others = join(others, name);
    const auto row = std::ranges::find(evaluator.equations().rows, redundant.name, &ConstraintRow::name);
    refuse(evaluator, row->place, "constraints." + redundant.name,
           "asks for another acceleration than " + (others.empty() ? "the other constraints" : others) +
               " at the initial state, where it depends on them",
           "if they are meant to say the same, make them agree; if the configuration is singular, start elsewhere");
  }
}

std::string describe_moves(const CompiledSystem& system, const ConsistentStart& start) {
  std::string text;
  for (std::size_t i = 0; i < start.moved_q.size() + start.moved_u.size(); ++i) {
    const bool rate = i >= start.moved_q.size();
    const double moved = rate ? start.moved_u[i - start.moved_q.size()] : start.moved_q[i];
    if (std::abs(moved) <= tolerance::consistent) continue;
    text += fmt::format("{}{} by {:.3g}", text.empty() ? "the start was moved onto the constraints: " : ", ",
                        system.component_name(i), moved);
    if (!rate && system.classes[i] == angle && std::abs(moved) > 0.5) text += " (perhaps another branch)";
  }
  return text;
}

/// In the model's rates, by Lagrange's equations; then in the equations' own velocities.
Start make_quasi_start(SystemEvaluator& evaluator, const State& state, bool project) {
  SystemEvaluator in_rates(evaluator.system().in_rates());
  in_rates.set_parameters(evaluator.parameters());
  const ModelState given = evaluator.to_model_state(state);
  Start start = make_start(in_rates, {given.t, given.q, given.rates, {}}, project);
  start.found.state = evaluator.to_state({given.t, start.found.state.q, start.found.state.u});
  const std::vector<double> y = evaluator.to_vector(start.found.state);
  Evaluation at(evaluator.system());
  evaluator.evaluate(given.t, y.data(), at);
  start.selection = select_rows(evaluator, at);
  return start;
}

void note_moves(const CompiledSystem& system, const State& given, ConsistentStart& found) {
  for (std::size_t i = 0; i < given.q.size(); ++i) found.moved_q.push_back(found.state.q[i] - given.q[i]);
  for (std::size_t i = 0; i < given.u.size(); ++i) found.moved_u.push_back(found.state.u[i] - given.u[i]);
  if (found.projected) found.report = describe_moves(system, found);
}

}  // namespace

Start make_start(SystemEvaluator& evaluator, const State& state, bool project) {
  if (evaluator.system().is_quasi()) return make_quasi_start(evaluator, state, project);
  const CompiledSystem& system = evaluator.system();
  std::vector<double> y = evaluator.to_vector(state);
  Start start;
  Evaluation at(system);
  const bool finite = evaluator.evaluate(state.t, y.data(), at);
  auto mended =
      finite ? mend(evaluator, at) : std::make_shared<const Selection>(system.pattern, std::vector<Mending>());
  Violation v = measure(evaluator, state.t, y.data());
  for (std::size_t r = 0; r < system.row_count(); ++r) {
    start.found.largest_position = std::max(start.found.largest_position, std::abs(v.position[r]));
    start.found.largest_velocity = std::max(start.found.largest_velocity, std::abs(v.velocity[r]));
  }
  std::string violations = list_violations(evaluator, v);
  if (!violations.empty() && !project)
    refuse(evaluator, first_place(evaluator, v), "constraints",
           "the initial state does not satisfy the constraints; residuals: " + violations,
           "correct the initial values, or let --project-initial move them");
  if (!violations.empty() && !assemble(evaluator, mended, state.t, y)) {
    v = measure(evaluator, state.t, y.data());
    refuse(evaluator, first_place(evaluator, v), "constraints",
           "the system cannot be assembled from the initial state; gaps left: " + list_violations(evaluator, v),
           "start nearer, or see whether these constraints contradict each other");
  }
  if (project) violations += raise_penetrating(evaluator, mended, state.t, y);
  evaluator.evaluate(state.t, y.data(), at);
  start.selection = decide_rank(at, mended).selection;
  Projector projector(evaluator, start.selection);
  if (system.row_count() > 0 && projector.factor(state.t, y.data()) && projector.factor().smallest_pivot() > 0)
    projector.project(state.t, y.data(), Magnitudes(system, at, y.data()).values());
  const bool still = evaluator.evaluate(state.t, y.data(), at);
  check_rates(evaluator, *start.selection, state.t, y.data(), at);
  if (still) check_accelerations(evaluator, *start.selection, at);
  start.found.state = evaluator.from_vector(state.t, y.data());
  start.found.projected = !violations.empty();
  note_moves(system, state, start.found);
  return start;
}

bool is_singular_start(SystemEvaluator& evaluator, const std::shared_ptr<const Selection>& selection, double t,
                       const double* y, std::span<const double> magnitudes) {
  constexpr double small = 1e-4;
  if (selection->dropped().empty()) return false;
  const CompiledSystem& system = evaluator.system();
  std::vector<double> moved(y, y + system.size()), change(system.u_count()), along(system.all_row_count(), 0.0);
  std::vector<double> tangent(system.u_count()), dq(system.q_count());
  for (std::size_t i = 0; i < change.size(); ++i)
    change[i] = small * (i < magnitudes.size() ? magnitudes[i] : 1) * std::sin(1.0 + 1.7 * static_cast<double>(i));
  Projector projector(evaluator, selection);
  if (!projector.factor(t, y)) return false;
  for (std::size_t r = 0; r < system.all_row_count(); ++r) {
    const double* a = projector.evaluation().jacobian_row(r);
    for (const Entry& entry : system.row(r).jacobian) along[r] += *a++ * change[entry.column];
  }
  projector.factor().correct(along.data(), tangent.data());
  for (std::size_t i = 0; i < change.size(); ++i) change[i] += tangent[i];
  evaluator.displace(t, y, change.data(), dq.data());
  for (std::size_t i = 0; i < dq.size(); ++i) moved[i] += dq[i];
  if (!projector.factor(t, moved.data()) || !projector.project(t, moved.data(), magnitudes).ok) return false;
  Evaluation at(system);
  if (!evaluator.evaluate(t, moved.data(), at)) return false;
  return decide_rank(at, selection).selection->kept().size() > selection->kept().size();
}

}  // namespace dalembert

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/study/action.hpp>
#include <limits>

#include "base/tolerances.hpp"
#include "study/action/shooting.hpp"
#include "study/metric_reactions.hpp"

// Hamel 1904, (IV): for holonomic systems without forces outside L, S = integral of L dt along the motion between two
// configurations has the momenta at its ends as derivatives.

namespace dalembert {
namespace {

/// Why S is no function of its end points; empty where it is one.
std::string why_not_principal(const Model& model) {
  const Equations equations = derive_multipliers(model);
  if (!equations.contacts.empty()) return "one-sided constraints may strike";
  for (std::size_t i = 0; i < equations.force.size(); ++i) {
    if (equations.force[i].is_zero()) continue;
    const std::string& name = model.coordinates[i].name;
    switch (test_zero(equations.force[i]).verdict) {
      case Verdict::zero: break;
      case Verdict::nonzero: return fmt::format("the force on {} is not part of the Lagrangian", name);
      case Verdict::undecided: return fmt::format("whether the force on {} vanishes was not decided", name);
    }
  }
  for (const Integrability::Entry& entry : decide_integrability(model).constraints) {
    if (!entry.in_system) return fmt::format("whether {} is integrable was not decided", entry.name);
    if (!*entry.in_system) return fmt::format("{} is not integrable", entry.name);
  }
  return "";
}

void check_configuration(const Model& model, const char* option, double t, const Numbers& q) {
  const std::vector<Binding> at = bind_symbols(model, {t, q, {}}, parameter_values(model));
  for (const Constraint& constraint : model.constraints) {
    if (constraint.kind != ConstraintKind::geometric) continue;
    const double f = evaluate(constraint.f, at);
    if (!(std::fabs(f) <= tolerance::consistent))
      throw InputError({"",
                        {},
                        option,
                        fmt::format("the configuration violates {} by {:.3g}", constraint.name, f),
                        "give one that satisfies the constraints"});
  }
}

/// A unit quaternion and its negative are one attitude: the one nearer to the motion's end is meant.
void choose_signs(const Model& model, const Numbers& near, Numbers& q) {
  for (const Frame& frame : model.frames) {
    double product = 0;
    for (std::size_t i : frame.quaternion) product += near[i] * q[i];
    if (product < 0)
      for (std::size_t i : frame.quaternion) q[i] = -q[i];
  }
}

/// Romberg's differences of sixth order, with what the last order changed and the noise of the values as the bound.
struct Slope {
  double value = 0, bound = 0;
};
template <class Function>
Slope differentiate(const Function& f, double h, double noise) {
  auto central = [&](double step) { return (f(step) - f(-step)) / (2 * step); };
  const double a = central(h), b = central(2 * h), c = central(4 * h);
  const double fine = (4 * a - b) / 3, coarse = (4 * b - c) / 3;
  const double best = (16 * fine - coarse) / 15;
  return {best, std::fabs(best - fine) + 3 * noise / h};
}

class Principal {
 public:
  Principal(const Model& model, const ActionOptions& options, ActionReport& report)
      : options_(options),
        report_(report),
        shooting_(model, options.tolerance, options.stop),
        model_(shooting_.model()) {}

  void evaluate() {
    ModelState start = initial_state(model_);
    const Chart from(model_, shooting_.frame(), 0, options_.from);
    Numbers velocities = from.velocities(start.rates);
    Shot natural = shooting_.fire(options_.from, from.rates(velocities), options_.until);
    Numbers target = options_.to.empty() ? natural.q : options_.to;
    choose_signs(model_, natural.q, target);
    const Chart to(model_, shooting_.frame(), options_.until, target);
    hit_ = approach(from, to, natural, velocities);
    fill(from, to);
    if (report_.is_checked) compare(from, to);
    report_.motions = shooting_.motions();
  }

 private:
  /// Straight at the target; where that fails, by steps from where the motion goes by itself.
  Shooting::Hit approach(const Chart& from, const Chart& to, const Shot& natural, const Numbers& velocities) {
    const Numbers zero(to.size(), 0.0), away = to.coordinates(natural.q);
    for (int steps = 1;; steps *= 4) {
      try {
        Shooting::Hit hit{velocities, natural, natural.action, 0};
        for (int k = 1; k <= steps; ++k) {
          Numbers c = away;
          for (double& value : c) value *= 1 - static_cast<double>(k) / steps;
          hit = shooting_.solve(from, from.base(), to, k == steps ? zero : c, hit.velocities, options_.until);
        }
        return hit;
      } catch (const std::runtime_error&) {
        if (steps >= 64) throw;
      }
    }
  }

  void fill(const Chart& from, const Chart& to) {
    report_.action = hit_.action;
    report_.from = from.base();
    report_.to = to.base();
    report_.rates_from = from.rates(hit_.velocities);
    report_.rates_to = hit_.shot.rates;
    report_.miss = hit_.miss;
    const Numbers start = from.momenta(shooting_.momenta(0, report_.from, report_.rates_from));
    const Numbers end = to.momenta(shooting_.momenta(options_.until, report_.to, report_.rates_to));
    for (const QuasiFrame::Velocity& velocity : shooting_.frame().velocities) {
      if (velocity.row) continue;
      const std::size_t r = report_.momenta.size();
      report_.momenta.push_back({velocity.name, start[r], end[r], 0, 0, 0, 0});
    }
    report_.jacobi = shooting_.jacobi(options_.until, report_.to, report_.rates_to);
  }

  /// By differences over shorter and shorter steps, until there are motions that end so near.
  void compare(const Chart& from, const Chart& to) {
    for (const double part : {4e-3, 4e-4, 4e-5}) {
      try {
        return check(from, to, part);
      } catch (const NoMotionError& error) {
        report_.unchecked = error.what();
        report_.ok = true;
      }
    }
    report_.is_checked = false;
  }

  void check(const Chart& from, const Chart& to, double part) {
    double path = 0, momentum = 0;
    for (double velocity : hit_.velocities) path = std::max(path, std::fabs(velocity) * options_.until);
    for (const ActionMomentum& j : report_.momenta)
      momentum = std::max({momentum, std::fabs(j.start), std::fabs(j.end)});
    const double size = std::max(std::fabs(report_.action), momentum * path);
    const double noise = 100 * options_.tolerance * size;  // of S along one motion
    const double h = part * (path > 0 ? path : 1);
    const Numbers zero(to.size(), 0.0);
    for (std::size_t r = 0; r < report_.momenta.size(); ++r) {
      ActionMomentum& j = report_.momenta[r];
      auto moved = [&](double step) {
        Numbers c = zero;
        c[r] = step;
        return c;
      };
      Slope end = differentiate(
          [&](double step) {
            return shooting_.solve(from, from.base(), to, moved(step), hit_.velocities, options_.until).action;
          },
          h, noise);
      Slope start = differentiate(
          [&](double step) {
            const Chart near(model_, shooting_.frame(), 0, from.configuration(moved(step)));
            return shooting_.solve(near, near.base(), to, zero, hit_.velocities, options_.until).action;
          },
          h, noise);
      j.slope_end = end.value, j.bound_end = end.bound;
      j.slope_start = start.value, j.bound_start = start.bound;
      report_.ok &= std::fabs(end.value - j.end) <= end.bound && std::fabs(start.value + j.start) <= start.bound;
    }
    const double dt = part * options_.until;
    Slope time = differentiate(
        [&](double step) {
          return shooting_.solve(from, from.base(), to, zero, hit_.velocities, options_.until + step).action;
        },
        dt, noise);
    report_.slope_time = time.value, report_.bound_time = time.bound;
    report_.ok &= !is_fixed_in_time() || std::fabs(time.value + report_.jacobi) <= time.bound;
    report_.unchecked.clear();
  }

  /// With constraints or a frame that move, arrival later is also arrival elsewhere.
  bool is_fixed_in_time() const {
    for (const Constraint& constraint : model_.constraints)
      if (depends_on(constraint.f, model_.time)) return false;
    return true;
  }

  const ActionOptions& options_;
  ActionReport& report_;
  Shooting shooting_;
  const Model& model_;  // the shooting's
  Shooting::Hit hit_;
};

void fire(Shooting& shooting, const ActionOptions& options, ActionReport& report) {
  const Shot shot = shooting.fire(report.from, report.rates_from, options.until);
  report.action = shot.action;
  report.to = shot.q;
  report.rates_to = shot.rates;
  report.jacobi = shooting.jacobi(options.until, report.to, report.rates_to);
  report.motions = 1;
}

/// The action along the motion that the model's initial state has, whatever its forces and constraints.
void follow(const Model& model, const ActionOptions& options, ActionReport& report) {
  Shooting shooting(model, options.tolerance, options.stop);
  const Chart from(shooting.model(), shooting.frame(), 0, options.from);
  report.from = options.from;
  report.rates_from = from.rates(from.velocities(initial_state(model).rates));
  fire(shooting, options, report);
  const Chart to(shooting.model(), shooting.frame(), options.until, report.to);
  const Numbers start = from.momenta(shooting.momenta(0, report.from, report.rates_from));
  const Numbers end = to.momenta(shooting.momenta(options.until, report.to, report.rates_to));
  for (const QuasiFrame::Velocity& velocity : shooting.frame().velocities) {
    if (velocity.row) continue;
    const std::size_t r = report.momenta.size();
    report.momenta.push_back({velocity.name, start[r], end[r], 0, 0, 0, 0});
  }
}

/// The same of many coordinates: without a frame, the momenta are those of the coordinates, dL/dq'.
void follow_large(const Model& model, const ActionOptions& options, ActionReport& report) {
  Shooting shooting(model, std::max(options.tolerance, model.simulate.tolerance), options.stop);
  report.from = options.from;
  report.rates_from = initial_state(model).rates;
  fire(shooting, options, report);
  const Numbers start = shooting.momenta(0, report.from, report.rates_from);
  const Numbers end = shooting.momenta(options.until, report.to, report.rates_to);
  for (std::size_t i = 0; i < start.size(); ++i)
    report.momenta.push_back({model.coordinates[i].rate.name(), start[i], end[i], 0, 0, 0, 0});
}

std::size_t count_free(const Model& model) {
  const auto held =
      std::ranges::count_if(model.constraints, [](const Constraint& c) { return c.kind != ConstraintKind::one_sided; });
  const std::size_t size = model.coordinates.size();
  return size - std::min(size, static_cast<std::size_t>(held));
}

}  // namespace

ActionReport evaluate_action(const Model& model, const ActionOptions& options) {
  ActionReport report;
  report.name = model.name;
  report.to_time = options.until;
  for (const Coordinate& coordinate : model.coordinates) report.coordinates.push_back(coordinate.name);
  check_configuration(model, "--from", 0, options.from);
  const std::string obstacle = why_not_principal(model);
  report.is_principal = !options.to.empty();
  const std::size_t free = count_free(model);
  report.is_checked = options.check && obstacle.empty() && free <= most_compared_momenta;
  if (report.is_principal && !obstacle.empty())
    throw InputError({"",
                      {},
                      "--to",
                      "there is no principal function: " + obstacle,
                      "leave --to out to have the action along the motion"});
  const bool large = model.coordinates.size() > most_dense;
  if (report.is_principal && large)
    throw InputError({"",
                      {},
                      "--to",
                      fmt::format("no motion is searched for in {} coordinates", model.coordinates.size()),
                      "leave --to out to have the action along the motion"});
  if (report.is_principal) check_configuration(model, "--to", options.until, options.to);
  if (report.is_principal || report.is_checked)
    Principal(model, options, report).evaluate();
  else
    (large ? follow_large : follow)(model, options, report);
  return report;
}

}  // namespace dalembert

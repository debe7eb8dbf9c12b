#include "simulate/march/ending.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulate/system/rank.hpp"

namespace dalembert {
namespace {

class Finder {
 public:
  explicit Finder(std::vector<Binding> bindings) : bindings_(std::move(bindings)) {}
  void look(Expr expression, const std::string& name) {
    if (found_.empty() && expression && !std::isfinite(evaluate(expression, bindings_))) found_ = name;
  }
  void look(const Vector3& vector, const std::string& name) {
    for (const Expr& component : vector) look(component, name);
  }
  const std::string& found() const { return found_; }

 private:
  std::vector<Binding> bindings_;
  std::string found_;
};

/// In the model's own words, at its own coordinates and rates.
std::string name_written(const Model& model, const ModelState& state, std::span<const double> parameters) {
  for (std::size_t i = 0; i < state.q.size(); ++i)
    if (!std::isfinite(state.q[i])) return "reduction." + model.coordinates[i].name;
  Finder written(bind_symbols(model, state, parameters));
  for (std::size_t i = 0; i < model.forces.size(); ++i)
    written.look(model.forces[i], "forces." + model.coordinates[i].name);
  for (const Point& point : model.points) {
    written.look(point.position, "points." + point.name + ".position");
    if (point.force) written.look(*point.force, "points." + point.name + ".force");
  }
  for (const Body& body : model.bodies) {
    if (body.force) written.look(*body.force, "bodies." + body.name + ".force");
    if (body.torque) written.look(*body.torque, "bodies." + body.name + ".torque");
  }
  written.look(model.potential, "energy.potential");
  written.look(model.kinetic, "energy.kinetic");
  written.look(model.lagrangian, "energy.lagrangian");
  written.look(model.dissipation, "energy.dissipation");
  for (const Constraint& constraint : model.constraints) written.look(constraint.f, "constraints." + constraint.name);
  return written.found();
}

std::string name_derived(const Equations& equations, std::vector<Binding> at) {
  Finder derived(std::move(at));
  for (const auto* rows : {&equations.rows, &equations.contacts})
    for (const ConstraintRow& row : *rows) {
    for (const Entry& entry : row.jacobian) derived.look(entry.value, "a derivative of constraints." + row.name);
    derived.look(row.drift, "a derivative of constraints." + row.name);
    derived.look(row.offset, "a derivative of constraints." + row.name);
  }
  for (std::size_t i = 0; i < equations.mass.size(); ++i) {
    const std::string name = equations.velocities[i].name();
    for (const Entry& entry : equations.mass[i]) derived.look(entry.value, "the mass matrix in the row of " + name);
    derived.look(equations.force[i], "the force on " + name);
    derived.look(equations.bias[i], "the equation of motion of " + name);
  }
  return derived.found();
}

}  // namespace

std::string name_not_finite(const SystemEvaluator& evaluator, double t, const double* y) {
  const CompiledSystem& system = evaluator.system();
  for (std::size_t i = 0; i < system.q_count() + system.u_count(); ++i)
    if (!std::isfinite(y[i])) return system.component_name(i);
  const Equations own = fork(system.equations());  // formulas are looked at in a graph of one's own
  const State state = evaluator.from_vector(t, y);
  const std::string name =
      name_written(*own.model, to_model_state(own, state, evaluator.parameters()), evaluator.parameters());
  return name.empty() ? name_derived(own, bind_symbols(own, state, evaluator.parameters())) : name;
}

namespace {

std::optional<Ending> lost_rank(Course& course, double reference) {
  if (course.selection()->active().empty()) return std::nullopt;
  Projector& projector = course.projector();
  const double pivot = projector.factor().smallest_pivot();
  if (!(pivot < 1e-2 * reference)) return std::nullopt;
  std::string names;
  const std::vector<bool> is_free =
      free_multipliers(projector.evaluation(), projector.factor(), std::max(1e-6, 10 * pivot));
  for (std::size_t r = 0; r < is_free.size(); ++r)
    if (is_free[r]) names += (names.empty() ? "" : ", ") + course.system().row(r).name;
  if (names.empty()) names = course.system().row(projector.factor().weakest_row()).name;
  return Ending{Status::singular, fmt::format("the constraints lose rank at t = {:.10g}: {} become dependent, and no way "
                                              "through was found",
                                              course.t(), names)};
}

/// The stages of steps that grow a little from h: the first that gives no number.
std::optional<Ending> not_finite_ahead(Course& course, double h) {
  std::string found;
  double where = course.t();
  const SlopeFunction watch = [&](double t, const double* y, double* dy) {
    course.derivative().by_factor(t, y, dy);
    if (!found.empty() || std::all_of(dy, dy + course.system().size(), [](double x) { return std::isfinite(x); })) return;
    found = name_not_finite(course.evaluator(), t, y);
    where = t;
  };
  // The last step may be too small to show it: look a little further, but not far.
  constexpr int decades = 9;
  for (int k = 0; k < decades && found.empty(); ++k, h *= 10) course.method().take(watch, course.t(), h, {});
  if (found.empty()) return std::nullopt;
  return Ending{Status::not_finite, fmt::format("{} is not finite at t = {:.10g}", found, where)};
}

}  // namespace

Ending diagnose(Course& course, double h, double reference, double tolerance) {
  const double* y = course.state().data();
  const double t = course.t();
  if (const std::string name = name_not_finite(course.evaluator(), t, y); !name.empty())
    return {Status::not_finite, fmt::format("{} is not finite at t = {:.10g}", name, t)};
  if (!course.projector().factor(t, y, course.row_lengths()))
    return {Status::singular,
            fmt::format("the mass matrix is singular at t = {:.10g}: {} has no inertia there", t,
                        course.system().component_name(course.projector().factor().failed()))};
  if (std::optional<Ending> rank = lost_rank(course, reference)) return *rank;
  if (std::optional<Ending> ahead = not_finite_ahead(course, h)) return *ahead;
  return {Status::step_underflow,
          fmt::format("the step fell to {:.3g} at t = {:.10g} and the tolerance {:.3g} could still not be met", h, t,
                      tolerance)};
}

}  // namespace dalembert

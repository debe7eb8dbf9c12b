// Why a motion could not go on, in the user's words.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "simulate/run.hpp"

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

std::vector<Binding> bind_equations(const Numeric& numeric, double t, const double* y) {
  const Equations& equations = numeric.equations();
  std::vector<Binding> bindings = {{equations.time, t}};
  for (std::size_t i = 0; i < numeric.parameters().size(); ++i) {
    bindings.push_back({numeric.parameter_symbols()[i], numeric.parameters()[i]});
  }
  for (std::size_t i = 0; i < numeric.q_count(); ++i) bindings.push_back({equations.coordinates[i], y[i]});
  for (std::size_t i = 0; i < numeric.u_count(); ++i) {
    bindings.push_back({equations.velocities[i], y[numeric.q_count() + i]});
  }
  return bindings;
}

}  // namespace

std::string name_not_finite(const Numeric& numeric, double t, const double* y) {
  const Model& model = numeric.model();
  const Equations& equations = numeric.equations();
  std::vector<Binding> bindings = bind_equations(numeric, t, y);
  for (std::size_t i = 0; i < numeric.q_count() + numeric.u_count(); ++i) {
    if (!std::isfinite(y[i])) return component_name(numeric, i);
  }
  std::vector<Binding> own = {{model.time, t}};
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    own.push_back({model.parameters[i].symbol, numeric.parameters()[i]});
  }
  const auto q = evaluate(equations.model_coordinates, bindings), rates = evaluate(equations.model_rates, bindings);
  for (std::size_t i = 0; i < model.coordinates.size() && i < q.size(); ++i) {
    if (!std::isfinite(q[i])) return "reduction." + model.coordinates[i].name;
    own.push_back({model.coordinates[i].q, q[i]});
    own.push_back({model.coordinates[i].rate, rates[i]});
  }
  Finder written(own);
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
  if (!written.found().empty()) return written.found();

  Finder derived(bindings);
  for (std::size_t r = 0; r < numeric.all_row_count(); ++r) {
    const ConstraintRow& row = numeric.row(r);
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

/// The last attempted step failed, however small: find the first of its stages that gives no number, or the rank lost.
void Run::end_by_diagnosis() {
  const double* y = method_.start().data();
  if (const std::string problem = frame_problem(); !problem.empty()) return end(Status::singular, problem);
  if (const std::string name = name_not_finite(numeric_, t_, y); !name.empty()) {
    return end(Status::not_finite, fmt::format("{} is not finite at t = {:.10g}", name, t_));
  }
  if (!numeric_.factor(t_, y)) {
    return end(Status::singular, fmt::format("the mass matrix is singular at t = {:.10g}: {} has no inertia there", t_,
                                             component_name(numeric_, numeric_.metric().failed())));
  }
  const double pivot = numeric_.metric().smallest_pivot();
  if (!numeric_.active_rows().empty() && pivot < 1e-2 * reference_pivot_) {
    std::string names;
    const std::vector<bool> is_free = free_multipliers(numeric_, std::max(1e-6, 10 * pivot));
    for (std::size_t r = 0; r < is_free.size(); ++r) {
      if (is_free[r]) names += (names.empty() ? "" : ", ") + numeric_.row(r).name;
    }
    if (names.empty()) names = numeric_.row(numeric_.metric().weakest_row()).name;
    return end(
        Status::singular,
        fmt::format("the constraints lose rank at t = {:.10g}: {} become dependent, and no way through was found", t_,
                    names));
  }
  std::string found;
  double where = t_;
  const auto watch = [&](double t, const double* z, double* dz) {
    numeric_.derivative_by_factor(t, z, dz);
    if (found.empty() && std::any_of(dz, dz + numeric_.size(), [](double x) { return !std::isfinite(x); })) {
      found = name_not_finite(numeric_, t, z);
      where = t;
    }
  };
  // The last step may be too small to show it: look a little further, but not far.
  for (double h = h_; found.empty() && h <= 1e-6 * (options_.until - t_); h *= 10) method_.take(watch, t_, h);
  if (!found.empty()) return end(Status::not_finite, fmt::format("{} is not finite at t = {:.10g}", found, where));
  end(Status::step_underflow,
      fmt::format("the step fell to {:.3g} at t = {:.10g} and the tolerance {:.3g} could still not be met", h_, t_,
                  options_.tolerance));
}

}  // namespace dalembert

#include <fmt/format.h>

#include <cmath>
#include <dalembert/mechanics/gauss.hpp>

#include "base/tolerances.hpp"
#include "mechanics/lagrange/dynamics.hpp"
#include "model/time_derivative.hpp"

// Z over mass points and rigid bodies in closed form (theory 5.2), and for what is given by energies or generalized
// forces only the terms of Z that the accelerations are in: q''.M q'' + 2 q''.(h - F).

namespace dalembert {
namespace {

Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vector3 minus(const Vector3& a, const Vector3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

Vector3 times(const Matrix3& matrix, const Vector3& v) {
  return {dot(matrix[0], v), dot(matrix[1], v), dot(matrix[2], v)};
}

Matrix3 transposed(const Matrix3& m) {
  return {Vector3{m[0][0], m[1][0], m[2][0]}, Vector3{m[0][1], m[1][1], m[2][1]}, Vector3{m[0][2], m[1][2], m[2][2]}};
}

/// Sums the parts of Z.
class Sum {
 public:
  explicit Sum(const Model& model) : model_(model), derived_(model) {
    std::vector<double> values = parameter_values(model);
    for (std::size_t i = 0; i < values.size(); ++i) parameters_.push_back({model.parameters[i].symbol, values[i]});
    for (const Coordinate& coordinate : model.coordinates) {
      rates_.push_back(coordinate.rate);
      accelerations_.push_back(coordinate.acceleration);
    }
  }

  void add(const Point& point) {
    bool heavy = point.mass && evaluate(point.mass, parameters_) != 0;
    Vector3 a = derived_(point.velocity);
    if (heavy) return add_mass(point.mass, a, point.force);
    if (!point.force) return;
    loose(fmt::format("the force on the massless point {}", point.name));
    terms_.push_back(-2 * dot(*point.force, a));
  }

  /// Force and couple spread over the mass elements as F/m + (I^-1 tau) x r (theory 5.2).
  void add(const Body& body) {
    Vector3 a = derived_(body.centre_velocity);
    if (evaluate(body.mass, parameters_) != 0) {
      add_mass(body.mass, a, body.force);
    } else if (body.force) {
      loose(fmt::format("the force on the massless body {}", body.name));
      terms_.push_back(-2 * dot(*body.force, a));
    }
    const Frame& frame = model_.frames[body.frame];
    const Vector3& omega = frame.omega_inside;
    Vector3 alpha = derived_(omega), momentum = times(body.inertia, omega), swing = cross(omega, momentum);
    if (body.torque) {
      Vector3 torque = times(transposed(frame.rotation), *body.torque);
      if (std::optional<Vector3> spread = solve_inertia(body.inertia, torque)) {
        alpha = minus(alpha, *spread);
      } else {
        loose(fmt::format("the couple on {} about an axis without inertia", body.name));
        terms_.push_back(-2 * dot(torque, alpha));
      }
    }
    terms_.push_back(dot(alpha, times(body.inertia, alpha)));
    terms_.push_back(2 * dot(alpha, swing));
    terms_.push_back(dot(omega, omega) * dot(omega, momentum));
  }

  /// q''.[L] with the part linear in q'' counted twice: what q''.M q'' + 2 q''.h is.
  void add_lagrangian(Expr lagrangian, const std::string& what) {
    if (!lagrangian) return;
    loose(what);
    std::vector<Expr> coordinates;
    for (const Coordinate& coordinate : model_.coordinates) coordinates.push_back(coordinate.q);
    std::vector<Expr> momentum = gradient(lagrangian, rates_), pull = gradient(lagrangian, coordinates);
    std::vector<Expr> drift = directional_derivative(momentum, drift_direction(model_.time, coordinates, rates_));
    for (std::size_t i = 0; i < momentum.size(); ++i)
      terms_.push_back(accelerations_[i] * (derived_(momentum[i]) + drift[i] - 2 * pull[i]));
  }

  void add_force(std::size_t coordinate, Expr force, const std::string& what) {
    if (force.is_zero()) return;
    loose(what);
    terms_.push_back(-2 * force * accelerations_[coordinate]);
  }

  const std::vector<Expr>& rates() const { return rates_; }
  Expr total() const { return model_.graph->sum(terms_); }
  std::vector<std::string> take_loose() { return std::move(loose_); }

 private:
  void add_mass(Expr mass, const Vector3& a, const std::optional<Vector3>& force) {
    Vector3 surplus = minus(a, model_.gravity);
    if (force) surplus = minus(surplus, {(*force)[0] / mass, (*force)[1] / mass, (*force)[2] / mass});
    terms_.push_back(mass * dot(surplus, surplus));
  }

  /// I^-1 torque; empty where I is singular and the torque acts about such an axis.
  std::optional<Vector3> solve_inertia(const Matrix3& inertia, const Vector3& torque) const {
    bool diagonal = inertia[0][1].is_zero() && inertia[1][2].is_zero() && inertia[2][0].is_zero();
    if (diagonal) {
      Vector3 result;
      for (std::size_t k = 0; k < 3; ++k) {
        bool none = evaluate(inertia[k][k], parameters_) == 0;
        if (none && !torque[k].is_zero()) return std::nullopt;
        result[k] = none ? torque[k] : torque[k] / inertia[k][k];
      }
      return result;
    }
    Matrix3 cofactors = {cross(inertia[1], inertia[2]), cross(inertia[2], inertia[0]), cross(inertia[0], inertia[1])};
    Expr determinant = dot(inertia[0], cofactors[0]);
    double largest = 0;
    for (const Vector3& row : inertia)
      for (const Expr& entry : row) largest = std::max(largest, std::abs(evaluate(entry, parameters_)));
    if (!(std::abs(evaluate(determinant, parameters_)) > tolerance::vanishing_pivot * largest * largest * largest))
      return std::nullopt;
    Vector3 result = times(cofactors, torque);  // the inertia tensor is symmetric
    return Vector3{result[0] / determinant, result[1] / determinant, result[2] / determinant};
  }

  void loose(const std::string& what) { loose_.push_back(what); }

  const Model& model_;
  TimeDerivative derived_;
  std::vector<Binding> parameters_;
  std::vector<Expr> rates_, accelerations_, terms_;
  std::vector<std::string> loose_;
};

}  // namespace

LeastConstraint derive_gauss(const Model& model) { return derive_gauss(std::make_shared<const Model>(fork(model))); }

LeastConstraint derive_gauss(std::shared_ptr<const Model> own) {
  const Model& model = *own;
  Sum sum(model);
  for (const Point& point : model.points) sum.add(point);
  for (const Body& body : model.bodies) sum.add(body);
  sum.add_lagrangian(model.kinetic, "[energy] kinetic");
  if (model.potential) sum.add_lagrangian(-model.potential, "[energy] potential");
  sum.add_lagrangian(model.lagrangian, "[energy] lagrangian");
  std::vector<Expr> slope;
  if (model.dissipation) slope = gradient(model.dissipation, sum.rates());
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    if (model.dissipation) sum.add_force(i, -slope[i], "[energy] dissipation on " + model.coordinates[i].name);
    sum.add_force(i, model.forces[i], "the generalized force on " + model.coordinates[i].name);
  }

  LeastConstraint result{derive_multipliers(own), sum.total(), sum.take_loose()};
  Equations& equations = result.equations;
  equations.by = "gauss";
  equations.solver = Solver::least_constraint;
  std::vector<Expr> conditions = gradient(result.Z, equations.accelerations);
  std::vector<Replacement> none;
  for (const Expr& acceleration : equations.accelerations) none.push_back({acceleration, model.graph->constant(0)});
  for (Expr& condition : conditions) condition = condition / 2;
  equations.bias = substitute(conditions, none);
  auto hessian = sparse_jacobian(conditions, equations.accelerations);
  for (std::size_t i = 0; i < hessian.size(); ++i) {
    equations.mass[i].clear();
    for (const Entry& entry : hessian[i])
      if (entry.column <= i) equations.mass[i].push_back(entry);
  }
  return result;
}

}  // namespace dalembert

#pragma once
// The Lagrangian and the active forces of a model, before anything is differentiated twice.

#include <dalembert/mechanics/equations.hpp>

namespace dalembert {

struct Dynamics {
  Expr kinetic;
  Expr lagrangian;
  Expr energy;
  std::vector<Expr> force;  ///< F_i without what is in the Lagrangian
};

Dynamics make_dynamics(const Model& model);
/// The Lagrangian alone.
Expr make_lagrangian(const Model& model);

/// The generalized forces of loads and dissipation on the given rates (those written by coordinate are not among them).
std::vector<Expr> load_forces(const Model& model, const std::vector<Expr>& rates);

/// T of a model is homogeneous of second degree in the rates, as its graph shows.
bool is_homogeneous(const Model& model, Expr kinetic, std::span<const Expr> rates);

/// (t, 1), (q, q') for all coordinates: the part of d/dt that leaves the rates alone.
std::vector<Replacement> drift_direction(Expr time, std::span<const Expr> coordinates, std::span<const Expr> rates);

/// M, h - F, energy function and kind of the Lagrangian, into equations whose symbols are set; rates are velocities.
void fill_dynamics(Equations& equations, Expr lagrangian, std::span<const Expr> force);
/// The energy function and its power alone, from dL/du.
void fill_energy(Equations& equations, Expr lagrangian, std::span<const Expr> force, std::span<const Expr> momentum);
/// The error of a mass matrix with too many entries.
[[noreturn]] void refuse_couplings();

/// A, b and gamma of constraints, whose formulas are written in the equations' coordinates and velocities.
std::vector<ConstraintRow> make_rows(const Equations& equations, std::span<const Constraint* const> constraints,
                                     std::span<const Expr> formulas);
/// The same of one.
ConstraintRow make_row(const Equations& equations, const Constraint& constraint, Expr f);

Expr dot(const Vector3& a, const Vector3& b);

}  // namespace dalembert

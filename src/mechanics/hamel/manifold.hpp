#pragma once
// Configurations as numbers at which properties of the constraints are looked at.

#include <dalembert/mechanics/hamel.hpp>

namespace dalembert {

/// Configurations on the geometric constraints: the start, and others around it that Kaczmarz's method (one constraint
/// after the other, each by Newton's step along its gradient) brings there. Where the start itself is off them by more
/// than a start may be, it is none.
class Manifold {
 public:
  explicit Manifold(const Model& model);

  /// No geometric constraints.
  bool is_everything() const { return constraints_.empty(); }
  /// Values of time, parameters and coordinates.
  const std::vector<std::vector<Binding>>& points() const { return points_; }

 private:
  bool bring(std::vector<Binding>& point) const;

  std::vector<Expr> constraints_;
  std::vector<std::vector<Expr>> slopes_;
  std::size_t first_ = 0;  // of the coordinates among a point's bindings
  std::vector<std::vector<Binding>> points_;
};

/// Decides by the rank of numbers that no differential constraint integrates in the system, alone or combined with
/// others: then how many integrals there are (those of the geometric constraints); empty where the numbers leave it
/// open. A form c_a theta_a is in the first derived system exactly when c_a dtheta_a vanishes on the displacements that
/// all forms allow (theory 3.6); if none is, at one configuration, the flag ends there at every one near it, for ranks
/// only grow from a point to its neighbours.
std::optional<std::size_t> count_integrals_by_rank(const Model& model, const Manifold& manifold);

/// theta ^ dtheta at a configuration is not zero: the constraint does not integrate by itself.
bool is_proved_nonintegrable(const Model& model, const Constraint& constraint, const Manifold& manifold);

/// The form of a constraint's velocity over (q, t).
std::vector<Expr> constraint_form(const Model& model, const Constraint& constraint);
/// Coordinates and time.
std::vector<Expr> configuration_symbols(const Model& model);

}  // namespace dalembert

#pragma once
// Configurations as numbers at which properties of the constraints are looked at.

#include <dalembert/expr/enclose.hpp>
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
  /// The numbers of a point with the parameters as they are written, not as they are rounded.
  std::vector<Around> around(std::size_t point) const;
  /// The same with ranges of the coordinates in which there is, proved, a configuration on the constraints; empty where
  /// that could not be proved, as where they depend on each other.
  std::vector<Around> find_box(std::size_t point) const;

 private:
  bool bring(std::vector<Binding>& point) const;

  std::vector<Expr> constraints_;
  std::vector<std::vector<Expr>> slopes_;
  std::vector<Around> parameters_;
  std::size_t first_ = 0;  // of the coordinates among a point's bindings
  std::vector<std::vector<Binding>> points_;
};

/// Proves that no differential constraint integrates in the system, alone or combined with others: at a configuration
/// on the geometric constraints the brackets of what the constraints allow, and brackets with these, lead in all
/// directions that the geometric ones leave (theory 3.6). An integral would be constant along all of them, there and
/// near there, for ranks only grow from a point to its neighbours. False where that has not been seen.
bool are_proved_unintegrable(const Model& model);

/// Proves that one does not by itself: theta ^ dtheta at a configuration is not zero.
bool is_proved_unintegrable(const Model& model, const Constraint& constraint, const Manifold& manifold);

/// The form of a constraint's velocity over (q, t).
std::vector<Expr> constraint_form(const Model& model, const Constraint& constraint);
/// Coordinates and time.
std::vector<Expr> configuration_symbols(const Model& model);

}  // namespace dalembert

#pragma once
// The hodograph of a motion (Spain 1940, section 2): the velocity carried back along the path to its beginning by
// parallel transport in the kinetic metric.

#include <dalembert/study/geometry.hpp>

namespace dalembert {

using SquareMatrix = std::vector<std::vector<double>>;  ///< rows

struct Hodograph {
  std::vector<std::string> coordinates;
  std::vector<double> t;
  std::vector<double> arc;                 ///< integral of f dt
  std::vector<std::vector<double>> curve;  ///< contravariant components at the base point, the motion's start
  double invariant = 0;                    ///< largest disagreement of chords as seen from other base points
  /// The same by the connection of (13), for comparison: no isometry.
  std::vector<std::vector<double>> affine_curve;
  double affine_invariant = 0;
  std::vector<double> f, X;                           ///< lengths of acceleration and force along the motion
  std::vector<std::vector<double>> cos_phi, cos_psi;  ///< their angles with the constraints; NaN where undefined
  double relation = 0;  ///< largest disagreement of the sides of (10), relative to f^2 + X^2
  /// The motion is integrated between rows as a forced geodesic of the connection (13): largest difference from the one
  /// by multipliers, relative to the sizes of coordinates and velocities.
  double geodesic = 0;
  /// What takes a vector at the base point to the path's point at each time, by metric and by connection.
  std::vector<SquareMatrix> transport, affine_transport;
  ExceptionalCase exceptional;
  Status status = Status::finished;
  std::string message;
  std::vector<std::string> notes;
};

/// Throws ModelError where the kinetic energy gives no metric on the coordinates alone: it depends on time, is not
/// quadratic in the rates, or vanishes for some; and where one-sided constraints make velocities jump.
Hodograph find_hodograph(const KineticGeometry& geometry, const SimulateOptions& options);
/// Nothing is carried along then, and the arc is a sum over rows.
bool is_large_hodograph(const KineticGeometry& geometry);

}  // namespace dalembert

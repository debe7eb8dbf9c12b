#pragma once
// Reactions of many constraints in the kinetic metric, without a dense matrix.

#include <dalembert/mechanics/projection.hpp>
#include <dalembert/mechanics/state.hpp>

namespace dalembert {

/// More coordinates than this: frames, transports and connections, which have a number for each pair or triple of them,
/// are told in short and not built.
inline constexpr std::size_t most_dense = 60;

/// One of each row of the geometry's equations: lambda, and theta along the orthonormal vectors of the constraints.
struct MetricReactions {
  std::vector<double> lambda, theta;
};

/// Velocities that are orthogonal to those of the constraints in the kinetic metric complete them to a frame; in it the
/// surplus equations (Hamel 1904, section 3) are G lambda = A M^-1 h - drift with G = A M^-1 A^T. The factor G = C C^T
/// in the constraints' order is Gram and Schmidt's, so theta = C^T lambda (Spain 1940, (8)). Throws ComputationError
/// where the constraints depend on each other.
MetricReactions evaluate_metric_reactions(const KineticGeometry& geometry, const State& state);

}  // namespace dalembert

#pragma once
// The hodograph of a motion in many coordinates.

#include <dalembert/study/hodograph.hpp>

namespace dalembert {

/// The length of its curve, which is the integral of the acceleration's own length, and the lengths of acceleration and
/// force. Nothing is carried along the path: there are no transports, invariants and angles. Where the metric is
/// constant it would come back as it was, and the curve is the velocity itself; else there is none.
Hodograph find_large_hodograph(const KineticGeometry& geometry, const SimulateOptions& options);

}  // namespace dalembert

#pragma once
// Why a motion cannot go on, in the user's words.

#include <optional>

#include "simulate/march/course.hpp"

namespace dalembert {

struct Ending {
  Status status;
  std::string message;
  std::string contradicting = {};  ///< the constraint that contradicts the others, where that is why
};

/// Which formula gives no number at a state; empty if all do.
std::string name_not_finite(const SystemEvaluator& evaluator, double t, const double* y);

/// The last attempted step h failed, however small: the first of its stages that gives no number, the rank or the
/// inertia lost, or the tolerance. `reference`: the best pivot of the rows so far.
Ending diagnose(Course& course, double h, double reference, double tolerance);

}  // namespace dalembert

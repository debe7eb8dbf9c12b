#pragma once

#include <dalembert/expr/canonical.hpp>
#include <dalembert/model/model.hpp>

namespace dalembert {

/// A simpler form that holds for the signs that the parameters have: a length that is positive has sqrt(l^2) = l. The
/// expression itself where none is found within the limits.
Expr simplify_by_signs(const Model& model, Expr expression, const CanonicalLimits& limits);

}  // namespace dalembert

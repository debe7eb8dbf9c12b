#pragma once
// A steady motion as one system of equations: R = 0, S = 0, psi = 0 and f = 0 (theory 8.1) with the accelerations and
// multipliers among the unknowns, and what is to stay constant.

#include <dalembert/simulate/system.hpp>

#include "study/linearize/terms.hpp"

namespace dalembert {

struct SteadyQuestion {
  std::vector<bool> open_q, open_u;     ///< what is solved for; the rest keeps its value
  std::vector<bool> still_q, constant;  ///< coordinates with q' = 0 and q'' = 0; those with q'' = 0
};

/// Newton's method with steps of least norm, halved until the residual falls: the place where it stops. Whether the
/// motion is steady there is for the caller to see.
MotionPoint approach_steady(Terms& terms, const SteadyQuestion& question, MotionPoint from);

/// InputError that names what changes, the first of it where it is much: "x'' = 2".
[[noreturn]] void refuse_moving(const Model& model, const std::vector<std::string>& moving);

/// Many coordinates at rest: where they do not stay so, that is said before any matrix is made for them, which would be
/// dense. What is small is judged as by Linearizer, with the slope of the accelerations along themselves as the scale.
void refuse_falling(const Equations& equations, const NamedNumbers& parameters, const NamedNumbers& initial);

}  // namespace dalembert

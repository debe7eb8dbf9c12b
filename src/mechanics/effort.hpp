#pragma once
#include <dalembert/mechanics/equations.hpp>

namespace dalembert {

/// Large systems are looked at only as far as the graph shows: proofs for thousands of formulas take minutes.
inline Effort effort_for(const Equations& equations) {
  return equations.velocities.size() <= 40 ? Effort::prove : Effort::glance;
}

}  // namespace dalembert

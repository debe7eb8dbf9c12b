#pragma once

#include <dalembert/mechanics/release.hpp>

namespace dalembert {

struct ReleasedRow {
  Expr rho;
  std::vector<std::string> carried;  ///< constraints whose multipliers enter
};
/// The equation of one freed coordinate on the true motion.
ReleasedRow derive_released_row(const Variation& variation, std::size_t which);

}  // namespace dalembert

#include "model/inertia.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/eigenvalues.hpp"

namespace dalembert {

std::string find_wrong_inertia(std::span<const double> tensor) {
  constexpr double rounded = 0.02;
  const SymmetricEigen principal = find_eigenvalues({3, 3, tensor});
  if (!principal.ok) return "a moment of inertia is not finite";
  const double least = principal.values[0], middle = principal.values[1], largest = principal.values[2];
  if (least < -rounded * std::abs(largest)) return fmt::format("a principal moment of inertia is {:.6g}", least);
  const bool is_plane = tensor[0] == 0 || tensor[4] == 0 || tensor[8] == 0;
  if (is_plane || least + middle >= (1 - rounded) * largest) return "";
  return fmt::format(
      "no body has these moments of inertia: of the principal ones {:.6g} is more than {:.6g} and {:.6g} together",
      largest, middle, least);
}

}  // namespace dalembert

#include "base/matrix_view.hpp"

#include <algorithm>

namespace dalembert {

double length_of(std::span<const double> x) {
  const double square = dot(x, x);
  constexpr double safe = 1e280;  // no square that counts has under- or overflowed
  if (square < safe && square > 1 / safe) return std::sqrt(square);
  double largest = 0;
  for (double value : x) {
    if (!std::isfinite(value)) return std::abs(value);
    largest = std::max(largest, std::abs(value));
  }
  if (largest == 0) return 0;
  double sum = 0;
  for (double value : x) sum += (value / largest) * (value / largest);
  return largest * std::sqrt(sum);
}

}  // namespace dalembert

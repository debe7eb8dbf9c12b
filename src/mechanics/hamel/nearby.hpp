#pragma once
// A place a moment along the motion. Rows that depend on others in a singular configuration do not do so there; rows
// that are redundant still do, to the square of the way.

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace dalembert {

/// The coordinates moved along their rates by a small part of their size; nothing where nothing moves.
inline std::vector<double> move_along(std::span<const double> q, std::span<const double> rates) {
  constexpr double part = 1e-5;
  double size = 0, fastest = 0;
  for (double x : q) size = std::max(size, std::abs(x));
  for (double rate : rates) fastest = std::max(fastest, std::abs(rate));
  if (!(fastest > 0) || !std::isfinite(fastest)) return {};
  const double time = part * (size > 0 ? size : 1) / fastest;
  std::vector<double> moved(q.begin(), q.end());
  for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += time * rates[i];
  return moved;
}

}  // namespace dalembert

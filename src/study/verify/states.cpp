#include <algorithm>

#include "study/verify/verify.hpp"

namespace dalembert {
namespace {

/// How far each component goes along the motion, at least a twentieth of the farthest; where nothing moves a tenth of
/// the largest value, or of one.
std::vector<double> scales(const Trajectory& motion, const std::vector<Expr>& symbols,
                           const std::vector<double>& start) {
  std::vector<double> reach(symbols.size(), 0.0);
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    auto column =
        static_cast<std::size_t>(std::ranges::find(motion.columns, symbols[i].name()) - motion.columns.begin());
    for (const Table::Row row : motion.rows)
      if (std::isfinite(row[column])) reach[i] = std::max(reach[i], std::abs(row[column] - start[i]));
  }
  double farthest = 0, largest = 0;
  for (std::size_t i = 0; i < reach.size(); ++i) {
    farthest = std::max(farthest, reach[i]);
    largest = std::max(largest, std::abs(start[i]));
  }
  if (farthest == 0) farthest = largest > 0 ? 2 * largest : 2;
  for (double& value : reach) value = std::max(value, 0.05 * farthest);
  return reach;
}

}  // namespace

StateSource::StateSource(const Equations& equations, const System& system, const State& start, const Trajectory& motion,
                         Random& random)
    : system_(system),
      start_(start),
      q_scale_(scales(motion, equations.coordinates, start.q)),
      u_scale_(scales(motion, equations.velocities, start.u)),
      random_(random) {
  if (start.u.size() > largest_dense) reached_ = motion.last;
}

std::optional<State> StateSource::draw_state() {
  if (reached_) return reached_;
  State state = start_;
  for (std::size_t i = 0; i < state.q.size(); ++i) state.q[i] += part_ * q_scale_[i] * draw(random_);
  for (std::size_t i = 0; i < state.u.size(); ++i) state.u[i] += part_ * u_scale_[i] * draw(random_);
  try {
    return system_.make_consistent_start(state, true).state;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace dalembert

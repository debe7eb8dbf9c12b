#include "study/equilibria/balance.hpp"

#include "study/linearize/spectrum.hpp"

namespace dalembert {

Balance::Balance(const Equations& equations, std::span<const std::size_t> inputs)
    : terms_(equations, inputs), inputs_(inputs.size()) {}

CurveValues Balance::evaluate(std::span<const double> x) {
  const std::size_t n = size(), r = row_count(), extra = terms_.extra_count();
  MotionPoint at;
  at.q.assign(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
  at.lambda.assign(x.begin() + static_cast<std::ptrdiff_t>(n), x.end());
  at.u.assign(n, 0.0);
  at.a.assign(n, 0.0);
  const TermValues values = terms_.evaluate(at);
  const SlopeValues slopes = terms_.evaluate_slopes(at);
  CurveValues made{values.bias, NumberMatrix(n + r, n + r + inputs_)};
  for (std::size_t k = 0; k < r; ++k) {
    made.residual.push_back(terms_.is_geometric(k) ? values.position[k] : values.velocity[k]);
    for (std::size_t i = 0; i < n; ++i) {
      made.residual[i] -= values.jacobian(k, i) * at.lambda[k];
      made.slopes(i, n + k) = -values.jacobian(k, i);
      made.slopes(n + k, i) = terms_.is_geometric(k) ? values.jacobian(k, i) : slopes.velocity_e(k, extra + i);
    }
    for (std::size_t j = 0; j < inputs_; ++j)
      made.slopes(n + k, n + r + j) = terms_.is_geometric(k) ? slopes.position_x(k, j) : slopes.velocity_e(k, j);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) made.slopes(i, j) = slopes.force_e(i, extra + j);
    for (std::size_t j = 0; j < inputs_; ++j) made.slopes(i, n + r + j) = slopes.force_e(i, j);
  }
  return made;
}

std::vector<double> Balance::guess_multipliers(std::span<const double> q) {
  const std::size_t n = size(), r = row_count();
  std::vector<double> x(q.begin(), q.end());
  x.resize(n + r, 0.0);
  const CurveValues at = evaluate(x);
  NumberMatrix slopes(n, r);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < r; ++k) slopes(i, k) = -at.slopes(i, n + k);
  return solve_least(slopes, {at.residual.begin(), at.residual.begin() + static_cast<std::ptrdiff_t>(n)});
}

}  // namespace dalembert

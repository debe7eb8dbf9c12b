// Many double pendula on one core: in lanes by fixed steps of Runge and Kutta's fourth order against the same by hand
// with SLEEF's functions, and with chosen steps against one motion after the other.

#include <immintrin.h>
#include <sleef.h>

#include <array>
#include <cmath>
#include <dalembert/model/description.hpp>
#include <dalembert/simulate/ensemble.hpp>

#include "measure.hpp"
#include "simulate/system/compiled.hpp"

using namespace dalembert;
using namespace dalembert::bench;

namespace {

constexpr std::size_t instances = 10'000, lanes = Function::lane_count, packs = instances / lanes;
constexpr double h = 1e-3;
constexpr int steps = 20;

/// Component i of lane l at [4 i + l].
struct alignas(64) Four : std::array<double, 4 * lanes> {};
using Packs = std::vector<Four>;

Packs make_starts() {
  Packs starts(packs);
  for (std::size_t k = 0; k < instances; ++k)
    for (std::size_t i = 0; i < 4; ++i)
      starts[k / lanes][lanes * i + k % lanes] = std::sin(static_cast<double>(7 * k + 3 * i));
  return starts;
}

/// One step of every pack; `slope(y, dy)` of four motions.
template <class Slope>
void step_all(Packs& all, Slope&& slope) {
  constexpr std::size_t n = 4 * lanes;
  alignas(64) std::array<double, n> k1, k2, k3, k4, y;
  for (auto& start : all) {
    slope(start.data(), k1.data());
    for (std::size_t i = 0; i < n; ++i) y[i] = start[i] + h / 2 * k1[i];
    slope(y.data(), k2.data());
    for (std::size_t i = 0; i < n; ++i) y[i] = start[i] + h / 2 * k2[i];
    slope(y.data(), k3.data());
    for (std::size_t i = 0; i < n; ++i) y[i] = start[i] + h * k3[i];
    slope(y.data(), k4.data());
    for (std::size_t i = 0; i < n; ++i) start[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
}

constexpr double m1 = 1.5, m2 = 0.7, l1 = 0.8, l2 = 1.1, g = 9.81;  // of models:double_pendulum

/// The textbook's equations, M q'' = f with a matrix of two rows, in vectors of four.
void slope_by_hand(const double* y, double* dy) {
  const __m256d a = _mm256_loadu_pd(y), b = _mm256_loadu_pd(y + 4), p = _mm256_loadu_pd(y + 8),
                q = _mm256_loadu_pd(y + 12);
  const Sleef___m256d_2 sa = Sleef_sincosd4_u10(a), sb = Sleef_sincosd4_u10(b);
  const auto number = [](double x) { return _mm256_set1_pd(x); };
  // sin and cos of the difference from those of the angles
  const __m256d s = _mm256_fmsub_pd(sa.x, sb.y, _mm256_mul_pd(sa.y, sb.x));
  const __m256d c = _mm256_fmadd_pd(sa.y, sb.y, _mm256_mul_pd(sa.x, sb.x));
  const __m256d coupling = _mm256_mul_pd(number(m2 * l1 * l2), c), turn = _mm256_mul_pd(number(m2 * l1 * l2), s);
  const __m256d f1 = _mm256_fnmadd_pd(turn, _mm256_mul_pd(q, q), _mm256_mul_pd(number(-(m1 + m2) * g * l1), sa.x));
  const __m256d f2 = _mm256_fmadd_pd(turn, _mm256_mul_pd(p, p), _mm256_mul_pd(number(-m2 * g * l2), sb.x));
  const __m256d m11 = number((m1 + m2) * l1 * l1), m22 = number(m2 * l2 * l2);
  const __m256d scale = _mm256_div_pd(number(1), _mm256_fnmadd_pd(coupling, coupling, _mm256_mul_pd(m11, m22)));
  _mm256_storeu_pd(dy, p);
  _mm256_storeu_pd(dy + 4, q);
  _mm256_storeu_pd(dy + 8, _mm256_mul_pd(scale, _mm256_fmsub_pd(m22, f1, _mm256_mul_pd(coupling, f2))));
  _mm256_storeu_pd(dy + 12, _mm256_mul_pd(scale, _mm256_fmsub_pd(m11, f2, _mm256_mul_pd(coupling, f1))));
}

struct Compiled {
  explicit Compiled(const Equations& equations) : system(equations) {
    const Kernel fast = system.fast({});
    function = compile(fast.function().program(), {.native = true, .scalar = false, .lanes = true});
    scratch = function.make_scratch();
    function.set_parameters(scratch, parameter_values(system.model()));
  }
  void operator()(const double* y, double* dy) {
    std::copy_n(y, 4 * lanes, inputs.begin() + lanes);  // behind the time
    function.evaluate_lanes(scratch, inputs, {dy + 2 * lanes, 2 * lanes});
    std::copy_n(y + 2 * lanes, 2 * lanes, dy);
  }
  CompiledSystem system;
  Function function;
  Scratch scratch;
  alignas(64) std::array<double, 5 * lanes> inputs{};
};

void fixed_steps(const Equations& equations) {
  Compiled ours(equations);
  Packs by_hand = make_starts(), by_us = make_starts();
  for (int k = 0; k < steps; ++k) {
    step_all(by_hand, slope_by_hand);
    step_all(by_us, ours);
  }
  double difference = 0;
  for (std::size_t k = 0; k < packs; ++k)
    for (std::size_t i = 0; i < 4 * lanes; ++i)
      difference = std::max(difference, std::abs(by_hand[k][i] - by_us[k][i]));
  const double hand = seconds([&] { step_all(by_hand, slope_by_hand); }, 1),
               own = seconds([&] { step_all(by_us, ours); }, 1);
  fmt::print("{} double pendula, Runge-Kutta 4, instance-steps a second: {:.3g} by hand with SLEEF, {:.3g} ours\n",
             instances, instances / hand, instances / own);
  report("the same motions: largest difference after 20 steps", difference, 1e-12, "");
  report("Runge-Kutta 4 in lanes: throughput against the hand-written", hand / own, 0.8, "", true);
}

using Asking = SimulateOptions (*)(std::size_t member);

void chosen_steps(const std::string& what, const Equations& equations, const Asking& asked, double goal) {
  constexpr std::size_t members = 400;
  const System system(equations);
  const Ensemble ensemble(system);
  double sum = 0;
  const auto alone = [&] {
    Workspace workspace = system.make_workspace();
    for (std::size_t k = 0; k < members; ++k) sum += system.simulate(workspace, asked(k)).last.t;
  };
  const auto together = [&] {
    std::size_t given = 0;
    ensemble.run(
        [&]() -> std::optional<SimulateOptions> {
          if (given == members) return std::nullopt;
          return asked(given++);
        },
        [&](const Ensemble::Outcome& outcome) { sum += outcome.motion.last.t; });
  };
  const double one = seconds(alone, 1), four = seconds(together, 1);
  fmt::print("{}: {:.3f} ms alone, {:.3f} ms in lanes\n", what, 1e3 * one / members, 1e3 * four / members);
  report("chosen steps: throughput of lanes against one by one", one / four, goal, "", true);
}

SimulateOptions pendulum_member(std::size_t k) {
  return {.until = 10,
          .every = 10,
          .tolerance = 1e-8,
          .initial = {{"a", std::sin(static_cast<double>(k))}, {"b", std::cos(static_cast<double>(k))}}};
}

SimulateOptions disk_member(std::size_t k) {
  return {.until = 1, .every = 1, .tolerance = 1e-8, .parameters = {{"m", 1 + 0.01 * static_cast<double>(k)}}};
}

}  // namespace

int main() {
  const Equations equations = derive_multipliers(load_model("models:double_pendulum"));
  fixed_steps(equations);
  chosen_steps("a double pendulum to t = 10 at 1e-8", equations, pendulum_member, 1.25);
  // Each step goes back onto the constraints, lane by lane.
  chosen_steps("a leaning disk to t = 1 at 1e-8", derive_multipliers(load_model("models:rolling_disk_tilted")),
               disk_member, 1);
  return all_within ? 0 : 1;
}

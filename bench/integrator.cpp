// What DOP853 adds to a right-hand side: a double pendulum by hand, bare and inside the integrator.

#include <benchmark/benchmark.h>

#include <cmath>

#include "simulate/march/dop853.hpp"

namespace {

using dalembert::Dop853;

void double_pendulum(double, const double* y, double* dy) {
  const double s = std::sin(y[0] - y[1]), c = std::cos(y[0] - y[1]);
  const double f1 = -y[3] * y[3] * s - 2 * 9.81 * std::sin(y[0]), f2 = y[2] * y[2] * s - 9.81 * std::sin(y[1]);
  const double determinant = 2 - c * c;
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = (f1 - c * f2) / determinant;
  dy[3] = (2 * f2 - c * f1) / determinant;
}

/// Cheap, so that what is left is the integrator's own work.
void oscillators(double, const double* y, double* dy) {
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = -y[0];
  dy[3] = -y[1];
}

template <auto f>
void bare(benchmark::State& state) {
  double y[4] = {1, 2, 0.1, 0.2}, dy[4];
  for (auto _ : state) {
    f(0.0, y, dy);
    y[0] += 1e-9 * dy[2];
    benchmark::DoNotOptimize(y);
    benchmark::DoNotOptimize(dy);
  }
}

/// One item is one right-hand side; the reciprocal of items per second is its cost with the integrator's share.
template <auto f>
void integrated(benchmark::State& state) {
  Dop853 method(4);
  const double start[4] = {1, 2, 0.1, 0.2}, scale[4] = {1e-10, 1e-10, 1e-10, 1e-10}, noise[4] = {};
  std::copy(start, start + 4, method.start().begin());
  f(0.0, method.start().data(), method.start_derivative().data());
  double t = 0, h = 0.01;
  std::int64_t evaluations = 0;
  for (auto _ : state) {
    method.take(f, t, h);
    const double error = method.error(scale, noise);
    evaluations += 11;
    if (error <= 1) {
      t += h;
      f(t, method.end().data(), method.end_derivative().data());
      ++evaluations;
      method.advance();
    }
    h *= dalembert::next_step_factor(error, 6);
  }
  state.SetItemsProcessed(evaluations);
}

BENCHMARK(bare<double_pendulum>);
BENCHMARK(integrated<double_pendulum>);
BENCHMARK(bare<oscillators>);
BENCHMARK(integrated<oscillators>);

}  // namespace

BENCHMARK_MAIN();

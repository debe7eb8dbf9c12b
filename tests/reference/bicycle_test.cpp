// The bicycle from four rigid bodies and two rolling wheels obeys, for small lean and steer, the benchmark's linear
// equations M q'' + v C1 q' + (g K0 + v^2 K2) q = 0 of Meijaard, Papadopoulos, Ruina and Schwab 2007.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "reference/reference.hpp"
#include "support/motion_table.hpp"

namespace {

using Matrix = std::array<double, 4>;  // two by two, by rows
using State = std::array<double, 4>;   // lean, steer and their rates

Matrix read_matrix(const std::string& name) {
  for (const reference::Quantity& quantity : reference::read_case("whipple_bicycle"))
    if (quantity.name == name)
      return {quantity.value.at(0), quantity.value.at(1), quantity.value.at(2), quantity.value.at(3)};
  throw std::runtime_error("the case has no matrix " + name);
}

struct LinearBicycle {
  double speed = 4.6, gravity = 9.81;
  Matrix mass = read_matrix("M"), damping = read_matrix("C1"), weight = read_matrix("K0"), turning = read_matrix("K2");

  State rate(const State& s) const {
    std::array<double, 2> force{};
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t j = 0; j < 2; ++j) {
        const std::size_t k = 2 * i + j;
        force[i] -= speed * damping[k] * s[2 + j] + (gravity * weight[k] + speed * speed * turning[k]) * s[j];
      }
    const double determinant = mass[0] * mass[3] - mass[1] * mass[2];
    return {s[2], s[3], (mass[3] * force[0] - mass[1] * force[1]) / determinant,
            (mass[0] * force[1] - mass[2] * force[0]) / determinant};
  }

  /// One step of the classical Runge-Kutta method; at 1e-4 s its error is far below the comparison's tolerance.
  State step(const State& s, double h) const {
    const auto moved = [&](const State& k, double by) {
      State next = s;
      for (std::size_t i = 0; i < 4; ++i) next[i] += by * k[i];
      return next;
    };
    const State k1 = rate(s), k2 = rate(moved(k1, h / 2)), k3 = rate(moved(k2, h / 2)), k4 = rate(moved(k3, h));
    State next = s;
    for (std::size_t i = 0; i < 4; ++i) next[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    return next;
  }
};

TEST(Bicycle, small_motions_obey_the_linear_equations_of_the_benchmark) {
  namespace support = dalembert::testing_support;
  const double push = 1e-4;  // by symmetry the equations' next terms are cubic: 1e-8 of the linear ones
  const support::Table table = support::simulate(
      "models:whipple_bicycle", {"--set", "phi'=1e-4", "--until=3", "--every=0.1", "--tolerance=1e-13"});
  const std::array<std::size_t, 2> columns{table.index("phi"), table.index("delta")};
  const LinearBicycle bicycle;
  State state{0, 0, push, 0};
  double largest = 0;
  for (int k = 0; k <= 30; ++k) {
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_NEAR(table.row_at(0.1 * k)[columns[i]], state[i], 1e-6 * push) << "at t = " << 0.1 * k;
      largest = std::max(largest, std::abs(state[i]));
    }
    for (int step = 0; step < 1000; ++step) state = bicycle.step(state, 1e-4);
  }
  EXPECT_GT(largest, 0.1 * push);
}

}  // namespace

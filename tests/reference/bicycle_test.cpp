// The bicycle from four rigid bodies and two rolling wheels obeys, for small lean and steer, the benchmark's linear
// equations M q'' + v C1 q' + (g K0 + v^2 K2) q = 0 of Meijaard, Papadopoulos, Ruina and Schwab 2007.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <dalembert/model/description.hpp>
#include <dalembert/study/linearize.hpp>

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

dalembert::Model upright(double speed) {
  return dalembert::load_model("models:whipple_bicycle", {{"phi'", "0"}, {"v", std::to_string(speed)}});
}

double largest(const Matrix& matrix) {
  return std::abs(*std::ranges::max_element(matrix, {}, [](double value) { return std::abs(value); }));
}

void expect_matrix(const dalembert::NumberMatrix& found, const Matrix& expected, const char* name, double speed) {
  ASSERT_EQ(found.values.size(), 4);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(found.values[i], expected[i], 1e-9 * std::max(1.0, largest(expected))) << name << " at " << speed;
}

/// Coefficients of s^4 .. s^0 of det(M s^2 + C s + K).
std::array<double, 5> characteristic(const Matrix& m, const Matrix& c, const Matrix& k) {
  std::array<double, 5> p{};
  const std::array<const Matrix*, 3> parts{&k, &c, &m};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      const Matrix &a = *parts[i], &b = *parts[j];
      p[4 - i - j] += a[0] * b[3] - a[1] * b[2];
    }
  return p;
}

TEST(Bicycle, its_linear_equations_are_the_benchmarks_at_twenty_speeds) {
  const LinearBicycle benchmark;
  for (int k = 0; k < 20; ++k) {
    const double v = 0.5 * k;
    const dalembert::Linearization found = dalembert::linearize(upright(v), {.independent = {"phi", "delta"}});
    ASSERT_TRUE(found.second_order) << v;
    EXPECT_EQ(found.state, (std::vector<std::string>{"phi", "delta", "phi'", "delta'"}));
    Matrix damping{}, stiffness{};
    for (std::size_t i = 0; i < 4; ++i) {
      damping[i] = v * benchmark.damping[i];
      stiffness[i] = benchmark.gravity * benchmark.weight[i] + v * v * benchmark.turning[i];
    }
    expect_matrix(found.second_order->mass, benchmark.mass, "M", v);
    expect_matrix(found.second_order->damping, damping, "C", v);
    expect_matrix(found.second_order->stiffness, stiffness, "K", v);
    // The eigenvalues are roots of the benchmark's own characteristic polynomial.
    const std::array<double, 5> p = characteristic(benchmark.mass, damping, stiffness);
    ASSERT_EQ(found.modes.size(), 4) << v;
    for (const dalembert::Mode& mode : found.modes) {
      const std::complex<double> s = mode.eigenvalue;
      const std::complex<double> value = (((p[0] * s + p[1]) * s + p[2]) * s + p[3]) * s + p[4];
      const std::complex<double> slope = ((4 * p[0] * s + 3 * p[1]) * s + 2 * p[2]) * s + p[3];
      EXPECT_LT(std::abs(value / slope), 1e-9) << "at " << v << ", root " << s;
    }
  }
}

TEST(Bicycle, all_velocities_together_have_one_root_more_that_is_the_speeds_family) {
  const dalembert::Linearization found = dalembert::linearize(upright(4.6));
  EXPECT_EQ(found.state.size(), 5);
  EXPECT_EQ(found.zero_roots, 1);
  EXPECT_EQ(found.family.size(), 1);
  EXPECT_EQ(found.stable, true);
  EXPECT_EQ(dalembert::linearize(upright(7)).stable, false);
}

TEST(Bicycle, weave_and_capsize_speeds_are_the_benchmarks) {
  const dalembert::RootLocus locus = dalembert::find_root_locus(upright(4.6), {"v", 0, 10, 0.05});
  std::vector<double> values;
  for (const reference::Quantity& quantity : reference::read_case("whipple_bicycle"))
    if (quantity.name == "weave speed" || quantity.name == "capsize speed") values.push_back(quantity.value.at(0));
  ASSERT_EQ(values.size(), 2);
  ASSERT_EQ(locus.changes.size(), 2);
  EXPECT_NEAR(locus.changes[0].value, values[0], 1e-9);
  EXPECT_EQ(locus.changes[0].kind, "flutter");
  EXPECT_NEAR(locus.changes[1].value, values[1], 1e-9);
  EXPECT_EQ(locus.changes[1].kind, "divergence");
}

}  // namespace

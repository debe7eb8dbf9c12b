#include "simulate/march/dop853.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "simulate/march/step_control.hpp"
#include "support/larger.hpp"

using namespace dalembert;

namespace {

// The Kepler ellipse of eccentricity e, semi-axis 1: closed form by Kepler's equation.
constexpr double eccentricity = 0.3;
constexpr auto kepler = [](double, const double* y, double* dy) {
  const double r2 = y[0] * y[0] + y[1] * y[1];
  const double c = -1 / (r2 * std::sqrt(r2));
  dy[0] = y[2];
  dy[1] = y[3];
  dy[2] = c * y[0];
  dy[3] = c * y[1];
};

std::array<double, 4> exact_kepler(double t) {
  double anomaly = t;
  for (int k = 0; k < 50; ++k) {
    anomaly -= (anomaly - eccentricity * std::sin(anomaly) - t) / (1 - eccentricity * std::cos(anomaly));
  }
  const double w = std::sqrt(1 - eccentricity * eccentricity), rate = 1 / (1 - eccentricity * std::cos(anomaly));
  return {std::cos(anomaly) - eccentricity, w * std::sin(anomaly), -std::sin(anomaly) * rate,
          w * std::cos(anomaly) * rate};
}

double distance(std::span<const double> a, std::span<const double> b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = testing_support::larger(largest, a[i] - b[i]);
  return largest;
}

void begin(Dop853& method, double t) {
  const auto y = exact_kepler(t);
  std::copy(y.begin(), y.end(), method.start().begin());
  kepler(t, method.start().data(), method.start_derivative().data());
}

double error_of_fixed_steps(int steps) {
  Dop853 method(4);
  begin(method, 0);
  const double h = 2.0 / steps;
  for (int k = 0; k < steps; ++k) {
    method.take(kepler, k * h, h);
    kepler(0, method.end().data(), method.end_derivative().data());
    method.advance();
  }
  return distance(method.start(), exact_kepler(2.0));
}

TEST(Dop853, HalvingTheStepDividesTheErrorBy256) {
  const double coarse = error_of_fixed_steps(6), fine = error_of_fixed_steps(12);
  const double order = std::log2(coarse / fine);
  EXPECT_GT(order, 7.5) << coarse << " " << fine;
  EXPECT_LT(order, 9.5) << coarse << " " << fine;
}

double error_of_dense_output(double h) {
  Dop853 method(4);
  begin(method, 0.4);
  method.take(kepler, 0.4, h);
  kepler(0, method.end().data(), method.end_derivative().data());
  method.prepare_dense(kepler);
  double largest = 0;
  for (double x = 0; x <= 1; x += 1.0 / 64) {
    std::array<double, 4> y;
    method.interpolate(x, y);
    largest = testing_support::larger(largest, distance(y, exact_kepler(0.4 + x * h)));
  }
  return largest;
}

TEST(Dop853, DenseOutputIsOfOrderSevenThatIsEightLocally) {
  const double order = std::log2(error_of_dense_output(0.4) / error_of_dense_output(0.2));
  EXPECT_GT(order, 7.5);
}

TEST(Dop853, DenseOutputMeetsBothEndsAndTheirDerivatives) {
  Dop853 method(4);
  begin(method, 0);
  method.take(kepler, 0, 0.3);
  method.end()[1] += 1e-3;  // as a projection would
  kepler(0, method.end().data(), method.end_derivative().data());
  method.prepare_dense(kepler);
  std::array<double, 4> at, near;
  method.interpolate(0, at);
  EXPECT_EQ(distance(at, method.start()), 0);
  method.interpolate(1, at);
  EXPECT_LT(distance(at, method.end()), 1e-15);
  const double dx = 1e-6;  // one-sided difference: its own error is of the order dx
  method.interpolate(1 - dx, near);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR((at[i] - near[i]) / (dx * 0.3), method.end_derivative()[i], 1e-4);
}

TEST(Dop853, ErrorEstimateBoundsTheTrueErrorAndPassesOverWhatIsNoise) {
  Dop853 method(4);
  begin(method, 0);
  method.take(kepler, 0, 0.3);
  const std::array<double, 4> scale = {1, 1, 1, 1}, silent = {};
  const double estimate = method.error(scale, silent), truth = distance(method.end(), exact_kepler(0.3));
  EXPECT_GT(estimate, truth);
  EXPECT_LT(estimate, 1e-4);
  const std::array<double, 4> loud = {1, 1, 1, 1};
  EXPECT_EQ(method.error(scale, loud), 0);
}

TEST(Dop853, ComponentsWithoutAnErrorChangeNothing) {
  Dop853 method(4), more(6);
  begin(method, 0);
  begin(more, 0);
  const auto beside = [](double t, const double* y, double* dy) {
    kepler(t, y, dy);
    dy[4] = 0;
    dy[5] = 1;
  };
  more.start_derivative()[5] = 1;
  method.take(kepler, 0, 0.3);
  more.take(beside, 0, 0.3);
  const std::array<double, 6> scale = {1, 2, 3, 4, 1e-20, 1}, silent = {0, 0, 0, 0, 0, 1e-15};
  EXPECT_EQ(method.error(std::span(scale).first(4), std::span(silent).first(4)), more.error(scale, silent));
}

TEST(Dop853, AStageThatIsNotFiniteMakesTheErrorNotFinite) {
  Dop853 method(1);
  method.start()[0] = 1;
  method.start_derivative()[0] = -1;
  const auto wall = [](double, const double* y, double* dy) { dy[0] = -std::sqrt(y[0] - 0.5); };
  method.take(wall, 0, 5.0);
  const std::array<double, 1> scale = {1}, silent = {};
  EXPECT_FALSE(std::isfinite(method.error(scale, silent)));
  EXPECT_LT(StepControl(8).reject(method.error(scale, silent)), 1);
}

}  // namespace

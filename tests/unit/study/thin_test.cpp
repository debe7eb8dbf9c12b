#include "study/linearize/thin.hpp"

#include <gtest/gtest.h>

#include <dalembert/model/description.hpp>
#include <dalembert/study/linearize.hpp>
#include <random>

using namespace dalembert;
using Eigen::MatrixXd;

namespace {

constexpr Eigen::Index many = 250;  // more than are multiplied in full

/// Numbers in [-1, 1] near the diagonal, which is 4: regular by far.
MatrixXd make_band(unsigned seed, Eigen::Index rows = many) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  MatrixXd band = MatrixXd::Zero(rows, many);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = std::max<Eigen::Index>(0, i - 1); j < std::min(many, i + 2); ++j)
      band(i, j) = i == j ? 4 : number(random);
  return band;
}

double difference(const MatrixXd& a, const MatrixXd& b) { return (a - b).cwiseAbs().maxCoeff(); }

TEST(Thin, products_are_those_of_full_matrices) {
  const MatrixXd a = make_band(1), b = make_band(2), full = MatrixXd::Constant(many, many, 0.5);
  EXPECT_LT(difference(thin::multiply(a, b), a * b), 1e-14);
  EXPECT_LT(difference(thin::multiply(a, full), a * full), 1e-14);
  EXPECT_LT(difference(thin::multiply(full, b), full * b), 1e-14);
}

TEST(Thin, factors_solve_and_know_singular_matrices) {
  const MatrixXd a = make_band(3), right = MatrixXd::Ones(many, 3), squared = a * a.transpose();
  thin::Lu lu;
  lu.compute(a);
  EXPECT_LT(difference(a * lu.solve(right), right), 1e-13);
  EXPECT_LT(difference(a.transpose() * lu.solve_transposed(right), right), 1e-13);
  // By Gershgorin |A| <= 6 and |A^-1| <= 1/2 in the norm of rows; of columns as much.
  EXPECT_GT(lu.rcond(), 0.05);
  const thin::Cholesky factor(squared);
  ASSERT_TRUE(factor.ok());
  EXPECT_LT(difference(squared * factor.solve(right), right), 1e-12);
  EXPECT_FALSE(thin::Cholesky(-squared).ok());
  MatrixXd singular = a;
  singular.col(7).setZero();
  thin::Lu none;
  none.compute(singular);
  EXPECT_EQ(none.rcond(), 0);
}

TEST(Thin, rows_that_repeat_another_are_not_called_independent) {
  MatrixXd rows = make_band(4, many - 1).rowwise().normalized();
  rows.conservativeResize(many, many);
  rows.row(many - 1).setUnit(many - 1);
  EXPECT_TRUE(thin::are_clearly_independent(rows));
  rows.row(many - 1) = rows.row(3);
  EXPECT_FALSE(thin::are_clearly_independent(rows));
}

/// L_n(x) by its recurrence; its zeros are in reach of doubles where x is small.
double laguerre(int n, double x) {
  double before = 1, now = 1 - x;
  for (int k = 1; k < n; ++k) {
    const double next = ((2 * k + 1 - x) * now - k * before) / (k + 1);
    before = now;
    now = next;
  }
  return now;
}

TEST(Thin, a_long_chain_swings_as_the_zeros_of_laguerre_say) {
  const Model chain = make_model(parse_description(R"toml(
gravity = [0, -9.81, 0]
[repeat]
k = "1..201"
[definitions]
x0 = "0"
y0 = "0"
[coordinates]
"x{k}" = 0
"y{k}" = "-{k}/201"
[points."P{k}"]
position = ["x{k}", "y{k}", 0]
mass = 1
[constraints]
"link{k}" = "(x{k} - x{k-1})^2 + (y{k} - y{k-1})^2 = 1/201^2"
)toml"));
  const Linearization result = linearize(chain, {.modes = true});
  ASSERT_EQ(result.modes.size(), 402);
  EXPECT_EQ(result.stable, true);
  // Equal masses on equal links: the squares of the frequencies are g/link times the zeros of L_n (D. Bernoulli 1738).
  for (std::size_t mode = 0; mode < 20; mode += 2) {
    const double w = std::abs(result.modes[mode].eigenvalue.imag()), x = w * w / (9.81 * 201);
    EXPECT_LT(laguerre(201, x * (1 - 1e-8)) * laguerre(201, x * (1 + 1e-8)), 0) << w;
  }
  EXPECT_LT(std::abs(result.modes[0].eigenvalue.imag()), std::abs(result.modes[2].eigenvalue.imag()));
}

}  // namespace

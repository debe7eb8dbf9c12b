// Reactions of a chain whose joints differ in mass by many powers of ten, against exact arithmetic.

#include <fmt/format.h>
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/dalembert.hpp>

namespace dalembert {
namespace {

constexpr int links = 10;

mpq_class mass(int k, const mpq_class& ratio) { return k % 2 == 1 ? ratio : mpq_class(1); }
/// Across the chain: a multiple of 1/16, so that every number of the start is exact.
mpq_class speed(int k) { return k == 0 ? mpq_class(0) : mpq_class((k % 2 == 0 ? 5 : -3) * k, 16); }

/// Links of length 1 on the x axis, (x_k - x_{k-1})^2 + (y_k - y_{k-1})^2 = 1, that move across it: A is 2 and -2 along
/// x, the drift 2 (y_k' - y_{k-1}')^2, and no force acts along x. A M^-1 A^T lambda = -drift is tridiagonal.
std::vector<mpq_class> exact_reactions(const mpq_class& ratio) {
  std::vector<mpq_class> diagonal(links + 1), beside(links + 2), lambda(links + 2);
  for (int k = 1; k <= links; ++k) {
    const mpq_class turned = speed(k) - speed(k - 1);
    diagonal[k] = 4 / mass(k, ratio);
    if (k > 1) diagonal[k] += 4 / mass(k - 1, ratio), beside[k] = -4 / mass(k - 1, ratio);
    lambda[k] = -2 * turned * turned;
  }
  for (int k = 2; k <= links; ++k) {
    const mpq_class part = beside[k] / diagonal[k - 1];
    diagonal[k] -= part * beside[k];
    lambda[k] -= part * lambda[k - 1];
  }
  for (int k = links; k >= 1; --k) lambda[k] = (lambda[k] - beside[k + 1] * lambda[k + 1]) / diagonal[k];
  return lambda;
}

Model make_chain(const mpq_class& ratio) {
  std::string text = "[coordinates]\n", rest = "[constraints]\n";
  for (int k = 1; k <= links; ++k) {
    text +=
        fmt::format("x{0} = {{ value = {0}, rate = 0 }}\ny{0} = {{ value = 0, rate = {1} }}\n", k, speed(k).get_d());
    rest += k == 1 ? std::string("link1 = \"x1^2 + y1^2 = 1\"\n")
                   : fmt::format("link{0} = \"(x{0} - x{1})^2 + (y{0} - y{1})^2 = 1\"\n", k, k - 1);
  }
  for (int k = 1; k <= links; ++k)
    text +=
        fmt::format("[points.P{0}]\nposition = [\"x{0}\", \"y{0}\", 0]\nmass = \"{1}\"\n", k, mass(k, ratio).get_str());
  return make_model(parse_description(text + rest));
}

// A tenth of the digits is asked for that the elements of A and M have: with the Gram matrix alone half were left.
TEST(MassRatios, LeaveReactionsAllTheirDigits) {
  for (const mpq_class& ratio : {mpq_class(1), mpq_class(100'000'000), mpq_class(1, 100'000'000)}) {
    const std::vector<mpq_class> expected = exact_reactions(ratio);
    for (const char* by : {"multipliers", "gauss", "projection"}) {
      const Trajectory run = System(derive_equations(make_chain(ratio), by)).simulate({.until = 1e-6, .every = 1e-6});
      ASSERT_TRUE(run) << run.message;
      for (int k = 1; k <= links; ++k)
        EXPECT_NEAR(run[fmt::format("reaction(link{})", k)][0] / expected[k].get_d(), 1, 1e-12)
            << by << ", " << ratio << ", link " << k;
    }
  }
}

}  // namespace
}  // namespace dalembert

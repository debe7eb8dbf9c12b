#include "simulate/march/stretch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace dalembert {
namespace {

constexpr std::size_t degree = Stretch::nodes - 1;
constexpr double unit = 0x1p-47;            // roundings of a sample and of the fit, of the largest value
constexpr double growth = degree * degree;  // of a derivative over -1 to 1, at most (Markov)

using Matrix = std::array<std::array<double, Stretch::nodes>, Stretch::nodes>;

/// From values at the nodes to coefficients of Chebyshev polynomials, and from these to powers.
struct Transforms {
  Matrix to_chebyshev{}, to_powers{};
  Transforms() {
    for (std::size_t k = 0; k <= degree; ++k) {
      for (std::size_t j = 0; j <= degree; ++j) {
        const double ends = (j == 0 || j == degree ? 0.5 : 1) * (k == 0 || k == degree ? 0.5 : 1);
        const double sign = k % 2 == 0 ? 1 : -1;  // nodes ascend
        const double angle = std::numbers::pi * static_cast<double>(j * k) / degree;
        to_chebyshev[k][j] = ends * sign * std::cos(angle) * 2 / degree;
      }
    }
    to_powers[0][0] = to_powers[1][1] = 1;  // to_powers[k]: of T_k
    for (std::size_t k = 2; k <= degree; ++k) {
      for (std::size_t i = 0; i < degree; ++i) to_powers[k][i + 1] = 2 * to_powers[k - 1][i];
      for (std::size_t i = 0; i <= degree; ++i) to_powers[k][i] -= to_powers[k - 2][i];
    }
  }
};

const Transforms& transforms() {
  static const Transforms made;
  return made;
}

/// Coefficients about another middle.
std::array<double, Stretch::nodes> shift(const double* coefficients, double middle) {
  std::array<double, Stretch::nodes> c;
  std::copy_n(coefficients, c.size(), c.begin());
  if (middle != 0) {
    for (std::size_t i = 0; i < degree; ++i)
      for (std::size_t j = degree; j-- > i;) c[j] += middle * c[j + 1];
  }
  return c;
}

double variation(const std::array<double, Stretch::nodes>& c, double radius) {
  double sum = 0;
  for (std::size_t k = degree; k > 0; --k) sum = (sum + std::abs(c[k])) * radius;
  return sum;
}

}  // namespace

double Stretch::node(std::size_t j, double left, double right) {
  if (j == 0) return left;
  if (j == degree) return right;
  return left + (right - left) * (0.5 - 0.5 * std::cos(std::numbers::pi * static_cast<double>(j) / degree));
}

void Stretch::fit() {
  const Transforms& transform = transforms();
  broken_ = false;
  exact_ = true;
  for (Terms& terms : terms_) {
    double chebyshev[nodes], largest = 0;
    for (double value : terms.value) {
      broken_ |= !std::isfinite(value);
      largest = std::max(largest, std::abs(value));
    }
    for (std::size_t k = 0; k < nodes; ++k) {
      chebyshev[k] = 0;
      for (std::size_t j = 0; j < nodes; ++j) chebyshev[k] += transform.to_chebyshev[k][j] * terms.value[j];
    }
    for (std::size_t i = 0; i < nodes; ++i) {
      terms.value[i] = 0;
      for (std::size_t k = 0; k < nodes; ++k) terms.value[i] += transform.to_powers[k][i] * chebyshev[k];
    }
    terms.left_out = std::abs(chebyshev[degree - 1]) + std::abs(chebyshev[degree]);
    terms.rounding = unit * largest;
    exact_ &= terms.left_out <= terms.rounding;
  }
}

Enclosure Stretch::over(std::size_t function, double middle, double radius) const {
  if (broken_) return {Bounds::whole(), Bounds::whole(), Bounds::whole()};
  const Terms& terms = terms_[function];
  const auto c = shift(terms.value, middle);
  const double off = terms.left_out + terms.rounding, change = variation(c, radius) + off;
  double bend = 0;
  for (std::size_t k = degree; k > 1; --k) bend = (bend + static_cast<double>(k) * std::abs(c[k])) * radius;
  bend += growth * off;
  return {{c[0] - off, c[0] + off}, {c[0] - change, c[0] + change}, {c[1] - bend, c[1] + bend}};
}

}  // namespace dalembert

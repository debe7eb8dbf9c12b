#pragma once
// Random matrices for the tests of linear algebra, and products by the definition.

#include <limits>
#include <random>
#include <vector>

namespace dalembert::testing_support {

using Numbers = std::vector<double>;

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : random_(seed) {}
  double number() { return normal_(random_); }
  Numbers numbers(std::size_t count) {
    Numbers result(count);
    for (double& value : result) value = number();
    return result;
  }
  /// B B^T + 1: definite, its condition of the order of the size.
  Numbers definite(std::size_t size) {
    const Numbers b = numbers(size * size);
    Numbers a(size * size, 0.0);
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j) {
        for (std::size_t k = 0; k < size; ++k) a[i * size + j] += b[i * size + k] * b[j * size + k];
        if (i == j) a[i * size + j] += 1;
      }
    return a;
  }

 private:
  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
};

/// A x, rows of `columns` numbers.
inline Numbers product(const Numbers& a, std::size_t columns, const Numbers& x) {
  Numbers result(columns == 0 ? 0 : a.size() / columns, 0.0);
  for (std::size_t r = 0; r < result.size(); ++r)
    for (std::size_t c = 0; c < columns; ++c) result[r] += a[r * columns + c] * x[c];
  return result;
}

inline double largest(const Numbers& values) {
  double result = 0;
  for (double value : values) result = std::max(result, std::abs(value));
  return result;
}

}  // namespace dalembert::testing_support

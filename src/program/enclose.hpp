#pragma once
// A program over a stretch of a way: not at one point, but bounds of what it gives along the whole stretch. Each value
// is a function of the way's parameter s; it is known by its value in the middle, its range, and the range of its
// derivative, and the three sharpen each other: f(s) is in f(middle) + f' (s - middle). Bounds come closer with the
// square of the stretch's length. (Interval arithmetic with automatic differentiation and mean-value forms: Moore,
// Kearfott and Cloud 2009, Introduction to Interval Analysis, 6.)

#include <dalembert/program/program.hpp>

#include "program/interval.hpp"

namespace dalembert {

struct Enclosure {
  Bounds middle, range, slope;
};

/// One thread's; allocates nothing after construction.
class Enclosing {
 public:
  Enclosing() = default;
  explicit Enclosing(Function function);

  std::size_t input_count() const { return function_.input_count(); }
  std::size_t output_count() const { return function_.output_count(); }
  void set_parameters(std::span<const double> parameters);
  /// To be set before run.
  std::span<Enclosure> inputs() { return {values_.data() + body().first_input(), body().input_count}; }
  /// Over the stretch of this half length.
  void run(double radius);
  const Enclosure& output(std::size_t k) const { return values_[body().results[k]]; }
  /// Whether some output reads an input.
  bool reads(std::size_t input) const { return reads_[input]; }

 private:
  const Section& body() const { return function_.program().body; }

  Function function_;
  std::vector<Enclosure> values_;
  std::vector<double> prologue_;
  std::vector<bool> reads_;
};

}  // namespace dalembert

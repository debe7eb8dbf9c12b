#pragma once
// A program with what its values amount to where nothing cancels: rounding in them is a few epsilon times that. The
// rules are those of `majorant` (expr.hpp), applied to the instructions that are run and not to the formulas they come
// from: there is no second program to make, which would be as large as the first.

#include <dalembert/program/program.hpp>

namespace dalembert {

/// One thread's; allocates nothing after construction.
class Sizing {
 public:
  explicit Sizing(Function function);

  void set_parameters(std::span<const double> parameters);
  /// The outputs' sizes at these inputs.
  void operator()(const double* inputs, double* sizes);

 private:
  struct Sized {
    double value, size;
  };
  static Sized number(double value);
  static Sized product(const Sized& a, const Sized& b);
  static Sized sum(const Sized& a, const Sized& b);
  static Sized negative(const Sized& a) { return {-a.value, a.size}; }
  static Sized quotient(const Sized& a, const Sized& b);
  static Sized extremum(const Sized& a, const Sized& b, double value);
  static Sized of_function(Opcode op, const Sized& a, const Sized& b, double value);
  static void call(Opcode op, const Sized& a, const Sized& b, Sized* result);
  static void run(const Section& section, Sized* values);

  const Program& program() const { return function_.program(); }

  Function function_;
  std::vector<Sized> prologue_, body_;
};

}  // namespace dalembert

#pragma once
// Expressions as a function of numbers: the compiled part, which threads share, and one thread's use of it.

#include <dalembert/program/program.hpp>

namespace dalembert {

/// Compiled once; empty where there is nothing to compute.
class Kernel {
 public:
  Kernel() = default;
  Kernel(std::span<const Expr> inputs, std::span<const Expr> parameters, std::span<const Expr> outputs) {
    if (outputs.empty()) return;
    *this = Kernel(make_program(inputs, parameters, outputs));
  }
  explicit Kernel(Program program)
      : function_(compile(std::move(program), {.native = true, .scalar = true, .lanes = false})) {}

  explicit operator bool() const { return static_cast<bool>(function_); }
  const Function& function() const { return function_; }
  std::size_t input_count() const { return function_ ? function_.input_count() : 0; }
  std::size_t output_count() const { return function_ ? function_.output_count() : 0; }

 private:
  Function function_;
};

/// A kernel with one thread's parameters and scratch.
class BoundKernel {
 public:
  BoundKernel() = default;
  explicit BoundKernel(const Kernel& kernel) : function_(kernel.function()) {
    if (!function_) return;
    scratch_ = function_.make_scratch();
    input_count_ = function_.input_count();
    output_count_ = function_.output_count();
  }

  explicit operator bool() const { return static_cast<bool>(function_); }
  std::size_t output_count() const { return output_count_; }
  std::size_t instruction_count() const { return function_ ? function_.program().body.code.size() : 0; }
  /// Takes as many as the kernel has.
  void set_parameters(std::span<const double> values) {
    if (function_) function_.set_parameters(scratch_, values.first(function_.parameter_count()));
  }
  void operator()(const double* inputs, double* outputs) {
    if (function_) function_.evaluate(scratch_, {inputs, input_count_}, {outputs, output_count_});
  }

 private:
  Function function_;
  Scratch scratch_;
  std::size_t input_count_ = 0, output_count_ = 0;
};

}  // namespace dalembert

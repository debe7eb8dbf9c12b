#pragma once
// Expressions as a function of numbers, with the scratch that it needs.

#include <dalembert/program/program.hpp>

namespace dalembert {

class Kernel {
 public:
  Kernel() = default;
  Kernel(std::span<const Expr> inputs, std::span<const Expr> parameters, std::span<const double> values,
         std::span<const Expr> outputs)
      : function_(compile(make_program(inputs, parameters, outputs), {.native = true, .scalar = true, .lanes = false})),
        scratch_(function_.make_scratch()) {
    function_.set_parameters(scratch_, values);
  }

  explicit operator bool() const { return static_cast<bool>(function_); }
  void set_parameters(std::span<const double> values) { function_.set_parameters(scratch_, values); }
  void operator()(const double* inputs, double* outputs) {
    function_.evaluate(scratch_, {inputs, function_.input_count()}, {outputs, function_.output_count()});
  }
  std::size_t output_count() const { return function_.output_count(); }
  std::size_t instruction_count() const { return function_.program().instruction_count(); }

 private:
  Function function_;
  Scratch scratch_;
};

}  // namespace dalembert

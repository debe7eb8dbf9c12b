#pragma once
// Expressions as a function of numbers, with the workspace that it needs.

#include <dalembert/program/program.hpp>

namespace dalembert {

class Kernel {
 public:
  Kernel() = default;
  Kernel(std::span<const Expr> inputs, std::span<const Expr> parameters, std::span<const double> values,
         std::span<const Expr> outputs)
      : function_(compile(make_program(inputs, parameters, outputs), {.native = true, .scalar = true, .lanes = false})),
        workspace_(function_.make_workspace()) {
    function_.set_parameters(workspace_, values);
  }

  explicit operator bool() const { return static_cast<bool>(function_); }
  void set_parameters(std::span<const double> values) { function_.set_parameters(workspace_, values); }
  void operator()(const double* inputs, double* outputs) { function_.evaluate(workspace_, inputs, outputs); }
  std::size_t output_count() const { return function_.output_count(); }
  std::size_t instruction_count() const { return function_.program().instruction_count(); }

 private:
  Function function_;
  Workspace workspace_;
};

}  // namespace dalembert

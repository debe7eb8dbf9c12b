#pragma once
// The functions that formulas always know.

#include <dalembert/expr/formula.hpp>
#include <span>

namespace dalembert {

std::vector<std::string> builtin_functions();

/// Applies the built-in function of the call node; number and kinds of the arguments are checked.
Quantity call_function(const Formula& formula, std::uint32_t call, Graph& graph, std::span<const Quantity> arguments);

}  // namespace dalembert

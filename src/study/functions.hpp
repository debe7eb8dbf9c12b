#pragma once
// The functions of formulas for tracked numbers and jets, and evaluation of expressions in them.

#include <dalembert/expr/expr.hpp>
#include <span>
#include <unordered_map>
#include <vector>

#include "study/numbers.hpp"

namespace dalembert {

template <class Number>
using Values = std::unordered_map<NodeId, Number>;  ///< of the symbols

/// Symbols without a value are NaN.
std::vector<Tracked> evaluate_tracked(std::span<const Expr> expressions, const Values<Tracked>& values);
std::vector<Jet> evaluate_jets(std::span<const Expr> expressions, const Values<Jet>& values);

}  // namespace dalembert

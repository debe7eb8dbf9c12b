#pragma once
// What a formula is: its canonical form, and whether it is zero.

#include <dalembert/expr/formula.hpp>
#include <optional>
#include <string>

namespace dalembert {

struct FormulaReport {
  std::string text;  ///< the canonical form
  std::string latex;
  std::optional<bool> zero;  ///< nothing where it was not decided
  std::string evidence;      ///< of its being zero or not
};

/// A vector is zero if all its components are, and nonzero if one is.
FormulaReport judge_formula(const Quantity& value);
/// A formula's value in a scope; of an equation left minus right. Throws FormulaError.
Quantity read_difference(const std::string& text, const Scope& scope);

}  // namespace dalembert

#pragma once
// Expressions as text. What people read in simplified form is display.hpp; here expressions stand as the graph has
// them.

#include <dalembert/expr.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

/// A shared graph may be exponentially long when written out: longer texts are refused with an InputError.
struct PrintLimits {
  std::size_t characters = 1'000'000;
};

/// The notation of formulas. parse_expression of it in the same graph gives the same node, provided that the names of
/// its symbols are names of formulas, not reserved ones.
std::string to_text(Expr expression, const PrintLimits& limits = {});

}  // namespace dalembert

#pragma once
// Values with proof: ranges that the exact values of formulas lie in, whatever the symbols are within theirs.

#include <cmath>
#include <dalembert/expr/expr.hpp>
#include <limits>

namespace dalembert {

/// All numbers at most `radius` from `middle`; the whole line where the radius is infinite.
struct Range {
  double middle = 0, radius = std::numeric_limits<double>::infinity();

  double size() const { return std::fabs(middle) + radius; }  ///< but for rounding, of the largest
  bool excludes_zero() const { return std::fabs(middle) > radius; }
};

/// A symbol whose value is within a radius of that of a formula without symbols.
struct Around {
  Expr symbol, value;
  double radius = 0;
};

/// One range a formula; whole lines where one of them is not defined everywhere in the box, or all would take more work
/// (in the units of work.hpp) than this.
std::vector<Range> enclose(std::span<const Expr> formulas, std::span<const Around> box, double work = 1e9);

}  // namespace dalembert

#pragma once
// Formulas as text within an allowance of work, and reactions as functions of position.

#include <dalembert/expr/display.hpp>
#include <dalembert/expr/work.hpp>
#include <dalembert/mechanics/position.hpp>
#include <dalembert/study/reactions.hpp>
#include <limits>
#include <map>

namespace dalembert {

/// To solve for a reaction, and to write one formula: whatever is short in the end is found with less.
inline constexpr double work_to_solve = 5e6, work_to_write = 3e6;
/// Characters of a formula, three lines: beyond that nobody reads.
inline constexpr std::size_t longest_formula = 480;

/// Readable text within what is left of the work; empty where that is not to be had.
class Writer {
 public:
  explicit Writer(double work) : work_(work) {}
  std::string operator()(Expr expression);
  /// The same before it is written out.
  std::optional<Shown> show(Expr expression);

 private:
  Work work_;
};

/// Formulas of one kind: after some that could not be made short, none is worth trying that is as large as the least of
/// them.
class Tries {
 public:
  bool is_worth(Expr formula) const { return failures_ < most_failures || count_written(formula) < least_; }
  void fail(Expr formula);

 private:
  static constexpr int most_failures = 3;
  int failures_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
};

/// Formulas in place of names, as they are.
using ShownNames = std::map<std::string, Shown>;
Shown put_in(Shown shown, const ShownNames& names);

/// Simplified with so much work, or as it is; empty where either is longer than three lines.
std::string write_if_short(Expr formula, double work);

/// Of quantities in t, q, q' (accelerations and multipliers put in before).
class PositionWriter {
 public:
  /// Constants of integrals are those of the model's initial values, at time t.
  PositionWriter(const Model& model, const Equations& equations, double work, double t = 0);
  PositionText operator()(Expr quantity);

 private:
  void add_range(const OfPosition& found, PositionText& text) const;
  std::string fix_constants(Shown general, const OfPosition& found);

  const Model& model_;
  double t_;
  Writer write_;
  RateElimination elimination_;
  std::optional<RateSquared> square_;
  std::vector<Binding> parameters_;
};

/// The range around `start` in which `square` is not negative, and the largest size of `value` there. Empty where no
/// end is found and nothing is periodic.
std::optional<OverRange> find_over_range(Expr square, Expr value, Expr coordinate, double start,
                                         const std::vector<Binding>& parameters);

}  // namespace dalembert

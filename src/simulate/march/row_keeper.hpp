#pragma once
// The rows that carry multipliers along the march, where some depend on others (numerics 2): chosen again where those
// kept come near dependence or one that was dropped stops depending. A step to where a dropped one is violated is not
// taken.

#include <optional>

#include "simulate/march/course.hpp"
#include "simulate/system/start.hpp"

namespace dalembert {

class RowKeeper {
 public:
  RowKeeper(Course& course, double tolerance);

  /// At the knot: the rows to go on with, where they are others. `pivot`: of the rows kept, now and when they were
  /// chosen.
  std::shared_ptr<const Selection> watch(double pivot, double reference);
  /// A dropped row that the state at a time violates; in quasi-velocities, one of those that equations leave out.
  struct Violated {
    std::string row;
    double t, off;
  };
  std::optional<Violated> find_violated(double t, const double* y);

 private:
  bool comes_back();
  std::optional<Violated> find_violated(SystemEvaluator& evaluator, std::span<const Index> rows, double t,
                                        const double* y, std::span<const double> magnitudes) const;

  Course& course_;
  double tolerance_;
  std::optional<InRates> in_rates_;  // of equations in quasi-velocities that leave dependent constraints out
  std::vector<double> columns_;
};

}  // namespace dalembert

#pragma once
// The rows that carry multipliers along the march, where some depend on others (numerics 2): chosen again where those
// kept come near dependence or one that was dropped stops depending; a dropped one that the motion violates ends it.

#include <optional>

#include "simulate/march/ending.hpp"

namespace dalembert {

class RowKeeper {
 public:
  RowKeeper(Course& course, double tolerance);

  /// What a look at the knot led to.
  struct Look {
    std::shared_ptr<const Selection> selection;  ///< to go on with, where it is another one
    std::optional<Ending> ending;
  };
  /// `pivot`: of the rows kept, now and when they were chosen.
  Look watch(double pivot, double reference);

 private:
  bool comes_back();
  std::optional<Ending> find_violated();

  Course& course_;
  double tolerance_;
  std::vector<double> columns_;
};

}  // namespace dalembert

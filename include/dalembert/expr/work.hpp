#pragma once
// Work that is counted, never timed: the same input is given up at the same place on every machine and under any load.

#include <algorithm>

namespace dalembert {

/// An allowance of work for several tasks, one after the other. One unit is about 10 ns of one core: 1e8 are a second's
/// worth, however long they take. What is counted are terms multiplied, divided, factored and arranged, nodes walked,
/// and words of enclosures (src/expr/canonical/cost.hpp).
class Work {
 public:
  constexpr explicit Work(double units) : left_(units) {}
  constexpr double left() const { return left_; }
  constexpr bool is_used_up() const { return left_ <= 0; }
  constexpr void spend(double units) { left_ = std::max(0.0, left_ - units); }

 private:
  double left_;
};

}  // namespace dalembert

#pragma once
// The limits of one task, and the work that it has done so far.

#include <dalembert/expr/canonical.hpp>
#include <string>

namespace dalembert::canonical {

/// The limits stop the work.
struct TooLarge {
  std::string what;
};

class Budget {
 public:
  explicit Budget(const CanonicalLimits& limits);
  const CanonicalLimits& limits() const { return limits_; }
  double spent() const { return spent_; }
  double left() const { return limits_.work - spent_; }
  /// Before the work is done: throws TooLarge where that much is not left, and then counts nothing.
  void charge(double units);
  void check_terms(double count) const;

 private:
  CanonicalLimits limits_;
  double spent_ = 0;  // whole units, so that sums are exact
};

}  // namespace dalembert::canonical

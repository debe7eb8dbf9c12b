#include "expr/canonical/budget.hpp"

#include <flint/flint.h>

#include <cmath>
#include <dalembert/base/work_limit.hpp>

#include "base/thread_value.hpp"

namespace dalembert::canonical {
namespace {

/// FLINT and Arb keep what they have freed for their thread, which has to give it back when it ends.
void give_back_at_end() {
  static const ThreadValue memory([](void*) { flint_cleanup(); });
  if (memory.get() == nullptr) memory.set(const_cast<ThreadValue*>(&memory));
}

}  // namespace

Budget::Budget(const CanonicalLimits& limits) : limits_(limits) {
  // All work with FLINT is within a budget, so that a thread comes by here before it has anything to give back.
  give_back_at_end();
}

void Budget::charge(double units) {
  const double after = spent_ + std::ceil(units);
  if (!(after <= limits_.work)) throw TooLarge{"the work allowed is used up"};
  spend_work(after - spent_);
  spent_ = after;
}

void Budget::check_terms(double count) const {
  if (count > static_cast<double>(limits_.terms)) throw TooLarge{"a polynomial would have too many terms"};
}

}  // namespace dalembert::canonical

#include "expr/canonical/budget.hpp"

#include <cmath>

namespace dalembert::canonical {

void Budget::charge(double units) {
  const double after = spent_ + std::ceil(units);
  if (!(after <= limits_.work)) throw TooLarge{"the work allowed is used up"};
  spent_ = after;
}

void Budget::check_terms(double count) const {
  if (count > static_cast<double>(limits_.terms)) throw TooLarge{"a polynomial would have too many terms"};
}

}  // namespace dalembert::canonical

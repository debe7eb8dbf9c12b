#include <algorithm>
#include <dalembert/base/work_limit.hpp>
#include <limits>

namespace dalembert {

constinit thread_local double detail::work_left = std::numeric_limits<double>::infinity();

void detail::refuse_work() { throw LimitError("the work allowed is used up"); }

WorkLimit::WorkLimit(double units) : units_(units), outer_(detail::work_left) {
  detail::work_left = std::min(units, outer_);
}

WorkLimit::~WorkLimit() { detail::work_left = outer_ - (std::min(units_, outer_) - detail::work_left); }

}  // namespace dalembert

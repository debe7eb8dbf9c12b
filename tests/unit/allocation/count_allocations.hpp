#pragma once

#include <cstddef>

namespace dalembert::testing_support {

/// How often this program's own code has asked for memory so far: by new, and by malloc and its like (Eigen's way).
std::size_t count_allocations();

}  // namespace dalembert::testing_support

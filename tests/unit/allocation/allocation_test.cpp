// No allocation inside the march after the first step. A program of its own, since it counts every call for memory.

#include <gtest/gtest.h>

#include <dalembert/model/description.hpp>
#include <dalembert/simulate/system.hpp>

#include "unit/allocation/count_allocations.hpp"

namespace dalembert {
namespace {

using testing_support::count_allocations;

class Allocation : public testing::TestWithParam<std::string> {};

// The march tells of its progress every 64 steps: what it allocates in between shows from one call to the next.
TEST_P(Allocation, NoneBetweenTheFirstStepsAndTheLast) {
  const System system(derive_multipliers(load_model("models:" + GetParam())));
  SimulateOptions options;
  options.until = 50;
  options.every = 0.01;
  options.tolerance = 1e-10;
  std::vector<std::size_t> counts;
  counts.reserve(100000);
  options.progress = [&](double) { counts.push_back(count_allocations()); };
  const std::size_t before = count_allocations();
  const Trajectory run = system.simulate(options);
  ASSERT_TRUE(run) << run.brief();
  ASSERT_GE(counts.size(), 3u) << "the run is too short to see anything";
  ASSERT_GT(counts.front(), before) << "allocations are not counted";
  for (std::size_t k = 1; k < counts.size(); ++k)
    ASSERT_EQ(counts[k] - counts[k - 1], 0u) << "between steps " << 64 * k << " and " << 64 * (k + 1);
}

INSTANTIATE_TEST_SUITE_P(Models, Allocation,
                         testing::Values("rolling_disk_tilted", "double_pendulum", "spherical_pendulum"),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace dalembert

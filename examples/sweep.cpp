// How the swing of a pendulum's bob depends on its rod: a sweep in memory.
#include <fmt/core.h>

#include <dalembert/dalembert.hpp>

using namespace dalembert;

int main() {
  Sweep sweep;
  sweep.axes = {{"l", {0.5, 1, 2}}};
  sweep.keep = {{"fastest", "max(abs(theta'))"}};
  sweep.until = 2;
  const SweepResult result = run_sweep(read_description(find_model("models:pendulum")), sweep);
  const SweepTable& runs = result["runs"];
  for (std::size_t k = 0; k < runs.size(); ++k)
    fmt::print("l = {}: {:.6f} rad/s\n", runs.column("l")[k], runs.column("fastest")[k]);
}

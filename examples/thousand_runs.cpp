// One compiled system, a thousand values of a parameter, all cores: how far a rolling disk leans by the radius it has.
// A system is shared; a workspace is a thread's own. A run depends on its parameters alone, not on what the workspace
// did before nor on the threads beside it: the results are those of one thread, to the last bit.
#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <dalembert/dalembert.hpp>
#include <optional>
#include <thread>
#include <vector>

using namespace dalembert;

namespace {

constexpr std::size_t count = 1000;

double radius(std::size_t k) { return 0.2 + 0.2 * static_cast<double>(k) / (count - 1); }

/// The largest lean of the disk with this radius, over two seconds; none where the run does not reach its end.
std::optional<double> largest_lean(const System& disk, Workspace& workspace, double r) {
  const Trajectory run = disk.simulate(workspace, {.until = 2, .every = 0.01, .parameters = {{"r", r}}});
  if (!run) return std::nullopt;
  double largest = 0;
  for (double theta : run["theta"]) largest = std::max(largest, std::abs(theta));
  return largest;
}

/// Each thread takes the next value that nobody has taken; a result goes to its own place, so that their order is that
/// of the values.
std::vector<std::optional<double>> run_all(const System& disk, unsigned threads) {
  std::vector<std::optional<double>> leans(count);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    Workspace workspace = disk.make_workspace();
    for (std::size_t k = next++; k < count; k = next++) leans[k] = largest_lean(disk, workspace, radius(k));
  };
  std::vector<std::jthread> team;
  for (unsigned i = 0; i < threads; ++i) team.emplace_back(work);
  team.clear();  // waits for them
  return leans;
}

}  // namespace

int main() {
  const System disk(derive_multipliers(load_model("models:rolling_disk_tilted")));
  const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<std::optional<double>> leans = run_all(disk, threads);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;

  if (!std::all_of(leans.begin(), leans.end(), [](const auto& lean) { return lean.has_value(); }))
    return fmt::print("a run did not reach its end\n"), 1;
  fmt::print("{:>6} {:>14}\n", "r", "largest lean");
  for (std::size_t k = 0; k < count; k += 111) fmt::print("{:6.3f} {:14.9f}\n", radius(k), *leans[k]);
  fmt::print("{} runs on {} threads: {:.0f} ms\n", count, threads, took.count());

  // The same by one thread in another order, each in a workspace of its own.
  for (std::size_t k = count - 1; k > 37; k -= 37) {
    Workspace workspace = disk.make_workspace();
    if (largest_lean(disk, workspace, radius(k)) != leans[k])
      return fmt::print("r = {}: another result\n", radius(k)), 1;
  }
  fmt::print("alone each gives the same bits\n");
}

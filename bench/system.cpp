// What a compiled system saves: a second run of the leaning disk with other parameters against load, derivation,
// compilation and the first run. Exit status 1 if a figure is over its limit.

#include <dalembert/dalembert.hpp>

#include "measure.hpp"

using namespace dalembert;
using namespace dalembert::bench;

namespace {

constexpr const char* name = "models:rolling_disk_tilted";

/// The run of a sweep: what it is asked for is where it ends.
Trajectory run(const System& system, Workspace& workspace, double mass, double until = 2) {
  return system.simulate(workspace, {.until = until, .every = until, .parameters = {{"m", mass}}});
}

void require(bool finished) {
  if (finished) return;
  fmt::print("a run did not reach its end\n");
  all_within = false;
}

}  // namespace

int main() {
  const double whole = seconds(
      [] {
        const System system(derive_multipliers(load_model(name)));
        Workspace workspace = system.make_workspace();
        require(static_cast<bool>(run(system, workspace, 3)));
      },
      2);

  const System system(derive_multipliers(load_model(name)));
  Workspace workspace = system.make_workspace();
  double mass = 2;
  const auto next = [&] { return mass = mass < 3 ? mass + 1e-3 : 2; };
  const double again = seconds([&] { require(static_cast<bool>(run(system, workspace, next()))); }, 1);
  const double set = seconds([&] { system.set_parameters(workspace, {{"m", next()}}); });
  const double begun = seconds([&] { require(static_cast<bool>(run(system, workspace, next(), 1e-6))); });
  fmt::print(
      "the leaning disk until 2: load, derive, compile and run {:.3f} ms; another run {:.3f} ms in {} steps, {:.3f} ms "
      "of "
      "it before the first step's end\n",
      1e3 * whole, 1e3 * again, run(system, workspace, 3).statistics.steps, 1e3 * begun);
  report("another run with other parameters / load + derive + compile + run", again / whole, 1.0 / 20, "");
  report("setting parameters", 1e6 * set, 50, "us");
  return all_within ? 0 : 1;
}

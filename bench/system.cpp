// What a compiled system saves: a second run of the leaning disk with other parameters against load, derivation,
// compilation and the first run. What ten seconds of a motion cost. Exit status 1 if a figure is over its limit.

#include <dalembert/dalembert.hpp>

#include "measure.hpp"

using namespace dalembert;
using namespace dalembert::bench;

namespace {

constexpr const char* name = "models:rolling_disk_tilted";

/// The run of a sweep: what it is asked for is where it ends.
Trajectory run(const System& system, Workspace& workspace, double mass, double until) {
  return system.simulate(workspace, {.until = until, .every = until, .parameters = {{"m", mass}}});
}

void require(bool finished) {
  if (finished) return;
  fmt::print("a run did not reach its end\n");
  all_within = false;
}

/// Load, derivation, compilation and the first run, against another run with other parameters.
struct Compared {
  double whole, again;  // seconds
  std::size_t steps;
};

Compared compare(double until) {
  Compared result;
  result.whole = seconds(
      [until] {
        const System system(derive_multipliers(load_model(name)));
        Workspace workspace = system.make_workspace();
        require(static_cast<bool>(run(system, workspace, 3, until)));
      },
      2);
  const System system(derive_multipliers(load_model(name)));
  Workspace workspace = system.make_workspace();
  double mass = 2;
  result.again =
      seconds([&] { require(static_cast<bool>(run(system, workspace, mass = mass < 3 ? mass + 1e-3 : 2, until))); }, 1);
  result.steps = run(system, workspace, 3, until).statistics.steps;
  return result;
}

/// Ten seconds at 1e-9, with a row at the end and with a thousand of them.
void report_motion(const char* model, double limit) {
  const System system(derive_multipliers(load_model(model)));
  Workspace workspace = system.make_workspace();
  constexpr double until = 10;
  for (const double every : {until, until / 1000}) {
    const SimulateOptions options{.until = until, .every = every, .tolerance = 1e-9};
    const double took = seconds([&] { require(static_cast<bool>(system.simulate(workspace, options))); });
    report(fmt::format("{}, 10 s at 1e-9, {} rows", model, until / every), 1e3 * took, limit, "ms");
  }
}

}  // namespace

// A long run costs its steps, whatever came before: the limit is for one that is short enough for the rest to count.
int main() {
  constexpr double brief = 0.2;
  for (double until : {2.0, brief}) {
    const Compared compared = compare(until);
    fmt::print(
        "the leaning disk until {}: load, derive, compile and run {:.3f} ms; another run {:.3f} ms in {} steps\n",
        until, 1e3 * compared.whole, 1e3 * compared.again, compared.steps);
    if (until == brief)
      report("another run with other parameters / load + derive + compile + run", compared.again / compared.whole,
             1.0 / 20, "");
  }
  const System system(derive_multipliers(load_model(name)));
  Workspace workspace = system.make_workspace();
  double mass = 2;
  const double set = seconds([&] { system.set_parameters(workspace, {{"m", mass += 1e-6}}); });
  report("setting parameters", 1e6 * set, 50, "us");
  report_motion("models:iftomm_A02_fourbar", 10);
  report_motion(name, 5);
  return all_within ? 0 : 1;
}

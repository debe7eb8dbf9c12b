// Right-hand sides by Hamel's equations beside those by multipliers, as a motion asks for them: instructions, and time.
// Exit status 1 if a figure is over its limit.

#include <dalembert/mechanics/hamel.hpp>
#include <stdexcept>

#include "prepared.hpp"

using namespace dalembert;

namespace {

/// The same accelerations of the model's coordinates.
void expect_same_motion(bench::Prepared& hamel, const std::vector<double>& expected) {
  const Equations& equations = hamel.system->equations();
  std::vector<Binding> at =
      bind_symbols(equations, hamel.evaluator.initial_state({}), parameter_values(hamel.system->model()));
  const std::vector<double> u = hamel.accelerations();
  for (std::size_t i = 0; i < u.size(); ++i) at.push_back({equations.accelerations[i], u[i]});
  if (!(bench::largest_difference(evaluate(equations.model_accelerations, at), expected) <= 1e-9))
    throw std::runtime_error("the motions differ");
}

void compare(const std::string& name, double limit, double microseconds) {
  const Model model = load_model(find_model("models:" + name));
  Equations equations;
  const double deriving = bench::seconds_once([&] { equations = derive_hamel_motion(model).equations; });
  bench::Prepared multipliers(model), hamel(equations);
  multipliers.ask();
  hamel.ask();
  expect_same_motion(hamel, multipliers.accelerations());
  const std::vector<double> times = bench::measure_in_turn({[&] { multipliers.ask(); }, [&] { hamel.ask(); }});
  const auto count = [](const bench::Prepared& each) {
    return static_cast<double>(each.derivative->instruction_count());
  };
  fmt::print(
      "{}: {:.0f} instructions by multipliers, {:.0f} by Hamel with the coordinates' rates; {:.1f} and {:.1f} ns\n",
      name, count(multipliers), count(hamel), 1e9 * times[0], 1e9 * times[1]);
  bench::report(name + ": instructions, Hamel / multipliers", count(hamel) / count(multipliers), limit, "");
  bench::report(name + ": Hamel's equations, once", deriving, 1, "s");
  bench::report(name + ": accelerations and rates by Hamel", 1e6 * times[1], microseconds, "us");
}

}  // namespace

int main() {
  compare("rolling_disk_tilted", 1, 0.2);
  compare("chaplygin_sleigh_offset", 1, 0.1);
  compare("whipple_bicycle", 2.5, 0.8);
  return bench::all_within ? 0 : 1;
}

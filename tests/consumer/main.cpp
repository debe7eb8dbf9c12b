// What a user's own project does: includes everything, links dalembert::dalembert, differentiates, finds a bundled
// model where the package lies, and does what examples/compiled_system.cpp does.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <dalembert/dalembert.hpp>
#include <span>

using namespace dalembert;

int main() {
  Graph graph;
  const Expr x = graph.symbol("x");
  if (derivative(pow(x, 3), x) != 3 * pow(x, 2)) return std::puts("wrong derivative"), 1;

  const Model pendulum = load_model("models:pendulum", {{"l", "2"}});
  if (parameter_values(pendulum).at(1) != 2) return std::puts("wrong length"), 1;
  std::printf("the installed package differentiates, and loads %s\n", find_model("models:pendulum").c_str());

  const System disk(derive_multipliers(load_model("models:rolling_disk_tilted")));
  const Trajectory run = disk.simulate({.until = 2, .parameters = {{"m", 3}}});
  std::puts(run.brief().c_str());
  if (!run) return 1;
  // Friction is proportional to the mass: half as much again as for the 2 kg of the model.
  const Trajectory light = disk.simulate({.until = 2});
  const std::span<const double> heavy = run["reaction(along)"], usual = light["reaction(along)"];
  const auto size = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const double largest = *std::max_element(heavy.begin(), heavy.end(), size);
  const double expected = 1.5 * *std::max_element(usual.begin(), usual.end(), size);
  std::printf("the largest friction along the heading: %.6f N\n", largest);
  return std::abs(largest - expected) <= 1e-8 * std::abs(expected) ? 0 : 1;
}

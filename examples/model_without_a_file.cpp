// A model built in C++ instead of read from a file: a wheel of beads that slides on a rod and hangs by a spring. Names
// and formulas are texts as in a file, numbers are numbers; what repeats is a loop.
#include <fmt/core.h>

#include <cmath>
#include <dalembert/dalembert.hpp>
#include <numbers>
#include <string>

using namespace dalembert;

namespace {

/// Beads of growing masses on spokes of length 0.3 about a hub, which a constraint keeps on the vertical rod x = 0.
Description make_wheel(int beads) {
  Description wheel("Wheel of beads");
  wheel.gravity = {0, 0, "-g"};
  wheel.parameter("g", 9.81).parameter("k", 40);
  wheel.coordinate("x").coordinate("z", {.value = 0.1}).coordinate("turn", {.rate = 3});
  wheel.frame("hub", {.origin = {"x", 0, "z"}, .rotate = {{"y", "turn"}}});
  for (int i = 1; i <= beads; ++i) {
    const double angle = 2 * std::numbers::pi * i / beads;
    const VectorText place{0.3 * std::cos(angle), 0, 0.3 * std::sin(angle)};
    wheel.point(fmt::format("bead{}", i), {.frame = "hub", .position = place, .mass = 0.1 * i});
  }
  wheel.force("z", "-k*z");
  wheel.constraint("rod", "x = 0");
  wheel.output("height", "position(bead1).z");
  wheel.simulate.until = 2;
  return wheel;
}

}  // namespace

int main() {
  const Model model = make_model(make_wheel(3));
  const System wheel(derive_multipliers(model));
  fmt::print("{}: {} points, {} coordinates, {} constraint\n", model.name, model.points.size(),
             model.coordinates.size(), model.constraints.size());

  const Trajectory run = wheel.simulate({.every = 0.5});
  fmt::print("{}\n", run.brief());
  if (!run) return 1;
  const auto t = run["t"], height = run["height"], rod = run["reaction(rod)"];
  fmt::print("{:>5} {:>12} {:>14}\n", "t", "height", "reaction(rod)");
  for (std::size_t i = 0; i < t.size(); ++i) fmt::print("{:5.2f} {:12.8f} {:14.8f}\n", t[i], height[i], rod[i]);
}

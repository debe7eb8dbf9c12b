// A system derived and compiled once, then run with other values of its parameters: the leaning disk of three
// kilograms.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <dalembert/dalembert.hpp>
#include <span>

using namespace dalembert;

int main() {
  // A value: immutable, cheap to copy, shared by any number of threads.
  const System disk(derive_multipliers(load_model("models:rolling_disk_tilted")));

  // What is not given is as the model has it. Nothing is derived or compiled again for another m.
  const Trajectory run = disk.simulate({.until = 2, .parameters = {{"m", 3}}});
  fmt::print("{}\n", run.brief());
  if (!run) return 1;

  // A column is one contiguous buffer, a number a row.
  const std::span<const double> along = run["reaction(along)"], t = run["t"];
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  const auto largest = std::max_element(along.begin(), along.end(), smaller);
  fmt::print("the largest friction along the heading: {:.6f} N at t = {:.2f} s\n", *largest,
             t[static_cast<std::size_t>(largest - along.begin())]);
}

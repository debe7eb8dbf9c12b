#pragma once
// Models and a fixture for tests of starts.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder.hpp"
#include "support/motion_table.hpp"

namespace dalembert::testing_support {

class Starts : public FolderTest {
 protected:
  CommandResult run(const std::string& command, const std::string& model, std::vector<std::string> more = {}) const {
    write("model.toml", model);
    std::vector<std::string> arguments{command, "model.toml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_command(arguments, {.folder = folder.string()});
  }
  /// The first row of the motion, by column.
  double first(const CommandResult& result, const std::string& column) const {
    const Table table = read_csv(result.out);
    return table.rows.at(0).at(table.index(column));
  }
};

/// Crank, rod and piston; `coordinates` says what is known of the start.
inline std::string slider_crank(const std::string& coordinates, const std::string& more = "") {
  return R"toml(
[parameters]
r = 0.1
l = 0.3
[coordinates]
)toml" + coordinates +
         R"toml(
[frames.crank]
rotate = [["z", "crank"]]
[frames.rod]
origin = ["r*cos(crank)", "r*sin(crank)", 0]
rotate = [["z", "-rod"]]
[points.pin]
frame = "rod"
position = ["l", 0, 0]
[points.piston]
position = ["s", 0, 0]
mass = 0.8
[bodies.crank]
frame = "crank"
mass = 1
inertia = [0, 0, 0.02]
[bodies.rod]
frame = "rod"
centre = ["l/3", 0, 0]
mass = 0.5
inertia = [0, 0, 0.004]
[constraints]
pin_x = "position(pin).x = position(piston).x"
pin_y = "position(pin).y = position(piston).y"
[simulate]
until = 0.1
every = 0.1
)toml" + more;
}
inline const std::string one_angle = "crank = { value = 0.5, rate = 20 }\nrod = { guess = 0.1 }\ns = { guess = 0.3 }\n";

/// A point on a circle, off it; the commands differ in what they need.
inline const std::string off_circle = R"toml(
gravity = [0, -9.81, 0]
[coordinates]
x = { value = 0.6, rate = 0.4 }
y = { value = -0.7, rate = 0 }
[points.P]
position = ["x", "y", 0]
mass = 1
[constraints]
rod = "x^2 + y^2 = 1"
[simulate]
until = 0.2
every = 0.1
)toml";

/// A point at x = 0 and z that two constraints hold; it weighs `mass`.
inline std::string held_point(double z, double mass, const std::string& first, const std::string& second) {
  return fmt::format(R"toml(
gravity = [0, 0, -9.81]
[coordinates]
x = 0
z = {}
[points.P]
position = ["x", 0, "z"]
mass = {}
[constraints]
a = "{}"
b = "{}"
[simulate]
until = 1
every = 0.5
)toml",
                     z, mass, first, second);
}

/// Chaplygin's sleigh, its centre `ahead` of the blade; `coordinates` says what is known of the start.
inline std::string sleigh(const std::string& coordinates, double ahead) {
  return fmt::format(R"toml(
[coordinates]
{}
[frames.s]
origin = ["x", "y", 0]
rotate = [["z", "theta"]]
[bodies.s]
frame = "s"
centre = [{}, 0, 0]
mass = 1
inertia = [0, 0, 0.2]
[constraints]
blade = "-sin(theta)*x' + cos(theta)*y' = 0"
[simulate]
until = 0.1
every = 0.5
)toml",
                     coordinates, ahead);
}

}  // namespace dalembert::testing_support

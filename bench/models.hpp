#pragma once
// Families of mechanisms as model files, of any size: what benchmarks here and against other engines are run on.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>

namespace dalembert::bench {

/// n equal uniform rods in a vertical plane, each hinged to the one before; q{k}: the angle between them.
inline std::string chain_in_relative_angles(int links) {
  return fmt::format(R"toml(name = "Chain in relative angles"
gravity = [0, -9.81, 0]
[repeat]
k = "1..N"
[parameters]
N = {}
m = 1
l = 0.2
[coordinates]
"q{{k}}" = {{ value = "0.3*sin({{k}})", rate = "0.5*cos(3*{{k}})" }}
[frames.link0]
origin = ["-l", 0, 0]
[frames."link{{k}}"]
parent = "link{{k-1}}"
origin = ["l", 0, 0]
rotate = [["z", "q{{k}}"]]
[bodies."link{{k}}"]
frame = "link{{k}}"
centre = ["l/2", 0, 0]
mass = "m"
inertia = [0, 0, "m*l^2/12"]
[simulate]
until = 1
)toml",
                     links);
}

/// The same rods by the angles between them and the horizontal; each frame stands where the rod before ends.
inline std::string chain_in_absolute_angles(int links) {
  return fmt::format(R"toml(name = "Chain in absolute angles"
gravity = [0, -9.81, 0]
[repeat]
k = "1..N"
[parameters]
N = {}
m = 1
l = 0.2
[definitions]
q0 = "0"
[coordinates]
"q{{k}}" = {{ value = "0.3*sin({{k}})", rate = "0.5*cos(3*{{k}})" }}
[frames.link0]
origin = ["-l", 0, 0]
[frames."link{{k}}"]
parent = "link{{k-1}}"
origin = ["l", 0, 0]
rotate = [["z", "q{{k}} - q{{k-1}}"]]
[bodies."link{{k}}"]
frame = "link{{k}}"
centre = ["l/2", 0, 0]
mass = "m"
inertia = [0, 0, "m*l^2/12"]
[simulate]
until = 1
)toml",
                     links);
}

/// Mass points on massless rods: places as definitions, each the one before and a step.
inline std::string chain_of_points(int links) {
  return fmt::format(R"toml(name = "Chain of points"
gravity = [0, -9.81, 0]
[repeat]
k = "1..N"
[parameters]
N = {}
m = 1
l = 0.2
[coordinates]
"q{{k}}" = {{ value = "0.3*sin({{k}})", rate = "0.5*cos(3*{{k}})" }}
[definitions]
x0 = "0"
y0 = "0"
"x{{k}}" = "x{{k-1}} + l*cos(q{{k}})"
"y{{k}}" = "y{{k-1}} + l*sin(q{{k}})"
[points."P{{k}}"]
position = ["x{{k}}", "y{{k}}", 0]
mass = "m"
[simulate]
until = 1
)toml",
                     links);
}

/// A joint of the spatial arm, and the body behind it: what all engines make it from. Joints stand at `arm_offset` of
/// the body before and turn about z, once that is inclined by `arm_incline` about x and y in turn.
struct ArmJoint {
  double angle, rate, mass;
  char inclined_about;
};
constexpr double arm_offset[3] = {0.3, 0.05, -0.02}, arm_incline = 0.9, arm_centre[3] = {0.15, 0.02, 0.01};
/// xx, yy, zz, xy, yz, zx about the centre of mass: bodies without any symmetry.
constexpr double arm_inertia[6] = {0.012, 0.021, 0.018, 0.002, 0.001, -0.003};
inline ArmJoint arm_joint(int k) {
  return {0.4 * std::sin(k), 0.7 * std::cos(2 * k), 2.0 / (1 + 0.1 * k), k % 2 == 0 ? 'x' : 'y'};
}

/// n joints about axes that are neither parallel nor orthogonal.
inline std::string spatial_arm(int joints) {
  std::string text = "name = \"Spatial arm\"\ngravity = [0, 0, -9.81]\n[coordinates]\n";
  for (int k = 1; k <= joints; ++k)
    text += fmt::format("q{0} = {{ value = {1:.17g}, rate = {2:.17g} }}\n", k, arm_joint(k).angle, arm_joint(k).rate);
  for (int k = 1; k <= joints; ++k) {
    text += fmt::format("[frames.b{}]\n", k);
    if (k > 1) text += fmt::format("parent = \"b{}\"\norigin = [{}]\n", k - 1, fmt::join(arm_offset, ", "));
    text += fmt::format("rotate = [[\"{}\", {}], [\"z\", \"q{}\"]]\n", arm_joint(k).inclined_about, arm_incline, k);
    text += fmt::format("[bodies.b{0}]\nframe = \"b{0}\"\ncentre = [{1}]\nmass = {2:.17g}\ninertia = [{3}]\n", k,
                        fmt::join(arm_centre, ", "), arm_joint(k).mass, fmt::join(arm_inertia, ", "));
  }
  return text + "[simulate]\nuntil = 1\n";
}

/// n mass points in Cartesian coordinates, each held to the one before by a rod as a constraint.
inline std::string chain_of_masses(int links) {
  return fmt::format(R"toml(name = "Chain of masses"
gravity = [0, -9.81, 0]
[repeat]
k = "1..N"
[parameters]
N = {}
L = 1
[definitions]
x0 = "0"
y0 = "0"
[coordinates]
"x{{k}}" = "{{k}}*L/N"
"y{{k}}" = 0
[points."P{{k}}"]
position = ["x{{k}}", "y{{k}}", 0]
mass = 1
[constraints]
"link{{k}}" = "(x{{k}} - x{{k-1}})^2 + (y{{k}} - y{{k-1}})^2 = (L/N)^2"
[simulate]
until = 0.1
)toml",
                     links);
}

}  // namespace dalembert::bench

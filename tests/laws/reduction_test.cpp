// verify finds a reduction that does not describe the constrained system, and lets a right one pass.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/run_command.hpp"

namespace {

/// A spherical pendulum whose reduction has this formula for the height.
int verify_with_height(const std::string& height, const std::string& name) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / (name + ".toml");
  std::ofstream(file) << R"toml(
name = "pendulum"
gravity = [0, 0, -9.81]
[coordinates]
x = { value = 0.6, rate = 0 }
y = { value = 0, rate = 1 }
z = { value = -0.8, rate = 0 }
[points.P]
position = ["x", "y", "z"]
mass = 2
[constraints]
rod = "x^2 + y^2 + z^2 = 1"
[reduction]
coordinates = { theta = { value = "asin(0.6)", rate = 0 }, phi = { value = 0, rate = "1/0.6" } }
x = "sin(theta)*cos(phi)"
y = "sin(theta)*sin(phi)"
)toml"
                      << "z = \"" << height << "\"\n";
  return dalembert::testing_support::run_command({"verify", file.string()}).status;
}

TEST(Verify, accepts_a_right_reduction) { EXPECT_EQ(verify_with_height("-cos(theta)", "right"), 0); }

TEST(Verify, refuses_a_reduction_that_leaves_the_sphere_away_from_the_start) {
  EXPECT_EQ(verify_with_height("-cos(theta) + (theta - asin(0.6))^2", "leaves"), 1);
}

TEST(Verify, refuses_a_reduction_whose_fault_shows_in_another_direction_only) {
  EXPECT_EQ(verify_with_height("-cos(theta) + (1 - cos(phi))^2/10", "turns"), 1);
}

}  // namespace

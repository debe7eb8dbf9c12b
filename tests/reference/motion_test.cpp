// The bundled models, run by the command at a tolerance of 1e-13, meet the reference numbers: each to its own
// tolerance, or to 1e-10 where its own is tighter. Constraints hold to rounding in every row, energy where nothing does
// work.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "reference/motions.hpp"
#include "reference/reference.hpp"
#include "support/larger.hpp"
#include "support/motion_table.hpp"

namespace {

using dalembert::testing_support::Table;
using reference::all_motions;
using reference::Motion;
using reference::Quantity;
using reference::Reading;
namespace support = dalembert::testing_support;

class BundledModel : public testing::TestWithParam<Motion> {};

bool concerns(const Motion& motion, const Quantity& quantity) {
  return quantity.time >= 0 || quantity.state.starts_with(motion.state);
}

/// The angle next to `near` that differs from `angle` by full turns.
double unwound(double angle, double near) {
  const double turn = 2 * std::numbers::pi;
  return angle + turn * std::round((near - angle) / turn);
}

void expect_quantity(const Motion& motion, const Reading& reading, const Quantity& quantity, const Table& table) {
  const std::vector<double>& row = table.row_at(std::max(quantity.time, 0.0));
  ASSERT_EQ(reading.columns.size(), quantity.value.size()) << quantity.name;
  const double tolerance = std::max(quantity.tolerance, motion.tightest);
  for (std::size_t i = 0; i < reading.columns.size(); ++i) {
    const double expected = quantity.value[i], seen = row[table.index(reading.columns[i])];
    EXPECT_NEAR(reading.angle ? unwound(seen, expected) : seen, expected, tolerance)
        << reading.columns[i] << " at t = " << quantity.time << " (" << quantity.name << ")";
  }
}

TEST_P(BundledModel, meets_the_reference_numbers_and_its_constraints) {
  const Motion& motion = GetParam();
#ifdef DALEMBERT_SMALL_TESTS
  if (motion.large) GTEST_SKIP() << "a large system; DALEMBERT_LARGE_TESTS=ON runs it";
#endif
  std::vector<std::string> options = motion.options;
  for (const std::string& more : {fmt::format("--until={}", motion.until), fmt::format("--every={}", motion.every),
                                  std::string("--tolerance=1e-13")})
    options.push_back(more);
  const Table table = support::simulate("models:" + motion.model, options);
  ASSERT_FALSE(table.rows.empty());

  ASSERT_FALSE(motion.readings.empty());
  const std::vector<Quantity> quantities = reference::read_case(motion.reference);
  for (const Reading& reading : motion.readings) {
    int found = 0;
    for (const Quantity& quantity : quantities)
      if (quantity.name == reading.quantity && concerns(motion, quantity)) {
        expect_quantity(motion, reading, quantity, table);
        ++found;
      }
    EXPECT_GT(found, 0) << "the case has no quantity " << reading.quantity;
  }

  const std::size_t residual = table.index("residual"), energy = table.index("energy");
  for (const std::vector<double>& row : table.rows) {
    EXPECT_LE(row[residual], 1e-12 * motion.scale) << "at t = " << row[0];
    if (motion.kinetic > 0) {
      EXPECT_NEAR(row[energy], table.rows[0][energy], 1e-10 * motion.kinetic) << "at t = " << row[0];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Reference, BundledModel, testing::ValuesIn(all_motions()),
                         [](const auto& instance) { return instance.param.label; });

TEST(ReferenceCases, every_quantity_of_a_motion_is_read_by_some_test) {
  const std::set<std::string> by_release{"rho_alpha=-m g q cos al at q=0.8", "rho_alpha'=-m' g (l-q) cos al' at q=0.8",
                                         "rho_l"};
  for (const std::string name :
       {"spherical_pendulum", "chaplygin_sleigh_offset", "chaplygin_sleigh_zero_offset", "rolling_disk_tilted",
        "rolling_disk_vertical", "turntable_ball_const", "heavy_top_symmetric", "free_body_euler_vs_impulse",
        "iftomm_A01_pendulum", "iftomm_A02_fourbar_N2", "iftomm_A02_fourbar_N40", "charged_particle_ExB",
        "relativistic_magnetic_circle", "redundant_parallelogram", "chain_10", "chain_1000",
        "paulus1_inclined_planes"}) {
    std::set<std::string> read = by_release;
    for (const Motion& motion : all_motions())
      if (motion.reference == name)
        for (const Reading& reading : motion.readings) read.insert(reading.quantity);
    for (const Quantity& quantity : reference::read_case(name))
      EXPECT_TRUE(read.contains(quantity.name)) << name << ": " << quantity.name;
  }
}

TEST(LongRun, the_cartesian_spherical_pendulum_stays_on_its_sphere_for_1000_s) {
  const Table table =
      support::simulate("models:spherical_pendulum", {"--until=1000", "--every=1", "--tolerance=1e-13"});
  ASSERT_EQ(table.rows.size(), 1001U);
  const std::size_t residual = table.index("residual");
  for (const std::vector<double>& row : table.rows) EXPECT_LE(row[residual], 1e-11) << "at t = " << row[0];
}

TEST(DrivenTurntable, the_drift_of_the_ball_is_constant_whatever_the_rate_of_the_table) {
  const Table table = support::simulate("models:turntable_ball_driven", {"--tolerance=1e-13"});
  for (const std::string column : {"drift1", "drift2", "spin.z"})
    for (const std::vector<double>& row : table.rows)
      EXPECT_NEAR(row[table.index(column)], table.rows[0][table.index(column)], 1e-10)
          << column << " at t = " << row[0];
}

TEST(RotatingHoop, jacobis_integral_is_constant_and_the_energy_is_not) {
  const Table table = support::simulate("models:rotating_hoop", {"--tolerance=1e-13"});
  const std::size_t jacobi = table.index("jacobi"), energy = table.index("energy");
  double largest = 0;
  for (const std::vector<double>& row : table.rows) {
    EXPECT_NEAR(row[jacobi], table.rows[0][jacobi], 1e-10);
    largest = support::larger(largest, row[energy] - table.rows[0][energy]);
  }
  EXPECT_GT(largest, 0.1);
}

}  // namespace

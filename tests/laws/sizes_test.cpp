// Errors are judged by how far the motion goes, not by what a component happens to hold: pinned and resting
// coordinates, tiny motions and empty rows change nothing.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/folder.hpp"
#include "support/larger.hpp"
#include "support/motion_table.hpp"

namespace dalembert::testing_support {
namespace {

class Sizes : public FolderTest {
 protected:
  Table run(const std::string& text, const std::vector<std::string>& options) const {
    write("model.toml", text);
    return simulate((folder / "model.toml").string(), options);
  }
};

/// Largest difference of a column between two tables with the same times.
double difference(const Table& a, const Table& b, const std::string& column) {
  if (a.rows.size() != b.rows.size()) return NAN;
  double most = 0;
  for (std::size_t i = 0; i < a.rows.size(); ++i)
    most = larger(most, a.rows[i][a.index(column)] - b.rows[i][b.index(column)]);
  return most;
}

std::string swinging(const std::string& coordinate, const std::string& origin, const std::string& constraints) {
  return "gravity = [0, 0, -9.81]\n[coordinates]\nq = { value = 0.3, rate = 0.7 }\n" + coordinate +
         "[frames.link]\norigin = [" + origin + ", 0, 0]\nrotate = [[\"y\", \"q\"]]\n" +
         "[points.bob]\nframe = \"link\"\nposition = [1, 0, 0]\nmass = 1\n" + constraints;
}

TEST_F(Sizes, APendulumWhosePivotIsHeldSwingsLikeOneOnAFixedPivot) {
  const double tolerance = 1e-10, steps = 150;  // about 14 a time unit
  const std::vector<std::string> options{"--until", "10", "--every", "0.5", "--tolerance", "1e-10"};
  const Table bare = run(swinging("", "0", ""), options);
  const Table held = run(swinging("dx = 0\n", "\"dx\"", "[constraints]\nfx = \"dx = 0\"\n"), options);
  const Table away = run(swinging("dx = 3\n", "\"dx\"", "[constraints]\nfx = \"dx = 3\"\n"), options);
  const double swing = 2.6, rate = 4.4;  // what q and q' reach
  for (const Table* other : {&held, &away}) {
    EXPECT_LE(difference(bare, *other, "q"), 2 * steps * tolerance * swing);
    EXPECT_LE(difference(bare, *other, "q'"), 2 * steps * tolerance * rate);
  }
}

// Far from the mass that is let go motions begin with a power of t that is twice their number: after the first step
// they are 1e-300, and squares of their errors are none. Sums over the modes of the chain are the closed form.
TEST_F(Sizes, ALongChainOfSpringsIsFollowedFromItsEnd) {
  constexpr int n = 60;
  const double stiffness = 10, until = 2, tolerance = 1e-10, steps = 70;
  const std::string text =
      "[repeat]\nk = \"1..60\"\n[definitions]\nx0 = \"0\"\n[coordinates]\n\"x{k}\" = 0\n[energy]\n"
      "kinetic = \"sum(k, 1, 60, x{k}'^2/2)\"\npotential = \"sum(k, 1, 60, 5*(x{k} - x{k-1})^2)\"\n";
  for (const char* by : {"multipliers", "hamel", "gauss", "projection"}) {
    const Table table = run(text, {"--set", "x1=1", "--until", "2", "--tolerance", "1e-10", "--by", by});
    ASSERT_EQ(table.rows.back()[0], until) << by;
    for (int k = 1; k <= n; ++k) {
      double exact = 0;
      for (int m = 1; m <= n; ++m) {
        const double wave = (2 * m - 1) * std::numbers::pi / (2 * n + 1);  // the far end is free
        exact += 4.0 / (2 * n + 1) * std::sin(wave) * std::sin(k * wave) *
                 std::cos(2 * std::sqrt(stiffness) * std::sin(wave / 2) * until);
      }
      EXPECT_NEAR(table.rows.back()[table.index("x" + std::to_string(k))], exact, 2 * steps * tolerance) << by << k;
    }
  }
}

TEST(SizesOfBundledModels, TheCompoundPendulumFinishesOnItsOwnDefaults) {
  const Table table = simulate("models:paulus2_compound_pendulum", {});
  EXPECT_EQ(table.rows.back()[0], 1.0);
}

// The contract: a global error of up to about a hundred tolerances, of what each component reaches.
TEST(SizesOfBundledModels, ErrorsOfAQuaternionTopFollowTheTolerance) {
  const auto top = [](const char* tolerance) {
    return simulate("models:heavy_top_quaternion", {"--until", "2", "--every", "0.5", "--tolerance", tolerance});
  };
  const Table exact = top("1e-14");
  for (const char* tolerance : {"1e-4", "1e-6", "1e-8", "1e-10", "1e-12"}) {
    const Table at = top(tolerance);
    for (const std::string column : {"e0", "e1", "e2", "e3", "e0'", "e1'", "e2'", "e3'"}) {
      double reached = 0;
      for (const std::vector<double>& row : exact.rows) reached = larger(reached, row[exact.index(column)]);
      EXPECT_LE(difference(at, exact, column), 100 * std::strtod(tolerance, nullptr) * reached)
          << column << ", " << tolerance;
    }
  }
}

TEST_F(Sizes, ABodyAtRestInTheOriginMovesWhenAForceIsSwitchedOn) {
  for (const char* tolerance : {"1e-6", "1e-10"}) {
    const Table table =
        run("[coordinates]\nx = 0\n[points.P]\nposition = [\"x\", 0, 0]\nmass = 1\n"
            "[forces]\nx = \"max(0, sign(t - 1))\"\n",
            {"--until", "3", "--every", "0.25", "--tolerance", tolerance});
    // The instant of the jump is found as exactly as the motion behind it is computed: within ten tolerances.
    const double most = 10 * std::strtod(tolerance, nullptr);
    double error = 0;
    for (const std::vector<double>& row : table.rows) {
      const double since = std::max(row[0] - 1, 0.0);
      error = larger(error, row[table.index("x")] - since * since / 2);
      error = larger(error, row[table.index("x'")] - since);
    }
    EXPECT_LE(error, most * 2) << "x reaches 2";
  }
}

TEST_F(Sizes, ATinyPendulumIsAsExactAsALargeOne) {
  // Of amplitude a, its angle is a cos(w t) but for a^3: here for 1e-16 of it. Errors of the phase add up over w t.
  const double w = std::sqrt(9.81), until = 10;
  for (const char* tolerance : {"1e-6", "1e-9", "1e-12"}) {
    const Table table =
        run("gravity = [0, -9.81, 0]\n[coordinates]\nq = 1e-8\n"
            "[points.P]\nposition = [\"sin(q)\", \"-cos(q)\", 0]\nmass = 1\n",
            {"--until", "10", "--every", "0.5", "--tolerance", tolerance});
    double error = 0;
    for (const std::vector<double>& row : table.rows)
      error = larger(error, row[table.index("q")] / 1e-8 - std::cos(w * row[0]));
    EXPECT_LE(error, w * until * std::strtod(tolerance, nullptr)) << "tolerance " << tolerance;
  }
}

TEST_F(Sizes, ARowThatSaysNothingIsRedundantAndChangesNothing) {
  const std::string rod =
      "gravity = [0, -9.81, 0]\n[coordinates]\nx = 1\ny = 0\n[points.P]\nposition = [\"x\", \"y\", 0]\nmass = 1\n"
      "[constraints]\nrod = \"x^2 + y^2 = 1\"\n";
  for (const std::string nothing : {"sin(x)^2 + cos(x)^2 = 1", "(x + y)^2 = x^2 + 2*x*y + y^2"}) {
    const std::string text = rod + "nothing = \"" + nothing + "\"\n";
    write("model.toml", text);
    const CommandResult check = run_command({"check", (folder / "model.toml").string()});
    EXPECT_EQ(check.status, 0) << check.err;
    EXPECT_THAT(check.out, testing::HasSubstr("rank 1"));
    EXPECT_THAT(check.out, testing::HasSubstr("redundant: nothing"));
    const std::vector<std::string> options{"--until", "2", "--every", "0.25"};
    const Table with = run(text, options), without = run(rod, options);
    EXPECT_LE(difference(with, without, "x"), 1e-10 * 100) << "about fifty steps at 1e-10 in each";
    EXPECT_LE(difference(with, without, "reaction(rod)"), 1e-10 * 100 * 9.81 * 3);
  }
}

}  // namespace
}  // namespace dalembert::testing_support

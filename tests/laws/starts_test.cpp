// Starts of random linkages: what is given is kept to the last bit, what is guessed is found, however the loop lies in
// space and whatever principle asks.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/dalembert.hpp>
#include <dalembert/mechanics/hamel.hpp>
#include <random>

namespace dalembert {
namespace {

constexpr std::uint64_t seed = 20261116;

/// Links one after the other from the origin to a fixed end, each by its angle in a plane that is turned in space. The
/// last two angles and their rates are guesses; all are known by construction.
struct Linkage {
  explicit Linkage(std::uint64_t number) : random(seed + number) {
    const int count = std::uniform_int_distribution(3, 6)(random);
    do {
      angles.clear();
      for (int i = 0; i < count; ++i) angles.push_back(draw(-3, 3));
    } while (std::abs(std::sin(angles[angles.size() - 2] - angles.back())) < 0.3);  // well conditioned
    for (int i = 0; i < count; ++i) {
      lengths.push_back(draw(0.5, 2));
      rates.push_back(draw(-2, 2));
      end_x += lengths.back() * std::cos(angles[static_cast<std::size_t>(i)]);
      end_y += lengths.back() * std::sin(angles[static_cast<std::size_t>(i)]);
    }
    solve_rates();
  }

  double draw(double from, double to) { return std::uniform_real_distribution(from, to)(random); }

  /// The last two rates from the others, by Cramer's rule.
  void solve_rates() {
    const std::size_t n = angles.size();
    double x = 0, y = 0;
    for (std::size_t i = 0; i + 2 < n; ++i) {
      x += lengths[i] * std::sin(angles[i]) * rates[i];
      y -= lengths[i] * std::cos(angles[i]) * rates[i];
    }
    const double a = angles[n - 2], b = angles[n - 1], la = lengths[n - 2], lb = lengths[n - 1];
    // -la sin a ra - lb sin b rb = x;  la cos a ra + lb cos b rb = y
    const double determinant = -la * lb * (std::sin(a) * std::cos(b) - std::cos(a) * std::sin(b));
    rates[n - 2] = (x * lb * std::cos(b) + lb * std::sin(b) * y) / determinant;
    rates[n - 1] = (-la * std::sin(a) * y - la * std::cos(a) * x) / determinant;
  }

  Description describe(double away) {
    Description d("linkage");
    const std::size_t n = angles.size();
    d.frame("base", {.rotate = {{"z", Text(draw(-3, 3))}, {"x", Text(draw(-3, 3))}, {"y", Text(draw(-3, 3))}}});
    for (std::size_t i = 0; i < n; ++i) {
      const bool guess = i + 2 >= n;
      const std::string name = fmt::format("a{}", i);
      d.coordinate(name, {.value = Text(angles[i] + (guess ? draw(-away, away) : 0)),
                          .rate = Text(guess ? 0 : rates[i]),
                          .is_guess = guess,
                          .is_rate_guess = guess});
      const Text parent = i == 0 ? Text("base") : Text(fmt::format("link{}", i - 1));
      const std::string turn = i == 0 ? name : fmt::format("{} - a{}", name, i - 1);
      d.frame(
          fmt::format("link{}", i),
          {.parent = parent, .origin = {i == 0 ? Text(0) : Text(lengths[i - 1]), 0, 0}, .rotate = {{"z", Text(turn)}}});
      d.body(fmt::format("link{}", i), {.frame = Text(fmt::format("link{}", i)),
                                        .centre = {Text(lengths[i] / 2), 0, 0},
                                        .mass = Text(draw(0.5, 2)),
                                        .inertia = {0.1, 0.1, Text(draw(0.05, 0.2))}});
    }
    d.point("end", {.frame = Text(fmt::format("link{}", n - 1)), .position = {Text(lengths.back()), 0, 0}});
    d.point("pin", {.frame = "base", .position = {Text(end_x), Text(end_y), 0}});
    for (const char* axis : {"x", "y", "z"})
      d.constraint(fmt::format("close_{}", axis),
                   Text(fmt::format("dot(position(end) - position(pin), axis(base, {})) = 0", axis)));
    return d;
  }

  std::mt19937_64 random;
  std::vector<double> lengths, angles, rates;
  double end_x = 0, end_y = 0;
};

TEST(LawsOfStarts, GivensAreKeptToTheLastBitAndGuessesAreFound) {
  for (std::uint64_t k = 0; k < 100; ++k) {
    SCOPED_TRACE(k);
    Linkage linkage(k);
    const Model model = make_model(linkage.describe(0.05));
    const SettledStart start = settle_start(model);
    const ModelState found = initial_state(start.model), given = initial_state(model);
    const std::size_t n = found.q.size();
    for (std::size_t i = 0; i + 2 < n; ++i) {
      EXPECT_EQ(found.q[i], given.q[i]);
      EXPECT_EQ(found.rates[i], given.rates[i]);
    }
    // The end is rounded to 1e-15 of the whole length; angles follow by lengths of 0.5 at least and a sine of 0.3.
    for (std::size_t i = n - 2; i < n; ++i) {
      EXPECT_NEAR(found.q[i], linkage.angles[i], 1e-13);
      EXPECT_NEAR(found.rates[i], linkage.rates[i], 1e-12);
    }
    const SettledStart again = settle_start(start.model);
    EXPECT_EQ(initial_state(again.model).q, found.q) << "a start that was solved for is a start";
    EXPECT_EQ(initial_state(again.model).rates, found.rates);
    EXPECT_EQ(again.report, "");
  }
}

TEST(LawsOfStarts, AnEquationThatIsOnlyRoundingIsRedundantWhereverThePlaneLies) {
  for (std::uint64_t k = 0; k < 100; ++k) {
    SCOPED_TRACE(k);
    Linkage linkage(1000 + k);
    const System system(derive_multipliers(make_model(linkage.describe(0.05))));
    const RankReport rank = system.analyse_constraints(system.make_initial_start().state);
    EXPECT_EQ(rank.rank, 2u);
    ASSERT_EQ(rank.redundant.size(), 1u);
    EXPECT_EQ(rank.redundant[0].name, "close_z");
    EXPECT_THAT(rank.redundant[0].depends_on, testing::IsEmpty());
    EXPECT_TRUE(rank.redundant[0].consistent);
  }
}

TEST(LawsOfStarts, EveryPrincipleStartsFromTheSameState) {
  for (std::uint64_t k = 0; k < 10; ++k) {
    SCOPED_TRACE(k);
    Linkage linkage(2000 + k);
    const Model model = make_model(linkage.describe(0.05));
    const State plain = System(derive_multipliers(model)).make_initial_start().state;
    for (const std::string by : {"hamel", "gauss", "projection"}) {
      const System system(by == "hamel" ? derive_hamel_motion(model).equations : derive_equations(model, by));
      Workspace workspace = system.make_workspace();
      const ModelState other = system.to_model_state(workspace, system.make_initial_start(workspace).state);
      EXPECT_EQ(other.q, plain.q) << by;
      for (std::size_t i = 0; i < other.rates.size(); ++i) EXPECT_NEAR(other.rates[i], plain.u[i], 1e-12) << by;
    }
  }
}

}  // namespace
}  // namespace dalembert

#include <gtest/gtest.h>

#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/model/description.hpp>
#include <dalembert/program/program.hpp>
#include <dalembert/simulate/ensemble.hpp>
#include <random>

#include "support/same_bits.hpp"

using namespace dalembert;
using testing_support::expect_same_bits;

namespace {

#if defined(DALEMBERT_SMALL_TESTS)
constexpr std::size_t members = 40;
#else
constexpr std::size_t members = 300;
#endif

std::vector<Ensemble::Outcome> run_all(const Equations& equations, const std::vector<SimulateOptions>& asked) {
  std::vector<Ensemble::Outcome> outcomes(asked.size());
  std::size_t given = 0;
  Ensemble(System(equations))
      .run(
          [&]() -> std::optional<SimulateOptions> {
            if (given == asked.size()) return std::nullopt;
            return asked[given++];
          },
          [&](Ensemble::Outcome outcome) {
            const std::size_t member = outcome.member;
            outcomes[member] = std::move(outcome);
          });
  return outcomes;
}

/// Every member is the motion that it is alone: rows, events, ending, and how it was found.
void expect_members_are_single_runs(const Equations& equations, const std::vector<SimulateOptions>& asked) {
  if (!is_native_available()) GTEST_SKIP() << "lanes are native code";
  ASSERT_TRUE(Ensemble::applies(equations));
  const std::vector<Ensemble::Outcome> outcomes = run_all(equations, asked);
  const System system(equations);
  for (std::size_t k = 0; k < asked.size(); ++k) {
    ASSERT_FALSE(outcomes[k].failure) << k;
    const Trajectory alone = system.simulate(asked[k]);
    const Trajectory& member = outcomes[k].motion;
    expect_same_bits(member, alone);
    EXPECT_EQ(member.statistics.steps, alone.statistics.steps);
    EXPECT_EQ(member.statistics.rejected, alone.statistics.rejected);
    EXPECT_EQ(member.statistics.evaluations, alone.statistics.evaluations);
    EXPECT_EQ(member.notes, alone.notes);
    ASSERT_EQ(member.events.size(), alone.events.size());
    for (std::size_t e = 0; e < alone.events.size(); ++e) {
      EXPECT_EQ(member.events[e].name, alone.events[e].name);
      EXPECT_EQ(testing_support::bits(member.events[e].t), testing_support::bits(alone.events[e].t));
    }
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Ensemble, double_pendula_are_their_single_runs_to_the_last_bit) {
  std::mt19937_64 random(1);
  const auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  std::vector<SimulateOptions> asked;
  for (std::size_t k = 0; k < members; ++k)
    asked.push_back({.until = between(0.5, 3),
                     .every = 0.5,
                     .tolerance = 1e-8,
                     .parameters = {{"m2", between(0.1, 5)}, {"l1", between(0.3, 2)}},
                     .initial = {{"a", between(-3, 3)}, {"b", between(-3, 3)}, {"a'", between(-5, 5)}}});
  expect_members_are_single_runs(derive_multipliers(load_model("models:double_pendulum")), asked);
}

TEST(Ensemble, events_forces_of_time_and_work_are_each_members_own) {
  const Model model = make_model(parse_description(R"toml(
[parameters]
A = 1
[coordinates]
x = 0.1
[energy]
kinetic = "x'^2/2"
potential = "-cos(x)"
dissipation = "x'^2/8"
[forces]
x = "A*cos(2/3*t)"
[events]
turn = { when = "x'", action = "record" }
over = "x - 2"
)toml"));
  std::vector<SimulateOptions> asked;
  for (std::size_t k = 0; k < members / 4; ++k)
    asked.push_back({.until = 30, .every = 7, .parameters = {{"A", 0.02 * static_cast<double>(k)}}});
  expect_members_are_single_runs(derive_multipliers(model), asked);
}

// Beyond x = 0 there is no force: motions end there, at different times, while others go on.
TEST(Ensemble, members_that_end_early_make_room_for_the_next) {
  const Model model = make_model(parse_description(R"toml(
[coordinates]
x = 1
[energy]
kinetic = "x'^2/2"
potential = "2/3*x^(3/2)"
)toml"));
  std::vector<SimulateOptions> asked;
  for (std::size_t k = 0; k < 20; ++k)
    asked.push_back({.until = k % 3 == 0 ? 0.5 : 10, .every = 0.25, .initial = {{"x", 0.1 * static_cast<double>(k)}}});
  expect_members_are_single_runs(derive_multipliers(model), asked);
}

TEST(Ensemble, a_member_that_cannot_begin_is_handed_over_with_the_reason) {
  const Equations equations = derive_multipliers(load_model("models:double_pendulum"));
  std::vector<SimulateOptions> asked(6, {.until = 1, .every = 1});
  asked[2].parameters = {{"m7", 1}};
  const std::vector<Ensemble::Outcome> outcomes = run_all(equations, asked);
  for (std::size_t k = 0; k < asked.size(); ++k) EXPECT_EQ(outcomes[k].failure != nullptr, k == 2);
  EXPECT_THROW(std::rethrow_exception(outcomes[2].failure), InputError);
}

// Each of these projects every step, and some are driven: the work done is a component of their state.
TEST(Ensemble, motions_under_constraints_are_their_single_runs_to_the_last_bit) {
  std::mt19937_64 random(2);
  const auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  for (const char* name : {"models:rolling_disk_tilted", "models:chaplygin_sleigh_offset", "models:iftomm_A02_fourbar",
                           "models:turntable_ball_driven", "models:redundant_parallelogram"}) {
    SCOPED_TRACE(name);
    const Equations equations = derive_multipliers(load_model(name));
    ASSERT_FALSE(equations.rows.empty());
    const char* parameter = std::string_view(name).ends_with("parallelogram") ? "M" : "m";
    std::vector<SimulateOptions> asked;
    for (std::size_t k = 0; k < members / 20; ++k)
      asked.push_back({.until = between(0.2, 1), .every = 0.1, .parameters = {{parameter, between(1, 2)}}});
    expect_members_are_single_runs(equations, asked);
  }
}

// The four-bar passes its flat position again and again: there steps are chosen by where their stages lie.
TEST(Ensemble, motions_through_singular_configurations_leave_the_pack_and_come_back) {
  const Equations equations = derive_multipliers(load_model("models:iftomm_A02_fourbar", {{"N", "1"}}));
  std::vector<SimulateOptions> asked;
  for (std::size_t k = 0; k < 8; ++k) asked.push_back({.until = 3 + 0.1 * static_cast<double>(k), .every = 0.5});
  expect_members_are_single_runs(equations, asked);
}

TEST(Ensemble, systems_with_contacts_or_quasi_velocities_are_left_alone) {
  EXPECT_FALSE(Ensemble::applies(derive_multipliers(load_model("models:bouncing_ball"))));
  EXPECT_FALSE(Ensemble::applies(derive_hamel(load_model("models:chaplygin_sleigh_offset"))));
}

}  // namespace

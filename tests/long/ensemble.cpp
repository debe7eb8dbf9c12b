#include <gtest/gtest.h>

#include <dalembert/model/description.hpp>
#include <dalembert/simulate/ensemble.hpp>
#include <random>

#include "support/same_bits.hpp"

using namespace dalembert;

namespace {

// A hundred thousand double pendula to t = 10 at 1e-8, in lanes and one by one.
TEST(Ensemble, a_hundred_thousand_double_pendula_are_their_single_runs_to_the_last_bit) {
  constexpr std::size_t members = 100'000;
  const Equations equations = derive_multipliers(load_model("models:double_pendulum"));
  const auto asked = [](std::size_t k) {
    std::mt19937_64 random(k);
    const auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
    return SimulateOptions{.until = 10,
                           .every = 5,
                           .tolerance = 1e-8,
                           .parameters = {{"m2", between(0.1, 5)}},
                           .initial = {{"a", between(-3, 3)}, {"b", between(-3, 3)}, {"a'", between(-5, 5)}}};
  };
  const System system(equations);
  Workspace workspace = system.make_workspace();
  std::size_t given = 0, compared = 0;
  Ensemble(system).run(
      [&]() -> std::optional<SimulateOptions> {
        if (given == members) return std::nullopt;
        return asked(given++);
      },
      [&](const Ensemble::Outcome& outcome) {
        ASSERT_FALSE(outcome.failure);
        testing_support::expect_same_bits(outcome.motion, system.simulate(workspace, asked(outcome.member)));
        ++compared;
      });
  EXPECT_EQ(compared, members);
}

}  // namespace

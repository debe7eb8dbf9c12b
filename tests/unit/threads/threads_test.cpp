// Threads beside each other on one system, each with other parameters, against the same runs one after the other. A
// program of its own: ThreadSanitizer builds it with the libraries that it needs and nothing else (make tsan).

#include <gtest/gtest.h>

#include <barrier>
#include <dalembert/expr/print.hpp>
#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/mechanics/release.hpp>
#include <dalembert/model/description.hpp>
#include <dalembert/simulate/ensemble.hpp>
#include <functional>
#include <thread>

#include "support/same_bits.hpp"

namespace dalembert {
namespace {

using testing_support::expect_same_bits;

constexpr std::size_t thread_count = 8, runs_each = 3;

/// All threads at once, as nearly as that can be had.
void run_together(const std::function<void(std::size_t)>& work) {
  std::barrier begin(thread_count);
  std::vector<std::jthread> threads;
  for (std::size_t k = 0; k < thread_count; ++k) {
    threads.emplace_back([&, k] {
      begin.arrive_and_wait();
      work(k);
    });
  }
}

struct Case {
  std::string model, parameter;
  double first, step;  // values of the parameter: first + k step
  bool by_hamel;
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.model << ", " << c.parameter; }
};

SimulateOptions asked(const Case& c, std::size_t k) {
  SimulateOptions options;
  options.until = 1;
  options.every = 0.0625;
  options.parameters = {{c.parameter, c.first + c.step * static_cast<double>(k)}};
  options.project_initial = true;
  return options;
}

Equations derive(const Case& c, const Model& model) {
  return c.by_hamel ? derive_hamel_motion(model).equations : derive_multipliers(model);
}

TEST(Ensembles, OnThreadsBesideEachOtherGiveTheBitsOfSerialRuns) {
  const Equations equations = derive_multipliers(load_model("models:double_pendulum"));
  const auto options = [](std::size_t k) {
    return SimulateOptions{.until = 1, .every = 0.25, .parameters = {{"m2", 0.5 + 0.01 * static_cast<double>(k)}}};
  };
  const Ensemble ensemble((System(equations)));
  constexpr std::size_t members = 6;  // of each thread: more than lanes
  std::vector<Trajectory> beside(thread_count * members);
  run_together([&](std::size_t thread) {
    std::size_t given = 0;
    ensemble.run(
        [&]() -> std::optional<SimulateOptions> {
          if (given == members) return std::nullopt;
          return options(thread * members + given++);
        },
        [&](Ensemble::Outcome outcome) { beside[thread * members + outcome.member] = std::move(outcome.motion); });
  });
  const System system(equations);
  for (std::size_t k = 0; k < beside.size(); ++k) expect_same_bits(beside[k], system.simulate(options(k)));
}

/// All that formulas are made for on being asked, written out: of the model, and of its equations.
std::vector<std::string> formulas_of(const Model& model, const Equations& equations) {
  std::vector<std::string> texts = find_releasable(model);
  texts.push_back(to_text(equations.energy));  // what there is already, read where it is
  for (const Expr& symbol : free_symbols(equations.bias)) texts.push_back(symbol.name());
  for (const ReleasedReaction& reaction : derive_releases(model).reactions) texts.push_back(to_text(reaction.lambda));
  for (const JointLoad& load : derive_joints(model).loads) texts.push_back(to_text(load.force[2]));
  for (const FirstIntegral& integral : find_integrals(equations, Effort::prove).found)
    texts.push_back(integral.name + " = " + to_text(integral.formula));
  const SymbolicSolution solved = solve_symbolically(equations, 1e5);
  for (const Expr& acceleration : solved.solution.accelerations) texts.push_back(to_text(acceleration));
  texts.push_back(solved.solution.remark);
  texts.emplace_back(is_natural(equations, Effort::prove) ? "natural" : "not natural");
  texts.push_back(decide_integrability(model).remark);
  const Model heavier = with_values(model, {{model.parameters[0].name, 3.25}});
  for (double value : parameter_values(heavier)) texts.push_back(std::to_string(value));
  return texts;
}

/// A bundled model with the load in its second joint, if it has one.
Model with_joint(const std::string& name) {
  Description description = read_description(find_model("models:" + name));
  if (description.frames.size() > 1) description.joint(description.frames[1].name);
  return make_model(description);
}

class Formulas : public testing::TestWithParam<const char*> {};

TEST_P(Formulas, OfOneModelAskedForByThreadsBesideEachOtherAreThoseOfSerialOnes) {
  const Model model = with_joint(GetParam());
  ASSERT_FALSE(model.releases.empty() && model.joints.empty() && model.constraints.empty());
  const Equations equations = derive_multipliers(model);
  const std::size_t of_model = model.graph->size(), of_equations = equations.graph->size();
  std::vector<std::vector<std::string>> beside(thread_count);
  run_together([&](std::size_t k) { beside[k] = formulas_of(model, equations); });
  EXPECT_EQ(model.graph->size(), of_model);
  EXPECT_EQ(equations.graph->size(), of_equations);
  const Model again = with_joint(GetParam());
  const std::vector<std::string> serial = formulas_of(again, derive_multipliers(again));
  for (const std::vector<std::string>& texts : beside) EXPECT_EQ(texts, serial);
}

INSTANTIATE_TEST_SUITE_P(Models, Formulas, testing::Values("paulus1_released", "three_link_arm", "rolling_disk_tilted"),
                         [](const auto& tested) { return std::string(tested.param); });

class Threads : public testing::TestWithParam<Case> {};

TEST_P(Threads, EachWithItsOwnParametersGiveTheBitsOfSerialRuns) {
  const Case& c = GetParam();
  const System system(derive(c, load_model("models:" + c.model)));
  // First the threads: what a system makes when it is first asked is then made by whichever comes first.
  std::vector<Trajectory> beside(thread_count * runs_each);
  run_together([&](std::size_t thread) {
    Workspace workspace = system.make_workspace();
    for (std::size_t run = 0; run < runs_each; ++run) {
      const std::size_t k = thread * runs_each + run;
      // With a workspace of the thread, and with one made for the call.
      beside[k] = run % 2 == 0 ? system.simulate(workspace, asked(c, k)) : system.simulate(asked(c, k));
    }
  });
  const System serial(derive(c, load_model("models:" + c.model)));
  for (std::size_t k = 0; k < beside.size(); ++k) {
    ASSERT_TRUE(beside[k]) << beside[k].brief();
    expect_same_bits(serial.simulate(asked(c, k)), beside[k]);
  }
  EXPECT_NE(testing_support::bits(beside.front().rows.back()[1]), testing_support::bits(beside.back().rows.back()[1]))
      << "the parameter does nothing: motions are compared with themselves";
}

TEST_P(Threads, DeriveAndCompileFromOneModel) {
  const Case& c = GetParam();
  const Model model = load_model("models:" + c.model);
  std::vector<Trajectory> beside(thread_count);
  run_together([&](std::size_t k) { beside[k] = System(derive(c, model)).simulate(asked(c, 1)); });
  const Trajectory serial = System(derive(c, load_model("models:" + c.model))).simulate(asked(c, 1));
  for (const Trajectory& run : beside) expect_same_bits(serial, run);
}

TEST_P(Threads, AskOneSystemAtStates) {
  const Case& c = GetParam();
  const System system(derive(c, load_model("models:" + c.model)));
  std::vector<std::vector<double>> beside(thread_count);
  run_together([&](std::size_t k) {
    Workspace workspace = system.make_workspace(asked(c, k).parameters);
    const State state = system.make_consistent_start(workspace, system.initial_state(workspace), true).state;
    beside[k] = system.evaluate_row(workspace, state);
    const RankReport rank = system.analyse_constraints(workspace, state);
    beside[k].push_back(static_cast<double>(rank.rank));
    beside[k].push_back(rank.condition);
  });
  for (std::size_t k = 0; k < thread_count; ++k) {
    Workspace workspace = system.make_workspace(asked(c, k).parameters);
    const State state = system.make_consistent_start(workspace, system.initial_state(workspace), true).state;
    std::vector<double> row = system.evaluate_row(workspace, state);
    const RankReport rank = system.analyse_constraints(workspace, state);
    row.push_back(static_cast<double>(rank.rank));
    row.push_back(rank.condition);
    ASSERT_EQ(row.size(), beside[k].size());
    for (std::size_t i = 0; i < row.size(); ++i)
      EXPECT_EQ(testing_support::bits(row[i]), testing_support::bits(beside[k][i])) << "number " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Threads,
                         testing::Values(Case{"pendulum", "l", 0.5, 0.0625, false},
                                         Case{"rolling_disk_tilted", "m", 1, 0.25, false},
                                         Case{"bouncing_ball", "h", 0.5, 0.0625, false},
                                         Case{"redundant_parallelogram", "c", 0.0625, 0.015625, false},
                                         Case{"skate", "alpha", 0.1, 0.03125, true}),
                         [](const auto& tested) { return tested.param.model; });

}  // namespace
}  // namespace dalembert

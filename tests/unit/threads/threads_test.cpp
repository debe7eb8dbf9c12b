// Threads beside each other on one system, each with other parameters, against the same runs one after the other. A
// program of its own: ThreadSanitizer builds it with the libraries that it needs and nothing else (make tsan).

#include <gtest/gtest.h>

#include <barrier>
#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/model/description.hpp>
#include <dalembert/simulate/system.hpp>
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

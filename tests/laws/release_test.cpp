// For every bundled model and every constant that it offers to release: the released reaction is the multiplier of the
// constraint c = c(t) in the model with c as one more coordinate, along the motion.
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/mechanics/release.hpp>
#include <dalembert/model/description.hpp>
#include <dalembert/simulate/system.hpp>

#include "support/own_graph.hpp"

using namespace dalembert;

namespace {

// A known defect: its march ends with step-underflow at t = 0.84, where nothing happens, because the pivot's
// coordinates never leave zero. The runs before that count.
const std::string ends_early = "paulus2_compound_pendulum";

constexpr std::size_t largest = 60;  // coordinates; the chain of a thousand links takes minutes

/// The model with everything released that it offers.
Model release_all(const std::string& path) {
  Description description = read_description(path);
  Model model = make_model(description);
  for (const std::string& name : find_releasable(model)) {
    bool is_there = false;
    for (const auto& entry : description.releases) is_there = is_there || entry.name.text == name;
    for (const Constraint& constraint : model.constraints) is_there = is_there || constraint.name == name;
    if (!is_there) description.release(name);
  }
  for (auto& entry : description.releases) entry.what.constraint = {};
  description.events.clear();
  description.outputs.clear();
  model = make_model(description);
  model.simulate.vakonomic = false;
  return model;
}

/// The multiplier of c = c(t) at a state of the model.
class Held {
 public:
  Held(const Model& model, const Release& release)
      : parameters_(parameter_values(model)), model_(model), release_(release) {
    held_ = *release.variation.model;
    Constraint row;
    row.name = "held";
    row.kind = ConstraintKind::geometric;
    Expr value = release.released;
    for (const Replacement& known : release.variation.actual)
      if (known.by == release.variation.freed[0].q) value = known.symbol;
    row.f = row.written = release.variation.freed[0].q - value;
    held_.constraints.push_back(row);
    equations_ = derive_multipliers(support::own_graph(held_));
    equations_.contacts.clear();
    system_.emplace(equations_);
  }

  double multiplier(State state) {
    std::vector<Binding> bindings{{model_.time, state.t}};
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      bindings.push_back({model_.parameters[i].symbol, parameters_[i]});
    state.q.push_back(evaluate(release_.released, bindings));
    state.u.push_back(evaluate(time_derivative(model_, release_.released), bindings));
    Response motion = system_->evaluate_motion(state);
    return motion.multipliers.back();
  }

 private:
  std::vector<double> parameters_;
  const Model& model_;
  const Release& release_;
  Model held_;
  Equations equations_;
  std::optional<System> system_;
};

class EveryModel : public testing::TestWithParam<std::string> {};

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelFile& file : list_models()) names.push_back(file.name);
  return names;
}

}  // namespace

TEST_P(EveryModel, released_reactions_are_the_multipliers_of_the_constants) {
  Model model = release_all(find_model("models:" + GetParam()));
  if (model.coordinates.size() > largest) GTEST_SKIP() << "too large";
  if (model.releases.empty()) GTEST_SKIP() << "nothing to release";
  Equations equations = derive_multipliers(support::own_graph(model));
  equations.contacts.clear();
  const System system(equations);
  const RankReport rank = system.analyse_constraints(system.initial_state());
  if (!rank.redundant.empty()) GTEST_SKIP() << "multipliers are not determined one by one";
  SimulateOptions options;
  const double until = std::min(model.simulate.until, 1.0);
  std::vector<State> states{system.make_consistent_start(system.initial_state(), false).state};
  for (int k = 1; k <= 5; ++k) {
    SimulateOptions part = options;
    part.until = k * until / 5;
    Trajectory motion = system.simulate(part);
    if (motion.status != Status::finished && GetParam() == ends_early) break;
    ASSERT_EQ(motion.status, Status::finished) << motion.message;
    states.push_back(motion.last);
  }
  ASSERT_GE(states.size(), 5U);
  for (std::size_t r = 0; r < model.releases.size(); ++r) {
    Held held(model, model.releases[r]);
    const std::string column = reaction_symbol(model.releases[r].name);
    auto at = std::find(system.columns().begin(), system.columns().end(), column);
    ASSERT_NE(at, system.columns().end()) << column;
    std::vector<double> found, expected;
    double size = 1;
    for (const State& state : states) {
      found.push_back(system.evaluate_row(state)[static_cast<std::size_t>(at - system.columns().begin())]);
      expected.push_back(held.multiplier(state));
      size = std::max(size, std::abs(expected.back()));
    }
    for (std::size_t i = 0; i < states.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], 1e-11 * size) << column << " at t = " << states[i].t;
  }
}

INSTANTIATE_TEST_SUITE_P(Releases, EveryModel, testing::ValuesIn(model_names()),
                         [](const auto& model) { return model.param; });

TEST(Releasing, is_offered_by_most_of_the_bundled_models) {
  std::size_t offering = 0;
  for (const std::string& name : model_names())
    if (name != "chain_1000") offering += release_all(find_model("models:" + name)).releases.empty() ? 0 : 1;
  EXPECT_GE(offering, 30U);
}

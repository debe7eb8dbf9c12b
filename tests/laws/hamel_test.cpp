// Every bundled model with constraints and up to 50 coordinates: accelerations and reactions by Hamel's equations are
// those by multipliers at 100 random states on the constraint manifold, within bounds that follow from rounding and the
// state's condition.
#include <gtest/gtest.h>

#include <dalembert/model/description.hpp>
#include <dalembert/study/verify.hpp>

#include "support/own_graph.hpp"

using namespace dalembert;

namespace {

std::vector<std::string> constrained_models() {
  std::vector<std::string> names;
  for (const ModelFile& entry : list_models()) {
    Model model = load_model(find_model("models:" + entry.name));
    bool constrained = false;
    for (const Constraint& constraint : model.constraints)
      constrained = constrained || constraint.kind != ConstraintKind::one_sided;
    if (constrained && model.coordinates.size() <= 50) names.push_back(entry.name);
  }
  return names;
}

class Constrained : public testing::TestWithParam<std::string> {};

TEST_P(Constrained, MovesByHamelAsByMultipliersAtAHundredRandomStates) {
  Model model = load_model(find_model("models:" + GetParam()));
  Derivations derivations{
      derive_multipliers(support::own_graph(model)), {}, derive_hamel_motion(support::own_graph(model)), {}};
  VerifyOptions options;
  options.states = 100;
  options.along_motion = false;
  Verification result = verify(derivations, options);
  std::size_t seen = 0;
  for (const Agreement& agreement : result.agreements) {
    if (agreement.between[1] != "hamel") continue;
    ++seen;
    EXPECT_TRUE(agreement.ok) << agreement.quantity << " differ by " << agreement.largest << ", allowed "
                              << agreement.bound << ", at " << agreement.where;
  }
  EXPECT_GE(seen, 1u);
  EXPECT_GE(result.states, 100u) << result.skipped << " states were no use";
}

INSTANTIATE_TEST_SUITE_P(Bundled, Constrained, testing::ValuesIn(constrained_models()),
                         [](const auto& instance) { return instance.param; });

}  // namespace

// verify compares one-sided constraints, and an error in what was derived for them is caught.
#include <gtest/gtest.h>

#include <dalembert/model/description.hpp>
#include <dalembert/study/verify.hpp>

#include "support/own_graph.hpp"

using namespace dalembert;

namespace {

class ContactVerify : public testing::TestWithParam<std::string> {
 protected:
  Model model = load_model(find_model(std::string("models:") + GetParam()));
  Equations multipliers = derive_multipliers(support::own_graph(model));

  Verification run(Equations altered) const {
    VerifyOptions options;
    options.states = 4;
    options.along_motion = false;
    return verify(Derivations{.multipliers = std::move(altered)}, options);
  }
};

TEST_P(ContactVerify, AllRoutesAgree) {
  const Verification result = run(multipliers);
  bool compared = false;
  for (const Agreement& agreement : result.agreements) {
    EXPECT_TRUE(agreement.ok) << agreement.quantity << ": " << agreement.largest << " of " << agreement.bound << " "
                              << agreement.where;
    compared = compared || agreement.quantity == "accelerations with contacts";
  }
  EXPECT_TRUE(compared);
}

TEST_P(ContactVerify, AnErrorInAContactIsCaught) {
  Graph& graph = *model.graph;
  const auto altered = [&](auto change) {
    Equations equations = multipliers;
    change(equations.contacts[0]);
    return run(equations);
  };
  EXPECT_FALSE(altered([&](ConstraintRow& row) { row.drift += graph.constant(1) / 1000; }).ok);
  EXPECT_FALSE(altered([&](ConstraintRow& row) { row.offset += graph.constant(1) / 1000; }).ok);
  EXPECT_FALSE(altered([&](ConstraintRow& row) { row.position += graph.constant(1) / 1000; }).ok);
  EXPECT_FALSE(altered([&](ConstraintRow& row) { row.jacobian[0].value += graph.constant(1) / 1000; }).ok);
}

INSTANTIATE_TEST_SUITE_P(Models, ContactVerify,
                         testing::Values("bouncing_ball", "unilateral_sphere_liftoff", "block_on_table"),
                         [](const auto& instance) { return instance.param; });

}  // namespace

#include <gtest/gtest.h>

#include <algorithm>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/model/description.hpp>
#include <dalembert/study/verify.hpp>

#include "support/own_graph.hpp"

using namespace dalembert;

namespace {

const Agreement* find(const Verification& result, const std::string& quantity) {
  for (const Agreement& agreement : result.agreements)
    if (agreement.quantity == quantity) return &agreement;
  return nullptr;
}

Verification verify_at_states(const Equations& multipliers, HamelDerivation hamel) {
  VerifyOptions options;
  options.states = 2;
  options.along_motion = false;
  // Forces may vanish at t = 0; rows that move by themselves hold where the model starts.
  if (std::ranges::all_of(multipliers.rows, [](const ConstraintRow& row) { return row.offset.is_zero(); })) {
    options.around = initial_state(multipliers, parameter_values(*multipliers.model));
    options.around->t = 0.4;
  }
  return verify(Derivations{multipliers, {}, std::move(hamel), {}}, options);
}

bool is_caught(const Verification& result) {
  bool caught = false;
  for (const Agreement& agreement : result.agreements)
    caught = caught ||
             (!agreement.ok && (agreement.between[1] == "hamel" || agreement.quantity == "transition coefficients"));
  return caught;
}

class HamelVerify : public testing::TestWithParam<std::string> {
 protected:
  Model model = load_model(find_model("models:" + GetParam()));
  Equations multipliers = derive_multipliers(support::own_graph(model));
  HamelDerivation hamel = derive_hamel_motion(support::own_graph(model));
};

TEST_P(HamelVerify, AgreesAtStatesAndAlongTheMotion) {
  Verification result = verify(Derivations{multipliers, {}, hamel, {}}, {});
  for (const char* quantity : {"transition coefficients", "accelerations", "central equation along the motion"}) {
    const Agreement* agreement = find(result, quantity);
    ASSERT_TRUE(agreement) << quantity;
    EXPECT_TRUE(agreement->ok) << quantity << ": " << agreement->largest << " of " << agreement->bound;
  }
}

TEST_P(HamelVerify, AnErrorInAnyTransitionCoefficientIsCaught) {
  ASSERT_FALSE(hamel.beta.empty());
  for (std::size_t k = 0; k < hamel.beta.size(); ++k) {
    HamelDerivation altered = hamel;
    altered.beta[k].value += model.graph->constant(mpq_class("1/1000000"));
    altered.equations = derive_hamel(support::own_graph(model), altered.frame, altered.beta);
    EXPECT_TRUE(is_caught(verify_at_states(multipliers, altered)))
        << "beta " << hamel.beta[k].mu << " " << hamel.beta[k].nu << " " << hamel.beta[k].rho;
  }
}

TEST_P(HamelVerify, AnErrorInAnyTermOfTheLagrangeEulerEquationsIsCaught) {
  auto terms = derive_lagrange_euler_terms(model, hamel.frame, hamel.beta);
  auto part = model.graph->constant(mpq_class("1/10000"));
  std::size_t free = 0, surplus = 0, tried = 0;
  for (std::size_t l = 0; l < hamel.frame.size(); ++l) {
    const bool vanishes = hamel.frame.velocities[l].row.has_value();
    const std::size_t place = vanishes ? surplus++ : free++;
    const LagrangeEulerTerms& t = terms[l];
    for (const Expr& term : {t.convective, t.coupling, t.pull, t.force}) {
      if (test_zero(term).verdict == Verdict::zero) continue;
      ++tried;
      HamelDerivation altered = hamel;
      if (vanishes)
        altered.equations.quasi->reactions[place].value += part * term;
      else
        altered.equations.bias[place] += part * term;
      EXPECT_TRUE(is_caught(verify_at_states(multipliers, altered))) << hamel.frame.velocities[l].name;
    }
  }
  EXPECT_GE(tried, 1u);
}

TEST_P(HamelVerify, AnErrorInAnyEntryOfTheMassMatrixIsCaught) {
  ASSERT_FALSE(hamel.equations.mass.empty());
  for (std::size_t i = 0; i < hamel.equations.mass.size(); ++i)
    for (std::size_t k = 0; k < hamel.equations.mass[i].size(); ++k) {
      HamelDerivation altered = hamel;
      altered.equations.mass[i][k].value += model.graph->constant(mpq_class("1/1000000"));
      EXPECT_TRUE(is_caught(verify_at_states(multipliers, altered))) << i << " " << k;
    }
}

INSTANTIATE_TEST_SUITE_P(Bundled, HamelVerify,
                         testing::Values("rolling_disk_tilted", "chaplygin_sleigh_offset", "snakeboard",
                                         "turntable_ball_driven", "free_body_space_frame"));

TEST(HamelVerify, TheCentralEquationByItselfCatchesAWrongCoefficient) {
  Model model = load_model(find_model("models:rolling_disk_tilted"));
  HamelDerivation hamel = derive_hamel_motion(support::own_graph(model));
  hamel.beta[1].value *= model.graph->constant(mpq_class("1000001/1000000"));  // the equations stay right
  Verification result = verify(Derivations{derive_multipliers(support::own_graph(model)), {}, hamel, {}}, {});
  const Agreement *central = find(result, "central equation along the motion"),
                  *accelerations = find(result, "accelerations");
  ASSERT_TRUE(central && accelerations);
  EXPECT_FALSE(central->ok);
  EXPECT_TRUE(accelerations->ok);
}

TEST(HamelVerify, WhatCannotMoveIsCompared) {
  Model model = make_model(
      parse_description("[coordinates]\nx = 1\n[points.P]\nposition = [\"x\", 0, 0]\nmass = 2\nforce = [3, 0, 0]\n"
                        "[constraints]\nheld = \"x = 1\"\n"));
  Verification result = verify(model);
  EXPECT_TRUE(result.ok);
  EXPECT_TRUE(find(result, "reactions") != nullptr);
}

}  // namespace

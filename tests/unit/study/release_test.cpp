// verify notices what is wrong with a release: in the derived value, and in the model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <dalembert/model/description.hpp>
#include <dalembert/study/verify.hpp>

using namespace dalembert;

namespace {

VerifyOptions few_states() {
  VerifyOptions options;
  options.states = 3;
  options.along_motion = false;
  return options;
}

Model bundled(const std::string& name) { return load_model(find_model("models:" + name)); }

/// What disagrees when the first release's derived value is changed.
template <class Alter>
std::vector<std::string> disagreements(const std::string& name, Alter&& alter) {
  Model model = bundled(name);
  Derivations derivations = derive_all(model);
  alter(derivations.releases.at(0));
  std::vector<std::string> found;
  Verification result = verify(derivations, few_states());
  for (const Agreement& agreement : result.agreements)
    if (!agreement.ok) found.push_back(agreement.between[0]);
  return found;
}

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

const char* const models[] = {"paulus1_released",      "double_pendulum",  "spherical_pendulum_angles",
                              "rolling_disk_released", "boom_with_skate",  "pendulum_with_rod",
                              "rotating_hoop",         "paulus2_released", "relativistic_circle_angle"};

}  // namespace

TEST(VerifyReleases, bundled_releases_agree_with_the_multipliers_of_what_they_hold) {
  for (const std::string name : models) {
    Verification result = verify(bundled(name), few_states());
    bool compared = false;
    for (const Agreement& agreement : result.agreements) {
      EXPECT_TRUE(agreement.ok) << name << ": " << agreement.quantity << ", " << agreement.between[0] << " "
                                << agreement.largest << " of " << agreement.bound;
      compared = compared || agreement.between[0] == "release (17)";
    }
    EXPECT_TRUE(compared) << name;
  }
}

TEST(VerifyReleases, a_wrong_sign_or_factor_in_17_is_noticed) {
  for (const std::string name : models) {
    EXPECT_THAT(disagreements(name, [](ReleasedReaction&) {}), IsEmpty()) << name;
    EXPECT_THAT(disagreements(name, [](ReleasedReaction& r) { r.rho = -r.rho; }), Contains("release (17)")) << name;
    EXPECT_THAT(disagreements(name, [](ReleasedReaction& r) { r.rho = r.rho * 2; }), Contains("release (17)")) << name;
  }
}

TEST(VerifyReleases, a_wrong_sign_or_factor_in_18_is_noticed) {
  for (const std::string name : {"paulus1_released", "double_pendulum", "rolling_disk_released", "boom_with_skate"}) {
    EXPECT_THAT(disagreements(name, [](ReleasedReaction& r) { r.lambda = -r.lambda; }), ElementsAre("release (18)"));
    EXPECT_THAT(disagreements(name, [](ReleasedReaction& r) { r.lambda = r.lambda / 3; }), ElementsAre("release (18)"));
  }
}

TEST(VerifyReleases, a_carried_term_left_out_is_noticed) {
  for (const std::string name : {"boom_with_skate", "pendulum_with_rod"})
    EXPECT_THAT(disagreements(name,
                              [](ReleasedReaction& r) {
                                Graph& graph = r.rho.graph();
                                Replacement none{graph.symbol(reaction_symbol(r.carried.at(0))), graph.constant(0)};
                                r.rho = substitute(r.rho, {&none, 1});
                              }),
                Contains("release (17)"));
}

TEST(VerifyReleases, a_wrong_force_by_the_shortcut_is_noticed) {
  Description description = read_description(find_model("models:double_pendulum"));
  description.releases.pop_back();
  description.releases[0].what.constraint = {};
  Model model = make_model(description);
  Derivations derivations = derive_all(model);
  EXPECT_TRUE(verify(derivations, few_states()).ok);
  Vector3& direction = derivations.releases.at(0).on.at(0).direction.value();
  std::swap(direction[0], direction[1]);
  EXPECT_FALSE(verify(derivations, few_states()).ok);
}

TEST(VerifyReleases, a_constraint_that_does_not_hold_is_noticed) {
  for (const std::string wrong : {"norm(position(P)) - 2*l", "position(P).z + l", "norm(position(P))"}) {
    Description description = read_description(find_model("models:spherical_pendulum_angles"));
    description.releases.at(0).what.constraint = wrong;
    EXPECT_FALSE(verify(make_model(description), few_states()).ok) << wrong;
  }
}

// Every bundled model of up to 50 coordinates: accelerations and reactions by least constraint, by projection and by
// the connection are those by multipliers at random states, to bounds from rounding and condition.
#include <gtest/gtest.h>

#include <dalembert/model/description.hpp>
#include <dalembert/study/verify.hpp>
#include <set>

using namespace dalembert;

namespace {

class Principles : public testing::TestWithParam<std::string> {};

std::vector<std::string> small_models() {
  std::vector<std::string> names;
  for (const ModelFile& entry : list_models())
    if (load_model(find_model("models:" + entry.name)).coordinates.size() <= 50) names.push_back(entry.name);
  return names;
}

}  // namespace

TEST_P(Principles, AgreeWithTheMultipliersAtRandomStates) {
  Model model = load_model(find_model("models:" + GetParam()));
  VerifyOptions options;
  options.states = 4;
  options.along_motion = false;
  Verification result = verify(model, options);
  std::set<std::string> routes;
  for (const Agreement& agreement : result.agreements) {
    EXPECT_TRUE(agreement.ok) << agreement.quantity << ", " << agreement.between[0] << ", " << agreement.between[1]
                              << ": " << agreement.largest << " of " << agreement.bound << " at " << agreement.where;
    if (agreement.quantity == "accelerations") routes.insert(agreement.between[1]);
  }
  EXPECT_GE(result.states, 2u);
  for (const char* route : {"least constraint", "projector", "connection"}) EXPECT_TRUE(routes.count(route)) << route;
}

INSTANTIATE_TEST_SUITE_P(BundledModels, Principles, testing::ValuesIn(small_models()),
                         [](const testing::TestParamInfo<std::string>& parameter) { return parameter.param; });

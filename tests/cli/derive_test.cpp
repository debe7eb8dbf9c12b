#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/run_command.hpp"

using dalembert::testing_support::CommandResult;
using dalembert::testing_support::run_command;
using testing::HasSubstr;

namespace {

TEST(DeriveCommand, TimeAddsTheValuesOfAllPartsAtTheStateReached) {
  CommandResult result = run_command({"derive", "models:iftomm_A01_pendulum", "--time", "0.5", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  nlohmann::json document = nlohmann::json::parse(result.out), values = document["values"];
  EXPECT_EQ(values["t"], 0.5);
  const std::size_t size = values["velocities"].size(), rows = values["jacobian"].size();
  ASSERT_EQ(values["mass_matrix"].size(), size);
  ASSERT_GE(rows, 1u);
  // M u' + bias = A^T lambda and A u' + drift = 0, in these numbers.
  auto u = values["accelerations"].get<std::vector<double>>(), bias = values["bias"].get<std::vector<double>>();
  auto lambda = values["multipliers"].get<std::vector<double>>(), drift = values["drift"].get<std::vector<double>>();
  auto m = values["mass_matrix"].get<std::vector<std::vector<double>>>();
  auto a = values["jacobian"].get<std::vector<std::vector<double>>>();
  for (std::size_t i = 0; i < size; ++i) {
    double sum = bias[i];
    for (std::size_t j = 0; j < size; ++j) sum += m[i][j] * u[j];
    for (std::size_t r = 0; r < rows; ++r) sum -= a[r][i] * lambda[r];
    EXPECT_NEAR(sum, 0, 1e-11);
  }
  for (std::size_t r = 0; r < rows; ++r) {
    double sum = drift[r];
    for (std::size_t j = 0; j < size; ++j) sum += a[r][j] * u[j];
    EXPECT_NEAR(sum, 0, 1e-11);
  }
}

TEST(DeriveCommand, MatricesOfManyVelocitiesAreToldByTheirEntries) {
  const CommandResult result = run_command({"derive", "models:chain_1000", "--time", "0", "--json"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_LE(result.out.size(), 4'000'000u);
  const nlohmann::json document = nlohmann::json::parse(result.out), &jacobian = document["jacobian"];
  EXPECT_EQ(document["mass_matrix"]["size"], nlohmann::json({2000, 2000}));
  EXPECT_EQ(document["mass_matrix"]["entries"].size(), 2000u);
  EXPECT_EQ(jacobian["size"], nlohmann::json({1000, 2000}));
  EXPECT_EQ(jacobian["entries"].size(), 4u * 1000 - 2);  // the first link hangs on what does not move
  EXPECT_EQ(jacobian["entries"][0], nlohmann::json({0, 0, "2*x1"}));
  // Of link 1 at (x1, 0): the second entry of its row is zero, and is no entry of the values.
  const nlohmann::json& values = document["values"]["jacobian"]["entries"];
  EXPECT_EQ(values[0][1], 0);
  EXPECT_EQ(values[1][0], 1);
}

TEST(DeriveCommand, TimeIsForTextAndJson) {
  EXPECT_THAT(run_command({"derive", "models:double_pendulum", "--time", "1"}).out, HasSubstr("values at t = 1"));
  EXPECT_EQ(run_command({"derive", "models:double_pendulum", "--time", "1", "--as", "c"}).status, 2);
  EXPECT_THAT(run_command({"derive", "models:double_pendulum"}).out, testing::Not(HasSubstr("values at")));
}

TEST(DeriveCommand, pages_of_long_chains_have_less_than_twenty_kilobytes) {
  for (const std::string form : {"text", "latex"}) {
    const CommandResult result = run_command({"derive", "models:chain_10", "--by", "hamel", "--as", form});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_LT(result.out.size(), 18'000) << form;
  }
}

}  // namespace

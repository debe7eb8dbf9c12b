// Least constraint, projection and hodograph by the command, against the reference numbers: each to its own tolerance.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "reference/reference.hpp"
#include "support/run_command.hpp"

namespace {

using Json = nlohmann::json;
using reference::Quantity;
using reference::read_case;

Json run(const std::vector<std::string>& arguments) {
  auto result = dalembert::testing_support::run_command(arguments, {.seconds = 300, .folder = {}});
  if (result.status != 0) throw std::runtime_error(arguments[0] + " failed: " + result.err);
  return Json::parse(result.out);
}

void flatten(const Json& value, std::vector<double>& numbers) {
  if (value.is_number()) numbers.push_back(value.get<double>());
  if (value.is_array())
    for (const Json& item : value) flatten(item, numbers);
}

void expect_near(const Json& found, const Quantity& expected) {
  std::vector<double> numbers;
  flatten(found, numbers);
  ASSERT_EQ(numbers.size(), expected.value.size()) << expected.name << ": " << found;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    EXPECT_NEAR(numbers[i], expected.value[i], expected.tolerance)
        << expected.name << ", " << expected.state << ", " << i;
}

/// Fractions in quotes, as in "zeta = ['3/10', '-1/2']".
std::vector<double> fractions(const std::string& text) {
  std::vector<double> result;
  for (std::size_t quote = text.find('\''); quote != std::string::npos;) {
    const std::size_t end = text.find('\'', quote + 1);
    const std::string fraction = text.substr(quote + 1, end - quote - 1);
    const std::size_t bar = fraction.find('/');
    result.push_back(std::stod(fraction) / (bar == std::string::npos ? 1.0 : std::stod(fraction.substr(bar + 1))));
    quote = text.find('\'', end + 1);
  }
  return result;
}

TEST(LeastConstraint, OfTheDoublePendulumMeetsEveryReferenceNumber) {
  const Json actual = run({"gauss", "models:double_pendulum", "--json"});
  auto beside = [&](double first, double second) {
    return run({"gauss", "models:double_pendulum", "--json", "--at",
                fmt::format("a''={:.17g}", actual["actual"][0].get<double>() + first), "--at",
                fmt::format("b''={:.17g}", actual["actual"][1].get<double>() + second)});
  };
  for (const Quantity& quantity : read_case("gauss_double_pendulum")) {
    if (quantity.name.starts_with("phi")) {
      expect_near(Json::array({actual["phi"]}), quantity);
    } else if (quantity.name == "actual qdd") {
      expect_near(actual["actual"], quantity);
    } else if (quantity.name == "D=det a") {  // the columns of a are the forces for unit changes
      const std::vector<double> x = beside(1, 0)["Q"], y = beside(0, 1)["Q"];
      expect_near(Json::array({x.at(0) * y.at(1) - x.at(1) * y.at(0)}), quantity);
    } else {
      const std::vector<double> zeta = fractions(quantity.state);
      ASSERT_EQ(zeta.size(), 2u) << "no reading for " << quantity.name;
      const Json at = beside(zeta[0], zeta[1]);
      expect_near(quantity.name == "Q_k" ? at["Q"] : Json::array({at["Z"]}), quantity);
    }
  }
}

class SpainCase : public testing::TestWithParam<std::string> {};

TEST_P(SpainCase, MeetsEveryReferenceNumber) {
  const Json found = run({"derive", "models:" + GetParam(), "--by", "projection", "--json"});
  double trace = 0;
  for (std::size_t i = 0; i < found["G"].size(); ++i) trace += found["G"][i][i].get<double>();
  std::size_t seen = 0;
  for (const Quantity& quantity : read_case(GetParam())) {
    ++seen;
    const std::string& name = quantity.name;
    if (name.starts_with("Phi")) {
      expect_near(found["Phi"], quantity);
    } else if (name.starts_with("theta")) {
      expect_near(found["theta"], quantity);
    } else if (name.starts_with("lambda")) {
      expect_near(found["lambda"], quantity);
    } else if (name.starts_with("G[j][i]")) {
      expect_near(found["G"], quantity);
    } else if (name.starts_with("rank/trace")) {
      expect_near(Json::array({trace}), quantity);
      expect_near(Json::array({found["rank"]}), quantity);
    } else if (name == "f" || name == "X") {
      expect_near(Json::array({found[name]}), quantity);
    } else if (name == "cos psi") {
      expect_near(found["cos_psi"], quantity);
    } else if (name == "cos phi") {
      expect_near(found["cos_phi"], quantity);
    } else if (name.starts_with("f^2")) {
      expect_near(Json::array({found["relation"][0]}), quantity);
      expect_near(Json::array({found["relation"][1]}), quantity);
    } else if (name.starts_with("f^i")) {
      expect_near(found["f_contravariant"], quantity);
    } else if (name.starts_with("qdd")) {
      expect_near(found["accelerations"], quantity);
      expect_near(found["accelerations_by_connection"], quantity);
    } else {
      ADD_FAILURE() << "no reading for " << name;
    }
  }
  EXPECT_EQ(seen, 12u);
}

INSTANTIATE_TEST_SUITE_P(Spain, SpainCase, testing::Values("spain_knife_edge", "spain_killing_suslov"),
                         [](const testing::TestParamInfo<std::string>& parameter) { return parameter.param; });

Json hodograph(const std::string& model, double until, double every, const std::vector<std::string>& options = {}) {
  std::vector<std::string> arguments{"hodograph",
                                     model,
                                     "--json",
                                     "--transport",
                                     fmt::format("--until={:.17g}", until),
                                     fmt::format("--every={:.17g}", every)};
  arguments.insert(arguments.end(), options.begin(), options.end());
  return run(arguments);
}

std::vector<double> carried(const Json& matrix, const std::vector<double>& vector) {
  std::vector<double> result;
  for (const Json& row : matrix) {
    double sum = 0;
    for (std::size_t j = 0; j < vector.size(); ++j) sum += row[j].get<double>() * vector[j];
    result.push_back(sum);
  }
  return result;
}

TEST(Hodograph, OfTheSphericalPendulumMeetsTheReferenceNumbers) {
  const Json found = hodograph("models:spherical_pendulum_angles", 2, 1);
  int met = 0;
  for (const Quantity& quantity : read_case("spain_hodograph_transport")) {
    if (quantity.time != 1 && quantity.time != 2) continue;
    const auto row = static_cast<std::size_t>(quantity.time);
    if (quantity.name.starts_with("spherical pendulum hodograph length"))
      expect_near(Json::array({found["arc"][row]}), quantity), ++met;
    if (quantity.name.starts_with("parallel-transported vector"))
      expect_near(carried(found["transport"][row], {1, 0.5}), quantity), ++met;
  }
  EXPECT_GE(met, 2);
  EXPECT_LT(found["invariant"].get<double>(), 1e-11);
  EXPECT_TRUE(found["exceptional"].is_null());
}

TEST(Hodograph, OfAPendulumOverOnePeriodIsFourTimesItsLargestSpeed) {
  double period = 0;
  int met = 0;
  for (const Quantity& quantity : read_case("spain_hodograph_transport"))
    if (quantity.name == "planar pendulum period") period = quantity.value[0];
  for (const Quantity& quantity : read_case("spain_hodograph_transport"))
    if (quantity.name.starts_with("planar pendulum (")) {
      const Json found = hodograph("models:pendulum", period, period / 8);
      expect_near(Json::array({found["arc"].back()}), quantity);
      ++met;
    }
  EXPECT_GT(period, 0);
  EXPECT_EQ(met, 1);
}

TEST(Hodograph, OfAProjectileIsStraightInPolarCoordinates) {
  for (const double mass : {1.0, 2.25}) {
    const Json found = hodograph("models:projectile_polar", 1.7, 0.17, {"--set", fmt::format("m={}", mass)});
    EXPECT_NEAR(found["arc"].back().get<double>(), std::sqrt(mass) * 16.677, 1e-12 * std::sqrt(mass));
    const double motion = 1e-11 * 16.677;  // a hundred times the tolerance, of the largest speed
    // Straight: every chord from the start points the same way, downwards; at r = 1 the components are orthonormal.
    ASSERT_GE(found["curve"].size(), 10U);
    for (std::size_t k = 1; k < found["curve"].size(); ++k) {
      const double radial = found["curve"][k][0].get<double>() - found["curve"][0][0].get<double>(),
                   across = found["curve"][k][1].get<double>() - found["curve"][0][1].get<double>();
      EXPECT_NEAR(radial, -9.81 * found["t"][k].get<double>() * std::sin(0.3), motion);
      EXPECT_NEAR(across, -9.81 * found["t"][k].get<double>() * std::cos(0.3), motion);
    }
  }
}

TEST(Hodograph, SpainsConnectionCarriesAVectorAlongTheSleighsCircle) {
  const Json found = hodograph("models:chaplygin_sleigh_zero_offset", 2, 1);
  int met = 0;
  for (const Quantity& quantity : read_case("spain_hodograph_transport")) {
    if (!quantity.name.starts_with("Spain-Gamma transported")) continue;
    std::vector<double> vector =
        carried(found["connection_transport"][static_cast<std::size_t>(quantity.time)], {1, 0.5, 0.3});
    expect_near(vector, quantity);
    // Not Killing's case: the metric, 2 dx^2 + 2 dy^2 + 0.6 dtheta^2, is not kept.
    EXPECT_GT(std::abs(2 * vector[0] * vector[0] + 2 * vector[1] * vector[1] - 2.5), 0.1);
    ++met;
  }
  EXPECT_GE(met, 1);
}

}  // namespace

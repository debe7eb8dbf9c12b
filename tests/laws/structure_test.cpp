// Accelerations and multipliers from the structure of a model, in both orders, are those of its mass matrix and
// Jacobian: on every bundled model and on random trees with loops, rolling and drives.
#include "mechanics/structure/structure.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/dalembert.hpp>
#include <random>

#include "../bench/models.hpp"
#include "laws/random_tree.hpp"
#include "simulate/system/derivative.hpp"
#include "simulate/system/observer.hpp"
#include "simulate/system/rank.hpp"

using namespace dalembert;

namespace {

/// Two routes at one state: from the structure, and by factors of M and of the Gram matrix.
class Routes {
 public:
  explicit Routes(Equations equations) : equations_(std::move(equations)), evaluator_(compile(equations_)) {
    evaluator_.set_parameters(NamedNumbers{});
  }

  /// Largest difference of accelerations and multipliers, by the largest of each and by what the constraints multiply
  /// errors with (the Gram matrix has the square of their distance from dependence); negative where there is no motion.
  double difference(const std::vector<double>& y, Order order) {
    const CompiledSystem& system = evaluator_.system();
    Evaluation at(system);
    if (!evaluator_.evaluate(0.3, y.data(), at)) return -1;
    const auto selection = select_rows(evaluator_, 0.3, y.data(), at);
    if (!selection->is_whole()) return -1;
    Derivative by_factor(evaluator_, selection);
    std::vector<double> dy(system.size());
    by_factor.by_factor(0.3, y.data(), dy.data());
    const std::span<const double> acceleration(dy.data() + system.q_count(), system.u_count());
    if (!std::isfinite(acceleration[0])) return -1;
    const std::vector<double> found = structured(y, *selection, order);
    const std::size_t n = system.u_count(), rows = system.row_count();
    const double distance = by_factor.factor().smallest_pivot();
    return distance * distance *
           std::max(compare({found.data(), n}, acceleration),
                    compare({found.data() + n, rows}, by_factor.multipliers().first(rows)));
  }

  std::vector<double> start() { return evaluator_.to_vector(evaluator_.initial_state({})); }

 private:
  static std::shared_ptr<const CompiledSystem> compile(const Equations& equations) {
    return std::make_shared<const CompiledSystem>(equations);
  }
  static double compare(std::span<const double> a, std::span<const double> b) {
    double difference = 0, size = 1;  // the loads are of order one: what vanishes in a symmetric place is no measure
    for (std::size_t i = 0; i < a.size(); ++i) {
      difference = std::max(difference, std::isfinite(a[i]) ? std::abs(a[i] - b[i]) : INFINITY);
      size = std::max(size, std::abs(b[i]));
    }
    return difference / size;
  }

  std::vector<double> structured(const std::vector<double>& y, const Selection& selection, Order order) {
    const Equations own = fork(equations_);
    std::vector<MendingRow> mending;
    std::vector<Expr> parameters;
    std::vector<double> values(evaluator_.all_parameters().begin(), evaluator_.all_parameters().end());
    for (const Parameter& parameter : own.model->parameters) parameters.push_back(parameter.symbol);
    if (own.has_choice())
      parameters.insert(parameters.end(), own.quasi->completion->symbols.begin(), own.quasi->completion->symbols.end());
    for (const Mending& mend : selection.mending()) {
      mending.push_back({mend.row, own.graph->symbol("sigma " + std::to_string(mend.row))});
      parameters.push_back(mending.back().sigma);
      values.push_back(mend.sigma);
    }
    std::vector<Expr> inputs{own.time};
    inputs.insert(inputs.end(), own.coordinates.begin(), own.coordinates.end());
    inputs.insert(inputs.end(), own.velocities.begin(), own.velocities.end());
    const std::vector<Expr> outputs = solve_structured(own, mending, order);
    const Function function = dalembert::compile(make_program(inputs, parameters, outputs), {.native = false});
    Scratch scratch = function.make_scratch();
    function.set_parameters(scratch, values);
    std::vector<double> at{0.3}, result(outputs.size());
    at.insert(at.end(), y.begin(), y.begin() + std::ssize(own.coordinates) + std::ssize(own.velocities));
    function.evaluate(scratch, at, result);
    return result;
  }

  Equations equations_;
  SystemEvaluator evaluator_;
};

/// At the start and near it: the equations are linear in accelerations and multipliers on and off the constraints.
double largest_difference(const Equations& equations, Order order) {
  Routes routes(equations);
  std::mt19937_64 random(1829);
  std::uniform_real_distribution<double> shift(-0.3, 0.3);
  double largest = -1;
  for (int trial = 0; trial < 3; ++trial) {
    std::vector<double> y = routes.start();
    for (double& each : y) each += trial == 0 ? 0 : shift(random);
    largest = std::max(largest, routes.difference(y, order));
  }
  return largest;
}

class Bundled : public testing::TestWithParam<std::string> {};

std::vector<std::string> multiplier_models() {
  std::vector<std::string> names;
  for (const ModelFile& entry : list_models())
    if (load_model(find_model("models:" + entry.name)).coordinates.size() <= 50) names.push_back(entry.name);
  return names;
}

}  // namespace

TEST_P(Bundled, StructureAndMassMatrixGiveTheSameMotion) {
  const Model model = load_model(find_model("models:" + GetParam()));
  for (Order order : {Order::recursive, Order::composite})
    EXPECT_LT(largest_difference(derive_multipliers(model), order), 1e-12);
}

// Appell's function of the frames' accelerations against M and the transition coefficients.
TEST_P(Bundled, StructureAndLagrangeEulerEquationsGiveTheSameQuasiAccelerations) {
  const Model model = load_model(find_model("models:" + GetParam()));
  const Equations hamel = derive_hamel_motion(model).equations;
  ASSERT_TRUE(has_structure(hamel));
  for (Order order : {Order::recursive, Order::composite}) EXPECT_LT(largest_difference(hamel, order), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Structure, Bundled, testing::ValuesIn(multiplier_models()),
                         [](const testing::TestParamInfo<std::string>& parameter) { return parameter.param; });

TEST(Structure, RandomTreesMoveAsTheirMassMatrixSays) {
#if defined(DALEMBERT_SMALL_TESTS)
  constexpr std::uint64_t seeds = 15;
#else
  constexpr std::uint64_t seeds = 180;
#endif
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const laws::TreeModels models = laws::make_random_tree(seed);
    for (const bool relative : {true, false}) {
      if (!relative && seed > 20) continue;
      const Model model = make_model(parse_description(relative ? models.relative : models.cartesian));
      for (Order order : {Order::recursive, Order::composite})
        EXPECT_LT(largest_difference(derive_multipliers(model), order), 1e-12) << "seed " << seed;
    }
  }
}

namespace {

/// Instructions of one evaluation.
std::size_t count_instructions(const Model& model) {
  const Equations equations = derive_multipliers(model);
  std::vector<Expr> inputs{equations.time}, parameters;
  inputs.insert(inputs.end(), equations.coordinates.begin(), equations.coordinates.end());
  inputs.insert(inputs.end(), equations.velocities.begin(), equations.velocities.end());
  for (const Parameter& parameter : equations.model->parameters) parameters.push_back(parameter.symbol);
  return make_program(inputs, parameters, solve_structured(equations, {}, Order::recursive)).body.code.size();
}

/// Rods in relative angles, of these masses.
std::string chain_of(const std::vector<double>& masses) {
  std::string text = "gravity = [0, -9.81, 0]\n[coordinates]\n";
  for (std::size_t k = 0; k < masses.size(); ++k)
    text += fmt::format("q{} = {{ value = {}, rate = {} }}\n", k, 0.3 + 0.1 * static_cast<double>(k % 3), 0.5);
  for (std::size_t k = 0; k < masses.size(); ++k) {
    text += fmt::format("[frames.link{}]\n", k);
    if (k > 0) text += fmt::format("parent = \"link{}\"\norigin = [0.2, 0, 0]\n", k - 1);
    text += fmt::format("rotate = [[\"z\", \"q{0}\"]]\n[bodies.link{0}]\nframe = \"link{0}\"\n", k);
    text += fmt::format("centre = [0.1, 0, 0]\nmass = {}\ninertia = [0, 0, {}]\n", masses[k], masses[k] / 300);
  }
  return text;
}

/// Joints that are turned about two axes before they turn about a third, bodies of these masses without any symmetry.
std::string arm_of(const std::vector<double>& masses) {
  std::string text = "gravity = [0, 0, -9.81]\n[coordinates]\n";
  for (std::size_t k = 0; k < masses.size(); ++k)
    text += fmt::format("q{} = {{ value = {}, rate = {} }}\n", k, 0.3 + 0.4 * static_cast<double>(k % 3), 0.5);
  for (std::size_t k = 0; k < masses.size(); ++k) {
    const double m = masses[k] / 100;
    text += fmt::format("[frames.b{}]\n", k);
    if (k > 0) text += fmt::format("parent = \"b{}\"\norigin = [0.2, 0.05, -0.1]\n", k - 1);
    text += fmt::format("rotate = [[\"x\", 0.7], [\"y\", \"0.2*q{0}\"], [\"z\", \"q{0}\"]]\n[bodies.b{0}]\n", k);
    text += fmt::format("frame = \"b{}\"\ncentre = [0.1, 0.02, 0.03]\nmass = {}\n", k, masses[k]);
    text += fmt::format("inertia = [{}, {}, {}, {}, {}, {}]\n", 2 * m, 3 * m, 4 * m, 0.1 * m, -0.2 * m, 0.3 * m);
  }
  return text;
}

/// The largest of M u' + h, each component by what its terms amount to: what rounding is for a backward stable solver.
double residual_of(const std::string& text, Order order) {
  const Model model = make_model(parse_description(text));
  const Equations equations = derive_multipliers(model);
  const std::vector<Binding> at = bind_symbols(*equations.model, initial_state(model), {});
  const std::vector<double> found = evaluate(solve_structured(equations, {}, order), at);
  const std::size_t n = equations.velocities.size();
  std::vector<double> sum = evaluate(equations.bias, at), size(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) size[i] = std::abs(sum[i]);
  for (std::size_t i = 0; i < n; ++i)
    for (const Entry& entry : equations.mass[i]) {
      const double value = evaluate(entry.value, at);
      sum[i] += value * found[entry.column];
      size[i] += std::abs(value * found[entry.column]);
      if (entry.column == i) continue;
      sum[entry.column] += value * found[i];
      size[entry.column] += std::abs(value * found[i]);
    }
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, std::abs(sum[i]) / size[i]);
  return largest;
}

}  // namespace

// M of more than 40 velocities comes from the structure; the Lagrangian's slopes are another route to M u.
TEST(Structure, MassMatrixOfALongChainIsThatOfItsKineticEnergy) {
  using namespace dalembert::bench;
  for (auto* family : {chain_in_relative_angles, chain_in_absolute_angles, chain_of_points, chain_of_masses}) {
    const Model model = make_model(parse_description(family(45)));
    const Equations equations = derive_multipliers(model);
    const std::vector<Binding> at = bind_symbols(*equations.model, initial_state(model), parameter_values(model));
    const std::vector<double> momentum = evaluate(gradient(equations.lagrangian, equations.velocities), at),
                              u = evaluate(equations.velocities, at);
    std::vector<double> product(u.size(), 0.0), size(u.size(), 0.0);
    for (std::size_t i = 0; i < u.size(); ++i)
      for (const Entry& entry : equations.mass[i]) {
        const double value = evaluate(entry.value, at);
        const auto add = [&](std::size_t row, std::size_t column) {
          product[row] += value * u[column];
          size[row] += std::abs(value * u[column]);
        };
        add(i, entry.column);
        if (entry.column != i) add(entry.column, i);
      }
    for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(product[i], momentum[i], 1e-12 * size[i]) << i;
  }
}

// Without rows, those of a motion have accelerations without any factor of M: they satisfy M u' + h = 0 as well.
TEST(Structure, RowsOfALongChainHaveTheAccelerationsOfItsMassMatrix) {
  const auto system = std::make_shared<const CompiledSystem>(
      derive_multipliers(make_model(parse_description(bench::chain_in_relative_angles(45)))));
  SystemEvaluator evaluator(system);
  evaluator.set_parameters(NamedNumbers{});
  const std::vector<double> y = evaluator.to_vector(evaluator.initial_state({}));
  Evaluation at(*system);
  ASSERT_TRUE(evaluator.evaluate(0, y.data(), at));
  const auto selection = select_rows(evaluator, 0, y.data(), at);
  ASSERT_TRUE(system->needs_no_factor(*selection));
  Observation observation(*system);
  ASSERT_TRUE(Observer(evaluator, selection).observe(0, y.data(), observation));
  EXPECT_NEAR(observation.kinetic, evaluator.kinetic(at, y.data()), 1e-12 * observation.kinetic);
  Derivative derivative(evaluator, selection);
  std::vector<double> dy(y.size()), again(y.size());
  derivative(0, y.data(), dy.data());
  derivative.with_parts(0, y.data(), again.data());
  EXPECT_EQ(dy, again);
  std::vector<double> sum(at.bias().begin(), at.bias().end()), size(sum.size());
  for (std::size_t i = 0; i < sum.size(); ++i) size[i] = std::abs(sum[i]);
  const std::vector<double>& a = observation.accelerations;
  for (std::size_t k = 0; k < at.mass().size(); ++k) {
    const auto [i, j] = system->pattern->mass[k];
    const auto add = [&](std::size_t row, std::size_t column) {
      sum[row] += at.mass()[k] * a[column];
      size[row] += std::abs(at.mass()[k] * a[column]);
    };
    add(i, j);
    if (i != j) add(j, i);
  }
  for (std::size_t i = 0; i < sum.size(); ++i) {
    EXPECT_EQ(a[i], dy[system->q_count() + i]);
    EXPECT_LT(std::abs(sum[i]), 1e-12 * size[i]) << i;
  }
}

TEST(Structure, EachFurtherLinkOfAChainCostsTheSame) {
  using namespace dalembert::bench;
  for (auto* family : {chain_in_relative_angles, chain_in_absolute_angles, chain_of_points, chain_of_masses}) {
    const auto count = [&](int links) { return count_instructions(make_model(parse_description(family(links)))); };
    const std::size_t small = count(70), middle = count(90), large = count(110);
    EXPECT_EQ(large - middle, middle - small);
    EXPECT_LT(large, 60u * 110u);
  }
}

TEST(Structure, EachFurtherLoopOfALinkageCostsTheSame) {
  const auto count = [](const char* bars) {
    return count_instructions(load_model(find_model("models:iftomm_A02_fourbar"), {{"N", bars}}));
  };
  EXPECT_EQ(count("60") - count("40"), count("40") - count("20"));
}

TEST(Structure, MassRatiosOf1e8AndMasslessLinksAreAsGoodAsAnyOther) {
  for (const std::vector<double>& masses : {std::vector<double>{1, 1, 1, 1, 1, 1},
                                            {1e8, 1, 1e8, 1, 1e8, 1},
                                            {1, 1e8, 1, 1e8, 1, 1e8},
                                            {1e4, 1e-4, 1, 0, 0, 1e4},
                                            {0, 0, 1, 0, 0, 1e8}})
    for (Order order : {Order::recursive, Order::composite}) {
      EXPECT_LT(residual_of(chain_of(masses), order), 1e-13);
      EXPECT_LT(residual_of(arm_of(masses), order), 1e-13);
    }
}

// Two unknowns that are two others turned in their plane leave together: a joint takes 298 instructions, 347 one by
// one.
TEST(Structure, EachFurtherJointOfASpatialArmCostsAsMuchAsItsTurnsAboutAxes) {
  const auto count = [](int joints) {
    return count_instructions(make_model(parse_description(bench::spatial_arm(joints))));
  };
  const std::size_t small = count(10), middle = count(14), large = count(18);
  EXPECT_NEAR(static_cast<double>(large - middle), static_cast<double>(middle - small), 4);  // joints in turn differ
  EXPECT_LE(large - middle, 4u * 300u);
}

namespace {

/// A spatial arm whose centres are at this part of the way to the next joint, and aside of it by so much.
std::string arm_with_centres(double part, double aside) {
  std::string text = "gravity = [0, 0, -9.81]\n[coordinates]\n";
  for (int k = 0; k < 4; ++k) text += fmt::format("q{} = {{ value = {}, rate = 0.5 }}\n", k, 0.3 + 0.4 * (k % 3));
  for (int k = 0; k < 4; ++k) {
    text += fmt::format("[frames.b{}]\n", k);
    if (k > 0) text += fmt::format("parent = \"b{}\"\norigin = [0.2, 0.04, -0.1]\n", k - 1);
    text += fmt::format("rotate = [[\"{0}\", \"q{1}\"]]\n[bodies.b{1}]\nframe = \"b{1}\"\nmass = {2}\n", "xyz"[k % 3],
                        k, k + 1);
    text += fmt::format("centre = [{}, {}, {}]\n", 0.2 * part, 0.04 * part + aside, -0.1 * part);
    text += "inertia = [0.02, 0.03, 0.04, 0.001, -0.002, 0.003]\n";
  }
  return text;
}

}  // namespace

// Its mass is at the two joints then, and nothing couples the acceleration of one with the turning.
TEST(Structure, ABodyWhoseCentreIsOnTheWayToTheNextJointCountsAsTwoMasses) {
  const auto model = [](double part, double aside) {
    return make_model(parse_description(arm_with_centres(part, aside)));
  };
  for (const double part : {0.125, 0.25, 0.5, 1.0})
    for (Order order : {Order::recursive, Order::composite})
      EXPECT_LT(largest_difference(derive_multipliers(model(part, 0)), order), 1e-12) << part;
  EXPECT_LT(count_instructions(model(0.5, 0)), count_instructions(model(0.5, 0.01)));
  EXPECT_EQ(count_instructions(model(0.125, 0)), count_instructions(model(0.125, 0.01))) << "not so near to the joint";
}

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <dalembert/model/description.hpp>
#include <limits>
#include <optional>
#include <random>
#include <thread>

// Parameters and start as numbers: other values in a model that is formed once, against the model formed again.

namespace dalembert {
namespace {

Model model_of(const std::string& text) { return make_model(parse_description(text, "m.toml")); }

const char* const chain = R"(
[repeat]
k = "1..N"
[parameters]
N = "M + 1"
M = 2
l = "total/{N}"
total = 3
[coordinates]
"x{k}" = { value = "{k}*l", rate = "total - l" }
[simulate]
until = "2*total"
tolerance = 1e-8
)";

/// Everything of the model that is a number: parameters, start, settings.
std::vector<double> numbers_of(const Model& model) {
  std::vector<double> numbers = parameter_values(model);
  auto add = [&](const ModelState& state) {
    numbers.insert(numbers.end(), state.q.begin(), state.q.end());
    numbers.insert(numbers.end(), state.rates.begin(), state.rates.end());
  };
  const std::vector<double> parameters = numbers;
  add(initial_state(model));
  if (model.reduction) add(initial_reduced_state(model, parameters));
  const SimulateSettings& s = model.simulate;
  numbers.insert(numbers.end(), {s.until, s.every, s.tolerance});
  for (const auto& [name, value] : s.multipliers) numbers.push_back(value);
  return numbers;
}

/// A formula that is not written any more may leave the factors and terms of others in another order. Each has up to 8
/// operations, each rounds by eps/2 in both, and terms are at most products of two numbers of the model.
void expect_same(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  double largest = 1;
  for (double value : b) largest = std::max(largest, std::fabs(value));
  const double bound = 8 * std::numeric_limits<double>::epsilon() * largest * largest;
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], bound) << i;
}

/// None where the numbers are refused.
template <class Make>
std::optional<Model> model_or_refusal(Make&& make) {
  try {
    return make();
  } catch (const InputError&) {
    return std::nullopt;
  }
}

struct Case {
  NamedNumbers parameters, start;
  Overrides overrides;

  void add(NamedNumbers& to, const std::string& name, double value) {
    to.emplace_back(name, value);
    overrides.push_back({name, fmt::format("{}", value)});  // the shortest text that reads back as this number
  }
};

Case random_case(const Model& model, std::mt19937& random) {
  std::uniform_real_distribution<double> factor(0.6, 1.4), shift(-0.3, 0.3);
  std::bernoulli_distribution chosen(0.5);
  Case made;
  std::vector<double> values = parameter_values(model);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!model.parameters[i].shapes && chosen(random))
      made.add(made.parameters, model.parameters[i].name, values[i] * factor(random));
  auto add = [&](const std::vector<Coordinate>& coordinates) {
    for (const Coordinate& each : coordinates)
      for (const char* prime : {"", "'"})
        if (chosen(random)) made.add(made.start, each.name + prime, shift(random));
  };
  add(model.coordinates);
  if (model.reduction) add(model.reduction->coordinates);
  return made;
}

TEST(Values, OtherValuesAreThoseOfTheModelFormedWithThem) {
  constexpr unsigned seed = 20261116;
  std::mt19937 random(seed);
  std::vector<Description> descriptions{parse_description(chain)};
  for (const ModelFile& file : list_models()) descriptions.push_back(read_description(file.path));
  std::size_t compared = 0;
  for (const Description& description : descriptions) {
    const Model model = make_model(description);
    for (int trial = 0; trial < 5; ++trial) {
      const Case made = random_case(model, random);
      SCOPED_TRACE(fmt::format("{}, seed {}, trial {}", description.name, seed, trial));
      NamedNumbers all = made.parameters;
      all.insert(all.end(), made.start.begin(), made.start.end());
      const std::optional<Model> again = model_or_refusal([&] { return make_model(description, made.overrides); });
      const std::optional<Model> set = model_or_refusal([&] { return with_values(model, all); });
      ASSERT_EQ(set.has_value(), again.has_value());
      if (!again) continue;
      ++compared;
      expect_same(numbers_of(*set), numbers_of(*again));
      const std::vector<double> parameters = parameter_values(*again);
      expect_same(parameter_values(model, made.parameters), parameters);

      const Model moved = with_values(model, made.parameters);  // by the first comparison as if formed again
      EXPECT_EQ(initial_state(model, parameters).q, initial_state(moved, parameters).q);
      EXPECT_EQ(initial_state(model, parameters).rates, initial_state(moved, parameters).rates);
      if (!model.reduction) continue;
      EXPECT_EQ(initial_reduced_state(model, parameters).q, initial_reduced_state(moved, parameters).q);
      EXPECT_EQ(initial_reduced_state(model, parameters).rates, initial_reduced_state(moved, parameters).rates);
    }
  }
  EXPECT_GT(compared, 4 * descriptions.size());
}

TEST(Values, VariationsGetThemToo) {
  Description description = read_description(find_model("models:double_pendulum"));
  description.releases.clear();
  description.release("l1").release("l2");
  const Model model = make_model(description);
  const NamedNumbers values{{"l1", 1.75}, {"a", 0.25}, {"b'", -2.0}};
  const Model set = with_values(model, values);
  const Model again = make_model(description, {{"l1", "1.75"}, {"a", "0.25"}, {"b'", "-2"}});
  ASSERT_EQ(set.releases.size(), 2);
  for (std::size_t i = 0; i < 2; ++i) {
    expect_same(numbers_of(*set.releases[i].variation.model), numbers_of(*again.releases[i].variation.model));
    EXPECT_NE(numbers_of(*model.releases[i].variation.model), numbers_of(*again.releases[i].variation.model)) << i;
  }
}

TEST(Values, NumbersAreTakenExactlyAndTheModelGivenStaysAsItIs) {
  const Model model = model_of("[parameters]\na = 0.1\nb = \"3*a\"\n[coordinates]\nx = \"b\"\n");
  const Model set = with_values(model, {{"a", 0.1}});
  EXPECT_NE(set.graph, model.graph);
  EXPECT_EQ(set.parameters[0].value.value(), mpq_class(0.1));
  EXPECT_EQ(model.parameters[0].value.value(), mpq_class(1, 10));
  EXPECT_EQ(parameter_values(with_values(model, {{"b", 7}, {"b", 8}})), (std::vector<double>{0.1, 8})) << "last wins";
  EXPECT_EQ(initial_state(with_values(model, {{"a", 2}})).q[0], 6);
  EXPECT_EQ(initial_state(with_values(model, {{"a", 2}, {"x", 1}})).q[0], 1);
  EXPECT_EQ(initial_state(model, std::vector<double>{1, 5}).q[0], 5);
}

TEST(Values, WhatShapedTheModelIsKnown) {
  const Model model = model_of(chain);
  std::string shaping;
  for (const Parameter& each : model.parameters)
    if (each.shapes) shaping += each.name + " ";
  EXPECT_EQ(shaping, "N M ");
  const char* const settings = "[parameters]\na = 1\nb = 2\n[coordinates]\nx = 0\n[simulate]\nuntil = \"{b}\"\n";
  EXPECT_FALSE(model_of(settings).parameters[0].shapes);
  EXPECT_TRUE(model_of(settings).parameters[1].shapes);
  for (const ModelFile& file : list_models()) {
    const Description description = read_description(file.path);
    for (const Parameter& each : make_model(description).parameters)
      EXPECT_FALSE(each.shapes && description.repeats.empty()) << file.name << ": " << each.name;
  }
}

std::string refusal(const Model& model, const NamedNumbers& values, bool parameters_only = false) {
  try {
    if (parameters_only) {
      parameter_values(model, values);
    } else {
      with_values(model, values);
    }
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Values, WhatCannotBeSetIsRefusedWithAWayOut) {
  const Model model = model_of(
      "[parameters]\nlength = 1\ne = 0.5\nT = 1\n[coordinates]\ntheta = \"1/length\"\n"
      "[constraints.floor]\nrelation = \"theta >= -9\"\nrestitution = \"e\"\n[simulate]\nuntil = \"T\"\n");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal(model, {{"lenght", 2}}),
            "m.toml: lenght: there is no parameter or coordinate 'lenght'; did you mean 'length'?");
  EXPECT_EQ(refusal(model, {{"theta''", 2}}),
            "m.toml: theta'': there is no parameter or coordinate 'theta'''; did you mean 'theta''?");
  EXPECT_EQ(refusal(model, {{"wwwwwww", 2}}),
            "m.toml: wwwwwww: there is no parameter or coordinate 'wwwwwww'; expected a "
            "parameter, a coordinate or a coordinate's rate such as q'");
  EXPECT_EQ(refusal(model, {{"theta", 2}}, true),
            "m.toml: theta: there is no parameter 'theta'; expected the name of a parameter");
  EXPECT_EQ(refusal(model, {{"theta", NAN}}), "m.toml: theta: nan is not finite; expected a finite number");
  EXPECT_EQ(refusal(model, {{"length", -infinity}}, true),
            "m.toml: length: -inf is not finite; expected a finite number");
  EXPECT_EQ(refusal(model, {{"length", 0}}), "m.toml: theta: its value is not finite; expected a finite number");
  EXPECT_EQ(refusal(model, {{"e", 2}}),
            "m.toml: constraints.floor: the restitution is 2; expected a number between 0 and 1");
  EXPECT_EQ(refusal(model, {{"T", -1}}), "m.toml: simulate.until: -1 is not positive; expected a positive number");
  for (bool parameters_only : {false, true})
    EXPECT_EQ(refusal(model_of(chain), {{"M", 3}}, parameters_only),
              "m.toml: M: the model is formed with 'M', as the size of a family is; form it again with another value: "
              "--set M=3, or an override of make_model");
  EXPECT_THROW(initial_state(model, std::vector<double>{1}), InputError);
  EXPECT_THROW(initial_reduced_state(model, parameter_values(model)), InputError);
}

TEST(Values, AFormulaReplacedByHandIsRead) {
  Model model = model_of("[parameters]\na = 1\n[coordinates]\nx = \"a\"\n");
  model.parameters[0].value = model.graph->constant(5);
  EXPECT_EQ(parameter_values(model), std::vector<double>{5});
  model.coordinates[0].value = model.graph->constant(3);
  EXPECT_EQ(initial_state(model).q[0], 3);
}

TEST(Values, ManyThreadsMayAskOneModel) {
  const Model model = load_model("models:double_pendulum");
  std::vector<std::vector<double>> serial, parallel(8);
  auto ask = [&](std::size_t i) {
    std::vector<double> values = parameter_values(model, {{model.parameters[0].name, 1.0 + static_cast<double>(i)}});
    const ModelState start = initial_state(model, values);
    values.insert(values.end(), start.q.begin(), start.q.end());
    return values;
  };
  for (std::size_t i = 0; i < 8; ++i) serial.push_back(ask(i));
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      for (int k = 0; k < 100; ++k) parallel[i] = ask(i);
    });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(parallel, serial);
}

}  // namespace
}  // namespace dalembert

// What derive writes is what is computed with: every page of equations, in text and in JSON, read back and evaluated at
// random states, has the values of M u' + bias - A^T lambda and of the constraints.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>
#include <dalembert/dalembert.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>
#include <sstream>

#include "laws/random_tree.hpp"

namespace dalembert {
namespace {

/// Formulas that refer to parts defined before them, each name once.
class Reader {
 public:
  explicit Reader(Graph& graph) : scope_(plain_scope(graph)), graph_(graph) {
    auto plain = scope_.name;
    scope_.name = [this, plain](const SyntaxNode& node) -> std::optional<Quantity> {
      if (auto found = find(node.text + std::string(node.primes, '\''))) return found;
      return plain(node);
    };
    scope_.call = [this](const Formula& formula, std::uint32_t call) -> std::optional<Quantity> {
      std::string text = formula.nodes[call].text + "(";
      for (std::uint32_t argument : formula.children(call))
        text += (text.back() == '(' ? "" : ", ") + write(formula, argument);
      text += ")";
      if (auto found = find(text)) return found;
      return text.starts_with("reaction(") ? std::optional<Quantity>(graph_.symbol(text)) : std::nullopt;
    };
  }

  void define(const std::string& name, const std::string& formula) {
    EXPECT_FALSE(parts_.contains(name)) << name << " is defined twice";
    Formula parsed = parse_syntax(formula);
    parts_[name] = interpret(parsed, parsed.left, scope_);
  }

  /// left - right.
  Expr read(const std::string& equation) {
    Formula parsed = parse_syntax(equation, true);
    return interpret_scalar(parsed, parsed.left, scope_) - interpret_scalar(parsed, parsed.right, scope_);
  }
  Expr read_formula(const std::string& text) {
    Formula parsed = parse_syntax(text);
    return interpret_scalar(parsed, parsed.left, scope_);
  }

 private:
  static std::string write(const Formula& formula, std::uint32_t node) {
    const SyntaxNode& each = formula.nodes[node];
    if (each.kind == SyntaxNode::Kind::name) return each.text + std::string(each.primes, '\'');
    if (each.kind == SyntaxNode::Kind::member) return write(formula, formula.children(node)[0]) + "." + each.text;
    std::string text = each.text + "(";
    for (std::uint32_t argument : formula.children(node)) text += write(formula, argument);
    return text + ")";
  }

  /// Whole, or from components that are parts by themselves; those that are not there are used by nobody.
  std::optional<Quantity> find(const std::string& name) {
    if (auto found = parts_.find(name); found != parts_.end()) return found->second;
    Vector3 components;
    bool any = false;
    for (std::size_t c = 0; c < 3; ++c) {
      std::string component = name + "." + "xyz"[c];
      auto found = parts_.find(component);
      any = any || found != parts_.end();
      components[c] = found != parts_.end() ? std::get<Expr>(found->second) : graph_.symbol("undefined " + component);
    }
    return any ? std::optional<Quantity>(components) : std::nullopt;
  }

  Scope scope_;
  Graph& graph_;
  std::map<std::string, Quantity> parts_;
};

struct Page {
  std::map<std::string, Expr> motion, constraints;
};

/// Lines with those that go on from them, which are indented further than four spaces, put together.
std::vector<std::string> joined_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  bool in_equation = false;
  for (std::string line; std::getline(stream, line);) {
    EXPECT_LE(line.size(), 160u) << line;
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const bool goes_on = !line.empty() && (indent >= 8 || (indent == 6 && !in_equation));
    in_equation = indent == 4;
    if (goes_on && !lines.empty())
      lines.back() += " " + line.substr(indent);
    else
      lines.push_back(line);
    in_equation = indent == 4 || (goes_on && indent == 8);
  }
  return lines;
}

std::string with_number(const std::string& text, long k) {
  std::string out;
  static const std::regex index(R"(\{k([+-]\d+)?\})");
  auto begin = std::sregex_iterator(text.begin(), text.end(), index);
  std::size_t at = 0;
  for (auto match = begin; match != std::sregex_iterator(); ++match) {
    out += text.substr(at, static_cast<std::size_t>(match->position()) - at);
    out += std::to_string(k + ((*match)[1].matched ? std::stol((*match)[1]) : 0));
    at = static_cast<std::size_t>(match->position() + match->length());
  }
  return out + text.substr(at);
}

Page read_text(Graph& graph, const std::string& text) {
  Page page;
  Reader reader(graph);
  std::map<std::string, Expr>* list = nullptr;
  std::string name, section;
  long first = 0, last = 0;
  for (const std::string& line : joined_lines(text)) {
    if (line.empty()) continue;
    if (line[0] != ' ') {
      section = line;
      list = line.starts_with("motion") ? &page.motion : line == "constraints" ? &page.constraints : nullptr;
    } else if (line.starts_with("    ") && list != nullptr) {
      for (long k = first; k <= last; ++k) {
        const std::string equation = with_number(line.substr(4), k);
        (*list)[with_number(name, k)] = reader.read(equation);
      }
    } else if (list != nullptr) {
      static const std::regex title(R"(  (.*):(?:  \(k = (\d+)\.\.(\d+)\))?)");
      std::smatch match;
      EXPECT_TRUE(std::regex_match(line, match, title)) << line;
      name = match[1];
      first = match[2].matched ? std::stol(match[2]) : 0;
      last = match[3].matched ? std::stol(match[3]) : 0;
    } else if (section.starts_with("kinematics") || section.starts_with("forces") || section.starts_with("further") ||
               section.starts_with("rates in terms")) {
      const std::size_t equals = line.find(" = ");
      reader.define(line.substr(2, equals - 2), line.substr(equals + 3));
    }
  }
  return page;
}

/// State, accelerations, multipliers and parameters as numbers.
std::vector<Binding> random_state(const Equations& equations, std::mt19937_64& random) {
  const Model& model = *equations.model;
  std::uniform_real_distribution<double> spread(-0.4, 0.4);
  std::vector<Binding> at{{equations.time, 0.3}};
  const std::vector<double> parameters = parameter_values(model);
  for (std::size_t i = 0; i < parameters.size(); ++i) at.push_back({model.parameters[i].symbol, parameters[i]});
  const std::vector<double> start = evaluate(equations.start_coordinates, at);
  for (std::size_t i = 0; i < start.size(); ++i) at.push_back({equations.coordinates[i], start[i] + spread(random)});
  for (const auto* list : {&equations.velocities, &equations.accelerations})
    for (const Expr& symbol : *list) at.push_back({symbol, 1 + spread(random)});
  for (const auto* rows : {&equations.rows, &equations.contacts})
    for (const ConstraintRow& row : *rows)
      at.push_back({equations.graph->symbol(reaction_symbol(row.name)), 1 + spread(random)});
  return at;
}

/// What is computed with, and the size of its terms.
struct Residual {
  double value = 0, size = 0;
  void add(double term) {
    value += term;
    size += std::fabs(term);
  }
};

std::vector<Residual> motion_residuals(const Equations& equations, std::span<const Binding> at) {
  const std::vector<double> u = evaluate(equations.accelerations, at), bias = evaluate(equations.bias, at);
  std::vector<Residual> residuals(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) residuals[i].add(bias[i]);
  for (std::size_t i = 0; i < u.size(); ++i)
    for (const Entry& entry : equations.mass[i]) {
      const double m = evaluate(entry.value, at);
      residuals[i].add(m * u[entry.column]);
      if (entry.column != i) residuals[entry.column].add(m * u[i]);
    }
  for (const auto* rows : {&equations.rows, &equations.contacts})
    for (const ConstraintRow& row : *rows) {
      const double multiplier = evaluate(equations.graph->symbol(reaction_symbol(row.name)), at);
      for (const Entry& entry : row.jacobian) residuals[entry.column].add(-evaluate(entry.value, at) * multiplier);
    }
  return residuals;
}

Expr velocity_form(const Equations& equations, const ConstraintRow& row) {
  if (row.position) return row.position;
  std::vector<Expr> terms{row.offset};
  for (const Entry& entry : row.jacobian) terms.push_back(entry.value * equations.velocities[entry.column]);
  return equations.graph->sum(terms);
}

/// Two ways of summing a few hundred products that may be a thousand times what they leave.
constexpr double rounding = 1e-10;

void expect_same(const Equations& equations, const Page& page, const std::string& what) {
  std::mt19937_64 random(7);
  for (int trial = 0; trial < 3; ++trial) {
    const std::vector<Binding> at = random_state(equations, random);
    const std::vector<Residual> expected = motion_residuals(equations, at);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::string name = equations.velocities[i].name();
      ASSERT_TRUE(page.motion.contains(name)) << what << " " << name;
      EXPECT_NEAR(evaluate(page.motion.at(name), at), expected[i].value, rounding * (1 + expected[i].size))
          << what << " " << name;
    }
    for (const ConstraintRow& row : equations.rows) {
      ASSERT_TRUE(page.constraints.contains(row.name)) << what << " " << row.name;
      const double value = evaluate(velocity_form(equations, row), at);
      EXPECT_NEAR(evaluate(page.constraints.at(row.name), at), value, rounding * (1 + std::fabs(value)))
          << what << " " << row.name;
    }
  }
}

void expect_listings_say_what_is_computed(const Model& model, const std::string& by) {
  const std::string what = model.name + " by " + by;
  const Equations equations = fork(derive_equations(model, by));
  expect_same(equations, read_text(*equations.graph, write_text(equations)), what + ", text");
  if (equations.coordinates.size() > 100) return;  // the same formulas, thousands of times

  const nlohmann::json document = nlohmann::json::parse(write_json(equations));
  Reader reader(*equations.graph);
  if (document.contains("parts"))
    for (const nlohmann::json& part : document["parts"]) reader.define(part["name"], part["formula"]);
  Page page;
  std::size_t place = 0;
  for (const nlohmann::json& equation : document["equations"])
    (place++ < equations.velocities.size() ? page.motion : page.constraints)[equation["name"]] =
        reader.read(equation["formula"]);
  expect_same(equations, page, what + ", JSON");

  std::mt19937_64 random(8);
  const std::vector<Binding> at = random_state(equations, random);
  for (std::size_t i = 0; i < equations.mass.size(); ++i) {
    for (const Entry& entry : equations.mass[i]) {
      const double value = evaluate(entry.value, at);
      EXPECT_NEAR(evaluate(reader.read_formula(document["mass_matrix"][i][entry.column]), at), value,
                  rounding * (1 + std::fabs(value)))
          << what;
    }
    const double value = evaluate(equations.bias[i], at);
    EXPECT_NEAR(evaluate(reader.read_formula(document["bias"][i]), at), value, rounding * (1 + std::fabs(value)))
        << what;
  }
}

class BundledModel : public testing::TestWithParam<std::string> {};

TEST_P(BundledModel, IsListedAsItIsComputed) {
  const Model model = load_model("models:" + GetParam());
  expect_listings_say_what_is_computed(model, "multipliers");
  EXPECT_LE(write_text(derive_multipliers(model)).size(), 20'000u);
}

std::vector<std::string> bundled_models() {
  std::vector<std::string> names;
  for (const ModelFile& model : list_models()) names.push_back(model.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, BundledModel, testing::ValuesIn(bundled_models()),
                         [](const auto& tested) { return tested.param; });

TEST(Listing, InOtherVelocitiesIsWhatIsComputed) {
  for (const char* name : {"models:rolling_disk_tilted", "models:three_link_arm", "models:rolling_disk_body"})
    expect_listings_say_what_is_computed(load_model(name), "hamel");
  expect_listings_say_what_is_computed(load_model("models:iftomm_A01_pendulum"), "reduced");
  expect_listings_say_what_is_computed(load_model("models:rolling_ball_quaternion"), "projection");
}

TEST(Listing, OfRandomTreesIsWhatIsComputed) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / fmt::format("listed{}.toml", seed);
    const laws::TreeModels models = laws::make_random_tree(seed);
    for (const std::string& text : {models.relative, models.cartesian}) {
      std::ofstream(file) << text;
      expect_listings_say_what_is_computed(load_model(file.string()), "multipliers");
    }
  }
}

}  // namespace
}  // namespace dalembert

#include "laws/listing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

namespace dalembert::listings {
namespace {

std::string write(const Formula& formula, std::uint32_t node) {
  const SyntaxNode& each = formula.nodes[node];
  if (each.kind == SyntaxNode::Kind::name) return each.text + std::string(each.primes, '\'');
  if (each.kind == SyntaxNode::Kind::member) return write(formula, formula.children(node)[0]) + "." + each.text;
  std::string text = each.text + "(";
  for (std::uint32_t argument : formula.children(node)) text += write(formula, argument);
  return text + ")";
}

/// Lines with those that go on from them, which are indented further than four spaces, put together.
std::vector<std::string> joined_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  bool in_equation = false;
  for (std::string line; std::getline(stream, line);) {
    EXPECT_LE(line.size(), 160u) << line;
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const bool goes_on = !line.empty() && (indent >= 8 || (indent == 6 && !in_equation));
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

/// What of a row is written as an equation: itself, or its velocity form A u + offset.
std::vector<Expr> written_terms(const Equations& equations, const ConstraintRow& row) {
  if (row.position) return {row.position};
  std::vector<Expr> terms{row.offset};
  for (const Entry& entry : row.jacobian) terms.push_back(entry.value * equations.velocities[entry.column]);
  return terms;
}

}  // namespace

Reader::Reader(const Equations& equations)
    : scope_(plain_scope(*equations.graph)), graph_(*equations.graph), equations_(equations) {
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
    if (text.starts_with("rate(")) return rate_of(text.substr(5, text.size() - 6));
    return text.starts_with("reaction(") ? std::optional<Quantity>(graph_.symbol(text)) : std::nullopt;
  };
}

void Reader::define(const std::string& name, const std::string& formula) {
  EXPECT_FALSE(parts_.contains(name)) << name << " is defined twice";
  Formula parsed = parse_syntax(formula);
  parts_[name] = interpret(parsed, parsed.left, scope_);
}

Expr Reader::read(const std::string& equation) {
  Formula parsed = parse_syntax(equation, true);
  return interpret_scalar(parsed, parsed.left, scope_) - interpret_scalar(parsed, parsed.right, scope_);
}

Expr Reader::read_formula(const std::string& text) {
  Formula parsed = parse_syntax(text);
  return interpret_scalar(parsed, parsed.left, scope_);
}

/// Of a part, the coordinates' rates being parts too or velocities themselves.
Expr Reader::rate_of(const std::string& name) {
  std::vector<Replacement> along{{equations_.time, graph_.constant(1)}};
  for (std::size_t i = 0; i < equations_.velocities.size(); ++i)
    along.push_back({equations_.velocities[i], equations_.accelerations[i]});
  for (const Expr& q : equations_.coordinates) {
    auto rate = find(q.name() + "'");
    along.push_back({q, rate ? std::get<Expr>(*rate) : graph_.symbol(q.name() + "'")});
  }
  return directional_derivative(std::get<Expr>(*find(name)), along);
}

/// Whole, or from components that are parts by themselves; those that are not there are used by nobody.
std::optional<Quantity> Reader::find(const std::string& name) {
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

Page read_text(const Equations& equations, const std::string& text) {
  Page page;
  Reader reader(equations);
  std::map<std::string, Expr>* list = nullptr;
  std::string name, section;
  long first = 0, last = 0;
  for (const std::string& line : joined_lines(text)) {
    if (line.empty()) continue;
    if (line[0] != ' ') {
      section = line;
      list = line.starts_with("motion") ? &page.motion : line == "constraints" ? &page.constraints : nullptr;
    } else if (line.starts_with("    ") && list != nullptr) {
      for (long k = first; k <= last; ++k) (*list)[with_number(name, k)] = reader.read(with_number(line.substr(4), k));
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

Page read_json(const Equations& equations, const nlohmann::json& document, Reader& reader) {
  if (document.contains("parts"))
    for (const nlohmann::json& part : document["parts"]) reader.define(part["name"], part["formula"]);
  Page page;
  std::size_t place = 0;
  for (const nlohmann::json& equation : document["equations"])
    (place++ < equations.velocities.size() ? page.motion : page.constraints)[equation["name"]] =
        reader.read(equation["formula"]);
  return page;
}

namespace {

Binding& find(std::vector<Binding>& at, const Expr& symbol) {
  return *std::ranges::find(at, symbol.id(), [](const Binding& each) { return each.symbol.id(); });
}

/// Pages say what holds for unit quaternions: |e| = 1 and e.e' = 0.
void normalise_quaternions(const Equations& equations, std::vector<Binding>& at) {
  for (const Constraint& constraint : equations.model->constraints) {
    if (!constraint.is_unit) continue;
    double square = 0, rate = 0;
    const std::vector<Expr> e = free_symbols({&constraint.f, 1});
    for (const Expr& each : e) square += std::pow(find(at, each).value, 2);
    for (const Expr& each : e) find(at, each).value /= std::sqrt(square);
    if (equations.quasi) continue;  // their rates follow from quasi-velocities
    std::vector<Expr> rates;
    for (const Expr& each : e) rates.push_back(equations.graph->symbol(each.name() + "'"));
    for (std::size_t i = 0; i < e.size(); ++i) rate += find(at, e[i]).value * find(at, rates[i]).value;
    for (std::size_t i = 0; i < e.size(); ++i) find(at, rates[i]).value -= rate * find(at, e[i]).value;
  }
}

}  // namespace

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
  normalise_quaternions(equations, at);
  return at;
}

void Residual::add(double term) {
  value += term;
  size += std::fabs(term);
}

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

std::vector<Residual> constraint_residuals(const Equations& equations, std::span<const Binding> at) {
  std::vector<Residual> residuals(equations.rows.size());
  for (std::size_t a = 0; a < residuals.size(); ++a)
    for (double term : evaluate(written_terms(equations, equations.rows[a]), at)) residuals[a].add(term);
  return residuals;
}

}  // namespace dalembert::listings

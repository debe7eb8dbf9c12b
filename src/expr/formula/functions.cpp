#include "expr/formula/functions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "expr/formula/lexer.hpp"

namespace dalembert {
namespace {

using Apply = Quantity (*)(Graph& graph, std::span<const Expr> scalars, std::span<const Vector3> vectors);

struct Function {
  std::string_view name;
  std::size_t least, most;  // arguments
  bool of_vectors;
  Apply apply;
};

template <Op op>
Quantity unary(Graph& graph, std::span<const Expr> x, std::span<const Vector3>) {
  return graph.unary(op, x[0]);
}

template <Op op>
Quantity extremum(Graph& graph, std::span<const Expr> x, std::span<const Vector3>) {
  return graph.extremum(op, x);
}

Expr dot(Graph& graph, const Vector3& a, const Vector3& b) {
  Expr terms[] = {a[0] * b[0], a[1] * b[1], a[2] * b[2]};
  return graph.sum(terms);
}

Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

using Scalars = std::span<const Expr>;
using Vectors = std::span<const Vector3>;

constexpr std::size_t any = 1'000'000'000;

constexpr Function functions[] = {
    {"sin", 1, 1, false, unary<Op::sin>},
    {"cos", 1, 1, false, unary<Op::cos>},
    {"tan", 1, 1, false, unary<Op::tan>},
    {"asin", 1, 1, false, unary<Op::asin>},
    {"acos", 1, 1, false, unary<Op::acos>},
    {"atan", 1, 1, false, unary<Op::atan>},
    {"sinh", 1, 1, false, unary<Op::sinh>},
    {"cosh", 1, 1, false, unary<Op::cosh>},
    {"tanh", 1, 1, false, unary<Op::tanh>},
    {"exp", 1, 1, false, unary<Op::exp>},
    {"log", 1, 1, false, unary<Op::log>},
    {"abs", 1, 1, false, unary<Op::abs>},
    {"sign", 1, 1, false, unary<Op::sign>},
    {"sqrt", 1, 1, false, [](Graph&, Scalars x, Vectors) -> Quantity { return sqrt(x[0]); }},
    {"atan2", 2, 2, false, [](Graph& graph, Scalars x, Vectors) -> Quantity { return graph.atan2(x[0], x[1]); }},
    {"min", 2, any, false, extremum<Op::min>},
    {"max", 2, any, false, extremum<Op::max>},
    {"dot", 2, 2, true, [](Graph& graph, Scalars, Vectors v) -> Quantity { return dot(graph, v[0], v[1]); }},
    {"cross", 2, 2, true, [](Graph&, Scalars, Vectors v) -> Quantity { return cross(v[0], v[1]); }},
    {"norm", 1, 1, true, [](Graph& graph, Scalars, Vectors v) -> Quantity { return sqrt(dot(graph, v[0], v[0])); }},
};

const Function* find_function(std::string_view name) {
  const Function* found = std::ranges::find(functions, name, &Function::name);
  return found == std::end(functions) ? nullptr : found;
}

std::string describe_count(const Function& function) {
  if (function.most == any) return fmt::format("{} or more arguments", function.least);
  return fmt::format("{} argument{}", function.least, function.least == 1 ? "" : "s");
}

}  // namespace

bool is_builtin_function(std::string_view name) { return find_function(name) != nullptr; }

std::vector<std::string> builtin_functions() {
  std::vector<std::string> names;
  for (const Function& function : functions) names.emplace_back(function.name);
  return names;
}

Quantity call_function(const Formula& formula, std::uint32_t call, Graph& graph, std::span<const Quantity> arguments) {
  const SyntaxNode& node = formula.nodes[call];
  const Function* found = find_function(node.text);
  if (found == nullptr) fail_formula(node.place, "unknown function", "");
  const Function& function = *found;
  if (arguments.size() < function.least || arguments.size() > function.most)
    fail_formula(node.place,
                 fmt::format("{} takes {}, not {}", function.name, describe_count(function), arguments.size()),
                 function.of_vectors ? "its arguments are vectors" : "its arguments are scalars");
  std::vector<Expr> scalars;
  std::vector<Vector3> vectors;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    bool is_vector = std::holds_alternative<Vector3>(arguments[k]);
    if (is_vector != function.of_vectors)
      fail_formula(formula.nodes[formula.children(call)[k]].place,
                   fmt::format("{} takes {}, and this is a {}", function.name,
                               function.of_vectors ? "vectors" : "scalars", is_vector ? "vector" : "scalar"),
                   is_vector ? "take a component (.x, .y, .z) or norm(...)" : "write a vector as [a, b, c]");
    if (is_vector) {
      vectors.push_back(std::get<Vector3>(arguments[k]));
    } else {
      scalars.push_back(std::get<Expr>(arguments[k]));
    }
  }
  return function.apply(graph, scalars, vectors);
}

}  // namespace dalembert

#include <algorithm>
#include <dalembert/expr/display.hpp>

namespace dalembert {

using Kind = Shown::Kind;

Shown show_number(const mpq_class& value) { return {.kind = Kind::number, .value = value}; }
Shown show_name(std::string name) { return {.kind = Kind::name, .text = std::move(name)}; }
Shown show_call(std::string function, std::vector<Shown> arguments) {
  return {.kind = Kind::call, .text = std::move(function), .children = std::move(arguments)};
}

Shown show_vector(Shown x, Shown y, Shown z) {
  return {.kind = Kind::vector, .children = {std::move(x), std::move(y), std::move(z)}};
}

Shown show_sum(std::vector<Shown> terms) {
  if (terms.empty()) return show_number(0);
  if (terms.size() == 1) return std::move(terms[0]);
  std::vector<Shown> flat;  // no brackets around a sum in a sum
  for (Shown& term : terms) {
    if (term.kind == Kind::sum)
      std::ranges::move(term.children, std::back_inserter(flat));
    else
      flat.push_back(std::move(term));
  }
  return {.kind = Kind::sum, .children = std::move(flat)};
}

Shown show_product(std::vector<Shown> factors) {
  if (factors.size() > 1 && factors[0].is_number(1)) factors.erase(factors.begin());
  if (factors.empty()) return show_number(1);
  if (factors.size() == 1) return std::move(factors[0]);
  return {.kind = Kind::product, .children = std::move(factors)};
}

Shown show_quotient(Shown numerator, Shown denominator) {
  if (denominator.is_number(1)) return numerator;
  return {.kind = Kind::quotient, .children = {std::move(numerator), std::move(denominator)}};
}

Shown show_power(Shown base, const mpq_class& exponent) {
  if (exponent == 1) return base;
  return {.kind = Kind::power, .value = exponent, .children = {std::move(base)}};
}

bool begins_negative(const Shown& shown) {
  switch (shown.kind) {
    case Kind::number: return sgn(shown.value) < 0;
    case Kind::product: return shown.children[0].kind == Kind::number && sgn(shown.children[0].value) < 0;
    case Kind::quotient: return shown.children[0].kind != Kind::sum && begins_negative(shown.children[0]);
    default: return false;
  }
}

Shown without_sign(Shown shown) {
  if (shown.kind == Kind::number) {
    shown.value = -shown.value;
  } else if (shown.kind == Kind::product) {
    shown.children[0].value = -shown.children[0].value;
    return show_product(std::move(shown.children));
  } else {
    shown.children[0] = without_sign(std::move(shown.children[0]));
  }
  return shown;
}

std::size_t count_signs(const Shown& shown) {
  std::size_t total = 0;
  for (const Shown& child : shown.children) {
    total += count_signs(child);
    if (child.kind == Kind::sum && shown.kind != Kind::call && shown.kind != Kind::vector && shown.kind != Kind::sum)
      total += 1;  // brackets
  }
  switch (shown.kind) {
    case Kind::number: {
      std::size_t digits = shown.value.get_num().get_str().size() + (shown.value.get_den() == 1 ? 0 : 3);
      return total + std::max<std::size_t>(digits, 1);
    }
    case Kind::name: return total + 2;
    case Kind::sum: return total + 2 * (shown.children.size() - 1);
    case Kind::product: return total + shown.children.size() - 1;
    case Kind::quotient: return total + 2;
    case Kind::power: return total + 2;
    default: return total + 3;
  }
}

Expr to_expr(const Shown& shown, Graph& graph) {
  std::vector<Expr> children;
  for (const Shown& child : shown.children) children.push_back(to_expr(child, graph));
  switch (shown.kind) {
    case Kind::number: return graph.constant(shown.value);
    case Kind::name: return shown.text == "pi" ? graph.pi() : graph.symbol(shown.text);
    case Kind::sum: return graph.sum(children);
    case Kind::product: return graph.product(children);
    case Kind::quotient: return children[0] / children[1];
    case Kind::power:
      return children.size() == 1 ? graph.power(children[0], shown.value) : graph.power(children[0], children[1]);
    default: break;
  }
  if (shown.text == "atan2") return graph.atan2(children[0], children[1]);
  for (Op op = Op::sin; op <= Op::max; op = static_cast<Op>(static_cast<int>(op) + 1))
    if (function_name(op) == shown.text)
      return is_unary(op) ? graph.unary(op, children[0]) : graph.extremum(op, children);
  return {};
}

namespace {

/// coefficient * product of base ^ exponent.
Shown show_term(Graph& graph, const mpq_class& coefficient, Expr term) {
  std::vector<Shown> above{show_number(mpq_class(coefficient.get_num()))};
  std::vector<Shown> below{show_number(mpq_class(coefficient.get_den()))};
  if (term.op() == Op::product) {
    std::vector<Part> parts(graph.parts(term.id()).begin(), graph.parts(term.id()).end());
    for (const Part& part : parts) {
      mpq_class exponent = graph.value(part.weight);
      std::vector<Shown>& side = sgn(exponent) < 0 ? below : above;
      side.push_back(show_power(make_shown(graph[part.node]), abs(exponent)));
    }
  } else {
    above.push_back(make_shown(term));
  }
  return show_quotient(show_product(std::move(above)), show_product(std::move(below)));
}

}  // namespace

Shown make_shown(Expr expression) {
  Graph& graph = expression.graph();
  NodeId id = expression.id();
  switch (Op op = expression.op()) {
    case Op::constant: return show_number(expression.value());
    case Op::pi: return show_name("pi");
    case Op::symbol: return show_name(expression.name());
    case Op::product: return show_term(graph, 1, expression);
    case Op::sum: {
      std::vector<Shown> terms;
      for (const Part& part : graph.parts(id))
        terms.push_back(show_term(graph, graph.value(part.weight), graph[part.node]));
      if (graph.offset(id) != graph.zero()) terms.push_back(show_number(graph.value(graph.offset(id))));
      auto positive = std::ranges::find_if(terms, [](const Shown& term) { return !begins_negative(term); });
      if (positive != terms.end()) std::rotate(terms.begin(), positive, positive + 1);
      return show_sum(std::move(terms));
    }
    default: {
      std::vector<Shown> arguments;
      for (NodeId argument : graph.arguments(id)) arguments.push_back(make_shown(graph[argument]));
      if (op == Op::power) return {.kind = Kind::power, .children = std::move(arguments)};
      return show_call(std::string(function_name(op)), std::move(arguments));
    }
  }
}

}  // namespace dalembert

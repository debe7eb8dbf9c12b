#include "expr/canonical/convert.hpp"

#include <algorithm>

#include "expr/canonical/cost.hpp"
#include "expr/walk.hpp"

namespace dalembert::canonical {

std::vector<Fraction> Converter::convert(std::span<const Expr> expressions) {
  learn_domain(expressions);
  convert_below(expressions);
  std::vector<Fraction> result;
  for (const Expr& expression : expressions) result.push_back(at(expression.id()));
  return result;
}

void Converter::convert_below(std::span<const Expr> expressions) {
  constexpr unsigned deepest = 200;  // atoms made of atoms; each takes some frames of the stack
  if (depth_ >= deepest) throw TooLarge{"functions are nested too deeply"};
  ++depth_;
  Walk walk(graph_, expressions);
  for (NodeId id : walk.order()) {
    if (memo_.contains(id)) continue;
    ring_.budget().charge(cost::node);
    memo_.emplace(id, convert_node(id));
  }
  --depth_;
}

Fraction Converter::convert_node(NodeId id) {
  switch (graph_.op(id)) {
    case Op::constant: return ring_.rational(graph_.value(id));
    case Op::pi: {
      if (auto found = ring_.find(id)) return Fraction(ring_.generator(*found));
      Generator generator{Kind::pi, graph_[id]};
      generator.nonnegative = true;
      return atom(std::move(generator));
    }
    case Op::symbol: return convert_symbol(id);
    case Op::sum: {
      Fraction total = ring_.rational(graph_.value(graph_.offset(id)));
      std::vector<Part> parts(graph_.parts(id).begin(), graph_.parts(id).end());
      for (const Part& part : parts) total = ring_.add(total, ring_.scale(at(part.node), graph_.value(part.weight)));
      return total;
    }
    case Op::product: {
      Fraction total = ring_.rational(1);
      std::vector<Part> parts(graph_.parts(id).begin(), graph_.parts(id).end());
      for (const Part& part : parts)
        total = ring_.multiply(total, power(at(part.node), mpq_class(graph_.value(part.weight))));
      return total;
    }
    default: return convert_function(id);
  }
}

Fraction Converter::atom(Generator generator) {
  if (auto found = ring_.find(generator.expr.id())) return Fraction(ring_.generator(*found));
  return Fraction(ring_.generator(ring_.add(std::move(generator))));
}

Fraction Converter::convert_symbol(NodeId id) {
  auto found = ring_.knowledge().symbol_orders.find(id);
  if (found == ring_.knowledge().symbol_orders.end()) {
    Generator generator{Kind::symbol, graph_[id]};
    generator.nonnegative = graph_.is_nonnegative(id);
    return atom(std::move(generator));
  }
  Expr root = graph_.power(graph_[id], mpq_class(1, found->second));
  Generator generator{Kind::symbol, root};
  generator.nonnegative = true;  // only symbols known not to be negative are written so
  return ring_.power(atom(std::move(generator)), found->second);
}

/// A function's value that no relation is known for; the graph may turn a sign outward or know the value.
Fraction Converter::opaque(Expr expr, std::vector<Fraction> arguments, bool plain) {
  if (expr.is_constant()) return ring_.rational(expr.value());
  if (expr.op() == Op::sum && graph_.parts(expr.id()).size() == 1 && graph_.offset(expr.id()) == graph_.zero()) {
    Part part = graph_.parts(expr.id())[0];
    Fraction scaled = ring_.rational(graph_.value(part.weight));
    return ring_.multiply(scaled, opaque(graph_[part.node], std::move(arguments), plain));
  }
  Generator generator{Kind::opaque, expr};
  generator.arguments = std::move(arguments);
  generator.plain = plain;
  return atom(std::move(generator));
}

Fraction Converter::convert_function(NodeId id) {
  Op op = graph_.op(id);
  std::vector<NodeId> arguments(graph_.arguments(id).begin(), graph_.arguments(id).end());
  const Fraction& x = at(arguments[0]);
  bool for_display = ring_.knowledge().for_display;
  switch (op) {
    case Op::sin: return pair_of(Op::sin, x).sine;
    case Op::cos: return pair_of(Op::sin, x).cosine;
    case Op::tan: {
      Pair pair = pair_of(Op::sin, x);
      return ring_.multiply(pair.sine, ring_.inverse(pair.cosine));
    }
    case Op::sinh: return pair_of(Op::sinh, x).sine;
    case Op::cosh: return pair_of(Op::sinh, x).cosine;
    case Op::tanh: {
      Pair pair = pair_of(Op::sinh, x);
      return ring_.multiply(pair.sine, ring_.inverse(pair.cosine));
    }
    case Op::exp: return exponential(x);
    case Op::log: return logarithm(x);
    case Op::abs: return magnitude(x);
    case Op::sign: return sign(x);
    case Op::min:
    case Op::max: return extremum(op, arguments);
    case Op::power: {
      const Fraction& exponent = at(arguments[1]);
      if (exponent.is_rational()) return power(x, exponent.rational());
      if (for_display) return opaque(graph_.power(ring_.to_expr(x), ring_.to_expr(exponent)), {x, exponent});
      return exponential(ring_.multiply(exponent, logarithm(x)));  // of principal values (Generator::plain)
    }
    case Op::atan2: {
      const Fraction& second = at(arguments[1]);
      return opaque(graph_.atan2(ring_.to_expr(x), ring_.to_expr(second)), {x, second});
    }
    case Op::acos:
      if (!for_display) {  // acos(x) = pi/2 - asin(x) everywhere
        Expr half_turn[] = {graph_.pi()};
        convert_below(half_turn);
        Fraction half = ring_.multiply(at(half_turn[0].id()), ring_.rational(mpq_class(1, 2)));
        return ring_.subtract(half, opaque(graph_.unary(Op::asin, ring_.to_expr(x)), {x}));
      }
      [[fallthrough]];
    default: return opaque(graph_.unary(op, ring_.to_expr(x)), {x});
  }
}

/// min and max of two are (a + b -+ |a - b|)/2 at every point.
Fraction Converter::extremum(Op op, std::span<const NodeId> arguments) {
  if (ring_.knowledge().for_display) {
    std::vector<Expr> exprs;
    std::vector<Fraction> fractions;
    for (NodeId argument : arguments) {
      fractions.push_back(at(argument));
      exprs.push_back(ring_.to_expr(at(argument)));
    }
    return opaque(graph_.extremum(op, exprs), std::move(fractions));
  }
  Fraction best = at(arguments[0]);
  Fraction half = ring_.rational(mpq_class(1, 2));
  for (NodeId argument : arguments.subspan(1)) {
    Fraction apart = magnitude(ring_.subtract(best, at(argument)));
    Fraction total = ring_.add(best, at(argument));
    best = ring_.multiply(half, op == Op::min ? ring_.subtract(total, apart) : ring_.add(total, apart));
  }
  return best;
}

namespace {

/// Sines and the like, where there are no other functions and no roots beside them.
std::vector<Expr> find_pairs(Graph& graph, const Walk& walk) {
  std::vector<Expr> result;
  for (NodeId id : walk.order()) {
    const Op op = graph.op(id);
    const bool circular = op == Op::sin || op == Op::cos || op == Op::tan;
    const bool hyperbolic = op == Op::sinh || op == Op::cosh || op == Op::tanh;
    if (circular || hyperbolic) result.push_back(graph[id]);
    const auto is_broken = [&](const Part& part) { return graph.value(part.weight).get_den() != 1; };
    const bool is_root = op == Op::product && std::ranges::any_of(graph.parts(id), is_broken);
    if (is_root || (op > Op::product && !circular && !hyperbolic)) return {};
  }
  return result;
}

/// What is learned from functions alone, so that what is made of them need not be converted once more; and how many
/// generators there will be at least.
void learn_pairs(std::span<const Expr> expressions, Knowledge& knowledge, Budget& budget) {
  Graph& graph = expressions[0].graph();
  const Walk walk(graph, expressions);
  auto count = static_cast<std::size_t>(
      std::ranges::count_if(walk.order(), [&](NodeId id) { return graph.op(id) == Op::symbol; }));
  if (const std::vector<Expr> pairs = find_pairs(graph, walk); !pairs.empty()) {
    Ring ring(graph, budget, knowledge);
    try {
      Converter(ring).convert(pairs);
    } catch (const RingFull&) {
      return;
    }
    for (const auto* seen : {&knowledge.angles, &knowledge.hyperbolics})
      count += 2 * AtomBasis(*seen, knowledge.shared_angles, {}).atoms().size();
  }
  while (knowledge.generators < count) knowledge.generators *= 2;
}

}  // namespace

Conversion convert_all(std::span<const Expr> expressions, Knowledge& knowledge, Budget& budget) {
  Graph& graph = expressions[0].graph();
  const std::size_t nodes = count_nodes(expressions);
  if (nodes > budget.limits().nodes) throw TooLarge{"the expression has too many nodes"};
  budget.charge(cost::copied_node * static_cast<double>(nodes));  // it has been brought here
  if (knowledge.angles.empty() && knowledge.hyperbolics.empty()) learn_pairs(expressions, knowledge, budget);
  constexpr int most_passes = 12;
  for (int pass = 0;; ++pass) {
    knowledge.changed = false;
    auto ring = std::make_unique<Ring>(graph, budget, knowledge);
    try {
      std::vector<Fraction> fractions = Converter(*ring).convert(expressions);
      if (!knowledge.changed || pass >= most_passes) return {std::move(ring), std::move(fractions)};
    } catch (const RingFull&) {
      knowledge.generators *= 2;
    }
  }
}

}  // namespace dalembert::canonical

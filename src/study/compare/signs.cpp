#include "study/compare/signs.hpp"

#include <algorithm>
#include <dalembert/expr/canonical.hpp>

#include "expr/walk.hpp"

namespace dalembert {
namespace {

constexpr std::size_t most_arguments = 24, most_roots = 24;
constexpr double work_for_a_root = 1e6, largest_root = 200;  // nodes written out

/// A square in the radicand makes an absolute value of it.
Expr as_canonical(Expr root) {
  CanonicalLimits limits;
  limits.work = work_for_a_root;
  const Displayed shown = make_canonical(root, limits);
  return shown.complete ? shown.expression : root;
}

bool has_roots_only(Graph& graph, const Part& factor) {
  const mpq_class& exponent = graph.value(factor.weight);
  return exponent.get_den() != 1 && graph.op(factor.node) != Op::symbol;
}

}  // namespace

Signs::Signs(std::span<const Expr> formulas) { look_into(formulas, true); }

void Signs::look_into(std::span<const Expr> formulas, bool opens_roots) {
  if (formulas.empty()) return;
  Graph& graph = formulas[0].graph();
  std::vector<Expr> roots;
  const Walk walk(graph, formulas);
  for (NodeId id : walk.order()) {
    const Op op = graph.op(id);
    if (op == Op::abs || op == Op::sign) add(graph[graph.arguments(id)[0]]);
    if (op == Op::min || op == Op::max)
      for (NodeId other : std::vector<NodeId>(graph.arguments(id).begin() + 1, graph.arguments(id).end()))
        add(graph[graph.arguments(id)[0]] - graph[other]);
    if (op != Op::product || !opens_roots) continue;
    for (const Part factor : std::vector<Part>(graph.parts(id).begin(), graph.parts(id).end()))
      if (has_roots_only(graph, factor) && count_written(graph[factor.node]) <= largest_root)
        roots.push_back(sqrt(graph[factor.node]));
  }
  std::ranges::sort(roots, {}, &Expr::id);
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  if (roots.size() > most_roots) roots.resize(most_roots);
  for (Expr& root : roots) root = as_canonical(root);
  look_into(roots, false);
}

/// A product by its factors: each has a sign of its own.
void Signs::add(Expr argument) {
  Graph& graph = argument.graph();
  if (argument.op() == Op::product || (argument.op() == Op::sum && graph.parts(argument.id()).size() == 1 &&
                                       graph.offset(argument.id()) == graph.zero())) {
    for (const Part part : std::vector<Part>(graph.parts(argument.id()).begin(), graph.parts(argument.id()).end()))
      if (argument.op() == Op::sum || mpz_odd_p(graph.value(part.weight).get_num_mpz_t())) add(graph[part.node]);
    return;
  }
  if (free_symbols({&argument, 1}).empty() || arguments_.size() == most_arguments) return;
  if (argument.op() == Op::symbol && graph.is_nonnegative(argument.id())) return;
  if (std::ranges::find(arguments_, argument, &Argument::expression) == arguments_.end())
    arguments_.push_back({argument});
}

bool Signs::meet(std::span<const Binding> at) {
  bool is_new = false;
  for (Argument& argument : arguments_) {
    const double value = evaluate(argument.expression, at);
    bool& was = value > 0 ? argument.was_positive : argument.was_negative;
    if (!(value > 0) && !(value < 0)) continue;
    is_new = is_new || !was;
    was = true;
  }
  return is_new;
}

bool Signs::are_one_sided() const {
  return std::ranges::any_of(arguments_, [](const Argument& each) { return each.was_positive != each.was_negative; });
}

std::vector<Expr> Signs::positive() const {
  std::vector<Expr> symbols;
  for (const Argument& each : arguments_)
    if (each.was_positive && !each.was_negative && each.expression.op() == Op::symbol)
      symbols.push_back(each.expression);
  return symbols;
}

}  // namespace dalembert

#include "study/balance_text.hpp"

#include <algorithm>
#include <dalembert/expr/canonical.hpp>
#include <utility>

#include "expr/display/terms.hpp"
#include "study/writer.hpp"

namespace dalembert {
namespace {

/// A factor, and the sum that stands beside it in a formula; 1 where there is none.
struct Factored {
  Expr factor;
  Shown sum = show_number(1);
};

Factored take_sum(Shown shown, Graph& graph) {
  const auto is_sum = [](const Shown& each) { return each.kind == Shown::Kind::sum; };
  Shown* above = shown.kind == Shown::Kind::quotient ? &shown.children[0] : &shown;
  Shown* sum = is_sum(*above) ? above : nullptr;
  if (above->kind == Shown::Kind::product && std::ranges::count_if(above->children, is_sum) == 1)
    sum = &*std::ranges::find_if(above->children, is_sum);
  Factored taken;
  if (sum != nullptr) taken.sum = std::exchange(*sum, show_number(1));
  taken.factor = to_expr(shown, graph);
  return taken;
}

/// The names of sides, which stand for sums, at the ends of products.
Shown with_sides_last(Shown shown, const ShownNames& sides) {
  for (Shown& child : shown.children) child = with_sides_last(std::move(child), sides);
  if (shown.kind == Shown::Kind::product)
    std::ranges::stable_partition(shown.children, [&](const Shown& each) { return !sides.contains(each.text); });
  return shown;
}

std::string write_by_sides(const BalanceFormula& formula, double work) {
  Graph& graph = formula.divisor.graph();
  CanonicalLimits limits;
  limits.work = work;
  ShownNames sides;
  std::vector<Expr> terms;
  for (const BalanceFormula::Term& term : formula.terms) {
    const Displayed side = make_display(term.side, {}, limits);
    if (!side.complete) return {};
    Factored factored = take_sum(side.shown, graph);
    Expr name = graph.constant(1);
    if (!factored.sum.is_number(1)) {
      name = graph.symbol("side(" + std::to_string(terms.size()) + ")");
      sides[name.name()] = std::move(factored.sum);
    }
    terms.push_back(term.factor * factored.factor * name);
  }
  const Displayed whole = make_display(graph.sum(terms) / formula.divisor, {}, limits);
  if (!whole.complete) return {};
  const std::string text = to_text(put_in(with_sides_last(open_brackets(whole.shown), sides), sides));
  return text.size() <= longest_formula ? text : std::string();
}

}  // namespace

std::string write_balance(const BalanceFormula& formula, double work) {
  std::string whole = write_if_short(formula.value(), work), by_sides = write_by_sides(formula, work);
  const bool is_better = !by_sides.empty() && (whole.empty() || by_sides.size() < whole.size());
  return is_better ? by_sides : whole;
}

}  // namespace dalembert

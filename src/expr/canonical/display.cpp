#include <dalembert/base/error.hpp>
#include <dalembert/expr/canonical.hpp>
#include <dalembert/expr/print.hpp>
#include <list>

#include "expr/canonical/arrange.hpp"
#include "expr/canonical/convert.hpp"
#include "expr/canonical/fold.hpp"
#include "expr/display/terms.hpp"

// The forms that people read: several are made, the one with least to read is kept.

namespace dalembert {
namespace {

using namespace canonical;

class Search {
 public:
  Search(const std::set<std::string>& rates, Budget& budget) : rates_(rates), budget_(budget) {}

  /// Angles as they stand, each its own atom.
  void try_as_written(Expr expression) {
    if (!written_.insert(expression.id()).second) return;
    Knowledge knowledge{.for_display = true, .shared_angles = false};
    Conversion conversion = convert_all({&expression, 1}, knowledge, budget_);
    consider(*conversion.ring, conversion.fractions[0]);
  }

  /// Angles expanded into common ones, then folded again. Which ones to expand into decides how much there is to fold:
  /// where only differences matter, take those.
  void try_folded(Expr expression) {
    Knowledge knowledge{.for_display = true, .shared_angles = true};
    Conversion shortest = convert_all({&expression, 1}, knowledge, budget_);
    if (!has_angles(*shortest.ring, shortest.fractions[0])) return consider(*shortest.ring, shortest.fractions[0]);
    std::list<Knowledge> others;  // rings refer to them
    for (const BasisChange& change : find_changes(shortest, knowledge)) {
      Knowledge& other = others.emplace_back(knowledge);
      other.change = change;
      Conversion conversion = convert_all({&expression, 1}, other, budget_);
      if (length(conversion.fractions[0]) < length(shortest.fractions[0])) shortest = std::move(conversion);
    }
    fold(*shortest.ring, shortest.fractions[0]);
  }

  bool found() const { return best_.has_value(); }
  /// What was found before the work ended may be no more than everything multiplied out.
  bool has_swollen(Expr from) const { return dalembert::has_swollen(*best_, from); }
  Shown take() { return std::move(*best_); }

 private:
  static bool has_angles(const Ring& ring, const Fraction& fraction) {
    return canonical::has_angles(ring, fraction.numerator) || canonical::has_angles(ring, fraction.denominator);
  }
  static std::size_t length(const Fraction& fraction) {
    return fraction.numerator.length() + fraction.denominator.length();
  }

  /// Sums and differences of angles that meet in some term: of others no function gets shorter.
  static std::vector<BasisChange> find_changes(const Conversion& conversion, const Knowledge& knowledge) {
    constexpr std::size_t most_angles = 4;
    Ring& ring = *conversion.ring;
    const Fraction& fraction = conversion.fractions[0];
    std::vector<std::optional<std::size_t>> cosines;
    const AtomBasis basis(knowledge.angles, true, heights_of(ring.graph(), knowledge.angles));
    for (const Combination& atom : basis.atoms()) cosines.push_back(ring.find(cos(to_expr(ring.graph(), atom)).id()));
    std::vector<BasisChange> changes;
    for (std::size_t i = 0; i < std::min(cosines.size(), most_angles); ++i)
      for (std::size_t j = i + 1; j < std::min(cosines.size(), most_angles); ++j)
        if (cosines[i] && cosines[j] &&
            (has_both(fraction.numerator, *cosines[i], *cosines[j]) ||
             has_both(fraction.denominator, *cosines[i], *cosines[j])))
          for (int times : {-1, 1}) changes.push_back({i, j, times});
    return changes;
  }

  void fold(Ring& ring, const Fraction& fraction) {
    auto above = fold_angles(ring, fraction.numerator), below = fold_angles(ring, fraction.denominator);
    if (above && below) try_as_written(*above / *below);
    above = fold_factors(ring, fraction.numerator), below = fold_factors(ring, fraction.denominator);
    if (above && below) try_as_written(*above / *below);
    constexpr double clearly = 0.9;
    consider(ring, fraction, clearly);
  }

  /// Kept if it has less to read than this part of what the best so far has.
  void consider(Ring& ring, const Fraction& fraction, double part = 1) {
    // Hopeless where a form with far fewer terms is at hand.
    std::size_t terms = length(fraction);
    constexpr std::size_t few = 8;
    if (best_ && terms > few && terms > 2 * least_terms_) return;
    least_terms_ = std::min(least_terms_, terms);
    Arranger arranger(ring, rates_);
    keep(arranger.arrange(fraction), part);
    Fraction rational = rationalise(ring, fraction);
    bool changed = !(rational.denominator == fraction.denominator);
    if (changed && length(rational) <= 2 * std::max(terms, few)) keep(arranger.arrange(rational), part);
  }
  void keep(Shown shown, double part) {
    std::size_t signs = count_signs(shown);
    if (best_ && static_cast<double>(signs) >= part * static_cast<double>(signs_)) return;
    best_ = std::move(shown);
    signs_ = signs;
  }

  const std::set<std::string>& rates_;
  Budget& budget_;
  std::set<NodeId> written_;  // tried as they stand
  std::optional<Shown> best_;
  std::size_t signs_ = 0;
  std::size_t least_terms_ = static_cast<std::size_t>(-1);
};

/// Runs the work in a graph of its own, so that the caller's does not fill with trials.
template <class Make>
Displayed within_limits(Expr expression, const CanonicalLimits& limits, Make&& make) {
  Budget budget(limits);
  std::string why;
  try {
    Graph scratch;
    Shown shown = make(copy_to(scratch, {&expression, 1})[0], budget);
    Expr result = to_expr(shown, expression.graph());
    return {result, std::move(shown), true, "", budget.spent()};
  } catch (const TooLarge& reason) {
    why = reason.what;
  } catch (const Undefined& reason) {
    why = "it seems to be defined nowhere: " + reason.what;
  } catch (const FormulaError& error) {
    why = std::string("it seems to be defined nowhere: ") + error.what();
  }
  return {expression, {}, false, "shown as it is: " + why, budget.spent()};
}

std::set<std::string> names_of_rates(Expr expression, std::span<const Expr> rates) {
  std::set<std::string> names;
  for (const Expr& rate : rates) names.insert(rate.name());
  if (rates.empty())
    for (const Expr& symbol : free_symbols({&expression, 1}))
      if (symbol.name().ends_with('\'')) names.insert(symbol.name());
  return names;
}

/// A symbol, or half its square: there is nothing to be arranged.
bool is_simple(Expr expression) {
  const Graph& graph = expression.graph();
  NodeId id = expression.id();
  if (graph.op(id) == Op::sum && graph.parts(id).size() == 1 && graph.offset(id) == graph.zero())
    id = graph.parts(id)[0].node;
  if (graph.op(id) == Op::symbol) return true;
  if (graph.op(id) != Op::product || graph.parts(id).size() != 1) return false;
  const Part& factor = graph.parts(id)[0];
  const mpq_class& power = graph.value(factor.weight);
  return graph.op(factor.node) == Op::symbol && power.get_den() == 1 && power > 0;
}

}  // namespace

Displayed make_canonical(Expr expression, const CanonicalLimits& limits) {
  return within_limits(expression, limits, [&](Expr copy, Budget& budget) {
    Knowledge knowledge{.for_display = true, .split_angles = true};
    Conversion conversion = convert_all({&copy, 1}, knowledge, budget);
    Fraction fraction = rationalise(*conversion.ring, conversion.fractions[0]);
    return Arranger(*conversion.ring, {}).arrange_plainly(fraction);
  });
}

Displayed make_display(Expr expression, std::span<const Expr> rates, const CanonicalLimits& limits) {
  if (is_simple(expression)) return {expression, make_shown(expression), true, "", 0};
  std::set<std::string> names = names_of_rates(expression, rates);
  return within_limits(expression, limits, [&](Expr copy, Budget& budget) {
    Search search(names, budget);
    std::optional<TooLarge> stopped;
    for (auto attempt : {&Search::try_folded, &Search::try_as_written}) {
      try {
        (search.*attempt)(copy);
      } catch (const TooLarge& reason) {
        stopped = reason;
      }
    }
    if (stopped && (!search.found() || search.has_swollen(copy))) throw *stopped;
    return search.take();
  });
}

std::vector<Displayed> make_display(std::span<const Expr> expressions, std::span<const Expr> rates,
                                    const CanonicalLimits& limits) {
  std::vector<Displayed> result;
  for (const Expr& expression : expressions) result.push_back(make_display(expression, rates, limits));
  return result;
}

std::string to_text(const Displayed& displayed) {
  return displayed.complete ? to_text(displayed.shown) : to_text(displayed.expression);
}

std::string to_latex(const Displayed& displayed) {
  return displayed.complete ? to_latex(displayed.shown) : to_latex(displayed.expression);
}

}  // namespace dalembert

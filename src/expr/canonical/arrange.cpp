#include "expr/canonical/arrange.hpp"

#include <algorithm>
#include <tuple>

#include "expr/canonical/cost.hpp"

namespace dalembert::canonical {
namespace {

constexpr int most_depth = 4;               // of collecting within collected sums
constexpr std::size_t longest_tried = 120;  // terms of a sum for which alternatives are tried

}  // namespace

Shown begin_positive(std::vector<Shown> terms) {
  auto positive = std::ranges::find_if(terms, [](const Shown& term) { return !begins_negative(term); });
  if (positive != terms.end()) std::rotate(terms.begin(), positive, positive + 1);
  return show_sum(std::move(terms));
}

Arranger::Arranger(Ring& ring, const std::set<std::string>& rates) : ring_(ring), rates_(rates), shown_(ring.size()) {
  rank_generators();
}

/// Numbers, pi, parameters in order of age, rates, then functions by argument, sines before cosines.
void Arranger::rank_generators() {
  using Rank = std::tuple<int, NodeId, NodeId>;
  std::vector<std::pair<Rank, std::size_t>> ranks;
  Graph& graph = ring_.graph();
  for (std::size_t i = 0; i < ring_.size(); ++i) {
    const Generator& g = ring_[i];
    NodeId id = g.expr.id();
    Rank rank{5, id, 0};
    if (g.algebraic) {
      rank = {0, id, 0};
    } else if (g.kind == Kind::pi) {
      rank = {1, id, 0};
    } else if (g.kind == Kind::symbol) {
      Expr symbol = free_symbols({&g.expr, 1})[0];
      bool is_rate = rates_.contains(symbol.name());
      if (is_rate) rate_generators_.push_back(i);
      rank = {is_rate ? 3 : 2, symbol.id(), 0};
    } else if (g.kind == Kind::sine || g.kind == Kind::cosine || g.kind == Kind::sinh || g.kind == Kind::cosh) {
      rank = {4, graph.arguments(id)[0], static_cast<NodeId>(graph.op(id))};
    }
    ranks.emplace_back(rank, i);
  }
  std::ranges::sort(ranks);
  for (const auto& entry : ranks) by_rank_.push_back(entry.second);
}

std::vector<Term> Arranger::sorted_terms(const Poly& poly) const {
  std::vector<Term> terms = poly.terms();
  std::ranges::stable_sort(terms, [&](const Term& a, const Term& b) {
    for (std::size_t i : by_rank_)
      if (a.exponents[i] != b.exponents[i]) return a.exponents[i] > b.exponents[i];
    return false;
  });
  return terms;
}

// ---------------------------------------------------------------------------------------------- atoms

Shown Arranger::show_argument(std::size_t index) {
  return make_shown(ring_.graph()[ring_.graph().arguments(ring_[index].expr.id())[0]]);
}

/// The base that powers of a generator are shown of.
Shown Arranger::show_generator(std::size_t index) {
  if (shown_[index]) return *shown_[index];
  const Generator& g = ring_[index];
  Graph& graph = ring_.graph();
  Shown shown;
  switch (g.kind) {
    case Kind::symbol: shown = show_name(free_symbols({&g.expr, 1})[0].name()); break;
    case Kind::root: shown = arrange(Fraction(*g.inner)); break;
    case Kind::magnitude: shown = show_call("abs", {arrange(Fraction(*g.inner))}); break;
    case Kind::sign: shown = show_call("sign", {arrange(Fraction(*g.inner))}); break;
    case Kind::cyclic: shown = make_shown(g.expr / 2); break;
    case Kind::opaque: {
      Op op = g.expr.op();
      if (op < Op::sin) {
        shown = make_shown(g.expr);
        break;
      }
      // The graph may have turned a sign or the order: take the arranged form of those arguments that are as converted.
      std::vector<NodeId> nodes(graph.arguments(g.expr.id()).begin(), graph.arguments(g.expr.id()).end());
      std::vector<Shown> arguments;
      for (NodeId node : nodes) {
        auto same = std::ranges::find_if(
            g.arguments, [&](const Fraction& argument) { return ring_.to_expr(argument).id() == node; });
        arguments.push_back(same == g.arguments.end() ? make_shown(graph[node]) : arrange(*same));
      }
      shown = show_call(std::string(function_name(op)), std::move(arguments));
      break;
    }
    default: shown = make_shown(g.expr);
  }
  shown_[index] = shown;
  return shown;
}

void Arranger::add_generator(Arranged& to, std::size_t index, long exponent) {
  const Generator& g = ring_[index];
  mpq_class total = exponent;
  if (g.kind == Kind::root) total /= g.order;
  if (g.kind == Kind::symbol && g.expr.op() == Op::product)
    total *= ring_.graph().value(ring_.graph().parts(g.expr.id())[0].weight);
  if (g.kind == Kind::cyclic)
    for (long i = 0; i < exponent; ++i) to.number *= 2;
  to.factors.push_back({index, show_generator(index), total, false, {}});
}

Arranger::Arranged Arranger::arrange_term(const Term& term) {
  Arranged result;
  result.number = term.coefficient;
  for (std::size_t i : by_rank_)
    if (term.exponents[i] != 0) add_generator(result, i, term.exponents[i]);
  return result;
}

// ---------------------------------------------------------------------------------------------- products

/// tan(x) for sin(x)/cos(x), sin(2*x) for 2*sin(x)*cos(x), one exponential for several.
void Arranger::fold_functions(Arranged& product) const {
  Graph& graph = ring_.graph();
  std::vector<Factor>& factors = product.factors;
  auto is = [&](const Factor& factor, Kind kind) { return factor.generator && ring_[*factor.generator].kind == kind; };
  for (std::size_t i = 0; i < factors.size(); ++i) {
    bool circular = is(factors[i], Kind::sine);
    if (!circular && !is(factors[i], Kind::sinh)) continue;
    auto partner = std::ranges::find_if(
        factors, [&](const Factor& other) { return other.generator && *other.generator + 1 == *factors[i].generator; });
    if (partner == factors.end()) continue;
    mpq_class up = factors[i].exponent, down = partner->exponent;
    Expr argument = graph[graph.arguments(ring_[*factors[i].generator].expr.id())[0]];
    if (up == -down) {
      factors[i] = {{}, show_call(circular ? "tan" : "tanh", {make_shown(argument)}), up, false, {}};
    } else if (up == 1 && down == 1 && product.number.get_num() % 2 == 0) {
      product.number /= 2;
      factors[i] = {{}, show_call(circular ? "sin" : "sinh", {make_shown(2 * argument)}), 1, false, {}};
    } else {
      continue;
    }
    factors.erase(partner);
    i = static_cast<std::size_t>(-1);  // positions have moved: look again from the start
  }
  std::vector<Expr> exponents;
  for (const Factor& factor : factors)
    if (is(factor, Kind::exponential))
      exponents.push_back(graph[graph.arguments(ring_[*factor.generator].expr.id())[0]] *
                          graph.constant(factor.exponent));
  if (exponents.empty()) return;
  std::erase_if(factors, [&](const Factor& factor) { return is(factor, Kind::exponential); });
  Expr exponent = graph.sum(exponents);
  if (!exponent.is_zero()) factors.push_back({{}, show_call("exp", {make_shown(exponent)}), 1, false, {}});
}

/// Powers of what reads the same are one power: sqrt(p)/p is 1/sqrt(p).
void Arranger::merge(Arranged& product) const {
  std::vector<Factor> merged;
  std::vector<std::string> texts;
  for (Factor& factor : product.factors) {
    std::string text = to_text(factor.base);
    auto found = std::ranges::find(texts, text);
    if (found == texts.end()) {
      texts.push_back(text);
      merged.push_back(std::move(factor));
    } else {
      merged[static_cast<std::size_t>(found - texts.begin())].exponent += factor.exponent;
    }
  }
  for (std::size_t i = 0; i < merged.size(); ++i)  // sqrt(2)*sqrt(3) is sqrt(6)
    for (std::size_t j = i + 1; j < merged.size(); ++j)
      if (merged[i].base.kind == Shown::Kind::number && merged[j].base.kind == Shown::Kind::number &&
          merged[i].exponent == merged[j].exponent) {
        merged[i].base.value *= merged[j].base.value;
        merged[j].exponent = 0;
      }
  std::erase_if(merged, [](const Factor& factor) { return sgn(factor.exponent) == 0; });
  product.factors = std::move(merged);
}

Shown Arranger::finish(Arranged product, int depth) {
  ring_.budget().charge(cost::factor_shown * static_cast<double>(1 + product.factors.size()));
  merge(product);
  fold_functions(product);
  if (sgn(product.number) < 0) {  // -(x - y) is y - x
    for (Factor& factor : product.factors) {
      if (!factor.turns || factor.exponent != 1) continue;
      factor.base = arrange_sum(-*factor.poly, depth);
      product.number = -product.number;
      break;
    }
  }
  // Sums last; what has no rank (folded functions) before them, after ranked factors.
  std::ranges::stable_sort(product.factors, {}, [&](const Factor& factor) -> std::size_t {
    if (factor.base.kind == Shown::Kind::sum && factor.exponent.get_den() == 1) return by_rank_.size() + 1;
    if (!factor.generator) return by_rank_.size();
    return static_cast<std::size_t>(std::ranges::find(by_rank_, *factor.generator) - by_rank_.begin());
  });
  std::vector<Shown> above{show_number(mpq_class(product.number.get_num()))};
  std::vector<Shown> below{show_number(mpq_class(product.number.get_den()))};
  for (Factor& factor : product.factors) {
    std::vector<Shown>& side = sgn(factor.exponent) < 0 ? below : above;
    mpq_class exponent = abs(factor.exponent);
    mpz_class whole = exponent.get_num() / exponent.get_den();
    mpq_class broken = exponent - whole;
    const bool apart = whole > 0 && broken != 0 && factor.base.kind != Shown::Kind::sum;  // a sum is long: only once
    if (apart) side.push_back(show_power(factor.base, whole));
    side.push_back(show_power(std::move(factor.base), apart ? broken : exponent));
  }
  return show_quotient(show_product(std::move(above)), show_product(std::move(below)));
}

Arranger::Arranged Arranger::arrange_factors(const Poly& poly) {
  Arranged result;
  Factors parts = factor(poly);
  result.number = parts.content;
  for (auto& [base, exponent] : parts.factors) {
    if (std::optional<std::size_t> generator = base.single_generator()) {
      add_generator(result, *generator, exponent);
      continue;
    }
    std::vector<Term> terms = sorted_terms(base);
    if (sgn(terms[0].coefficient) < 0) {
      base = -base;
      if (exponent % 2 != 0) result.number = -result.number;
    }
    bool mixed = std::ranges::any_of(
        terms, [&](const Term& term) { return sgn(term.coefficient) != sgn(terms[0].coefficient); });
    result.factors.push_back({{}, {}, exponent, mixed, base});
  }
  return result;
}

Arranger::Arranged Arranger::arrange_poly(const Poly& poly, int depth) {
  // The elimination to factor with: the one that leaves the fewest terms.
  auto cost = [](const Arranged& arranged) {
    std::size_t total = 0;
    for (const Factor& factor : arranged.factors) total += factor.poly ? 4 * factor.poly->length() : 1;
    return total;
  };
  Poly best = poly;
  Arranged arranged = arrange_factors(best);
  if (poly.length() <= longest_tried)
    for (std::size_t i = 0; i + 1 < ring_.size(); ++i) {
      Kind kind = ring_[i].kind;
      if ((kind != Kind::cosine && kind != Kind::cosh) || best.degree(i) < 2) continue;
      Poly other = ring_.reduce_cosine(best, i);
      Arranged alternative = arrange_factors(other);
      if (cost(alternative) >= cost(arranged)) continue;
      best = std::move(other);
      arranged = std::move(alternative);
    }
  for (Factor& factor : arranged.factors) {
    if (!factor.poly) continue;
    for (std::size_t i = 0; i + 1 < ring_.size(); ++i) {
      Kind kind = ring_[i].kind;
      if ((kind != Kind::cosine && kind != Kind::cosh) || factor.poly->length() > longest_tried) continue;
      Poly other = factor.poly->degree(i) >= 2 ? ring_.reduce_cosine(*factor.poly, i) : ring_.reduce(*factor.poly);
      if (other.length() < factor.poly->length()) factor.poly = other;
    }
    factor.base = arrange_sum(*factor.poly, depth);
  }
  return arranged;
}

// ---------------------------------------------------------------------------------------------- sums

Shown Arranger::arrange_sum(const Poly& poly, int depth) {
  std::vector<Shown> terms;
  for (const Term& term : sorted_terms(poly)) terms.push_back(finish(arrange_term(term), depth));
  Shown best = begin_positive(std::move(terms));
  if (depth >= most_depth || poly.length() < 3 || poly.length() > longest_tried) return best;
  Shown greedy = collect_greedily(poly, depth);
  bool has_rates = std::ranges::any_of(rate_generators_, [&](std::size_t i) { return poly.uses(i); });
  if (has_rates) {
    // People look for the rates: a form collected by them may be a little longer.
    Shown collected = collect(poly, rate_generators_, depth);
    if (4 * count_signs(collected) <= 5 * count_signs(greedy)) greedy = std::move(collected);
  }
  if (count_signs(greedy) < count_signs(best)) best = std::move(greedy);
  std::optional<Shown> squares = complete_squares(poly, depth);
  return squares && count_signs(*squares) < count_signs(best) ? std::move(*squares) : best;
}

/// By the powers of these generators.
Shown Arranger::collect(const Poly& poly, const std::vector<std::size_t>& by, int depth) {
  std::vector<std::pair<std::vector<long>, std::vector<Term>>> groups;
  for (const Term& term : sorted_terms(poly)) {
    std::vector<long> outer(term.exponents.size(), 0);
    Term inner = term;
    for (std::size_t i : by) std::swap(outer[i], inner.exponents[i]);
    auto found = std::ranges::find(groups, outer, [](const auto& group) { return group.first; });
    if (found == groups.end()) {
      groups.push_back({outer, {inner}});
    } else {
      found->second.push_back(inner);
    }
  }
  std::vector<Shown> terms;
  for (auto& [outer, inner] : groups) {
    Arranged product = arrange_poly(Poly::from_terms(ring_.context(), inner), depth + 1);
    for (std::size_t i : by)
      if (outer[i] != 0) add_generator(product, i, outer[i]);
    terms.push_back(finish(std::move(product), depth + 1));
  }
  return begin_positive(std::move(terms));
}

/// By the atom that occurs in most terms, then the rest likewise; rates stay inside.
Shown Arranger::collect_greedily(const Poly& poly, int depth) {
  std::vector<std::pair<std::size_t, Shown>> result;  // with the place of the first term
  std::vector<std::pair<std::size_t, Term>> rest;
  for (Term& term : sorted_terms(poly)) rest.emplace_back(rest.size(), std::move(term));
  while (!rest.empty()) {
    std::size_t best = 0, most = 1;
    for (std::size_t i : by_rank_) {
      if (std::ranges::find(rate_generators_, i) != rate_generators_.end()) continue;
      auto count = static_cast<std::size_t>(
          std::ranges::count_if(rest, [&](const auto& entry) { return entry.second.exponents[i] > 0; }));
      if (count > most) {
        most = count;
        best = i;
      }
    }
    std::vector<std::pair<std::size_t, Term>> group, others;
    for (auto& entry : rest)
      (most > 1 && entry.second.exponents[best] > 0 ? group : others).push_back(std::move(entry));
    rest = std::move(others);
    if (group.empty()) {
      for (const auto& [place, term] : rest) result.emplace_back(place, finish(arrange_term(term), depth + 1));
      break;
    }
    std::vector<Term> terms;
    for (const auto& entry : group) terms.push_back(entry.second);
    Arranged product =
        arrange_poly(Poly::from_terms(ring_.context(), terms), group.size() == poly.length() ? most_depth : depth + 1);
    result.emplace_back(group[0].first, finish(std::move(product), depth + 1));
  }
  std::ranges::stable_sort(result, {}, [](const auto& entry) { return entry.first; });
  std::vector<Shown> terms;
  for (auto& entry : result) terms.push_back(std::move(entry.second));
  return begin_positive(std::move(terms));
}

// ---------------------------------------------------------------------------------------------- quotients

Shown Arranger::arrange(const Fraction& fraction) {
  if (fraction.is_rational()) return show_number(fraction.rational());
  Arranged above = arrange_poly(fraction.numerator, 0), below = arrange_poly(fraction.denominator, 0);
  above.number /= below.number;
  for (Factor& factor : below.factors) {
    factor.exponent = -factor.exponent;
    above.factors.push_back(std::move(factor));
  }
  return finish(std::move(above), 0);
}

Shown Arranger::arrange_plainly(const Fraction& fraction) {
  if (fraction.is_rational()) return show_number(fraction.rational());
  auto plain = [&](const Poly& poly) {
    std::vector<Shown> terms;
    for (const Term& term : sorted_terms(poly)) {
      Arranged product = arrange_term(term);
      merge(product);
      std::vector<Shown> factors{show_number(product.number)};
      for (Factor& factor : product.factors) factors.push_back(show_power(std::move(factor.base), factor.exponent));
      terms.push_back(show_product(std::move(factors)));
    }
    return begin_positive(std::move(terms));
  };
  return show_quotient(plain(fraction.numerator), plain(fraction.denominator));
}

}  // namespace dalembert::canonical

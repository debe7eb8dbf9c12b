#include "expr/canonical/fold.hpp"

#include <algorithm>

#include "expr/canonical/cost.hpp"

namespace dalembert::canonical {
namespace {

/// Coefficients of cos and sin of a sum of multiples of the angles.
struct Wave {
  mpq_class cosine = 0, sine = 0;
};
using Series = std::map<std::vector<long>, Wave>;

void add(Series& series, std::vector<long> multiples, const mpq_class& cosine, const mpq_class& sine) {
  auto first = std::ranges::find_if(multiples, [](long k) { return k != 0; });
  bool turned = first != multiples.end() && *first < 0;
  if (turned)
    for (long& k : multiples) k = -k;
  Wave& wave = series[multiples];
  wave.cosine += cosine;
  if (first != multiples.end()) wave.sine += turned ? mpq_class(-sine) : sine;
}

/// cos u cos v = (cos(u+v) + cos(u-v))/2 and so on, with v the angle.
Series times(const Series& series, std::size_t angle, bool by_sine) {
  Series result;
  for (const auto& [multiples, wave] : series) {
    mpq_class cosine = wave.cosine / 2, sine = wave.sine / 2;
    std::vector<long> up = multiples, down = multiples;
    ++up[angle];
    --down[angle];
    if (by_sine) {
      add(result, up, -sine, cosine);
      add(result, down, sine, -cosine);
    } else {
      add(result, up, cosine, sine);
      add(result, down, cosine, sine);
    }
  }
  return result;
}

std::vector<std::size_t> angles_of(const Ring& ring) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < ring.size(); ++i)
    if (ring[i].kind == Kind::cosine) result.push_back(i);
  return result;
}

}  // namespace

bool has_angles(const Ring& ring, const Poly& poly) {
  return std::ranges::any_of(angles_of(ring), [&](std::size_t i) { return poly.uses(i) || poly.uses(i + 1); });
}

bool has_both(const Poly& poly, std::size_t first, std::size_t second) {
  return std::ranges::any_of(poly.terms(), [&](const Term& term) {
    const auto has = [&](std::size_t i) { return term.exponents[i] != 0 || term.exponents[i + 1] != 0; };
    return has(first) && has(second);
  });
}

std::optional<Expr> fold_angles(Ring& ring, const Poly& poly) {
  constexpr long most_factors = 10;
  constexpr std::size_t most_terms = 400, most_waves = 200;
  if (poly.length() > most_terms) return {};
  Graph& graph = ring.graph();
  std::vector<std::size_t> angles = angles_of(ring);
  std::vector<Expr> result;
  for (Term term : poly.terms()) {
    Series series{{std::vector<long>(angles.size(), 0), Wave{1, 0}}};
    for (std::size_t i = 0; i < angles.size(); ++i)
      for (std::size_t by_sine : {0u, 1u}) {
        long& exponent = term.exponents[angles[i] + by_sine];
        if (exponent > most_factors) return {};
        for (; exponent > 0; --exponent) {
          ring.budget().charge(cost::wave * static_cast<double>(series.size()));
          series = times(series, i, by_sine == 1);
        }
        if (series.size() > most_waves) return {};
      }
    Expr rest = ring.to_expr(term);
    for (const auto& [multiples, wave] : series) {
      std::vector<Expr> parts;
      for (std::size_t i = 0; i < angles.size(); ++i)
        if (multiples[i] != 0) parts.push_back(multiples[i] * graph[graph.arguments(ring[angles[i]].expr.id())[0]]);
      Expr angle = graph.sum(parts);
      if (sgn(wave.cosine) != 0) result.push_back(graph.constant(wave.cosine) * rest * cos(angle));
      if (sgn(wave.sine) != 0) result.push_back(graph.constant(wave.sine) * rest * sin(angle));
    }
  }
  return graph.sum(result);
}

std::optional<Expr> fold_factors(Ring& ring, const Poly& poly) {
  Factors parts = factor(poly);
  Graph& graph = ring.graph();
  std::vector<Expr> result{graph.constant(mpq_class(parts.content))};
  for (const auto& [base, exponent] : parts.factors) {
    Expr plain = ring.to_expr(base);
    std::optional<Expr> folded;
    if (has_angles(ring, base)) folded = fold_angles(ring, base);
    bool shorter = folded && count_written(*folded) < count_written(plain);
    result.push_back(graph.power(shorter ? *folded : plain, mpq_class(exponent)));
  }
  return graph.product(result);
}

Fraction rationalise(const Ring& ring, const Fraction& fraction) {
  constexpr std::size_t longest = 400;
  Fraction result = fraction;
  for (std::size_t i = ring.size(); i-- > 0;) {
    const Generator& g = ring[i];
    if (g.order == 0 || g.relation->uses(i) || g.kind == Kind::magnitude || !result.denominator.uses(i)) continue;
    if (result.denominator.length() > longest || result.numerator.length() > longest) return fraction;
    auto parts = result.denominator.by_power_of(i);
    Poly generator = ring.generator(i);
    Poly other(ring.context());
    if (parts.size() == 1) {
      other = generator.power(static_cast<unsigned long>(g.order - parts[0].first));
    } else if (g.order == 2) {
      other = parts[0].second - generator * parts[1].second;
    } else {
      continue;
    }
    Poly denominator = ring.reduce(result.denominator * other);
    if (denominator.is_zero()) return fraction;
    result = ring.normal({result.numerator * other, denominator});
  }
  return result;
}

}  // namespace dalembert::canonical

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

namespace {

/// What takes the generator out of a factor by its relation; nothing where none is known.
std::optional<Poly> conjugate(const Ring& ring, const Poly& factor, std::size_t generator) {
  const Generator& g = ring[generator];
  auto parts = factor.by_power_of(generator);
  const Poly power = ring.generator(generator);
  if (parts.size() == 1) return power.power(static_cast<unsigned long>(g.order - parts[0].first));
  if (g.order != 2) return {};
  return parts[0].second - power * parts[1].second;
}

/// It vanishes only where all its terms do, those of one sign.
bool has_one_sign(Ring& ring, const Poly& poly) {
  int common = 0;
  for (const Term& term : poly.terms()) {
    const int sign = ring.known_sign(Poly::from_terms(ring.context(), {term}));
    if (sign == 0 || sign == -common) return false;
    common = sign;
  }
  return true;
}

/// Plainly no zeros but those of `given`.
bool vanishes_only_with(Ring& ring, const Poly& poly, const Poly& given) {
  return std::ranges::all_of(factor(poly).factors, [&](const auto& part) {
    return given.divided_by(part.first) || ring.is_nonzero(part.first);
  });
}

/// The fraction without this generator in this factor of its denominator; nothing where a conjugate would bring zeros
/// into the denominator that were not there: 1/(1 + sin(x)) is not (1 - sin(x))/cos(x)^2.
std::optional<Fraction> rationalise_factor(Ring& ring, const Fraction& fraction, const Poly& factor,
                                           std::size_t generator) {
  const std::optional<Poly> other = conjugate(ring, factor, generator);
  const std::optional<Poly> rest = fraction.denominator.divided_by(factor);
  if (!other || !rest) return {};
  const Poly norm = ring.reduce(factor * *other);
  if (norm.is_zero()) return {};
  Fraction result = ring.normal({fraction.numerator * *other, *rest * norm});
  const bool is_safe = other->length() == 1 || has_one_sign(ring, *other) ||
                       vanishes_only_with(ring, result.denominator, fraction.denominator);
  if (!is_safe) return {};
  return result;
}

}  // namespace

Fraction rationalise(Ring& ring, const Fraction& fraction) {
  constexpr std::size_t longest = 400;
  Fraction result = fraction;
  for (std::size_t i = ring.size(); i-- > 0;) {
    const Generator& g = ring[i];
    if (g.order == 0 || g.relation->uses(i) || g.kind == Kind::magnitude || !result.denominator.uses(i)) continue;
    if (result.denominator.length() > longest || result.numerator.length() > longest) return fraction;
    for (const auto& [base, exponent] : factor(result.denominator).factors)
      for (long times = base.uses(i) ? exponent : 0; times > 0; --times) {
        std::optional<Fraction> next = rationalise_factor(ring, result, base, i);
        if (!next) break;
        result = std::move(*next);
      }
  }
  return result;
}

}  // namespace dalembert::canonical

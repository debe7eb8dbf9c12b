#include <algorithm>

#include "expr/canonical/arrange.hpp"

// Squares of differences, which distances and springs are made of, as they were written.

namespace dalembert::canonical {
namespace {

/// A term whose square is a term of the sum, at `place`.
struct Root {
  std::size_t place;
  Term term;
};

std::vector<Root> find_roots(const std::vector<Term>& terms) {
  std::vector<Root> roots;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (std::ranges::any_of(terms[i].exponents, [](long exponent) { return exponent % 2 != 0; })) continue;
    roots.push_back({i, {1, terms[i].exponents}});
    for (long& exponent : roots.back().term.exponents) exponent /= 2;
  }
  return roots;
}

/// What of a*p^2 + c*p*q + b*q^2 is weight*(first*p + second*q)^2: all, or a part in which p and q are alike.
struct Square {
  mpz_class weight, first, second;
};

std::optional<Square> find_square(const mpz_class& a, const mpz_class& b, const mpz_class& c) {
  if (sgn(a) * sgn(b) <= 0 || sgn(c) == 0 || c % 2 != 0) return {};
  const mpz_class half = abs(c) / 2;
  const int sign = sgn(c) * sgn(a);
  if (half <= abs(a) && half <= abs(b)) return Square{sgn(a) * half, 1, sign};
  const mpz_class common = gcd(a, b), of_a = abs(a) / common, of_b = abs(b) / common;
  if (4 * a * b != c * c || !mpz_perfect_square_p(of_a.get_mpz_t()) || !mpz_perfect_square_p(of_b.get_mpz_t()))
    return {};
  return Square{sgn(a) * common, sqrt(of_a), sign * sqrt(of_b)};
}

}  // namespace

/// a^2 - 2*a*b + b^2 as (a - b)^2 wherever both squares are there; nothing where they are nowhere.
std::optional<Shown> Arranger::complete_squares(const Poly& poly, int depth) {
  constexpr std::size_t longest = 40;  // terms: pairs of them are looked for among all
  if (poly.length() > longest) return {};
  std::vector<Term> terms = sorted_terms(poly);
  const std::vector<Root> roots = find_roots(terms);
  std::vector<std::pair<std::size_t, Shown>> found;  // by the place of the first square
  for (std::size_t a = 0; a < roots.size(); ++a)
    for (std::size_t b = a + 1; b < roots.size(); ++b) {
      Term p = roots[a].term, q = roots[b].term;
      std::vector<long> mixed = p.exponents;
      for (std::size_t i = 0; i < mixed.size(); ++i) mixed[i] += q.exponents[i];
      const auto cross = std::ranges::find(terms, mixed, &Term::exponents);
      if (cross == terms.end()) continue;
      mpz_class &first = terms[roots[a].place].coefficient, &second = terms[roots[b].place].coefficient;
      const std::optional<Square> square = find_square(first, second, cross->coefficient);
      if (!square) continue;
      p.coefficient = square->first, q.coefficient = square->second;
      Shown base = show_sum({finish(arrange_term(p), depth), finish(arrange_term(q), depth)});
      found.emplace_back(roots[a].place, show_product({show_number(square->weight), show_power(std::move(base), 2)}));
      first -= square->weight * square->first * square->first;
      second -= square->weight * square->second * square->second;
      cross->coefficient = 0;
    }
  if (found.empty()) return {};
  std::ranges::stable_sort(found, {}, [](const auto& entry) { return entry.first; });
  std::vector<Shown> shown;
  for (auto& entry : found) shown.push_back(std::move(entry.second));
  std::erase_if(terms, [](const Term& term) { return sgn(term.coefficient) == 0; });
  if (!terms.empty()) shown.push_back(arrange_sum(Poly::from_terms(ring_.context(), terms), depth + 1));
  return begin_positive(std::move(shown));
}

}  // namespace dalembert::canonical

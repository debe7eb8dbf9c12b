#include "expr/canonical/proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/expr/print.hpp>

#include "expr/canonical/ball.hpp"

namespace dalembert::canonical {
namespace {

// ---------------------------------------------------------------------------------------------- algebraic numbers

/// log2 of a bound on all conjugates of a polynomial in algebraic integers.
double conjugate_bound(const Ring& ring, const Poly& poly, std::vector<double>& bounds);

double generator_bound(const Ring& ring, std::size_t index, std::vector<double>& bounds) {
  if (bounds[index] >= 0) return bounds[index];
  const Generator& g = ring[index];
  double bound = 1;  // 2 cos(pi/n), 2 sin(pi/n) and their conjugates are at most 2
  if (g.kind == Kind::root) bound = conjugate_bound(ring, *g.inner, bounds) / static_cast<double>(g.order);
  return bounds[index] = std::max(bound, 0.0);
}

double conjugate_bound(const Ring& ring, const Poly& poly, std::vector<double>& bounds) {
  double largest = 0;
  for (const Term& term : poly.terms()) {
    double size = static_cast<double>(mpz_sizeinbase(term.coefficient.get_mpz_t(), 2));
    for (std::size_t i = 0; i < term.exponents.size(); ++i)
      if (term.exponents[i] != 0) size += static_cast<double>(term.exponents[i]) * generator_bound(ring, i, bounds);
    largest = std::max(largest, size);
  }
  return largest + std::log2(static_cast<double>(poly.length()) + 1);
}

void collect_tower(const Ring& ring, const Poly& poly, std::set<std::size_t>& tower) {
  for (std::size_t i = 0; i < ring.size(); ++i) {
    if (!poly.uses(i) || !tower.insert(i).second) continue;
    if (ring[i].relation) collect_tower(ring, *ring[i].relation, tower);
  }
}

/// An algebraic integer of degree d all of whose conjugates are at most u in size has a norm that is an integer: it is
/// zero or at least u^(1-d). (The root bound of Burnikel, Fleischer, Mehlhorn, Schirra, 1997, without divisions.)
bool is_zero_number(Ring& ring, const Poly& poly) {
  if (poly.is_zero()) return true;
  std::set<std::size_t> tower;
  collect_tower(ring, poly, tower);
  double degree = 1;
  for (std::size_t i : tower) {
    if (!ring[i].algebraic) return false;
    degree *= static_cast<double>(ring[i].conjugates);
  }
  std::vector<double> bounds(ring.size(), -1);
  double bits = (degree - 1) * conjugate_bound(ring, poly, bounds) + 4;
  constexpr double most_bits = 100000;
  if (!(bits < most_bits)) return false;
  long separation = static_cast<long>(bits) + 1;
  Expr expr = ring.to_expr(poly);
  for (long guard : {64L, 1024L}) {
    Ball value = evaluate_ball(expr, {}, separation + guard, ring.budget());
    if (!value.is_finite()) return false;
    if (value.excludes_zero()) return false;
    Ball bound;
    arb_get_mag(arb_radref(bound.arb()), value.arb());
    if (mag_cmp_2exp_si(arb_radref(bound.arb()), -separation) < 0) return true;
  }
  return false;
}

/// Every coefficient with respect to the atoms that are not algebraic numbers is the number zero.
bool vanishes_by_coefficients(Ring& ring, const Poly& poly) {
  std::map<std::vector<long>, std::vector<Term>> groups;
  bool some = false;
  for (const Term& term : poly.terms()) {
    std::vector<long> outer = term.exponents;
    Term inner = term;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      if (ring[i].algebraic) {
        some = some || outer[i] != 0;
        outer[i] = 0;
      } else {
        inner.exponents[i] = 0;
      }
    }
    groups[outer].push_back(std::move(inner));
  }
  if (!some) return false;
  return std::ranges::all_of(
      groups, [&](const auto& group) { return is_zero_number(ring, Poly::from_terms(ring.context(), group.second)); });
}

// ---------------------------------------------------------------------------------------------- cases of signs

/// The polynomial with |f| and sign(f) replaced by value * f and value, for f of this magnitude or sign.
Poly with_sign(const Ring& ring, const Poly& poly, const Poly& f, int value) {
  Poly result = poly;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Generator& g = ring[i];
    if ((g.kind != Kind::magnitude && g.kind != Kind::sign) || !(*g.inner == f) || !result.uses(i)) continue;
    Poly by = g.kind == Kind::sign ? Poly(ring.context(), value) : f.scaled(value);
    Poly replaced(ring.context());
    for (const auto& [exponent, coefficient] : result.by_power_of(i))
      replaced = replaced + coefficient * by.power(static_cast<unsigned long>(exponent));
    result = std::move(replaced);
  }
  return result;
}

/// f > 0, f = 0 or f < 0.
struct Assumption {
  Poly f;
  int sign;
};

class CaseProof {
 public:
  explicit CaseProof(Ring& ring) : ring_(ring) {}

  /// f > 0, f < 0 and f = 0 for one f after the other.
  bool vanishes_by_cases(const Poly& poly) {
    constexpr std::size_t most_assumptions = 6;
    constexpr int most_cases = 500;
    if (assumptions_.size() >= most_assumptions || cases_ > most_cases) return false;
    for (std::size_t i = 0; i < ring_.size(); ++i) {
      const Generator& g = ring_[i];
      if ((g.kind != Kind::magnitude && g.kind != Kind::sign) || !poly.uses(i)) continue;
      for (int sign : {1, -1, 0}) {
        ++cases_;
        assumptions_.push_back({*g.inner, sign});
        bool holds = is_contradiction() || vanishes(poly);
        assumptions_.pop_back();
        if (!holds) return false;
      }
      return true;
    }
    return false;
  }

 private:
  bool vanishes(const Poly& poly) {
    Poly part = simplified(poly);
    if (part.is_zero() || vanishes_by_coefficients(ring_, part)) return true;
    for (const Assumption& assumption : assumptions_) {
      if (assumption.sign != 0) continue;
      Poly zero = simplified(assumption.f);
      if (!zero.is_zero() && part.divided_by(zero)) return true;
    }
    return vanishes_by_cases(part);
  }

  /// Under the assumptions. Reducing may bring |f| back through the relations of roots of |f|.
  Poly simplified(Poly poly) const {
    for (int round = 0; round < 2; ++round) {
      poly = ring_.reduce(std::move(poly));
      for (const Assumption& assumption : assumptions_) poly = with_sign(ring_, poly, assumption.f, assumption.sign);
    }
    return ring_.reduce(std::move(poly));
  }

  /// The sign of a polynomial if the assumptions tell it.
  std::optional<int> sign_of(const Poly& poly, std::size_t except) const {
    Poly simple = simplified(poly);
    if (simple.is_zero()) return 0;
    Factors product = factor(simple);
    int sign = sgn(product.content);
    for (const auto& [base, exponent] : product.factors) {
      std::optional<int> known;
      if (ring_.is_nonzero(base)) known = ring_.known_sign(base);
      for (std::size_t i = 0; i < assumptions_.size() && !known; ++i) {
        if (i == except) continue;
        Poly f = simplified(assumptions_[i].f);
        if (f == base) known = assumptions_[i].sign;
        if (f == -base) known = -assumptions_[i].sign;
      }
      if (!known || (*known == 0 && exponent < 0)) return {};
      sign *= exponent % 2 == 0 ? *known * *known : *known;
    }
    return sign;
  }

  /// The assumptions cannot hold together, or not within the domain.
  bool is_contradiction() const {
    for (std::size_t i = 0; i < assumptions_.size(); ++i)
      if (auto sign = sign_of(assumptions_[i].f, i); sign && *sign != assumptions_[i].sign) return true;
    for (const Poly& known : ring_.nonnegative())
      if (auto sign = sign_of(known, assumptions_.size()); sign && *sign < 0) return true;
    return false;
  }

  Ring& ring_;
  std::vector<Assumption> assumptions_;
  int cases_ = 0;
};

/// What stands under roots and logarithms is not negative where the expression is defined: the proof may have used it.
std::string domain_of(Ring& ring) {
  constexpr std::size_t most = 4, longest = 60;
  std::vector<std::string> conditions;
  for (const Poly& poly : ring.nonnegative()) {
    if (poly.is_constant() || poly.length() > longest) continue;
    std::string text = to_text(ring.to_expr(poly)) + " >= 0";
    if (text.size() > longest) text = "a longer one";
    if (std::ranges::find(conditions, text) == conditions.end()) conditions.push_back(std::move(text));
  }
  if (conditions.empty()) return "";
  const bool all = conditions.size() <= most;
  if (!all) conditions.resize(most);
  return fmt::format("; on its domain: {}{}", fmt::join(conditions, ", "), all ? "" : ", ...");
}

std::optional<std::string> find_proof(Ring& ring, const Poly& poly) {
  Poly reduced = ring.reduce(poly);
  std::string atoms = fmt::format("{} atom{}", ring.size(), ring.size() == 1 ? "" : "s");
  if (reduced.is_zero()) return fmt::format("the numerator vanishes identically in {} modulo their relations", atoms);
  if (vanishes_by_coefficients(ring, reduced))
    return fmt::format(
        "every coefficient in {} is an algebraic number closer to zero than any other of its degree and "
        "size can be",
        atoms);
  if (CaseProof(ring).vanishes_by_cases(reduced))
    return fmt::format("the numerator vanishes in {} for each sign of what stands in magnitudes", atoms);
  return {};
}

}  // namespace

std::optional<std::string> prove_zero(Ring& ring, const Poly& poly) {
  std::optional<std::string> proof = find_proof(ring, poly);
  if (proof) *proof += domain_of(ring);
  return proof;
}

}  // namespace dalembert::canonical

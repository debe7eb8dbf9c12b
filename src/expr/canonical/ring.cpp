#include "expr/canonical/ring.hpp"

#include <algorithm>

#include "expr/canonical/ball.hpp"
#include "expr/canonical/cost.hpp"

namespace dalembert::canonical {

Ring::Ring(Graph& graph, Budget& budget, Knowledge& knowledge)
    : graph_(graph), knowledge_(knowledge), context_(budget, knowledge.generators) {}

std::optional<std::size_t> Ring::find(NodeId expr) const {
  auto found = index_.find(expr);
  if (found == index_.end()) return {};
  return found->second;
}

std::size_t Ring::add(Generator generator) {
  if (generators_.size() >= budget().limits().atoms)
    throw TooLarge{"there are too many different functions and symbols"};
  if (generators_.size() >= context_.size()) throw RingFull{};
  std::size_t index = generators_.size();
  index_.emplace(generator.expr.id(), index);
  generators_.push_back(std::make_unique<Generator>(std::move(generator)));
  return index;
}

// ---------------------------------------------------------------------------------------------- arithmetic

namespace {

/// generator^order replaced by relation, which may contain lower powers of the generator.
Poly replace_powers(Poly poly, std::size_t generator, long order, const Poly& relation) {
  const Context& context = poly.context();
  bool plain = !relation.uses(generator);
  while (poly.degree(generator) >= order) {
    Poly result(context);
    for (auto& [exponent, coefficient] : poly.by_power_of(generator)) {
      long times = plain ? exponent / order : (exponent >= order ? 1 : 0);
      Poly rest = Poly::generator(context, generator).power(static_cast<unsigned long>(exponent - times * order));
      Poly term = coefficient * rest;
      if (times > 0) term = term * relation.power(static_cast<unsigned long>(times));
      result = result + term;
    }
    poly = std::move(result);
  }
  return poly;
}

}  // namespace

Poly Ring::reduce(Poly poly) const {
  for (std::size_t i = generators_.size(); i-- > 0;)
    if (const Generator& g = *generators_[i]; g.order != 0 && poly.degree(i) >= g.order)
      poly = replace_powers(std::move(poly), i, g.order, *g.relation);
  return poly;
}

Poly Ring::reduce_cosine(const Poly& poly, std::size_t cosine) const {
  Poly square = generator(cosine + 1).power(2);
  Poly one(context_, 1);
  Poly by = generators_[cosine]->kind == Kind::cosine ? one - square : one + square;
  return replace_powers(poly, cosine, 2, by);
}

Fraction Ring::normal(Fraction fraction) const {
  Fraction result(reduce(std::move(fraction.numerator)), reduce(std::move(fraction.denominator)));
  if (result.denominator.is_zero()) throw Undefined{"it divides by what is zero everywhere"};
  if (result.numerator.is_zero()) return Fraction(Poly(context_));
  if (!result.denominator.is_one()) cancel(result.numerator, result.denominator);
  if (result.denominator.leads_negative()) {
    result.numerator = -result.numerator;
    result.denominator = -result.denominator;
  }
  return result;
}

Fraction Ring::add(const Fraction& a, const Fraction& b) const {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  if (a.denominator == b.denominator) {
    Poly sum = a.numerator + b.numerator;
    if (a.denominator.is_one()) return Fraction(std::move(sum));
    return normal({std::move(sum), a.denominator});
  }
  Poly left = a.denominator, right = b.denominator;
  cancel(left, right);  // left : right = a.denominator : b.denominator in lowest terms
  return normal({a.numerator * right + b.numerator * left, left * b.denominator});
}

Fraction Ring::subtract(const Fraction& a, const Fraction& b) const { return add(a, {-b.numerator, b.denominator}); }

Fraction Ring::multiply(const Fraction& a, const Fraction& b) const {
  if (a.is_zero() || b.is_one()) return a;
  if (b.is_zero() || a.is_one()) return b;
  if (a.denominator.is_one() && b.denominator.is_one()) return Fraction(reduce(a.numerator * b.numerator));
  Fraction left = a, right = b;
  if (!right.denominator.is_one()) cancel(left.numerator, right.denominator);
  if (!left.denominator.is_one()) cancel(right.numerator, left.denominator);
  return normal({left.numerator * right.numerator, left.denominator * right.denominator});
}

Fraction Ring::scale(const Fraction& a, const mpq_class& by) const {
  if (by == 1) return a;
  if (by == -1) return {-a.numerator, a.denominator};
  if (!a.denominator.is_one() || by.get_den() != 1) return multiply(a, rational(by));
  return Fraction(a.numerator.scaled(by.get_num()));
}

Fraction Ring::inverse(const Fraction& a) const {
  if (a.is_zero()) throw Undefined{"it divides by what is zero everywhere"};
  return normal({a.denominator, a.numerator});
}

Fraction Ring::power(const Fraction& a, const mpz_class& exponent) const {
  if (sgn(exponent) < 0) return power(inverse(a), -exponent);
  if (exponent == 0) return rational(1);
  if (exponent == 1) return a;
  if (!exponent.fits_ulong_p()) throw TooLarge{"an exponent is too large"};
  // Relations keep intermediate powers small, so square and multiply where they apply; else one call.
  unsigned long n = exponent.get_ui();
  bool related = false;
  for (std::size_t i = 0; i < generators_.size(); ++i)
    related = related || (generators_[i]->order != 0 && (a.numerator.uses(i) || a.denominator.uses(i)));
  if (!related) return {a.numerator.power(n), a.denominator.power(n)};
  Fraction result = rational(1), square = a;
  for (; n != 0; n >>= 1) {
    if (n & 1) result = multiply(result, square);
    if (n > 1) square = multiply(square, square);
  }
  return result;
}

// ---------------------------------------------------------------------------------------------- expressions

Expr Ring::to_expr(const Term& term) {
  budget().charge(cost::expression(static_cast<double>(term.exponents.size())));
  std::vector<Expr> factors{graph_.constant(mpq_class(term.coefficient))};
  for (std::size_t i = 0; i < term.exponents.size(); ++i)
    if (term.exponents[i] != 0) factors.push_back(graph_.power(generators_[i]->expr, mpq_class(term.exponents[i])));
  return graph_.product(factors);
}

Expr Ring::to_expr(const Poly& poly) {
  std::vector<Expr> terms;
  for (const Term& term : poly.terms()) terms.push_back(to_expr(term));
  return graph_.sum(terms);
}

Expr Ring::to_expr(const Fraction& fraction) {
  if (fraction.is_rational()) return graph_.constant(fraction.rational());
  Expr numerator = to_expr(fraction.numerator);
  if (fraction.denominator.is_one()) return numerator;
  return numerator * graph_.power(to_expr(fraction.denominator), mpq_class(-1));
}

// ---------------------------------------------------------------------------------------------- signs

bool Ring::is_bounded(std::size_t generator) const {
  Kind kind = generators_[generator]->kind;
  return generators_[generator]->plain && (kind == Kind::sine || kind == Kind::cosine || kind == Kind::sign);
}

/// Terms that are never negative, less those that are bounded by 1 times their coefficient.
int Ring::sign_by_terms(const Poly& poly, bool strict) const {
  for (int sign : {1, -1}) {
    mpz_class constant = 0;  // what remains at least, beside terms that are never negative
    bool holds = true, some_positive = false;
    for (const Term& term : poly.terms()) {
      mpz_class coefficient = sign * term.coefficient;
      bool never_negative = true, bounded = true, plain = true, positive = true;
      for (std::size_t i = 0; i < term.exponents.size(); ++i) {
        if (term.exponents[i] == 0) continue;
        plain = false;
        const Generator& g = *generators_[i];
        never_negative = never_negative && (g.nonnegative || (g.plain && term.exponents[i] % 2 == 0));
        positive = positive && g.nonnegative && (g.kind == Kind::exponential || g.kind == Kind::pi);
        bounded = bounded && is_bounded(i);
      }
      if (plain) {
        constant += coefficient;
      } else if (never_negative && sgn(coefficient) > 0) {
        some_positive = some_positive || positive;
      } else if (bounded) {
        constant -= abs(coefficient);
      } else {
        holds = false;
        break;
      }
    }
    if (holds && (sgn(constant) > 0 || (sgn(constant) == 0 && (!strict || some_positive)))) return sign;
  }
  return 0;
}

bool Ring::is_number(Expr expr) const {
  budget().charge(cost::walked_node * static_cast<double>(count_nodes({&expr, 1})));
  return free_symbols({&expr, 1}).empty();
}

int Ring::known_sign(const Poly& poly) {
  if (poly.is_zero()) return 1;
  if (int sign = sign_by_terms(poly, false)) return sign;
  for (const Poly& known : nonnegative_) {
    if (known == poly) return 1;
    if (known == -poly) return -1;
  }
  Expr expr = to_expr(poly);
  return is_number(expr) ? constant_sign(expr, budget()) : 0;
}

bool Ring::is_nonzero(const Poly& poly) {
  if (poly.is_constant()) return !poly.is_zero();
  Expr expr = to_expr(poly);
  if (is_number(expr)) return constant_sign(expr, budget()) != 0;
  return sign_by_terms(poly, true) != 0;
}

void Ring::learn_nonnegative(const Fraction& f) {
  Poly product = reduce(f.numerator * f.denominator);
  if (product.is_zero()) return;
  nonnegative_.push_back(product.divided_exactly(product.content()));
  // A single factor inherits the sign where no other can vanish; those of the denominator never do.
  Factors above = factor(f.numerator), below = factor(f.denominator);
  int sign = sgn(above.content) * sgn(below.content);
  std::optional<Poly> only;
  auto take = [&](const Poly& base, long exponent, bool never_zero) {
    if (exponent % 2 == 0 && (never_zero || is_nonzero(base))) return true;
    if (int known = known_sign(base); known != 0 && (never_zero || is_nonzero(base))) {
      if (exponent % 2 != 0) sign *= known;
      return true;
    }
    if (only || exponent % 2 == 0) return false;
    only = base;
    return true;
  };
  for (const auto& [base, exponent] : above.factors)
    if (!take(base, exponent, false)) return;
  for (const auto& [base, exponent] : below.factors)
    if (!take(base, exponent, true)) return;
  if (only) nonnegative_.push_back(sign > 0 ? *only : -*only);
  if (only && sign > 0)
    if (std::optional<std::size_t> g = only->single_generator()) generators_[*g]->nonnegative = true;
}

}  // namespace dalembert::canonical

#include <algorithm>
#include <numeric>

#include "expr/canonical/convert.hpp"
#include "expr/canonical/lattice.hpp"
#include "expr/walk.hpp"

// Roots, logarithms, magnitudes and signs of products, split where that holds at every point. (a b)^e = a^e b^e needs a
// factor a that is never negative; of an even power of f, |f| can be taken out.

namespace dalembert::canonical {
namespace {

constexpr long largest_order = 1000;  // of a root with a relation

/// Primes below a bound and what remains; sound for any remainder, complete for numbers without two large primes.
std::vector<std::pair<mpz_class, long>> prime_powers(mpz_class number) {
  constexpr unsigned long bound = 5000;
  constexpr std::size_t most_bits = 20000;
  std::vector<std::pair<mpz_class, long>> result;
  if (mpz_sizeinbase(number.get_mpz_t(), 2) > most_bits) return {{number, 1}};
  for (unsigned long p = 2; p < bound && number != 1; ++p) {
    long times = 0;
    while (mpz_divisible_ui_p(number.get_mpz_t(), p) != 0) {
      number /= p;
      ++times;
    }
    if (times > 0) result.emplace_back(p, times);
  }
  if (number == 1) return result;
  for (unsigned long k = 16; k > 1; --k) {
    mpz_class root;
    if (mpz_root(root.get_mpz_t(), number.get_mpz_t(), k) == 0) continue;
    result.emplace_back(root, static_cast<long>(k));
    return result;
  }
  result.emplace_back(number, 1);
  return result;
}

}  // namespace

/// Everything under a root or logarithm is not negative where the expression is defined. Plain ones first, without
/// roots, logarithms and powers in them: they help to understand the others.
void Converter::learn_domain(std::span<const Expr> expressions) {
  std::vector<Expr> plain, nested;
  Walk walk(graph_, expressions);
  std::unordered_map<NodeId, bool> has_root;
  std::set<NodeId> seen;
  auto take = [&](NodeId base) {
    if (graph_.op(base) == Op::constant || !seen.insert(base).second) return;
    (has_root[base] ? nested : plain).push_back(graph_[base]);
  };
  for (NodeId id : walk.order()) {
    bool inside = false;
    graph_.for_each_child(id, [&](NodeId child) { inside = inside || has_root[child]; });
    if (graph_.op(id) == Op::log) take(graph_.arguments(id)[0]);
    inside = inside || graph_.op(id) == Op::log || graph_.op(id) == Op::power;
    if (graph_.op(id) == Op::product)
      for (const Part& part : graph_.parts(id))
        if (graph_.value(part.weight).get_den() != 1) {
          take(part.node);
          inside = true;
        }
    has_root[id] = inside;
  }
  for (const std::vector<Expr>& bases : {plain, nested})
    for (const Expr& base : bases) {
      convert_below({&base, 1});
      ring_.learn_nonnegative(at(base.id()));
    }
  memo_.clear();
}

/// Sines or cosines eliminated, whichever leaves less in odd powers.
Factors Converter::factor_simplest(const Poly& poly) {
  auto cost = [](const Factors& factors) {
    std::size_t total = 0;
    for (const auto& [base, exponent] : factors.factors) total += exponent % 2 == 0 ? 1 : base.length();
    return total;
  };
  Factors best = factor(poly);
  constexpr std::size_t long_already = 40;
  if (poly.length() > long_already) return best;
  for (std::size_t i = 0; i + 1 < ring_.size(); ++i) {
    Kind kind = ring_[i].kind;
    if ((kind != Kind::cosine && kind != Kind::cosh) || poly.degree(i) < 2) continue;
    Factors other = factor(ring_.reduce_cosine(poly, i));
    if (cost(other) < cost(best)) best = std::move(other);
  }
  return best;
}

Converter::Product Converter::factor_fraction(const Fraction& fraction) {
  Factors above = factor_simplest(fraction.numerator), below = factor_simplest(fraction.denominator);
  Product result{mpq_class(above.content, below.content), std::move(above.factors)};
  result.content.canonicalize();
  for (auto& [base, exponent] : below.factors) result.factors.emplace_back(std::move(base), -exponent);
  return result;
}

/// False where a root that came of splitting a product might not be real at some points of the domain.
bool Converter::is_real(const Product& product) const {
  for (const auto& factor : product.factors)
    for (std::size_t i = 0; i < ring_.size(); ++i)
      if (!ring_[i].is_real() && factor.first.uses(i)) return false;
  return true;
}

// ---------------------------------------------------------------------------------------------- roots

Fraction Converter::power(const Fraction& base, const mpq_class& exponent) {
  if (exponent.get_den() == 1) return ring_.power(base, exponent.get_num());
  if (base.is_zero()) {
    if (sgn(exponent) < 0) throw Undefined{"it divides by what is zero everywhere"};
    return base;
  }
  Product product = factor_fraction(base);
  if (!is_real(product)) return opaque(graph_.power(ring_.to_expr(base), exponent), {}, false);
  int sign = sgn(product.content);
  mpz_class above = abs(product.content.get_num());
  Fraction result =
      ring_.multiply(root_of_number(above, exponent), root_of_number(product.content.get_den(), -exponent));
  Poly together(ring_.context(), 1);  // odd factors of unknown sign: only their product is known not to be negative
  for (auto& [factor, times] : product.factors) {
    int known = ring_.known_sign(factor);
    if (known < 0 && times % 2 != 0) sign = -sign;
    if (known != 0) {
      result = ring_.multiply(result, root_of_nonnegative(known > 0 ? factor : -factor, exponent * times));
      continue;
    }
    long even = times % 2 == 0 ? times : times - 1;
    if (even != 0) {
      Fraction size = magnitude_of_factor(factor);
      result = ring_.multiply(result, root_of_nonnegative(size.numerator, exponent * even));
    }
    if (times % 2 != 0) together = together * factor;
  }
  if (sign < 0) together = -together;
  if (together.is_one()) return result;
  bool nonnegative = ring_.known_sign(together) > 0;
  return ring_.multiply(result, root_atom(together, exponent, nonnegative));
}

Fraction Converter::root_of_number(const mpz_class& number, const mpq_class& exponent) {
  Fraction result = ring_.rational(1);
  for (const auto& [prime, times] : prime_powers(number)) {
    mpq_class total = exponent * times;
    if (total.get_den() == 1) {
      if (abs(total) * mpz_sizeinbase(prime.get_mpz_t(), 2) > 100000) throw TooLarge{"a number would be too large"};
      result = ring_.multiply(result, ring_.power(ring_.rational(mpq_class(prime)), total.get_num()));
    } else {
      result = ring_.multiply(result, root_atom(Poly(ring_.context(), prime), total, true));
    }
  }
  return result;
}

Fraction Converter::root_of_nonnegative(const Poly& base, const mpq_class& exponent) {
  if (exponent.get_den() == 1) return ring_.power(Fraction(ring_.reduce(base)), exponent.get_num());
  if (std::optional<std::size_t> index = base.single_generator()) {
    const Generator& g = ring_[*index];
    if (g.kind == Kind::exponential && g.plain) {
      Fraction scaled = ring_.multiply(g.arguments[0], ring_.rational(exponent));
      return exponential(scaled);
    }
    if (g.kind == Kind::root && g.inner) return root_atom(*g.inner, exponent / g.order, g.nonnegative);
  }
  return root_atom(base, exponent, true);
}

/// radicand ^ exponent by a root of it that serves all exponents met.
Fraction Converter::root_atom(const Poly& radicand, const mpq_class& exponent, bool nonnegative) {
  if (exponent.get_den() == 1) return ring_.power(Fraction(ring_.reduce(radicand)), exponent.get_num());
  Knowledge& known = ring_.knowledge();
  Expr inner = ring_.to_expr(radicand);
  mpz_class order = exponent.get_den();
  std::optional<std::size_t> symbol = radicand.single_generator();
  bool is_symbol = nonnegative && symbol && ring_[*symbol].kind == Kind::symbol;
  NodeId key = inner.id();
  long former = 1;
  if (is_symbol) {  // a symbol, or its root: let the symbol be a power of a lower root
    key = free_symbols({&inner, 1})[0].id();
    if (auto found = known.symbol_orders.find(key); found != known.symbol_orders.end()) former = found->second;
    order *= former;
  }
  std::map<NodeId, long>& orders = is_symbol ? known.symbol_orders : known.root_orders;
  if (order <= largest_order) {
    long& entry = orders.try_emplace(key, 1).first->second;
    long common = std::lcm(entry, order.get_si());
    if (common != entry && common <= largest_order) {
      entry = common;
      known.changed = true;
    }
  }
  auto found = is_symbol ? orders.end() : orders.find(key);
  if (found == orders.end() || found->second % order.get_si() != 0 || order > largest_order) {
    mpz_class whole = rounded_down(exponent);
    Fraction rest = ring_.power(Fraction(ring_.reduce(radicand)), whole);
    return ring_.multiply(rest, opaque(graph_.power(inner, mpq_class(exponent - whole)), {}, nonnegative));
  }
  long degree = found->second;
  Expr expr = graph_.power(inner, mpq_class(1, degree));
  std::optional<std::size_t> index = ring_.find(expr.id());
  if (!index) {
    Generator generator{Kind::root, expr};
    generator.order = generator.conjugates = degree;
    generator.relation = generator.inner = radicand;
    generator.nonnegative = generator.plain = nonnegative;
    generator.algebraic = true;
    for (std::size_t i = 0; i < ring_.size(); ++i)
      if (radicand.uses(i) && !ring_[i].algebraic) generator.algebraic = false;
    index = ring_.add(std::move(generator));
  }
  mpq_class steps = exponent * degree;
  return ring_.power(Fraction(ring_.generator(*index)), steps.get_num());
}

// ---------------------------------------------------------------------------------------------- magnitudes and signs

Fraction Converter::magnitude_of_factor(const Poly& base) {
  int known = ring_.known_sign(base);
  if (known != 0) return Fraction(known > 0 ? base : -base);
  Expr expr = graph_.unary(Op::abs, ring_.to_expr(base));
  if (expr.op() != Op::abs) return opaque(expr, {});
  Generator generator{Kind::magnitude, expr};
  generator.order = 2;
  generator.relation = ring_.reduce(base.power(2));
  generator.inner = base;
  generator.nonnegative = true;
  return atom(std::move(generator));
}

Fraction Converter::magnitude(const Fraction& argument) {
  if (argument.is_zero()) return argument;
  Product product = factor_fraction(argument);
  if (!is_real(product)) return opaque(graph_.unary(Op::abs, ring_.to_expr(argument)), {argument});
  Fraction result = ring_.rational(abs(product.content));
  for (auto& [base, exponent] : product.factors) {
    Fraction size = exponent % 2 == 0 ? Fraction(base) : magnitude_of_factor(base);
    result = ring_.multiply(result, ring_.power(size, exponent));
  }
  return result;
}

Fraction Converter::sign(const Fraction& argument) {
  if (argument.is_zero()) return argument;
  Product product = factor_fraction(argument);
  if (!is_real(product)) return opaque(graph_.unary(Op::sign, ring_.to_expr(argument)), {argument});
  Fraction result = ring_.rational(sgn(product.content));
  for (auto& [base, exponent] : product.factors) {
    int known = ring_.is_nonzero(base) ? ring_.known_sign(base) : 0;
    if (known != 0) {
      if (known < 0 && exponent % 2 != 0) result.numerator = -result.numerator;
      continue;
    }
    Expr expr = graph_.unary(Op::sign, ring_.to_expr(base));
    Fraction factor = ring_.rational(1);
    if (expr.op() == Op::sign) {
      Generator generator{Kind::sign, expr};
      generator.order = 3;
      generator.inner = base;
      if (ring_.size() < ring_.context().size()) generator.relation = ring_.generator(ring_.size());
      factor = atom(std::move(generator));
    } else {
      factor = opaque(expr, {});
    }
    result = ring_.multiply(result, exponent % 2 == 0 ? ring_.multiply(factor, factor) : factor);
  }
  return result;
}

// ---------------------------------------------------------------------------------------------- logarithms

Fraction Converter::logarithm_of_number(const mpq_class& number) {
  Fraction result = ring_.rational(0);
  auto add = [&](const mpz_class& part, int direction) {
    for (const auto& [prime, times] : prime_powers(part)) {
      Fraction inner = ring_.rational(mpq_class(prime));
      Fraction logarithm = opaque(graph_.unary(Op::log, graph_.constant(mpq_class(prime))), {inner});
      result = ring_.add(result, ring_.multiply(ring_.rational(direction * times), logarithm));
    }
  };
  add(number.get_num(), 1);
  add(number.get_den(), -1);
  return result;
}

/// Of a base that is never negative. log(a^(1/n)) = log(a)/n for a that is not negative, log(exp(a)) = a for real a.
Fraction Converter::logarithm_of_factor(const Poly& base) {
  if (std::optional<std::size_t> index = base.single_generator()) {
    const Generator& g = ring_[*index];
    if (g.kind == Kind::exponential && g.plain) return g.arguments[0];
    if (g.kind == Kind::root && g.inner)
      return ring_.multiply(ring_.rational(mpq_class(1, g.order)), logarithm(Fraction(*g.inner)));
    Expr expr = g.expr;
    if (g.kind == Kind::symbol && expr.op() == Op::product) {  // a root of a symbol
      Part part = graph_.parts(expr.id())[0];
      mpq_class exponent = graph_.value(part.weight);
      Fraction whole = ring_.power(Fraction(base), exponent.get_den());
      Fraction inner = opaque(graph_.unary(Op::log, graph_[part.node]), {whole});
      return ring_.multiply(ring_.rational(exponent), inner);
    }
  }
  Expr expr = graph_.unary(Op::log, ring_.to_expr(base));
  return opaque(expr, {Fraction(base)});
}

Fraction Converter::logarithm(const Fraction& argument) {
  if (argument.is_zero()) throw Undefined{"it takes the logarithm of what is zero everywhere"};
  Product product = factor_fraction(argument);
  auto whole = [&](const Fraction& f) {
    const bool positive =
        ring_.knowledge().for_display || ring_.known_sign(ring_.reduce(f.numerator * f.denominator)) > 0;
    return opaque(graph_.unary(Op::log, ring_.to_expr(f)), {f}, positive);
  };
  if (ring_.knowledge().for_display || !is_real(product)) return whole(argument);
  int sign = sgn(product.content);
  Fraction result = logarithm_of_number(abs(product.content));
  Poly together(ring_.context(), 1);
  Poly below(ring_.context(), 1);
  for (auto& [factor, times] : product.factors) {
    int known = ring_.known_sign(factor);
    if (known < 0 && times % 2 != 0) sign = -sign;
    Fraction size = known != 0 ? Fraction(known > 0 ? factor : -factor) : ring_.rational(1);
    if (known == 0 && times % 2 != 0) {
      (times > 0 ? together : below) = (times > 0 ? together : below) * factor;
      times += times > 0 ? -1 : 1;
    }
    if (times == 0) continue;
    if (known == 0) size = magnitude_of_factor(factor);
    result = ring_.add(result, ring_.multiply(ring_.rational(times), logarithm_of_factor(size.numerator)));
  }
  if (sign < 0) together = -together;
  if (together.is_one() && below.is_one()) return result;
  Fraction rest(together, below);
  return ring_.add(result, whole(rest));
}

}  // namespace dalembert::canonical

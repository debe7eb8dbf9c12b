#include <flint/fmpz_poly.h>

#include <algorithm>
#include <numeric>

#include "expr/canonical/convert.hpp"
#include "expr/walk.hpp"

// sin, cos, exp and their kin of sums and multiples, brought to common atoms.

namespace dalembert::canonical {

/// Terms with rational coefficients; the rational multiple of pi apart, if asked for.
Combination Converter::combination_of(const Fraction& argument, mpq_class* pi_part) {
  Combination result;
  bool whole = argument.denominator.is_constant();
  for (Term& term : argument.numerator.terms()) {
    mpq_class coefficient(term.coefficient);
    term.coefficient = 1;
    Expr expr;
    if (whole) {
      coefficient /= argument.denominator.constant_value();
      expr = ring_.to_expr(term);
    } else {
      Fraction piece = ring_.normal({Poly::from_terms(ring_.context(), {term}), argument.denominator});
      mpq_class content(piece.numerator.content(), piece.denominator.content());
      content.canonicalize();
      coefficient *= content;
      piece.numerator = piece.numerator.divided_exactly(content.get_num());
      piece.denominator = piece.denominator.divided_exactly(piece.denominator.content());
      expr = ring_.to_expr(piece);
    }
    if (pi_part && expr.op() == Op::pi) {
      *pi_part += coefficient;
      continue;
    }
    mpq_class& entry = result[expr.id()];
    entry += coefficient;
    if (sgn(entry) == 0) result.erase(expr.id());
  }
  return result;
}

Expr to_expr(Graph& graph, const Combination& combination) {
  std::vector<Expr> terms;
  for (const auto& [term, coefficient] : combination) terms.push_back(graph.constant(coefficient) * graph[term]);
  return graph.sum(terms);
}

Heights heights_of(Graph& graph, std::span<const Combination> combinations) {
  std::vector<Expr> terms;
  for (const Combination& combination : combinations)
    for (const auto& entry : combination) terms.push_back(graph[entry.first]);
  Heights result;
  if (terms.empty()) return result;
  std::vector<unsigned> heights = walk_values<unsigned>(graph, terms, [&](NodeId id, auto& at) {
    unsigned height = 0;
    graph.for_each_child(id, [&](NodeId child) { height = std::max(height, at(child)); });
    return height + (graph.op(id) >= Op::power ? 1 : 0);
  });
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (heights[i] != 0) result[terms[i].id()] = heights[i];
  return result;
}

const AtomBasis& Converter::basis(Op kind) {
  auto found = bases_.find(kind);
  if (found != bases_.end()) return found->second;
  const Knowledge& known = ring_.knowledge();
  const std::vector<Combination>& seen =
      kind == Op::sin ? known.angles : (kind == Op::sinh ? known.hyperbolics : known.exponents);
  AtomBasis made(seen, known.shared_angles, heights_of(graph_, seen));
  if (kind == Op::sin && known.change) made.change(known.change->first, known.change->second, known.change->times);
  return bases_.emplace(kind, std::move(made)).first->second;
}

namespace {

bool is_split(const Combination& combination) {
  return combination.size() == 1 && combination.begin()->second.get_num() == 1;
}

/// Remembers a combination that the atoms of this pass do not serve.
void remember(std::vector<Combination>& seen, const Combination& combination, Knowledge& knowledge) {
  if (knowledge.split_angles && !is_split(combination)) {
    for (const auto& [term, coefficient] : combination)
      remember(seen, {{term, mpq_class(1, coefficient.get_den())}}, knowledge);
    return;
  }
  constexpr std::size_t most = 200;
  if (seen.size() >= most) return;
  for (const Combination& other : seen)
    if (other == combination) return;
  seen.push_back(combination);
  knowledge.changed = true;
}

bool is_small(const std::vector<std::pair<std::size_t, mpz_class>>& multiples, unsigned bound) {
  mpz_class total = 0;
  for (const auto& [atom, times] : multiples) total += abs(times);
  return total <= bound;
}

}  // namespace

// ---------------------------------------------------------------------------------------------- sine and cosine

/// kind is sin or sinh. cos(a + b) = cos cos -+ sin sin, sin(a + b) = sin cos + cos sin.
Converter::Pair Converter::multiply(Op kind, const Pair& a, const Pair& b) {
  Fraction both = ring_.multiply(a.sine, b.sine);
  Fraction none = ring_.multiply(a.cosine, b.cosine);
  return {ring_.add(ring_.multiply(a.sine, b.cosine), ring_.multiply(a.cosine, b.sine)),
          kind == Op::sin ? ring_.subtract(none, both) : ring_.add(none, both)};
}

Converter::Pair Converter::multiple(Op kind, const Pair& pair, const mpz_class& times) {
  Pair result{ring_.rational(0), ring_.rational(1)}, doubled = pair;
  if (sgn(times) < 0) doubled.sine = ring_.subtract(ring_.rational(0), doubled.sine);
  mpz_class size = abs(times);
  for (unsigned long n = size.get_ui(); n != 0; n >>= 1) {
    if (n & 1) result = multiply(kind, result, doubled);
    if (n > 1) doubled = multiply(kind, doubled, doubled);
  }
  return result;
}

Converter::Pair Converter::pair_of(Op kind, const Fraction& argument) {
  Knowledge& known = ring_.knowledge();
  if (kind == Op::sinh && !known.for_display) {
    Fraction up = exponential(argument), down = ring_.inverse(up), half = ring_.rational(mpq_class(1, 2));
    return {ring_.multiply(half, ring_.subtract(up, down)), ring_.multiply(half, ring_.add(up, down))};
  }
  mpq_class half_turns = 0;
  Combination combination = combination_of(argument, kind == Op::sin ? &half_turns : nullptr);
  if (known.for_display && !known.shared_angles && mpq_class(2 * half_turns).get_den() != 1 && !combination.empty()) {
    combination[graph_.pi().id()] = half_turns;  // reads better as it stands
    half_turns = 0;
  }
  Pair result = sgn(half_turns) != 0 ? pair_of_turn(half_turns) : Pair{ring_.rational(0), ring_.rational(1)};
  if (kind == Op::sin) {
    for (auto entry = combination.begin(); entry != combination.end();) {
      std::optional<Pair> inverse;
      if (entry->second.get_den() == 1 && abs(entry->second) <= ring_.budget().limits().angle_multiple)
        inverse = pair_of_inverse_function(graph_[entry->first]);
      if (!inverse) {
        ++entry;
        continue;
      }
      result = multiply(kind, result, multiple(kind, *inverse, entry->second.get_num()));
      entry = combination.erase(entry);
    }
  }
  if (combination.empty()) return result;
  auto multiples = basis(kind).express(combination);
  if (!multiples) remember(kind == Op::sin ? known.angles : known.hyperbolics, combination, known);
  if (!multiples || !is_small(*multiples, ring_.budget().limits().angle_multiple))
    return multiply(kind, result, pair_of_atom(kind, combination));
  for (const auto& [atom, times] : *multiples)
    result = multiply(kind, result, multiple(kind, pair_of_atom(kind, basis(kind).atoms()[atom]), times));
  return result;
}

Converter::Pair Converter::pair_of_atom(Op kind, const Combination& combination) {
  Expr argument = to_expr(graph_, combination);
  bool turned = graph_.unary(kind, argument).op() != kind;  // the graph writes sin(-x) as -sin(x)
  if (turned) argument = -argument;
  Expr sine = graph_.unary(kind, argument);
  if (!ring_.find(sine.id())) {
    bool circular = kind == Op::sin;
    Generator cosine{circular ? Kind::cosine : Kind::cosh, graph_.unary(circular ? Op::cos : Op::cosh, argument)};
    const bool plain = is_plain(argument);
    cosine.plain = plain;
    cosine.nonnegative = !circular && plain;
    Poly square = ring_.generator(ring_.add(std::move(cosine))).power(2);
    Poly one(ring_.context(), 1);
    Generator follower{circular ? Kind::sine : Kind::sinh, sine};
    follower.order = 2;
    follower.plain = plain;
    follower.relation = circular ? one - square : square - one;
    ring_.add(std::move(follower));
  }
  std::size_t index = *ring_.find(sine.id());
  Fraction value(ring_.generator(index));
  if (turned) value.numerator = -value.numerator;
  return {std::move(value), Fraction(ring_.generator(index - 1))};
}

/// sin(asin(x)) = x and the like; cos(asin(x)) is never negative.
std::optional<Converter::Pair> Converter::pair_of_inverse_function(Expr term) {
  Op op = term.op();
  if (op != Op::asin && op != Op::acos && op != Op::atan && op != Op::atan2) return {};
  std::optional<std::size_t> index = ring_.find(term.id());
  if (!index) return {};
  std::vector<Fraction> arguments = ring_[*index].arguments;
  Fraction one = ring_.rational(1);
  const Fraction& x = arguments[0];
  Fraction square = ring_.multiply(x, x);
  mpq_class half(1, 2);
  switch (op) {
    case Op::asin: return Pair{x, power(ring_.subtract(one, square), half)};
    case Op::acos: return Pair{power(ring_.subtract(one, square), half), x};
    case Op::atan: {
      Fraction cosine = power(ring_.add(one, square), -half);
      return Pair{ring_.multiply(x, cosine), cosine};
    }
    default: return {};  // atan2(0, 0) is defined, but y/sqrt(x^2 + y^2) is not
  }
}

// ---------------------------------------------------------------------------------------------- multiples of pi

/// sin and cos of half_turns * pi.
Converter::Pair Converter::pair_of_turn(const mpq_class& half_turns) {
  mpz_class n = half_turns.get_den();
  mpz_class k;
  mpz_fdiv_r(k.get_mpz_t(), half_turns.get_num_mpz_t(), mpz_class(2 * n).get_mpz_t());
  unsigned doublings = 0;
  mpz_class odd = n;
  while (odd % 2 == 0) {
    odd /= 2;
    ++doublings;
  }
  constexpr unsigned most_doublings = 5;
  if (doublings <= most_doublings && (odd == 1 || odd == 3 || odd == 5 || odd == 15)) {
    // k/n = a/2^d + b/3 + c/5 for integers a, b, c.
    long three = odd % 3 == 0 ? 3 : 1, five = odd % 5 == 0 ? 5 : 1, two = 1L << doublings;
    long turns = k.get_si(), whole = n.get_si();
    for (long b = 0; b < three; ++b)
      for (long c = 0; c < five; ++c) {
        long rest = turns - b * (whole / three) - c * (whole / five);
        if (rest % (whole / two) != 0) continue;
        Pair result = multiple(Op::sin, pair_by_halving(doublings), rest / (whole / two));
        Fraction half = ring_.rational(mpq_class(1, 2)), quarter = ring_.rational(mpq_class(1, 4));
        if (b != 0) {
          Pair third{ring_.multiply(half, root_of_number(3, mpq_class(1, 2))), half};
          result = multiply(Op::sin, result, multiple(Op::sin, third, b));
        }
        if (c != 0) {
          Fraction five_root = root_of_number(5, mpq_class(1, 2));
          Fraction ten = ring_.subtract(ring_.rational(10), ring_.multiply(ring_.rational(2), five_root));
          Pair fifth{ring_.multiply(quarter, power(ten, mpq_class(1, 2))),
                     ring_.multiply(quarter, ring_.add(ring_.rational(1), five_root))};
          result = multiply(Op::sin, result, multiple(Op::sin, fifth, c));
        }
        return result;
      }
  }
  Knowledge& known = ring_.knowledge();
  constexpr long largest = 90;
  if (n <= largest && known.cyclic % n.get_si() != 0) {
    long common = std::lcm(known.cyclic, n.get_si());
    if (common <= largest) {
      known.cyclic = common;
      known.changed = true;
    }
  }
  if (n > largest || known.cyclic % n.get_si() != 0) {
    return pair_of_atom(Op::sin, Combination{{graph_.pi().id(), mpq_class(k) / n}});
  }
  return multiple(Op::sin, pair_of_cyclic(known.cyclic), k * (known.cyclic / n.get_si()));
}

/// pi / 2^doublings, by cos(x/2) = sqrt((1 + cos x)/2).
Converter::Pair Converter::pair_by_halving(unsigned doublings) {
  if (doublings == 0) return {ring_.rational(0), ring_.rational(-1)};
  if (doublings == 1) return {ring_.rational(1), ring_.rational(0)};
  Fraction cosine = pair_by_halving(doublings - 1).cosine;
  Fraction half = ring_.rational(mpq_class(1, 2)), one = ring_.rational(1);
  return {power(ring_.multiply(half, ring_.subtract(one, cosine)), mpq_class(1, 2)),
          power(ring_.multiply(half, ring_.add(one, cosine)), mpq_class(1, 2))};
}

/// pi / n: 2 cos(pi/n) is an algebraic integer with a known minimal polynomial.
Converter::Pair Converter::pair_of_cyclic(long n) {
  Expr angle = graph_.constant(mpq_class(1, n)) * graph_.pi();
  Expr sine = graph_.unary(Op::sin, angle) * 2;
  if (!ring_.find(sine.id())) {
    if (ring_.size() >= ring_.context().size()) throw RingFull{};
    Generator first{Kind::cyclic, graph_.unary(Op::cos, angle) * 2};
    first.algebraic = true;
    fmpz_poly_t minimal;
    fmpz_poly_init(minimal);
    fmpz_poly_cos_minpoly(minimal, static_cast<ulong>(2 * n));
    first.order = first.conjugates = fmpz_poly_degree(minimal);
    std::vector<Term> terms;
    for (long i = 0; i < first.order; ++i) {
      Term term{0, std::vector<long>(ring_.context().size(), 0)};
      term.exponents[ring_.size()] = i;
      fmpz_t coefficient;
      fmpz_init(coefficient);
      fmpz_poly_get_coeff_fmpz(coefficient, minimal, i);
      fmpz_neg(coefficient, coefficient);
      fmpz_get_mpz(term.coefficient.get_mpz_t(), coefficient);
      fmpz_clear(coefficient);
      terms.push_back(std::move(term));
    }
    fmpz_poly_clear(minimal);
    first.relation = Poly::from_terms(ring_.context(), terms);
    Poly cosine = ring_.generator(ring_.add(std::move(first)));
    Generator second{Kind::cyclic, sine};
    second.algebraic = true;
    second.order = second.conjugates = 2;
    second.relation = Poly(ring_.context(), 4) - cosine.power(2);
    ring_.add(std::move(second));
  }
  std::size_t index = *ring_.find(sine.id());
  Fraction half = ring_.rational(mpq_class(1, 2));
  return {ring_.multiply(half, Fraction(ring_.generator(index))),
          ring_.multiply(half, Fraction(ring_.generator(index - 1)))};
}

// ---------------------------------------------------------------------------------------------- exponentials

/// Where all atoms so far are made of real parts, so is this; otherwise no root, logarithm or power may be in it.
bool Converter::is_plain(Expr argument) {
  bool all = true;
  for (std::size_t i = 0; i < ring_.size(); ++i) all = all && ring_[i].plain;
  if (all) return true;
  Walk walk(graph_, {&argument, 1});
  return std::ranges::none_of(walk.order(), [&](NodeId id) {
    Op op = graph_.op(id);
    return op == Op::log || op == Op::power ||
           (op == Op::product && std::ranges::any_of(graph_.parts(id), [&](const Part& part) {
              return graph_.value(part.weight).get_den() != 1;
            }));
  });
}

/// exp(exponent). Where that is not made of real parts, exp(a*log(u)) is written as the power u^a that it came from:
/// the graph would take log(exp(a)) for a.
Expr Converter::exponential_of(const Combination& exponent, bool plain) {
  if (plain) return graph_.unary(Op::exp, to_expr(graph_, exponent));
  std::vector<Expr> factors;
  for (const auto& [term, coefficient] : exponent) {
    std::vector<Part> parts{{term, graph_.constant(1).id()}};
    if (graph_.op(term) == Op::product) parts.assign(graph_.parts(term).begin(), graph_.parts(term).end());
    Expr base;
    std::vector<Expr> rest{graph_.constant(coefficient)};
    for (const Part& part : parts)
      if (!base && graph_.op(part.node) == Op::log && graph_.value(part.weight) == 1)
        base = graph_[graph_.arguments(part.node)[0]];
      else
        rest.push_back(graph_.power(graph_[part.node], mpq_class(graph_.value(part.weight))));
    factors.push_back(base ? graph_.power(base, graph_.product(rest)) : graph_.unary(Op::exp, graph_.product(rest)));
  }
  return graph_.product(factors);
}

Fraction Converter::exponential(const Fraction& argument) {
  Knowledge& known = ring_.knowledge();
  Combination combination = combination_of(argument, nullptr);
  Fraction result = ring_.rational(1);
  // exp(q log(x)) = x^q
  for (auto entry = combination.begin(); entry != combination.end();) {
    std::optional<std::size_t> index = ring_.find(entry->first);
    if (!index || graph_.op(entry->first) != Op::log || ring_[*index].kind != Kind::opaque) {
      ++entry;
      continue;
    }
    Fraction inner = ring_[*index].arguments[0];
    result = ring_.multiply(result, power(inner, entry->second));
    entry = combination.erase(entry);
  }
  if (combination.empty()) return result;
  auto make_atom = [&](const Combination& exponent) {
    Expr inner = to_expr(graph_, exponent);
    convert_below({&inner, 1});
    const bool plain = is_plain(inner);
    Generator generator{Kind::exponential, exponential_of(exponent, plain || known.for_display)};
    generator.nonnegative = generator.plain = plain;
    generator.arguments = {at(inner.id())};
    return atom(std::move(generator));
  };
  auto multiples = basis(Op::exp).express(combination);
  if (!multiples) remember(known.exponents, combination, known);
  if (!multiples) return ring_.multiply(result, make_atom(combination));
  for (const auto& [index, times] : *multiples)
    result = ring_.multiply(result, ring_.power(make_atom(basis(Op::exp).atoms()[index]), times));
  return result;
}

}  // namespace dalembert::canonical

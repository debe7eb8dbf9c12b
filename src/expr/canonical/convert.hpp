#pragma once
// From expressions to quotients of polynomials in atoms.

#include <unordered_map>

#include "expr/canonical/ring.hpp"

namespace dalembert::canonical {

class Converter {
 public:
  explicit Converter(Ring& ring) : ring_(ring), graph_(ring.graph()) {}
  /// Everything under the roots of the expressions is taken to be defined.
  std::vector<Fraction> convert(std::span<const Expr> expressions);

 private:
  struct Pair {  // sine and cosine, or sinh and cosh, of one argument
    Fraction sine, cosine;
  };

  void convert_below(std::span<const Expr> expressions);
  const Fraction& at(NodeId id) const { return memo_.at(id); }
  Fraction convert_node(NodeId id);
  Fraction convert_symbol(NodeId id);
  Fraction convert_function(NodeId id);
  Fraction opaque(Expr expr, std::vector<Fraction> arguments, bool plain = true);
  Fraction atom(Generator generator);

  // roots, logarithms, magnitudes (roots.cpp)
  void learn_domain(std::span<const Expr> expressions);
  /// content * product of base ^ exponent.
  struct Product {
    mpq_class content;
    std::vector<std::pair<Poly, long>> factors;
  };
  Product factor_fraction(const Fraction& fraction);
  bool is_real(const Product& product) const;
  Factors factor_simplest(const Poly& poly);
  Fraction power(const Fraction& base, const mpq_class& exponent);
  Fraction root_of_number(const mpz_class& number, const mpq_class& exponent);
  Fraction root_of_nonnegative(const Poly& base, const mpq_class& exponent);
  Fraction root_atom(const Poly& radicand, const mpq_class& exponent, bool nonnegative);
  Fraction magnitude(const Fraction& argument);
  Fraction magnitude_of_factor(const Poly& base);
  Fraction sign(const Fraction& argument);
  Fraction logarithm(const Fraction& argument);
  Fraction logarithm_of_number(const mpq_class& number);
  Fraction logarithm_of_factor(const Poly& base);
  Fraction extremum(Op op, std::span<const NodeId> arguments);

  // angles and exponents (angles.cpp)
  Combination combination_of(const Fraction& argument, mpq_class* pi_part);
  Pair pair_of(Op kind, const Fraction& argument);
  Pair pair_of_atom(Op kind, const Combination& atom);
  Pair pair_of_turn(const mpq_class& half_turns);
  Pair pair_by_halving(unsigned doublings);
  Pair pair_of_cyclic(long n);
  std::optional<Pair> pair_of_inverse_function(Expr term);
  Pair multiply(Op kind, const Pair& a, const Pair& b);
  Pair multiple(Op kind, const Pair& pair, const mpz_class& times);
  const AtomBasis& basis(Op kind);
  bool is_plain(Expr argument);
  Expr exponential_of(const Combination& exponent, bool plain);
  Fraction exponential(const Fraction& argument);

  Ring& ring_;
  Graph& graph_;
  std::unordered_map<NodeId, Fraction> memo_;
  std::map<Op, AtomBasis> bases_;
  unsigned depth_ = 0;  // of conversions inside conversions
};

Expr to_expr(Graph& graph, const Combination& combination);
/// How many functions are nested in each term.
Heights heights_of(Graph& graph, std::span<const Combination> combinations);

/// Converts as often as it takes for the atoms to serve all expressions; the ring is that of the last pass.
struct Conversion {
  std::unique_ptr<Ring> ring;
  std::vector<Fraction> fractions;
};
Conversion convert_all(std::span<const Expr> expressions, Knowledge& knowledge, Budget& budget);

}  // namespace dalembert::canonical

#pragma once
// The atoms of an expression as generators of a polynomial ring, with the relations between them that hold at every
// point where the expression is defined. Roots that arise from splitting products stand for principal complex values,
// so that their relations hold everywhere too.

#include <dalembert/expr/expr.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>

#include "expr/canonical/lattice.hpp"
#include "expr/canonical/poly.hpp"

namespace dalembert::canonical {

/// The expression is defined nowhere: it divides by what is zero everywhere.
struct Undefined {
  std::string what;
};
/// The ring has too few generators: begin again with more.
struct RingFull {};

enum class Kind : std::uint8_t {
  symbol,  ///< or a root of a symbol that stands for it
  pi,
  cosine,  ///< cos of an angle; the sine follows
  sine,    ///< sine^2 = 1 - cosine^2
  cosh,
  sinh,  ///< sinh^2 = cosh^2 - 1
  exponential,
  root,       ///< root^order = inner
  magnitude,  ///< |inner|
  sign,       ///< sign of inner
  cyclic,     ///< 2 cos(pi/n) or 2 sin(pi/n)
  opaque,     ///< any other function
};

struct Generator {
  Kind kind;
  Expr expr;       ///< its value
  long order = 0;  ///< generator^order = relation, if not 0
  std::optional<Poly> relation = {};
  std::optional<Poly> inner = {};        ///< what a root, magnitude or sign is of
  std::vector<Fraction> arguments = {};  ///< of exponentials and opaque functions
  bool algebraic = false;                ///< an algebraic integer: no symbols
  long conjugates = 1;                   ///< bound on its degree over the generators before it
  bool nonnegative = false;              ///< wherever the expression is defined
  /// Made of real parts: of a root, what is not negative; of a logarithm, what is positive; of an exponential, a real
  /// exponent. Else it stands for a principal complex value, x^y for exp(y*log(x)) with log(x) = log|x| + i pi where
  /// x < 0: then sums of exponents are products of powers still, but nothing is known of signs, and log(exp(a)) is not
  /// a.
  bool plain = true;
  bool is_real() const { return plain || nonnegative; }
};

/// See AtomBasis::change.
struct BasisChange {
  std::size_t first, second;
  int times;
};

/// What earlier passes over the same expressions found out, so that the next one chooses atoms that serve all.
struct Knowledge {
  bool for_display = false;                ///< sinh, cosh, acos and powers keep their own names
  bool split_angles = false;               ///< into multiples of single terms, whatever sums there are
  bool shared_angles = true;               ///< expand angles into atoms common to all
  std::optional<BasisChange> change = {};  ///< of the angles' atoms
  std::vector<Combination> angles = {}, hyperbolics = {}, exponents = {};
  std::map<NodeId, long> root_orders = {};    ///< by radicand
  std::map<NodeId, long> symbol_orders = {};  ///< symbols that stand as powers of a root of themselves
  long cyclic = 1;                            ///< n of pi/n for angles without radicals
  std::size_t generators = 8;
  bool changed = false;
};

class Ring {
 public:
  Ring(Graph& graph, Budget& budget, Knowledge& knowledge);

  Graph& graph() { return graph_; }
  const Context& context() const { return context_; }
  Budget& budget() const { return context_.budget(); }
  Knowledge& knowledge() { return knowledge_; }
  std::size_t size() const { return generators_.size(); }
  const Generator& operator[](std::size_t index) const { return *generators_[index]; }
  std::optional<std::size_t> find(NodeId expr) const;
  std::size_t add(Generator generator);
  Poly generator(std::size_t index) const { return Poly::generator(context_, index); }

  // --- arithmetic modulo the relations
  Poly reduce(Poly poly) const;
  /// Cosines instead of sines eliminated, of this pair.
  Poly reduce_cosine(const Poly& poly, std::size_t cosine) const;
  Fraction rational(const mpq_class& value) const { return Fraction(context_, value); }
  Fraction normal(Fraction fraction) const;
  Fraction add(const Fraction& a, const Fraction& b) const;
  Fraction subtract(const Fraction& a, const Fraction& b) const;
  Fraction multiply(const Fraction& a, const Fraction& b) const;
  Fraction scale(const Fraction& a, const mpq_class& by) const;
  Fraction inverse(const Fraction& a) const;
  Fraction power(const Fraction& a, const mpz_class& exponent) const;

  // --- back to expressions
  Expr to_expr(const Poly& poly);
  Expr to_expr(const Fraction& fraction);
  Expr to_expr(const Term& term);

  // --- signs, where the expression is defined
  /// f is known not to be negative there.
  void learn_nonnegative(const Fraction& f);
  const std::vector<Poly>& nonnegative() const { return nonnegative_; }
  /// 1: never negative, -1: never positive, 0: unknown.
  int known_sign(const Poly& poly);
  /// Known never to vanish there.
  bool is_nonzero(const Poly& poly);

 private:
  bool is_bounded(std::size_t generator) const;
  bool is_number(Expr expr) const;
  int sign_by_terms(const Poly& poly, bool strict) const;

  Graph& graph_;
  Knowledge& knowledge_;
  Context context_;
  std::vector<std::unique_ptr<Generator>> generators_;
  std::unordered_map<NodeId, std::size_t> index_;
  std::vector<Poly> nonnegative_;
};

}  // namespace dalembert::canonical

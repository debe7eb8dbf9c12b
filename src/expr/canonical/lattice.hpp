#pragma once
// Arguments of sin, exp and the like as rational combinations of terms, and the common atoms for a set of them.

#include <dalembert/expr/expr.hpp>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace dalembert::canonical {

/// The largest integer that is not above it.
mpz_class rounded_down(const mpq_class& value);

/// Sum of coefficient * term, terms by their node; no coefficient is zero.
using Combination = std::map<NodeId, mpq_class>;
/// How many functions are nested in a term; not there: none.
using Heights = std::map<NodeId, unsigned>;

/// Atoms such that every combination given is a sum of integer multiples of them.
class AtomBasis {
 public:
  /// Shared: a basis of the lattice that the combinations span, so that sin(a - b) and sin(2*a - 2*b) alone need only
  /// the difference. Otherwise: combinations share an atom only if they are multiples of each other.
  /// Terms with more functions nested in them are eliminated first: a combination is expressed by atoms that are no
  /// higher than itself, so that exp(1) never takes an atom whose exponent contains exp(1).
  AtomBasis(std::vector<Combination> combinations, bool shared, const Heights& heights);
  AtomBasis() = default;
  /// Another basis of the same lattice: atom `first` becomes itself plus so many times atom `second`, a later one and
  /// no higher one.
  void change(std::size_t first, std::size_t second, int times);
  const std::vector<Combination>& atoms() const { return atoms_; }
  /// Which atom how often; nothing if the combination lies outside.
  std::optional<std::vector<std::pair<std::size_t, mpz_class>>> express(const Combination& combination) const;

 private:
  bool shared_ = true;
  std::vector<Combination> atoms_;
  std::vector<NodeId> leads_;  // of shared atoms: the term that no later atom has
};

}  // namespace dalembert::canonical

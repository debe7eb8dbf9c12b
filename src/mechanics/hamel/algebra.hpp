#pragma once
// A Lie algebra by its structure constants, and the subalgebras that every basis sees alike.

#include <dalembert/mechanics/groups.hpp>

#include "mechanics/hamel/subspace.hpp"

namespace dalembert {

class LieAlgebra {
 public:
  LieAlgebra(Graph& graph, StructureConstants constants) : graph_(graph), c_(std::move(constants)) {}

  std::size_t dimension() const { return c_.size(); }
  Graph& graph() const { return graph_; }
  bool satisfies_jacobi() const;
  Row bracket(const Row& x, const Row& y) const;
  Subspace whole() const;
  /// Spanned by all [a, b].
  Subspace brackets(const Subspace& a, const Subspace& b) const;
  Subspace derived() const { return brackets(whole(), whole()); }
  /// Where the derived series of a subalgebra stops falling; its dimensions go into `series` where given.
  Subspace perfect_part(Subspace algebra, std::vector<std::size_t>* series = nullptr) const;
  /// Dimensions of the lower central series.
  std::vector<std::size_t> lower_central() const;
  /// All x with [x, u] = 0 for u in the subspace.
  Subspace centralizer(const Subspace& of) const;
  Subspace centre() const { return centralizer(whole()); }
  std::vector<Row> killing() const;
  /// The largest solvable ideal: orthogonal to the derived algebra in the Killing form (Cartan).
  Subspace radical() const;

  LieAlgebra subalgebra(const Subspace& space) const;
  /// Modulo an ideal.
  LieAlgebra quotient(const Subspace& ideal) const;
  /// Ideals that basis vectors span and whose direct sum is the algebra.
  std::vector<Subspace> blocks() const;

 private:
  Row unit(std::size_t index) const;

  Graph& graph_;
  StructureConstants c_;
};

/// The name of the algebra as a direct sum of the usual ones; empty where a summand has none.
std::string name_algebra(const LieAlgebra& algebra);

}  // namespace dalembert

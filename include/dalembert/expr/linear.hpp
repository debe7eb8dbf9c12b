#pragma once
// Linear algebra on matrices of expressions, written out entry by entry: pieces of a program. Which entries are zero is
// decided when it is built, and nothing is ever divided symbolically: factors stay nested, as they will be computed.

#include <dalembert/expr/expr.hpp>

namespace dalembert {

/// Lower triangle of a symmetric matrix, diagonal included: rows of entries by ascending column. Entries that are not
/// there are zero.
using SymmetricRows = std::vector<std::vector<Entry>>;

/// P A Pt = L D Lt with L of unit diagonal; row and column i of P A Pt are those of order[i] in A.
struct LdltFactor {
  std::vector<std::uint32_t> order;
  std::vector<std::vector<Entry>> lower;  ///< rows of L, the diagonal left out
  std::vector<Expr> diagonal;             ///< D
  std::vector<Expr> reciprocal;           ///< 1 / D
};

/// An order that keeps the factor sparse: least degree first, then lower index.
std::vector<std::uint32_t> minimum_degree_order(const SymmetricRows& matrix);

/// Pivots are taken in the given order (empty: as they stand) and must not vanish: for definite matrices, or where the
/// caller knows. One that is zero for every value is an InputError.
LdltFactor factor_ldlt(const SymmetricRows& matrix, std::vector<std::uint32_t> order = {});
/// x with A x = right_side.
std::vector<Expr> solve_ldlt(const LdltFactor& factor, std::span<const Expr> right_side);

/// The halves of that solve, for what lies between them: z with L z = P right_side, and x with Lt P x = y. Entries of z
/// and y are by pivots (those of `reciprocal`), entries of right_side and x by rows of A.
std::vector<Expr> solve_lower(const LdltFactor& factor, std::span<const Expr> right_side);
std::vector<Expr> solve_upper(const LdltFactor& factor, std::span<const Expr> right_side);

/// x and y with M x + b = At y and A x + c = 0, by the factors of M and of A M^-1 At. `a` has the rows of A. An
/// InputError where a pivot of either is zero for every value.
struct SaddleSolution {
  std::vector<Expr> x, y;
};
SaddleSolution solve_saddle(const SymmetricRows& m, std::span<const Expr> b, const std::vector<std::vector<Entry>>& a,
                            std::span<const Expr> c);

/// The lower triangle of a dense matrix, exact zeros left out.
SymmetricRows make_symmetric_rows(const std::vector<std::vector<Expr>>& matrix);

}  // namespace dalembert

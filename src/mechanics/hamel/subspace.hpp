#pragma once
// Exact linear algebra over constants: rationals, and numbers like sqrt(2) whose vanishing the zero test proves.

#include <dalembert/expr/expr.hpp>
#include <stdexcept>
#include <vector>

namespace dalembert {

using Row = std::vector<Expr>;

/// A number could not be proved to vanish or not.
struct Undecided : std::runtime_error {
  Undecided() : std::runtime_error("undecided") {}
};

/// Of a constant expression. Throws Undecided.
bool vanishes(Expr number);
/// -1, 0 or 1. Throws Undecided.
int sign_of(Expr number);
/// In lowest terms; rationals are so already.
Expr tidy(Expr number);

/// A subspace by its reduced row echelon form.
class Subspace {
 public:
  explicit Subspace(std::size_t width) : width_(width) {}
  /// False where the vector was in it already.
  bool add(Row vector);
  /// What is left of a vector after taking away its part along the rows: zero at all pivots.
  Row reduce(Row vector) const;
  std::size_t dimension() const { return rows_.size(); }
  std::size_t width() const { return width_; }
  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<std::size_t>& pivots() const { return pivots_; }
  /// Columns without a pivot: their unit vectors span a complement.
  std::vector<std::size_t> free_columns() const;

 private:
  std::size_t width_;
  std::vector<Row> rows_;
  std::vector<std::size_t> pivots_;
};

/// x with m x = 0 for every row m.
Subspace null_space(const std::vector<Row>& matrix, std::size_t width, Graph& graph);
/// Numbers of positive and negative squares of a symmetric matrix.
std::pair<std::size_t, std::size_t> signature(std::vector<Row> matrix);

}  // namespace dalembert

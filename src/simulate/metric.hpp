#pragma once
// Linear algebra of M u' + h = A^T lambda, A u' + gamma = 0 in the kinetic metric (theory 1.4, numerics 1):
// M = L L^T by the blocks into which its pattern falls, W = L^-1 A^T, and the Gram matrix W^T W of the kept rows,
// scaled to unit diagonal, dense where small and sparse where large. Patterns are fixed, values come with each state.

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace dalembert {

using Index = std::uint32_t;

/// Constraint rows by their nonzero columns; values are numbered in this order.
struct RowPattern {
  std::vector<Index> begin{0};
  std::vector<Index> column;
  std::size_t rows() const { return begin.size() - 1; }
};

class Metric {
 public:
  /// `mass`: (row, column) of the lower triangle's entries. `unit`: one an equation, true for quaternions' own. Rows
  /// beyond the equations are contacts: selected only while they are closed, and never used to regularise.
  Metric(std::size_t size, std::vector<std::pair<Index, Index>> mass, RowPattern rows, std::vector<bool> unit);
  ~Metric();

  /// Where M is singular at these values, adds sigma A_r^T A_r of rows r that mend it: unit rows first, then all that
  /// touch the block. False if none does.
  bool regularise(const double* mass, const double* jacobian);
  const std::vector<Index>& regular() const { return regular_; }
  double sigma(Index row) const { return sigma_[row]; }
  /// Which rows carry multipliers; the others are taken to depend on them.
  void select(std::vector<Index> kept);
  const std::vector<Index>& kept() const { return kept_; }

  /// M and A at a state. False if M is not positive definite (see failed()); the Gram matrix may still be singular:
  /// then smallest_pivot() is zero and solve() must not be used.
  bool factor(const double* mass, const double* jacobian);
  /// A coordinate of the block whose factorisation failed.
  Index failed() const { return failed_; }
  /// Distance of a row from the span of rows eliminated before it, in units of the row's largest length so far, the
  /// smallest: 1 orthogonal, 0 dependent or vanishing.
  double smallest_pivot() const { return smallest_pivot_; }
  /// The row with the smallest pivot.
  Index weakest_row() const { return weakest_row_; }
  /// Lets the lengths of the rows now count among those so far.
  void note_lengths();

  /// M u' + bias = A^T lambda, A u' + drift = 0. Multipliers of all rows, zero for those not kept.
  void solve(const double* bias, const double* drift, double* acceleration, double* multipliers);
  /// The least change in the kinetic metric that removes the residuals of the kept rows, to first order:
  /// -M^-1 A^T (A M^-1 A^T)^-1 residual.
  void correct(const double* residual, double* change);
  /// The coefficients over the kept rows that make up another row.
  void combine(const double* jacobian, Index row, double* coefficients);
  /// L^-T z for z in the order of dense_columns: from kinetic coordinates back to u.
  void from_kinetic(const double* z, double* change);
  /// Columns of W = L^-1 A^T of any rows, one after the other, each of size n: for dense rank decisions.
  void dense_columns(const double* jacobian, const std::vector<Index>& rows, double* columns);
  /// The same without their parts in the span of the kept rows: directions that leave those rows alone.
  void free_columns(const double* jacobian, const std::vector<Index>& rows, double* columns);

 private:
  struct Gram;
  struct Outer {
    Index target, a, b, row;
  };
  struct Cell {
    Index slot, local, value;
  };

  void build_blocks();
  void build_gram();
  bool factor_mass(const double* mass, const double* jacobian);
  void scatter_rows(const double* jacobian);
  Index block_size(std::size_t b) const { return member_begin_[b + 1] - member_begin_[b]; }
  void forward(double* z) const;
  void backward(double* z) const;
  void add_rows(const double* multipliers, double* z) const;
  void solve_span(const double* z, double* coefficients);

  std::size_t size_;
  std::vector<std::pair<Index, Index>> mass_;
  RowPattern rows_;
  std::vector<bool> unit_;

  // Blocks: members in block order; dense lower triangles in `l_`, row by row.
  std::vector<Index> member_begin_, members_, block_of_, local_of_, matrix_begin_;
  std::vector<Index> mass_target_;
  std::vector<double> l_, last_mass_;
  bool mass_known_ = false;
  Index failed_ = 0;

  std::vector<Index> regular_;  // rows that regularise
  std::vector<double> sigma_;   // one a row
  std::vector<Outer> outer_;

  // Kept rows: by block the slots (row positions), the cells of A that fill W, and where products go in the Gram
  // matrix.
  std::vector<Index> kept_, position_of_;
  std::vector<Index> slot_begin_, slots_, cell_begin_, scatter_begin_, scatter_, w_begin_;
  std::vector<Cell> cells_;
  std::vector<double> w_, length_, weight_, work_, small_;
  std::vector<double> largest_length_;  // one a row
  std::unique_ptr<Gram> gram_;
  double smallest_pivot_ = 1;
  Index weakest_row_ = 0;
};

}  // namespace dalembert

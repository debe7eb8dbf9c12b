#pragma once
// Linear algebra of M u' + h = A^T lambda, A u' + gamma = 0 in the kinetic metric (theory 1.4, numerics 1):
// M = L L^T by the blocks into which its pattern falls, W = L^-1 A^T, and the Gram matrix W^T W of the kept rows,
// scaled to unit diagonal, dense where small and sparse where large. Patterns are the selection's, values come with
// each state; nothing else is remembered from one factorisation to the next.

#include "simulate/system/gram.hpp"
#include "simulate/system/selection.hpp"

namespace dalembert {

class Factor {
 public:
  explicit Factor(std::shared_ptr<const Selection> selection);

  const Selection& selection() const { return *selection_; }
  const std::shared_ptr<const Selection>& selection_pointer() const { return selection_; }

  /// M and A at a state. False if M is not positive definite (see failed()); the Gram matrix may still be singular:
  /// then smallest_pivot() is zero and solve() must not be used. `reference`: lengths of all rows in units of which
  /// pivots count where a row is shorter; empty: each row by its own.
  bool factor(const double* mass, const double* jacobian, std::span<const double> reference = {});
  /// A coordinate of the block whose factorisation failed.
  Index failed() const { return failed_; }
  /// Distance of a row from the span of rows eliminated before it, in units of the row's length, the smallest: 1
  /// orthogonal, 0 dependent or vanishing.
  double smallest_pivot() const { return smallest_pivot_; }
  /// The row with the smallest pivot.
  Index weakest_row() const { return weakest_row_; }
  /// Lets the lengths of the kept rows count among the largest so far, one a row.
  void include_lengths(std::span<double> largest) const;

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
  bool factor_mass(const double* mass, const double* jacobian);
  void scatter_rows(const double* jacobian);
  void forward(double* z) const;
  void backward(double* z) const;
  void add_rows(const double* multipliers, double* z) const;
  void add_multipliers(const double* drift, double* z, double* multipliers);
  void solve_span(const double* z, double* coefficients);

  std::shared_ptr<const Selection> selection_;
  GramMatrix gram_;
  std::vector<Index> scatter_;     // where products of slots go in the Gram matrix
  std::vector<double> l_;          // dense lower triangles of the blocks, row by row
  std::vector<double> last_mass_;  // what l_ was made of: a constant M is factored once
  std::vector<double> w_, length_, weight_, work_, small_;
  bool mass_known_ = false;
  Index failed_ = 0;
  double smallest_pivot_ = 1;
  Index weakest_row_ = 0;
};

}  // namespace dalembert

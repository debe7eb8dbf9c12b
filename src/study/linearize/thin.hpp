#pragma once
// Products and factors of matrices that are mostly zeros where systems are large: the zeros take no part in them.
// Small and full matrices are Eigen's dense ones, to the same bits.

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <memory>

namespace dalembert::thin {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using SparseMatrix = Eigen::SparseMatrix<double>;

MatrixXd multiply(const MatrixXd& a, const MatrixXd& b);

/// Of a square matrix, with pivots.
class Lu {
 public:
  void compute(const MatrixXd& a);
  /// Of the condition; 0 where there is no inverse or an entry is not finite.
  double rcond() const { return rcond_; }
  MatrixXd solve(const MatrixXd& right) const;
  MatrixXd solve_transposed(const MatrixXd& right) const;

 private:
  double rcond_ = 0;
  Eigen::PartialPivLU<MatrixXd> full_;
  std::unique_ptr<Eigen::SparseLU<SparseMatrix>> thin_;
};

/// Of a symmetric matrix; `ok` where it is positive definite.
class Cholesky {
 public:
  explicit Cholesky(const MatrixXd& a);
  bool ok() const { return ok_; }
  MatrixXd solve(const MatrixXd& right) const;

 private:
  bool ok_ = false;
  Eigen::LLT<MatrixXd> full_;
  std::unique_ptr<Eigen::SimplicialLLT<SparseMatrix>> thin_;
};

/// Rows of unit length or zero, as many as there are columns at most: are they independent by far? "No" says nothing.
bool are_clearly_independent(const MatrixXd& rows);

}  // namespace dalembert::thin

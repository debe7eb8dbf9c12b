#pragma once
// Small departures from a motion, a column a direction: what the linearised equations make of them at a state
// (theory 9.1).

#include <Eigen/LU>
#include <Eigen/QR>

#include "simulate/system/selection.hpp"
#include "study/linearize/terms.hpp"

namespace dalembert {

/// One column a direction.
struct Departure {
  Eigen::MatrixXd q, u;  ///< n x k
};

class Tangent {
 public:
  using Matrix = Eigen::MatrixXd;

  /// Equations by multipliers. `inputs`: the parameters that change, by index.
  Tangent(const Equations& equations, std::span<const std::size_t> inputs);
  /// Parameters as they are, and how each of the inputs changes along each direction.
  void set(std::span<const double> parameters, Matrix directions);

  Terms& terms() { return terms_; }
  std::size_t size() const { return terms_.size(); }
  Eigen::Index direction_count() const { return directions_.cols(); }

  /// Goes to a state (q, u) where these rows act. False where the equations have no solution there.
  bool look(double t, const double* y, std::span<const std::uint32_t> rows);
  /// The distance of the rows from depending on each other at the state looked at last, in parts of the largest since
  /// they act: it vanishes where the configuration is singular. One without rows.
  double margin() const { return margin_; }
  /// The same of another state, which is not gone to.
  double margin_at(double t, const double* y);
  const MotionPoint& at() const { return at_; }
  const SlopeValues& slopes() const { return slopes_; }
  const TermValues& values() const { return values_; }

  /// Changes of what the equations read: inputs, time, coordinates. `time`: of the time at which one looks.
  Matrix places(const Matrix& q, const Eigen::RowVectorXd& time) const;
  Eigen::RowVectorXd no_time() const { return Eigen::RowVectorXd::Zero(direction_count()); }

  struct Answer {
    Matrix acceleration, multipliers;  ///< multipliers: a row for each of all rows, zero where none acts
  };
  Answer solve(const Matrix& places, const Matrix& u) const;
  /// What is seen of the motion (Terms::output_names).
  Matrix see(const Matrix& places, const Matrix& u, const Answer& answer) const;
  /// One column: the motion itself.
  Answer solve_flow() const;
  Eigen::VectorXd see_flow() const;

  /// Departures put back onto the linearised constraints by the least change in the kinetic metric.
  void project(Departure& departure) const;
  /// M x - A^T mu = force, A x = along the rows that act.
  Matrix solve_rows(const Matrix& force, const Matrix& along) const;
  const std::vector<Eigen::Index>& rows() const { return rows_; }

 private:
  bool factor();
  void measure_margin();

  Terms terms_;
  Matrix directions_;
  MotionPoint at_;
  TermValues values_;
  SlopeValues slopes_;
  std::vector<Eigen::Index> rows_;       // that act
  std::vector<Eigen::Index> geometric_;  // positions among them
  Matrix jacobian_;                      // of the rows that act
  Eigen::VectorXd lengths_;              // of the rows that act, the largest since they do
  double margin_ = 1, widest_ = 0;
  Eigen::PartialPivLU<Matrix> factor_, position_factor_;
};

}  // namespace dalembert

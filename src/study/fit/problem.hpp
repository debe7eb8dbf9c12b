#pragma once
// Residuals of measured columns and their slopes as functions of the parameters: what Levenberg and Marquardt's method
// asks for.

#include <Eigen/Core>
#include <dalembert/study/fit.hpp>
#include <dalembert/study/gradient.hpp>

namespace dalembert {

/// Keeps a parameter inside its bounds: p is a function of a variable x that has none (a sine between two bounds, a
/// root beyond one).
class Bounded {
 public:
  explicit Bounded(const FitParameter& parameter) : low_(parameter.low), high_(parameter.high) {}
  double to_value(double x) const;
  double to_variable(double p) const;
  double slope(double x) const;  ///< dp/dx

 private:
  double low_, high_;
};

/// One number that was measured.
struct Measured {
  std::size_t row, column;  ///< of the times, of the columns to fit
  double value;
};

class FitProblem {
 public:
  // What Eigen's method wants to know.
  using Scalar = double;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;
  int inputs() const { return static_cast<int>(bounds_.size()); }
  int values() const { return static_cast<int>(measured_.size()); }
  int operator()(const Eigen::VectorXd& x, Eigen::VectorXd& residuals);
  int df(const Eigen::VectorXd& x, Eigen::MatrixXd& slopes);

  FitProblem(const Model& model, const CsvTable& data, const FitOptions& options);

  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<Measured>& measured() const { return measured_; }
  const std::vector<double>& times() const { return times_; }
  const std::vector<double>& start() const { return start_; }
  std::vector<double>& deviations() { return deviations_; }
  std::size_t motions() const { return motions_; }
  const std::string& failure() const { return failure_; }  ///< of the last motion

  Eigen::VectorXd to_variables(std::span<const double> values) const;
  std::vector<double> to_values(const Eigen::VectorXd& x) const;
  /// Differences from the measurements, and their slopes by the parameters themselves, both as they are. False where
  /// the motion does not reach the last row.
  bool evaluate(std::span<const double> values);
  const Eigen::VectorXd& differences() const { return differences_; }
  const Eigen::MatrixXd& slopes() const { return slopes_; }

 private:
  void read(const Model& model, const CsvTable& data, const FitOptions& options);

  std::vector<Bounded> bounds_;
  std::vector<std::string> names_, columns_;
  std::vector<double> start_, times_, deviations_;
  std::vector<bool> is_parameter_;
  std::vector<Measured> measured_;
  std::optional<double> tolerance_;
  GradientSystem system_;
  std::vector<double> last_;  // values at which differences_ and slopes_ are
  bool last_ok_ = false;
  Eigen::VectorXd differences_;
  Eigen::MatrixXd slopes_;
  std::size_t motions_ = 0;
  std::string failure_;
};

}  // namespace dalembert

#pragma once
// The equations of a periodic motion over what is free: z = (of x what is free, T if it is, the free parameters).

#include "study/periodic/shooting.hpp"

namespace dalembert {

/// A number of the model that depends on parameters: its value and slopes.
class ParameterFormula {
 public:
  /// InputError where the formula reads anything else.
  ParameterFormula(const Model& model, Expr formula, const std::vector<std::string>& by, const std::string& key);
  double value(const Model& model, const NamedNumbers& parameters) const;
  Eigen::VectorXd slopes(const Model& model, const NamedNumbers& parameters) const;

 private:
  Expr formula_;
  std::vector<Expr> slopes_;
};

class PeriodicProblem {
 public:
  using Vector = Eigen::VectorXd;

  /// InputError for names that are none, and where no period is known.
  PeriodicProblem(const Model& model, const PeriodicOptions& options);

  Vector start() const;
  double precision() const { return precision_; }
  bool period_free() const { return period_free_; }
  std::size_t period_index() const { return open_.size(); }  ///< in z, where T is free
  double period(const Vector& z) const;
  PeriodShot shoot(const Vector& z);
  /// By how much the motion does not return and the section is not met, in parts of the state's size.
  Vector residual(const PeriodShot& shot) const;
  Eigen::MatrixXd slopes(const PeriodShot& shot) const;  ///< by z
  /// What a residual may be: errors of the steps add up over a period, and unstable motions make them larger.
  double allowed(const PeriodShot& shot) const;
  NamedNumbers found(const Vector& z) const;
  /// Angles that gain full turns in each period, as the first shot has them.
  NamedNumbers turns() const;
  const PeriodShooting& shooting() const { return *shooting_; }
  /// One over how large each of z is during the first period.
  std::vector<double> find_weights(const Vector& z);

 private:
  NamedNumbers parameters(const Vector& z) const;
  Vector state(const Vector& z) const;

  Model model_;
  std::optional<PeriodShooting> shooting_;
  std::vector<Eigen::Index> open_;  // of x
  bool period_free_ = false, has_section_ = false;
  double precision_, period_ = 0;
  std::optional<ParameterFormula> period_formula_;
  std::optional<Vector> turns_;  // of y: what angles gain in a period, 2 pi each turn
};

/// Of what departs from the motion, by falling size.
std::vector<std::complex<double>> find_multipliers(const PeriodShot& shot);
/// Without the one nearest to 1 where the motion has one of its own, by a shift in time.
std::vector<std::complex<double>> leave_own_out(std::vector<std::complex<double>> multipliers, bool has_own);
/// A multiplier counts as one of size 1 inside the root of the tolerance: that is what a double one is known to.
double multiplier_margin(double precision);

}  // namespace dalembert

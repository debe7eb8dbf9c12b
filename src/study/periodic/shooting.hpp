#pragma once
// One period of a motion from given numbers: by how much it does not return, and how that depends on them.

#include <Eigen/Core>
#include <dalembert/study/gradient.hpp>
#include <dalembert/study/periodic.hpp>

namespace dalembert {

constexpr double default_tolerance = 1e-12;  // of a motion that shall return

/// y = (q, u) at both ends of the period, x of it the independent coordinates and rates. All of y has to return: what
/// depends on x may be on another branch.
struct PeriodShot {
  bool ok = false;
  std::string problem;            ///< where it is not
  Eigen::VectorXd before, after;  ///< y
  Eigen::VectorXd rate;           ///< y' at the end
  double section = 0;             ///< at the start
  Eigen::MatrixXd by_state;       ///< y after less y before, by x before
  Eigen::MatrixXd by_parameters;  ///< the same by the parameters that are free
  Eigen::MatrixXd monodromy;      ///< x after by x before
  Eigen::VectorXd section_by_state, section_by_parameters;
  State start, end;
};

class PeriodShooting {
 public:
  /// InputError for names that are none.
  PeriodShooting(const Model& model, const PeriodicOptions& options);

  const std::vector<std::string>& state() const { return state_; }
  const std::vector<std::string>& parameters() const { return parameters_; }
  /// x and the free parameters as the model has them.
  const Eigen::VectorXd& start() const { return start_; }
  const Eigen::VectorXd& parameter_start() const { return parameter_start_; }
  PeriodShot shoot(const Eigen::VectorXd& x, const Eigen::VectorXd& parameters, double period);
  /// What angles have gained, in full turns of 2 pi: those whose turns change nothing in the equations. Zero of others.
  Eigen::VectorXd find_turns(const PeriodShot& shot);
  /// How large each of x is during a period; where all of a kind is zero, 1.
  Eigen::VectorXd find_sizes(const Eigen::VectorXd& x, const Eigen::VectorXd& parameters, double period);
  /// The time after which the motion is nearest to its start, where it crosses the section.
  double guess_period();

 private:
  SimulateOptions plan(const Eigen::VectorXd& x, const Eigen::VectorXd& parameters) const;
  void choose_state(const Model& model);

  PeriodicOptions options_;
  std::vector<std::string> all_, state_, dependent_, parameters_;
  Eigen::VectorXd start_, parameter_start_;
  std::optional<GradientSystem> gradient_;
  std::optional<System> system_;
};

}  // namespace dalembert

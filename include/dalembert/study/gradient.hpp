#pragma once
// Gradients of a motion by parameters and initial values: variational equations along it, with what happens at
// contacts and events (theory 9).

#include <dalembert/simulate/system.hpp>

namespace dalembert {

/// A motion and its derivatives. Where one does not exist (a multiplier that is not unique; after an impact of several
/// contacts at once or the end of infinitely many impacts) it is a quiet NaN, and a note of the motion says why.
struct GradientMotion {
  /// As System::simulate gives it, the same to the last bit, with further columns: d(x)/d(p) of each column x but t
  /// and residual, for each p in order.
  Trajectory motion;
  std::vector<NamedNumbers> event_times;  ///< of each event the derivatives of its time
};

/// "d(theta)/d(l)".
std::string gradient_column(const std::string& column, const std::string& by);

/// Lagrange's equations of a model with their exact slopes, compiled once and then run from any start with any values
/// of the parameters. One thread's.
class GradientSystem {
 public:
  /// `by`: parameters ("l"), initial values ("theta") and rates ("theta'"). InputError for other names.
  GradientSystem(const Model& model, std::vector<std::string> by);
  ~GradientSystem();
  GradientSystem(GradientSystem&&) noexcept;
  GradientSystem& operator=(GradientSystem&&) noexcept;

  const Equations& equations() const;
  /// Of the motion alone.
  const std::vector<std::string>& columns() const;
  const std::vector<std::string>& by() const;

  /// InputError where the start does not follow a change of what is asked for along the constraints.
  GradientMotion simulate(const SimulateOptions& options = {});
  /// The same with rows at these times, ascending, instead; those that the motion reaches.
  GradientMotion simulate_at(std::span<const double> times, const SimulateOptions& options = {});

 private:
  struct Parts;
  GradientMotion run(const SimulateOptions& options, std::span<const double> times);
  std::unique_ptr<Parts> parts_;
};

}  // namespace dalembert

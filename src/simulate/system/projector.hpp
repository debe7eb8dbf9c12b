#pragma once
// Back onto the constraints: Newton in the kinetic metric, positions first, then velocities (numerics 1). Positions
// that a frame of quasi-velocities leaves alone go by their own coordinates.

#include "simulate/system/derivative.hpp"
#include "simulate/system/positions.hpp"

namespace dalembert {

struct Projection {
  bool ok = false;
  double moved = 0;  ///< largest change in units of the magnitudes
};

class Projector {
 public:
  Projector(SystemEvaluator& evaluator, std::shared_ptr<const Selection> selection);

  /// There is nothing to be put back onto.
  bool is_idle() const { return factor_.selection().active().empty() && !positions_; }
  /// M and A at a state, for the projections that follow; false where M cannot be factored.
  bool factor(double t, const double* y, std::span<const double> reference = {});
  const Factor& factor() const { return factor_; }
  Factor& factor() { return factor_; }
  const Evaluation& evaluation() const { return at_; }
  /// Moves q, then u, least in the kinetic metric of the last factor(), which was at or near the state. `magnitudes` of
  /// (q, u) say what is rounding.
  Projection project(double t, double* y, std::span<const double> magnitudes);

 private:
  void evaluate_residuals(double t, const double* y);
  bool has_kept_position() const;
  bool project_q(double t, double* y, std::span<const double> magnitudes, double& moved);
  bool project_u(double t, double* y, std::span<const double> magnitudes, double& moved);

  SystemEvaluator& evaluator_;
  Evaluation at_;
  Factor factor_;
  Positions positions_;
  std::vector<double> position_, velocity_, change_u_, change_q_;
  bool is_current_ = false;  // residuals are those of the state that is being projected
};

}  // namespace dalembert

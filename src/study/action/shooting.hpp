#pragma once
// Motions between two configurations, by shooting: the initial velocities are varied until the motion arrives.

#include <dalembert/base/failure.hpp>
#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/simulate/system.hpp>

namespace dalembert {

using Numbers = std::vector<double>;

/// No motion was found that arrives where it shall.
class NoMotionError : public ComputationError {
 public:
  using ComputationError::ComputationError;
};

/// The frame's independent velocities at one place, as numbers: a chart of the configurations near it, c = pi (q -
/// base), that is one to one on the constraints.
class Chart {
 public:
  Chart(const Model& model, const QuasiFrame& frame, double t, Numbers base);
  const Numbers& base() const { return base_; }
  std::size_t size() const { return pi_.size(); }
  Numbers coordinates(const Numbers& q) const;
  /// The configuration on the geometric constraints with these coordinates. Throws ComputationError.
  Numbers configuration(const Numbers& c) const;
  /// Independent velocities of rates, and rates of independent velocities.
  Numbers velocities(const Numbers& rates) const;
  Numbers rates(const Numbers& velocities) const;
  /// J_l = xi_l p.
  Numbers momenta(const Numbers& p) const;

 private:
  const Model& model_;
  double t_;
  Numbers base_;
  std::vector<Numbers> pi_, xi_;  // of the independent velocities
  Numbers offset_, drift_;        // pi_0 and xi_0
  std::vector<Numbers> normal_;   // xi of the constrained velocities
  std::vector<std::pair<std::size_t, double>>
      held_;  // their geometric constraints and scales; of differential ones none
};

/// A motion from one configuration with given independent velocities.
struct Shot {
  Numbers q, rates;  ///< at arrival
  double action = 0;
};

class Shooting {
 public:
  Shooting(const Model& model, double tolerance, const std::atomic<bool>* stop);
  /// Without events and outputs, in whose graph the frame and the equations are.
  const Model& model() const { return model_; }
  /// Empty where there are too many coordinates for one.
  const QuasiFrame& frame() const { return frame_; }
  Shot fire(const Numbers& q, const Numbers& rates, double until);

  /// Velocities in the chart `from` for which the motion from its base arrives at coordinates c of the chart `to`.
  struct Hit {
    Numbers velocities;
    Shot shot;
    double action = 0;  ///< of the motion that arrives exactly: what is missed is made up for by J_1
    double miss = 0;    ///< relative to the path
  };
  /// Throws ComputationError where none is found.
  Hit solve(const Chart& from, const Numbers& start, const Chart& to, const Numbers& c, Numbers velocities,
            double until);
  /// p = dL/dq' at a state.
  Numbers momenta(double t, const Numbers& q, const Numbers& rates) const;
  double jacobi(double t, const Numbers& q, const Numbers& rates) const;
  std::size_t motions() const { return motions_; }
  double tolerance() const { return tolerance_; }

 private:
  std::vector<Binding> bindings(double t, const Numbers& q, const Numbers& rates) const;
  /// How the coordinates at arrival change with the velocities, row by row.
  Numbers jacobian(const Chart& from, const Numbers& start, const Chart& to, const Numbers& velocities, double until,
                   double scale);

  std::shared_ptr<const Model> own_;  // a graph of its own
  const Model& model_;
  Equations equations_;
  std::vector<double> parameters_;
  std::optional<System> system_;
  std::optional<Workspace> workspace_;
  QuasiFrame frame_;
  std::vector<Expr> momentum_;
  Numbers jacobian_;  // forgotten when Newton's method no longer converges with it
  double tolerance_;
  const std::atomic<bool>* stop_;
  std::size_t motions_ = 0;
};

}  // namespace dalembert

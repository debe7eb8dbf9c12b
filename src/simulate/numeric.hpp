#pragma once
// Equations as numbers: compiled once, evaluated at states y = (q, u, work). Right-hand side, residuals, projection.

#include <dalembert/simulate/simulate.hpp>
#include <optional>

#include "simulate/dense.hpp"
#include "simulate/frame_watch.hpp"
#include "simulate/held.hpp"
#include "simulate/kernel.hpp"
#include "simulate/metric.hpp"

namespace dalembert {

/// Running sizes of the components, by which errors are judged (numerics 1).
class Sizes {
 public:
  /// `block_of`: for each component of (q, u) the block it is compared within.
  explicit Sizes(std::vector<Index> block_of);
  std::size_t count() const { return block_of_.size(); }
  void include(const double* y);
  /// max(largest |y_i| so far, 1e-3 of its block's), counting `trial` as well where given.
  void evaluate(std::span<double> sizes, const double* trial = nullptr) const;
  /// Lower bounds of the blocks' sizes, so that rounding noise about zero is not resolved.
  void set_floor(Index block, double size) { floor_[block] = size; }
  Index block_count() const { return static_cast<Index>(floor_.size()); }
  double block_size(Index block) const;

 private:
  std::vector<Index> block_of_;
  std::vector<double> largest_, floor_;
  mutable std::vector<double> block_largest_;
};

/// Blocks of (q, u): lengths, angles, each quaternion, and their rates. A coordinate is an angle if some sine, cosine
/// or tangent in the equations or the model's frames has it as a summand of its argument.
std::vector<Index> make_blocks(const Model& model, const Equations& equations);

struct Projection {
  bool ok = false;
  double moved = 0;  ///< largest change in units of the sizes
};

class Numeric {
 public:
  Numeric(const Model& model, const Equations& equations);

  const Model& model() const { return model_; }
  const Equations& equations() const { return equations_; }
  std::size_t q_count() const { return equations_.coordinates.size(); }
  std::size_t u_count() const { return equations_.velocities.size(); }
  std::size_t row_count() const { return equations_.rows.size(); }
  /// One-sided constraints: their rows follow those of the equations, and act while they are closed.
  std::size_t contact_count() const { return equations_.contacts.size(); }
  std::size_t all_row_count() const { return row_count() + contact_count(); }
  const ConstraintRow& row(std::size_t r) const {
    return r < row_count() ? equations_.rows[r] : equations_.contacts[r - row_count()];
  }
  /// Which contacts are closed, ascending: their rows count as equations until the next call. The metric's selection is
  /// the caller's.
  void close(std::vector<Index> contacts);
  const std::vector<Index>& closed() const { return closed_; }
  /// The rows that act: the equations' and those of closed contacts.
  const std::vector<Index>& active_rows() const { return active_; }
  /// Size of y: q, u and, where work is done on the system, the work.
  std::size_t size() const { return q_count() + u_count() + (has_work_ ? 1 : 0); }
  bool has_work() const { return has_work_; }
  /// The velocities are quasi-velocities: states at the boundary of the stage have the model's rates instead.
  bool is_quasi() const { return !equations_.velocity_formulas.empty(); }
  /// A step's end has to be put back onto constraints.
  bool is_projected() const { return !active_.empty() || !held_.empty(); }
  const std::vector<Index>& blocks() const { return blocks_; }
  Metric& metric() { return metric_; }
  std::span<const double> parameters() const { return parameters_; }
  std::span<const Expr> parameter_symbols() const { return parameter_symbols_; }

  /// M, h, A, gamma at a state; false where one is not finite.
  bool evaluate(double t, const double* y);
  std::span<const double> mass() const { return values(mass_at_, mass_count_); }
  std::span<const double> bias() const { return values(bias_at_, u_count()); }
  std::span<const double> jacobian() const { return values(jacobian_at_, jacobian_count_); }
  std::span<const double> drift() const { return values(drift_at_, all_row_count()); }
  std::span<const double> offset() const { return values(offset_at_, all_row_count()); }
  /// Where a row's values stand in jacobian().
  std::size_t jacobian_begin(std::size_t row) const { return row_begin_[row]; }
  /// evaluate and factor; false where M is not positive definite or a value is not finite.
  bool factor(double t, const double* y);
  /// dy/dt; not a number where it does not exist. Uses straight-line code where there is some, else factor and solve.
  void derivative(double t, const double* y, double* dy);
  /// The same by factor and solve, with the multipliers of the kept rows.
  void derivative_by_factor(double t, const double* y, double* dy);
  std::span<const double> multipliers() const { return multipliers_; }
  /// Accelerations and multipliers from what factor() left, by the solver of the equations' principle; not a number
  /// where there is no motion.
  void solve(double* acceleration, double* multipliers);

  /// f (zero for differential rows) and A u + b, of the equations.
  void residuals(double t, const double* y, double* position, double* velocity);
  /// f and its rate of the contacts, as written.
  void gaps(double t, const double* y, double* position, double* velocity);
  /// Coefficients of restitution of the contacts, and how large their gaps and the rates of these are by the sizes of
  /// (q, u) where nothing cancels. evaluate() must have been done at the state.
  void contact_scales(const double* y, std::span<const double> sizes, double* restitution, double* gap, double* rate);
  /// Largest residual, as written; of a contact only where it is closed or violated.
  double largest_residual(double t, const double* y);
  /// Moves q, then u, onto the constraints, least in the kinetic metric. factor() must have been done at or near the
  /// state; `sizes` of (q, u) say what is rounding.
  Projection project(double t, double* y, std::span<const double> sizes);

  /// Quasi-velocities of the model's rates, and the other way round.
  std::vector<double> velocities_of(const State& in_rates) const;
  std::vector<double> rates_of(double t, const double* y);
  FrameWatch& frame() { return frame_; }
  /// The engine chose the velocities as numbers.
  bool has_choice() const { return !equations_.completion.symbols.empty(); }
  /// Chooses them again at a state given in the model's rates, or at y, whose velocities it replaces. False where
  /// nothing could be chosen, and then nothing has changed.
  bool choose(const State& in_rates);
  bool choose_again(double t, double* y);
  /// y of a state in the equations' own velocities, no work done yet.
  std::vector<double> state_vector(const State& state) const;

  /// The change of q that belongs to a small change N du.
  void displacement(const double* y, const double* du, double* dq);

  /// Right-hand sides in straight-line code for the rows kept now, where the system is small enough.
  void compile_fast();
  bool is_fast() const { return fast_.has_value(); }
  double kinetic(const double* y) const;

  std::size_t evaluations = 0;

 private:
  std::span<const double> values(std::size_t at, std::size_t count) const { return {values_.data() + at, count}; }
  void set_inputs(double t, const double* y);
  bool project_q(double t, double* y, std::span<const double> sizes, double& moved);
  bool project_u(double t, double* y, std::span<const double> sizes, double& moved);
  void compile();
  void solve_densely(double* acceleration, double* multipliers);

  Model model_;
  Equations equations_;
  std::vector<Expr> parameter_symbols_;
  std::vector<double> parameters_;
  std::vector<Index> blocks_;
  bool has_work_ = false, rates_are_velocities_ = true;
  Metric metric_;
  DenseSolver dense_solver_ = nullptr;  // where the principle has a solver of its own
  DenseSystem dense_;

  Kernel dynamics_, constraints_, rates_, contact_kernel_;
  Held held_;
  FrameWatch frame_;
  std::optional<Kernel> fast_;
  std::vector<std::pair<Index, Index>> kinematics_;  // (q, u) of the entries of N
  std::size_t mass_at_ = 0, mass_count_ = 0, bias_at_ = 0, jacobian_at_ = 0, jacobian_count_ = 0, drift_at_ = 0,
              offset_at_ = 0, power_at_ = 0;
  std::vector<Index> closed_, active_;
  std::vector<std::size_t> row_begin_;
  std::vector<std::vector<Index>> gap_columns_;  // coordinates that a gap reads
  std::vector<double> contact_values_;
  std::vector<double> inputs_, values_, residuals_, rates_values_, multipliers_, change_u_, change_q_;
};

}  // namespace dalembert

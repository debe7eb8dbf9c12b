#pragma once
// The equations and their exact slopes as numbers at a state: what a linearisation is made of.
//
// With R = M a + h - A^T lambda, psi = A u + b and S = A a + gamma, where a and lambda are arguments, small departures
// from a motion obey M da + R_e de + R_u du = A^T dlambda, A du + psi_e de = 0, A da + S_e de + S_u du = 0. The
// "places" e are the inputs, time and the coordinates, in this order.

#include <dalembert/study/linearize.hpp>

#include "simulate/system/kernel.hpp"

namespace dalembert {

/// n coordinates, r rows.
struct TermValues {
  NumberMatrix mass;  ///< n x n
  std::vector<double> bias;
  NumberMatrix jacobian;                          ///< r x n
  std::vector<double> velocity, drift, position;  ///< psi, gamma, and f where the row is geometric, else 0
};

struct SlopeValues {
  NumberMatrix force_e, force_u;                ///< of R
  NumberMatrix force_e_size, force_u_size;      ///< what their terms amount to where nothing cancels (Seen::outputs)
  NumberMatrix acceleration_e, acceleration_u;  ///< of S
  NumberMatrix velocity_e;                      ///< of psi
  NumberMatrix position_x;                      ///< of f, over inputs and time alone
  NumberMatrix output_e, output_u, output_a, output_l;
};

/// A state with what the equations give there.
struct MotionPoint {
  double t = 0;
  std::vector<double> q, u, a, lambda;
};

/// Whose slopes are wanted besides the equations' own.
enum class Seen : std::uint8_t {
  outputs,  ///< the model's outputs, and what the slopes' terms amount to
  motion,   ///< outputs, quasi-velocities, released reactions and energy; then the functions of the events
};

class Terms {
 public:
  /// A fork of these equations, in the model's coordinates and rates, without contacts. `inputs`: parameters, by index.
  Terms(const Equations& equations, std::span<const std::size_t> inputs, Seen seen = Seen::outputs);

  std::size_t size() const { return n_; }
  std::size_t row_count() const { return rows_; }
  std::size_t extra_count() const { return inputs_ + 1; }  ///< inputs and time
  std::size_t output_count() const { return output_names_.size(); }
  /// As columns are named; an event by its own name.
  const std::vector<std::string>& output_names() const { return output_names_; }
  bool is_geometric(std::size_t row) const { return geometric_[row]; }
  const std::string& row_name(std::size_t row) const { return names_[row]; }

  void set_parameters(std::span<const double> values);
  /// Reads t, q, u.
  TermValues evaluate(const MotionPoint& at);
  SlopeValues evaluate_slopes(const MotionPoint& at);

 private:
  /// Where the outputs of a program stand in a matrix.
  struct Slot {
    std::size_t row, column;
  };
  struct Block {
    std::size_t rows = 0, columns = 0;
    std::vector<Slot> slots;
  };
  void compile_values(const Equations& equations);
  void compile_slopes(const Equations& equations, std::span<const std::size_t> inputs);
  void add_block(const std::vector<std::vector<Entry>>& rows, std::size_t columns, std::vector<Expr>& made);
  static NumberMatrix take(const Block& block, const double*& from);

  std::size_t n_, rows_, inputs_;
  Seen seen_;
  std::vector<bool> geometric_;
  std::vector<std::string> names_, output_names_;
  Kernel values_kernel_, slopes_kernel_, sizes_kernel_;
  BoundKernel values_, slopes_, sizes_;
  Block mass_, jacobian_;
  std::vector<Block> blocks_;  // in the order of SlopeValues
  std::vector<double> inputs_memory_, made_;
};

}  // namespace dalembert

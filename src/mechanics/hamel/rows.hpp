#pragma once
// Rows of a frame while it is being made.

#include <dalembert/mechanics/hamel.hpp>

namespace dalembert {

using Dense = std::vector<std::vector<Expr>>;

struct FrameRow {
  QuasiFrame::Velocity velocity;
  std::vector<Expr> pi;  ///< over the coordinates, then time
};

/// The user's velocities, else the coordinates' rates with three body rates in place of each quaternion's four.
std::vector<FrameRow> base_rows(const Model& model);
/// All terms of a row cancel there: it reads 0 = 0, whatever the numbers are that rounding leaves.
bool is_rounding(const std::vector<Expr>& row, const std::vector<Binding>& at);
/// Marks the rows that are constraints up to scale, adds those of quaternions, gives back the constraints that are not
/// among them. ModelError where the number of velocities is wrong.
std::vector<FrameRow> recognise_constraints(const Model& model, std::vector<FrameRow>& rows);

/// Part of the largest allowance for making formulas short that is spent where people read them: about a second.
inline constexpr double reading_patience = 0.1;

/// As in hamel.hpp, with another part of the allowance.
std::vector<TransitionCoefficient> derive_transition_coefficients(const Model& model, const QuasiFrame& frame,
                                                                  double patience);
Equations derive_hamel(std::shared_ptr<const Model> own, const QuasiFrame& frame,
                       const std::vector<TransitionCoefficient>& beta, double patience);

/// J_r = dL/domega_r of all velocities, on the constraints.
std::vector<Expr> derive_momenta(const Model& model, const QuasiFrame& frame);

/// xi[r][l] of square rows, without the time column.
struct Inverse {
  Dense xi;
  bool is_short = true;  ///< else a factorisation that nobody reads
};
/// ModelError naming the velocity where the rows are not independent.
Inverse invert_rows(const Model& model, const std::vector<FrameRow>& rows);

/// Sums of a factorisation are shared; while this lives they are not written out. Not for differentiating: powers of
/// one base would stay apart.
class Unflattened {
 public:
  explicit Unflattened(Graph& graph) : graph_(graph), before_(graph.flatten) { graph.flatten = false; }
  Unflattened(const Unflattened&) = delete;
  Unflattened& operator=(const Unflattened&) = delete;
  ~Unflattened() { graph_.flatten = before_; }

 private:
  Graph& graph_;
  bool before_;
};

/// t = 0, the parameters and the initial state, rates included.
std::vector<Binding> state_bindings(const Model& model);
/// The same a moment along the motion; nothing where nothing moves.
std::vector<Binding> bindings_beside(const Model& model);

}  // namespace dalembert

#pragma once
// Everything of a system that does not change: equations, programs, patterns. Made once, shared by all threads, never
// written to again; a Workspace has what a thread needs beside it.

#include <dalembert/simulate/system.hpp>
#include <map>
#include <mutex>

#include "simulate/system/kernel.hpp"
#include "simulate/system/selection.hpp"

namespace dalembert {

enum class Order : std::uint8_t;

/// Where things stand among the outputs of the dynamics.
struct DynamicsLayout {
  std::size_t mass_count = 0, bias = 0, jacobian = 0, jacobian_count = 0, drift = 0, offset = 0, power = 0, count = 0;
  std::vector<std::size_t> row_begin;  ///< of each row in the Jacobian
};

/// From (t, q, u, u', reactions of contacts) to what rows and summaries show.
struct SeenLayout {
  std::size_t energy = 0;  ///< behind the model's q, q', q''; then Jacobi's function, the kinetic energy
  std::size_t integrals = 0;
  std::size_t recovery = 0;
  std::size_t formulas = 0;  ///< surplus reactions, then residuals as the model writes them
  std::size_t count = 0;
};

/// The model's conditions at t = 0: (t, q, u) -> values, what their terms amount to, slopes by `columns` of (q, u).
struct Conditions {
  Kernel kernel;
  std::vector<std::vector<Index>> columns;
};

class CompiledSystem {
 public:
  explicit CompiledSystem(const Equations& equations);
  /// Given away: they are taken as they are where nobody else has their graph.
  explicit CompiledSystem(Equations&& equations);

  const Equations& equations() const { return equations_; }
  const Model& model() const { return *equations_.model; }
  std::size_t q_count() const { return equations_.coordinates.size(); }
  std::size_t u_count() const { return equations_.velocities.size(); }
  std::size_t row_count() const { return equations_.rows.size(); }
  /// One-sided constraints: their rows follow those of the equations, and act while they are closed.
  std::size_t contact_count() const { return equations_.contacts.size(); }
  std::size_t all_row_count() const { return row_count() + contact_count(); }
  const ConstraintRow& row(std::size_t r) const {
    return r < row_count() ? equations_.rows[r] : equations_.contacts[r - row_count()];
  }
  /// Size of y: q, u and, where work is done on the system, the work.
  std::size_t size() const { return q_count() + u_count() + (has_work ? 1 : 0); }
  bool is_quasi() const { return equations_.quasi.has_value(); }
  /// In the coordinates of the model's [reduction].
  bool is_reduced() const;
  /// The first coordinates have the velocities as their rates, one by one; others may be carried along behind them.
  bool is_aligned() const { return !is_quasi(); }
  /// Coordinates without those that are carried along.
  std::size_t own_count() const { return is_aligned() ? u_count() : q_count(); }
  /// "x'", "theta": component i of (q, u).
  std::string component_name(std::size_t i) const;

  /// The right-hand side as straight-line code for a selection that is whole and mends M by these rows, where the
  /// system is small enough; else empty. Its parameters are followed by the sigmas. Made when first asked for; which
  /// thread asks does not matter.
  Kernel fast(const std::vector<Index>& mending) const;
  /// It gives the rates of this many coordinates first: none where these are the velocities.
  std::size_t fast_rate_count() const { return rates_are_velocities ? 0 : q_count(); }

  /// No row acts, and M is so large that its factor is not made where fast() gives the accelerations.
  bool needs_no_factor(const Selection& selection) const;

  /// Of quasi-velocities and of a reduction: the system in the model's coordinates and rates, by which a start is put
  /// right. Made when first asked for.
  const std::shared_ptr<const CompiledSystem>& in_rates() const;

  /// Of equations in the model's coordinates and rates. Made when first asked for.
  const Conditions& conditions() const;

  bool has_work = false;
  bool rates_are_velocities = true;
  std::shared_ptr<const Pattern> pattern;
  /// Where M is regular: all rows of the equations, and none, which is M alone.
  std::shared_ptr<const Selection> all_rows, no_rows;
  std::vector<Index> classes;  ///< of each component of (q, u): lengths, angles, each quaternion, and their rates
  Index length_rates = 0;      ///< the class of velocities that are lengths in time

  Kernel start;     ///< the start as written: of the equations, or of the model where velocities are quasi
  Kernel dynamics;  ///< (t, q, u) -> M, bias, A, gamma, b, power
  DynamicsLayout at;
  Kernel switches;     ///< (t, q, u) -> what changes its sign where a formula of the motion has a jump or a kink
  Kernel constraints;  ///< (t, q, u) -> f of all rows, A u + b of all rows
  Kernel gaps;         ///< (t, q, u) -> gaps of the contacts, from the admissible side
  Kernel contacts;     ///< (t, q, u) -> restitution, slopes of the gaps over the coordinates
  std::vector<std::vector<Index>> gap_columns;
  Kernel kinematics;  ///< (t, q, u) -> q', entries of N
  std::vector<std::pair<Index, Index>> kinematic_entries;

  Kernel velocities;  ///< quasi: (t, q, q') -> u
  Kernel completion;  ///< quasi: (t, q, q') -> the completion's rows and mass
  Kernel positions;   ///< quasi: (t, q) -> f and Jacobian of what the frame leaves to positions
  std::vector<std::pair<Index, Index>> position_entries;
  Kernel frame;  ///< quasi: (t, q) -> entries of the frame's matrix that are not constant
  std::vector<std::pair<Index, Index>> frame_entries;

  Kernel seen;
  SeenLayout see;
  Kernel outputs;  ///< (t, the model's q, q', q'', reactions, energy) -> quasi-velocities, releases, outputs
  Kernel events;   ///< of the same
  std::size_t output_input_count = 0, output_count = 0;
  std::vector<std::string> columns, integral_names;
  std::vector<std::size_t> reaction_constraints;  ///< model constraints that have a column
  std::vector<std::size_t> multiplier_of;         ///< their rows; beyond the last where the equations do not carry them
  bool has_own_coordinates = false;               ///< columns of coordinates that the model does not have

 private:
  std::vector<Expr> state_inputs() const;
  std::vector<Expr> parameter_symbols() const;
  void compile_start();
  void compile_dynamics();
  void compile_constraints();
  void compile_kinematics();
  void compile_quasi();
  std::vector<FirstIntegral> find_followed() const;
  void compile_seen();
  void compile_outputs();
  void name_columns();
  Kernel compile_fast(const std::vector<Index>& mending) const;
  std::optional<Program> make_structured(const std::vector<Index>& mending, Order order) const;
  std::optional<Program> make_unrolled(const std::vector<Index>& mending) const;

  struct Own {};
  CompiledSystem(Equations&& equations, Own);

  Equations equations_;  // a fork, or given away: its graph is written to while this is being made, and never after
  std::vector<Expr> symbols_;  // of the parameters, then of a choice
  mutable std::mutex mutex_;   // of what is made when first asked for
  mutable std::shared_ptr<const CompiledSystem> in_rates_;
  mutable std::optional<Conditions> conditions_;
  mutable std::map<std::vector<Index>, Kernel> fast_;
};

/// Arguments of sign and abs, differences of those of min and max: where one vanishes, a formula goes over to another
/// piece. Grows the graph.
std::vector<Expr> find_switches(Graph& graph, std::span<const Expr> formulas);

/// The class of angles among those that find_classes gives.
inline constexpr Index angle_class = 1;
/// Classes of (q, u): lengths, angles, each quaternion, each impulse, and their rates. A coordinate is an angle if some
/// sine, cosine or tangent in the equations or the model's frames has it as a summand of its argument.
std::vector<Index> find_classes(const Equations& equations, Index& length_rates);

}  // namespace dalembert

#pragma once
// Equations compiled: asked at any state, run from any start, with any parameter values, by any number of threads.

#include <atomic>
#include <dalembert/simulate/trajectory.hpp>
#include <functional>
#include <optional>

namespace dalembert {

class CompiledSystem;
class SystemEvaluator;

/// What is left out is as the model has it.
struct SimulateOptions {
  std::optional<double> until = {};
  std::optional<double> every = {};      ///< rows at k * every (counted from time zero) and at `until`
  std::optional<double> tolerance = {};  ///< local, relative to the sizes of the motion (docs/theory/numerics.md 1)
  NamedNumbers parameters = {};
  NamedNumbers initial = {};        ///< coordinates and rates given at the start
  std::optional<State> start = {};  ///< a whole state instead: no guesses, no conditions
  std::string method = "dop853";
  bool project_initial = false;  ///< everything is a guess: an inconsistent start is moved instead of refused
  bool estimate_error = false;   ///< run again at a tenth of the tolerance and report the difference
  std::function<void(double)> progress = {};  ///< called now and then with the time reached
  const std::atomic<bool>* stop = nullptr;
};

/// What the constraints are at a state. Names are in the user's order.
struct RankReport {
  std::size_t rank = 0;
  double condition = 1;  ///< of the rows scaled to unit length in the kinetic metric, without the redundant ones;
                         ///< estimated by a pivoted factor
  struct Redundant {
    std::string name;
    std::vector<std::string> depends_on;
    bool consistent = true;  ///< at the velocity level: A u + b = 0 can hold with the others
  };
  std::vector<Redundant> redundant;
  std::vector<std::string> names;  ///< of all rows
  std::vector<bool> unique;        ///< is this row's multiplier unique
  std::string warning;             ///< where the rank is hard to decide
};

struct ConsistentStart {
  State state;
  double largest_position = 0, largest_velocity = 0;  ///< residuals as written, before
  std::vector<double> moved_q, moved_u;
  bool projected = false;  ///< moved by more than rounding
  std::string report;  ///< how far each coordinate moved and what nothing determines, in words; empty if nothing did
};

/// What a system does at a state: accelerations u' and multipliers; a multiplier that does not exist is NaN.
struct Response {
  std::vector<double> acceleration;
  std::vector<double> multipliers;  ///< one a row of the equations; of least norm where they are not unique
};

/// The same where contacts may be closed: accelerations by Gauss's principle under inequalities (theory 5.4).
struct ContactResponse {
  Response response;
  std::vector<double> multipliers;  ///< one a contact, as written; zero where it is open, NaN where it is being struck
  std::vector<std::size_t> closed;  ///< contacts that hold
  std::vector<bool> unique;         ///< rows, then contacts: no other admissible multipliers give the same motion
};

/// Residuals as written, one a row.
struct Residuals {
  std::vector<double> position;  ///< f; zero for a differential constraint
  std::vector<double> velocity;  ///< A u + b
};

/// What one thread needs to ask one system under one set of parameters: memory, no meaning. From System.
class Workspace {
 public:
  struct Parts;
  explicit Workspace(std::unique_ptr<Parts> parts);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

  /// Of the model, in its order.
  std::span<const double> parameters() const;

 private:
  friend class System;
  std::unique_ptr<Parts> parts_;
};

/// Equations compiled once: programs, patterns and parameter slots, immutable and cheap to copy. All functions are
/// safe for concurrent use, each thread with a workspace of its own, and depend on nothing but their arguments: a
/// state and the workspace's parameters. Those without a workspace make one for the call.
class System {
 public:
  explicit System(const Equations& equations);
  /// Given away: without a copy of them where nobody else has their graph.
  explicit System(Equations&& equations);

  const Equations& equations() const;
  const Model& model() const { return *equations().model; }
  /// Of the rows of its motions.
  const std::vector<std::string>& columns() const;

  /// InputError for a name that is no parameter, or one that has shaped the equations.
  Workspace make_workspace(const NamedNumbers& parameters = {}) const;
  /// The same memory for other values.
  void set_parameters(Workspace& workspace, const NamedNumbers& parameters) const;

  /// As written in the model, guesses included, with these coordinates and rates instead.
  State initial_state(Workspace& workspace, const NamedNumbers& initial = {}) const;
  State to_state(Workspace& workspace, const ModelState& in_model) const;
  ModelState to_model_state(Workspace& workspace, const State& state) const;

  Residuals evaluate_residuals(Workspace& workspace, const State& state) const;
  /// Throws InputError where the constraints are inconsistent or the mass matrix is not positive definite on the
  /// virtual displacements.
  Response evaluate_motion(Workspace& workspace, const State& state) const;
  ContactResponse evaluate_contacts(Workspace& workspace, const State& state) const;
  RankReport analyse_constraints(Workspace& workspace, const State& state) const;
  /// The row at a state that satisfies the constraints.
  std::vector<double> evaluate_row(Workspace& workspace, const State& state) const;
  /// The nearest state on the constraints in the kinetic metric. Throws ModelError with the residual of each constraint
  /// where the state is off by more than rounding and `project` is false, or where the system cannot be assembled.
  ConsistentStart make_consistent_start(Workspace& workspace, const State& state, bool project) const;
  /// The start at t = 0 that the model asks for, with these numbers given instead: its givens kept to the last digit,
  /// its guesses solved for, [initial] satisfied; with `project` everything is a guess. ModelError as above.
  ConsistentStart make_initial_start(Workspace& workspace, const NamedNumbers& initial = {},
                                     bool project = false) const;
  /// The motion. A wrong input throws; a numerical ending is a status with a message, and the rows until then are kept.
  /// The options' parameters become the workspace's.
  Trajectory simulate(Workspace& workspace, const SimulateOptions& options) const;

  State initial_state(const NamedNumbers& initial = {}) const;
  State to_state(const ModelState& in_model) const;
  ModelState to_model_state(const State& state) const;
  Residuals evaluate_residuals(const State& state) const;
  Response evaluate_motion(const State& state) const;
  ContactResponse evaluate_contacts(const State& state) const;
  RankReport analyse_constraints(const State& state) const;
  std::vector<double> evaluate_row(const State& state) const;
  ConsistentStart make_consistent_start(const State& state, bool project) const;
  ConsistentStart make_initial_start(const NamedNumbers& initial = {}, bool project = false) const;
  Trajectory simulate(const SimulateOptions& options = {}) const;

 private:
  friend class Ensemble;  // runs the same compiled programs
  SystemEvaluator& evaluator_of(Workspace& workspace) const;

  std::shared_ptr<const CompiledSystem> compiled_;
};

/// The equations while these contacts hold: their rows come after the others, and no contacts are left.
Equations hold_contacts(Equations equations, std::span<const std::size_t> closed);

}  // namespace dalembert

#pragma once
// Equations -> motion: consistent start, integration with projection onto the constraints, events, a trajectory that
// says how it ended. Also the numeric view of equations that other stages evaluate: accelerations and multipliers.

#include <atomic>
#include <dalembert/mechanics/equations.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dalembert {

/// How a motion ended.
enum class Status : std::uint8_t {
  finished,        ///< `until` was reached
  event,           ///< an event that stops
  singular,        ///< constraints or mass matrix lose rank and no way through was found
  undetermined,    ///< branches of the motion meet: the equations do not say which is taken
  step_underflow,  ///< the tolerance cannot be met
  not_finite,      ///< a formula gives no number
  interrupted,     ///< the stop flag was raised
};
/// As in JSON: "step-underflow".
std::string_view status_name(Status status);

/// A time with the coordinates and velocities of the equations (not the model's, where they differ); with the model's
/// rates in place of quasi-velocities, since those may be chosen again during a motion.
struct State {
  double t = 0;
  std::vector<double> q, u;
};

struct SimulateOptions {
  double until = 10;
  double every = 0.01;       ///< rows at k * every (counted from time zero) and at `until`
  double tolerance = 1e-10;  ///< local, relative to each component's size so far
  std::string method = "dop853";
  bool project_initial = false;          ///< move an inconsistent start onto the constraints instead of refusing it
  bool estimate_error = false;           ///< run again at a tenth of the tolerance and report the difference
  std::optional<State> start;            ///< default: the equations' own, at t = 0
  std::function<void(double)> progress;  ///< called now and then with the time reached
  const std::atomic<bool>* stop = nullptr;
};
/// until, every and tolerance as the model has them.
SimulateOptions simulate_options(const Model& model);

struct EventRecord {
  std::string name;
  std::string kind;  ///< "record", "stop"
  double t = 0;
  std::vector<double> state;  ///< the row at that time
};

/// How far something that should stay constant moved.
struct Drift {
  std::string name;
  double start = 0;
  double largest = 0;  ///< largest change from the start, over the rows
};

struct Summary {
  double largest_kinetic = 0;    ///< u M u / 2, over the rows
  Drift energy;                  ///< T + V; constant for conservative models only
  Drift balance;                 ///< Jacobi's integral minus the work done on it (theory 1.7): constant for every model
  std::vector<Drift> integrals;  ///< the first integrals that the equations name
  double largest_residual = 0;
};

struct Statistics {
  std::size_t steps = 0, rejected = 0, evaluations = 0, projections = 0, crossings = 0, selections = 0;
  std::size_t choices = 0;  ///< how often quasi-velocities were chosen again
  double seconds = 0;
};

/// Rows of numbers under named columns. A value that does not exist (an unbounded reaction) is a quiet NaN and only
/// such a value is; reports write it as null or empty.
struct Trajectory {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;
  Status status = Status::finished;
  std::string message;
  std::vector<EventRecord> events;
  std::vector<std::string> notes;  ///< what a user should know: projection at the start, redundancy, crossings
  Statistics statistics;
  Summary summary;
  std::vector<double> error;  ///< with estimate_error: per column, largest difference relative to the column's size
  State last;                 ///< the state of the last row
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
  std::string report;      ///< how far each coordinate moved, in words; empty if nothing did
};

/// Accelerations and multipliers at a state; a multiplier that does not exist is NaN.
struct Motion {
  std::vector<double> acceleration;
  std::vector<double> multipliers;  ///< one a row of the equations; of least norm where they are not unique
};

/// Residuals as written, one a row.
struct Residuals {
  std::vector<double> position;  ///< f; zero for a differential constraint
  std::vector<double> velocity;  ///< A u + b
};

/// The compiled numeric view of equations. Not safe for concurrent use.
class System {
 public:
  System(const Model& model, const Equations& equations);
  ~System();
  System(System&&) noexcept;
  System& operator=(System&&) noexcept;

  std::size_t coordinate_count() const;
  std::size_t velocity_count() const;
  std::size_t row_count() const;
  State initial_state() const;

  Residuals evaluate_residuals(const State& state);
  /// Throws InputError where the constraints are inconsistent or the mass matrix is not positive definite on the
  /// virtual displacements.
  Motion evaluate_motion(const State& state);
  RankReport analyse_constraints(const State& state);
  /// Columns of a trajectory and the row at a state that satisfies the constraints.
  const std::vector<std::string>& columns() const;
  std::vector<double> evaluate_row(const State& state);
  /// The nearest state on the constraints in the kinetic metric. Throws ModelError with the residual of each constraint
  /// where the state is off by more than 1e-9 and `project` is false, or where the system cannot be assembled.
  ConsistentStart make_consistent_start(const State& state, bool project);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The motion. A wrong input throws; a numerical ending is a status with a message, and the rows until then are kept.
Trajectory simulate(const Model& model, const Equations& equations, const SimulateOptions& options);

}  // namespace dalembert

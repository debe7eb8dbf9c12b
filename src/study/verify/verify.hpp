#pragma once
// The routes that verify compares, each adding its agreements to one list.

#include <dalembert/program/program.hpp>
#include <dalembert/study/verify.hpp>
#include <random>

#include "study/functions.hpp"

namespace dalembert {

/// Differences come in state by state; the worst in relation to its bound is kept.
class Tally {
 public:
  Tally(std::string quantity, std::string a, std::string b)
      : result_{std::move(quantity), {std::move(a), std::move(b)}, 0, 0, true, ""} {}

  /// A difference and the bound it must keep. Where the bound is not finite nothing can be said, and nothing is.
  void add(double difference, double bound, const std::string& where = {});
  /// Two numbers that know their errors. The factor covers other orders of the same operations.
  void add(Tracked a, Tracked b, const std::string& where = {}) {
    add(a.value - b.value, 4 * (a.error + b.error), where);
  }
  bool used() const { return used_; }
  const Agreement& result() const { return result_; }

 private:
  Agreement result_;
  bool used_ = false;
};

/// Agreements by (quantity, between) in the order first met.
class Ledger {
 public:
  Tally& operator()(const std::string& quantity, const std::string& a, const std::string& b);
  std::vector<Agreement> agreements() const;

 private:
  std::vector<std::unique_ptr<Tally>> tallies_;
};

using Random = std::mt19937_64;

/// A symmetric random number of size one: plus or minus [0.5, 1.5).
double draw(Random& random);

/// Parameters by symbol.
Values<Tracked> tracked_parameters(const Model& model);

/// M, h, A, gamma, b at a state, dense, each with its error.
struct Matrices {
  std::size_t n = 0, rows = 0;
  std::vector<Tracked> mass, bias, jacobian, drift, offset;  ///< mass n x n full, jacobian rows x n
};
/// Values of t, q, u as tracked numbers in the symbols of the equations, parameters included.
Values<Tracked> tracked_state(const Values<Tracked>& parameters, const Equations& equations, const State& state);
Matrices evaluate_matrices(const Equations& equations, const Values<Tracked>& at);

/// Accelerations and multipliers of least norm by the null space of A, with bounds for any solver whose errors are
/// those of factoring M and the Gram matrix; empty where the rank cannot be decided or the state is singular.
struct NullSpaceSolution {
  std::vector<double> acceleration, multipliers;
  std::vector<double> acceleration_bound, multiplier_bound;
  std::size_t rank = 0;
};
std::optional<NullSpaceSolution> solve_by_null_space(const Matrices& matrices);
/// The multipliers' equations solved at a state: what every other principle is compared with.
struct Reference {
  Values<Tracked> at;
  Matrices matrices;
  NullSpaceSolution solution;
};
/// Empty where the state is singular.
std::optional<Reference> make_reference(const Equations& equations, const Values<Tracked>& parameters,
                                        const State& state);

/// A further principle, compared with the multipliers' equations at their states and along their motion.
class Principle {
 public:
  virtual ~Principle() = default;
  virtual void compare(const State& state, const Reference& reference, Ledger& ledger) = 0;
  virtual void compare_along(const State& /*start*/, const Trajectory& /*motion*/, Ledger& /*ledger*/) {}
};
/// Those that were derived, each in a file of its own.
std::vector<std::unique_ptr<Principle>> make_principles(const Model& model, const Derivations& derivations,
                                                        std::vector<std::string>& notes);

/// See hamel.cpp; `derivations.hamel` must be there.
std::unique_ptr<Principle> make_hamel_principle(const Model& model, const Derivations& derivations);

/// How far multipliers with A^T lambda = M u' + h may be wrong for accelerations that are wrong by their errors.
std::vector<double> bound_multipliers(const Matrices& matrices, std::span<const Tracked> acceleration,
                                      std::span<const double> multipliers);
/// Larger systems are left out of what needs dense matrices.
constexpr std::size_t largest_dense = 400;

/// Native code, interpreter and plain evaluation of M, h, A, gamma.
class CompiledRoutes {
 public:
  CompiledRoutes(const Model& model, const Equations& equations);
  void compare(const State& state, Ledger& ledger);

 private:
  const Equations& equations_;
  std::vector<Expr> outputs_;
  Values<Tracked> parameters_;
  Function native_, interpreter_;
  Workspace native_space_, interpreter_space_;
};

/// M, h, A, gamma, b, forces and L against jets of what the model says.
void compare_derivatives(const Model& model, const Equations& equations, const Values<Tracked>& parameters,
                         const State& state, Random& random, Ledger& ledger);

/// The compiled solution against the null space, and the energy balance (theory 1.7) with its result.
void compare_solutions(const Equations& equations, System& system, const Reference& reference, const State& state,
                       Ledger& ledger);

/// A state of the reduced equations seen from the model's coordinates: constraints, degrees of freedom, accelerations,
/// reactions.
bool compare_reduction(const Model& model, const Equations& multipliers, System& full, const Equations& reduced,
                       System& small, const Values<Tracked>& parameters, const State& state, Ledger& ledger);
/// The reduction's start is the model's start.
void compare_starts(const Model& model, const Equations& multipliers, const Equations& reduced, Ledger& ledger);

/// A motion of the equations that ends where about so many steps are done or so much work is done.
Trajectory run_briefly(const Model& model, const Equations& equations, const State& start, double until,
                       double tolerance);

/// First integrals and energy balance along a computed motion, and the order of the integrator.
void compare_along_motion(const Model& model, const Equations& equations, const State& start, const Trajectory& motion,
                          bool with_order, Ledger& ledger, std::vector<std::string>& notes);

/// Random states on the constraints, as far from `start` as the motion goes.
class StateSource {
 public:
  StateSource(const Equations& equations, System& system, const State& start, const Trajectory& motion, Random& random);
  /// Empty where the state drawn could not be brought onto the constraints.
  std::optional<State> draw_state();
  /// Nearer to the start from now on: for when states drawn were no use.
  void come_nearer() { part_ = std::max(0.01, 0.7 * part_); }

 private:
  System& system_;
  State start_;
  std::vector<double> q_scale_, u_scale_;
  std::optional<State> reached_;  // large systems: where the motion ended, since assembling random states takes minutes
  double part_ = 0.5;             // of the motion's reach
  Random& random_;
};

}  // namespace dalembert

#include "study/verify/verify.hpp"

namespace dalembert {
namespace {

/// d/dt (q' dL/dq' - L) along the motion against -dL/dt + F q' - lambda b (theory 1.7).
void compare_energy_balance(const Equations& equations, const Values<Tracked>& at, const Matrices& matrices,
                            const State& state, const NullSpaceSolution& solution, Ledger& ledger) {
  Values<Jet> jets;
  for (const auto& [symbol, value] : at) jets[symbol] = Jet(value);
  std::vector<Tracked> rates = evaluate_tracked(equations.rates, at);
  jets[equations.time.id()] = Jet(state.t, 1, 0, 0);
  for (std::size_t i = 0; i < state.q.size(); ++i)
    jets[equations.coordinates[i].id()] = Jet(state.q[i], rates[i], 0, 0);
  for (std::size_t i = 0; i < state.u.size(); ++i)
    jets[equations.velocities[i].id()] =
        Jet(state.u[i], Tracked(solution.acceleration[i], solution.acceleration_bound[i]), 0, 0);
  Tracked rate = evaluate_jets({&equations.jacobi, 1}, jets)[0].a;
  Tracked power = evaluate_tracked({&equations.jacobi_power, 1}, at)[0];
  for (std::size_t r = 0; r < matrices.rows; ++r)
    power = power - Tracked(solution.multipliers[r], solution.multiplier_bound[r]) * matrices.offset[r];
  // A state on the constraints to rounding only does work A u + b on each multiplier.
  for (std::size_t r = 0; r < matrices.rows; ++r) {
    Tracked residual = matrices.offset[r];
    for (std::size_t i = 0; i < matrices.n; ++i)
      residual = residual + matrices.jacobian[r * matrices.n + i] * Tracked(state.u[i]);
    power.error += std::abs(solution.multipliers[r]) * (std::abs(residual.value) + residual.error);
  }
  ledger("energy balance (" + equations.by + ")", "rate of Jacobi's function", "power").add(rate, power);
}

}  // namespace

std::optional<Reference> make_reference(const Equations& equations, const Values<Tracked>& parameters,
                                        const State& state) {
  Reference reference;
  reference.at = tracked_state(parameters, equations, state);
  reference.matrices = evaluate_matrices(equations, reference.at);
  std::optional<NullSpaceSolution> solution = solve_by_null_space(reference.matrices);
  if (!solution) return std::nullopt;
  reference.solution = std::move(*solution);
  return reference;
}

void compare_solutions(const Equations& equations, const System& system, const Reference& reference, const State& state,
                       Ledger& ledger) {
  const auto& [at, matrices, solution] = reference;
  Response motion = system.evaluate_motion(state);
  const std::string by = " (" + equations.by + ")";
  for (std::size_t i = 0; i < matrices.n; ++i)
    ledger("accelerations" + by, "Gram matrix", "null space")
        .add(motion.acceleration[i] - solution.acceleration[i], solution.acceleration_bound[i],
             equations.velocities[i].name());
  for (std::size_t r = 0; r < matrices.rows; ++r)
    ledger("multipliers" + by, "Gram matrix", "null space")
        .add(motion.multipliers[r] - solution.multipliers[r], solution.multiplier_bound[r], equations.rows[r].name);
  compare_energy_balance(equations, at, matrices, state, solution, ledger);
}

}  // namespace dalembert

#include <algorithm>

#include "base/tolerances.hpp"
#include "study/verify/verify.hpp"

// Theory 1.5 and Theorems 7, 8 of Zubelevich 2020: motions in the reduction's coordinates and in the model's own
// correspond. The model's state is the reduction's image, with the errors of computing it.

namespace dalembert {
namespace {

struct Image {
  State state;
  Values<Tracked> at;  ///< the model's symbols, with the errors of q and q'
};

Image make_image(const Model& model, const Equations& reduced, const Values<Tracked>& parameters, const State& state) {
  Values<Tracked> small = tracked_state(parameters, reduced, state);
  std::vector<Tracked> q = evaluate_tracked(reduced.model_coordinates, small);
  std::vector<Tracked> rate = evaluate_tracked(reduced.model_rates, small);
  Image image{{state.t, {}, {}}, parameters};
  image.at[model.time.id()] = state.t;
  for (std::size_t i = 0; i < q.size(); ++i) {
    image.state.q.push_back(q[i].value);
    image.state.u.push_back(rate[i].value);
    image.at[model.coordinates[i].q.id()] = q[i];
    image.at[model.coordinates[i].rate.id()] = rate[i];
  }
  return image;
}

/// f and A q' + b of the model's constraints at the image.
void compare_constraints(const Equations& multipliers, const Image& image, const Matrices& full, Ledger& ledger) {
  for (std::size_t r = 0; r < full.rows; ++r) {
    const ConstraintRow& row = multipliers.rows[r];
    if (row.position)
      ledger("constraints", "reduction", "as written")
          .add(evaluate_tracked({&row.position, 1}, image.at)[0], 0.0, row.name);
    Tracked speed = full.offset[r];
    for (std::size_t i = 0; i < full.n; ++i)
      speed = speed + full.jacobian[r * full.n + i] * image.at.at(multipliers.velocities[i].id());
    // The remaining differential constraints hold as well as the state was projected, not exactly.
    if (row.kind == ConstraintKind::geometric)
      ledger("rates of constraints", "reduction", "as written").add(speed, 0.0, row.name);
  }
}

/// The reduced accelerations and their bounds, carried to the model's coordinates.
std::vector<Tracked> model_accelerations(const Equations& reduced, const Values<Tracked>& parameters,
                                         const State& state, const NullSpaceSolution& solution,
                                         const Response& motion) {
  Values<Tracked> at = tracked_state(parameters, reduced, state);
  for (std::size_t i = 0; i < motion.acceleration.size(); ++i)
    at[reduced.accelerations[i].id()] = Tracked(motion.acceleration[i], solution.acceleration_bound[i]);
  return evaluate_tracked(reduced.model_accelerations, at);
}

void compare_reactions(const Equations& multipliers, const System& full, const System& small, const Image& image,
                       const State& state, const NullSpaceSolution& solution, const Matrices& matrices,
                       const std::vector<Tracked>& accelerations, Ledger& ledger) {
  std::vector<double> wide = full.evaluate_row(image.state), narrow = small.evaluate_row(state);
  std::vector<double> recovered = bound_multipliers(matrices, accelerations, solution.multipliers);
  auto value = [](const System& system, const std::vector<double>& row,
                  const std::string& column) -> std::optional<double> {
    const auto& names = system.columns();
    auto found = std::ranges::find(names, column);
    if (found == names.end()) return std::nullopt;
    return row[static_cast<std::size_t>(found - names.begin())];
  };
  for (std::size_t r = 0; r < matrices.rows; ++r) {
    std::string name = reaction_symbol(multipliers.rows[r].name);
    auto a = value(full, wide, name), b = value(small, narrow, name);
    if (a && b)
      ledger("reactions", "multipliers", "reduced").add(*a - *b, solution.multiplier_bound[r] + recovered[r], name);
  }
}

}  // namespace

bool compare_reduction(const Model& model, const Equations& multipliers, const System& full, const Equations& reduced,
                       const System& small, const Values<Tracked>& parameters, const State& state, Ledger& ledger) {
  Image image = make_image(model, reduced, parameters, state);
  Matrices wide = evaluate_matrices(multipliers, image.at);
  compare_constraints(multipliers, image, wide, ledger);
  Matrices narrow = evaluate_matrices(reduced, tracked_state(parameters, reduced, state));
  std::optional<NullSpaceSolution> wide_solution = solve_by_null_space(wide),
                                   narrow_solution = solve_by_null_space(narrow);
  if (!wide_solution || !narrow_solution) return false;
  auto free = [](const Matrices& matrices, const NullSpaceSolution& solution) {
    return static_cast<double>(matrices.n) - static_cast<double>(solution.rank);
  };
  ledger("degrees of freedom", "multipliers", "reduced")
      .add(free(wide, *wide_solution) - free(narrow, *narrow_solution), 0);

  Response motion = full.evaluate_motion(image.state);
  std::vector<Tracked> accelerations =
      model_accelerations(reduced, parameters, state, *narrow_solution, small.evaluate_motion(state));
  for (std::size_t i = 0; i < accelerations.size(); ++i)
    ledger("accelerations", "multipliers", "reduced")
        .add(motion.acceleration[i] - accelerations[i].value,
             wide_solution->acceleration_bound[i] + 4 * accelerations[i].error, multipliers.velocities[i].name());
  compare_reactions(multipliers, full, small, image, state, *wide_solution, wide, accelerations, ledger);
  return true;
}

void compare_starts(const Model& model, const Equations& multipliers, const Equations& reduced, Ledger& ledger) {
  const std::vector<double> parameters = parameter_values(model);
  const State start = initial_state(reduced, parameters), own = initial_state(multipliers, parameters);
  Image image = make_image(model, reduced, tracked_parameters(model), start);
  for (std::size_t i = 0; i < image.state.q.size(); ++i) {
    double q = own.q[i], rate = own.u[i];
    ledger("start", "[coordinates]", "[reduction]")
        .add(image.state.q[i] - q, tolerance::consistent * (1 + std::abs(q)), model.coordinates[i].name);
    ledger("start", "[coordinates]", "[reduction]")
        .add(image.state.u[i] - rate, tolerance::consistent * (1 + std::abs(rate)), model.coordinates[i].name + "'");
  }
}

}  // namespace dalembert

#include "study/verify/release.hpp"

#include "base/tolerances.hpp"

// Paulus 1910: each released reaction against the multiplier of the constraint that it stands for, in the model with
// the constant as one more coordinate. That model's equations are derived in full, by the multipliers' route.

namespace dalembert {
namespace {

/// The released model held by one more constraint, which is its last row.
Equations derive_fixed(const Model& released, Expr f) {
  Model fixed = released;
  Constraint constraint;
  constraint.name = "fixed";
  constraint.kind = ConstraintKind::geometric;
  constraint.f = constraint.written = f;
  fixed.constraints.push_back(constraint);
  return derive_multipliers(fixed);
}

class ReleasePrinciple : public Principle {
 public:
  ReleasePrinciple(const Model& model, const Release& release, const ReleasedReaction& reaction,
                   const Equations& multipliers)
      : model_(model),
        release_(release),
        reaction_(reaction),
        multipliers_(multipliers),
        parameters_(tracked_parameters(*release.variation.model)),
        by_constant_(derive_fixed(*release.variation.model, constant_row())) {
    if (release.moving) by_constraint_ = derive_fixed(*release.variation.model, release.moving);
  }

  void compare(const State& state, const Reference& reference, Ledger& ledger) override {
    Values<Tracked> here = values_on_motion(state, reference);
    Values<Tracked> released = values_of_released(reference);
    if (release_.f) compare_constraint(state, here, ledger);
    // Multipliers of dependent constraints are not determined, nor is what depends on them.
    const bool determined = reference.solution.rank == reference.matrices.rows || reaction_.carried.empty();
    if (!determined) return;
    compare_multiplier(reaction_.rho, by_constant_, "release (17)", "multiplier of the constant", here, released,
                       ledger);
    if (by_constraint_)
      compare_multiplier(reaction_.lambda, *by_constraint_, "release (18)", "multiplier of `constraint`", here,
                         released, ledger);
    compare_work(here, ledger);
  }

 private:
  Expr value() const {
    for (const Replacement& known : release_.variation.actual)
      if (known.by == release_.variation.freed[0].q) return known.symbol;  // a parameter's held value
    return release_.released;
  }
  Expr constant_row() const { return release_.variation.freed[0].q - value(); }

  /// The model's own symbols with what its equations give for q'' and the multipliers.
  Values<Tracked> values_on_motion(const State& /*state*/, const Reference& reference) const {
    Values<Tracked> at = reference.at;
    const NullSpaceSolution& solution = reference.solution;
    for (std::size_t i = 0; i < solution.acceleration.size(); ++i)
      at[multipliers_.accelerations[i].id()] = Tracked(solution.acceleration[i], solution.acceleration_bound[i]);
    for (const Constraint& constraint : model_.constraints)
      at[model_.graph->symbol(reaction_symbol(constraint.name)).id()] = 0.0;
    for (std::size_t r = 0; r < solution.multipliers.size(); ++r)
      at[model_.graph->symbol(reaction_symbol(multipliers_.rows[r].name)).id()] =
          Tracked(solution.multipliers[r], solution.multiplier_bound[r]);
    return at;
  }

  Values<Tracked> values_of_released(const Reference& reference) const {
    Values<Tracked> at = reference.at;
    for (const auto& [symbol, value] : parameters_) at[symbol] = value;
    const Coordinate& c = release_.variation.freed[0];
    const Expr formulas[] = {release_.released, time_derivative(model_, release_.released)};
    std::vector<Tracked> values = evaluate_tracked(formulas, reference.at);
    at[c.q.id()] = values[0];
    at[c.rate.id()] = values[1];
    return at;
  }

  void compare_multiplier(Expr formula, const Equations& fixed, const std::string& by, const std::string& other,
                          const Values<Tracked>& here, const Values<Tracked>& released, Ledger& ledger) const {
    std::optional<NullSpaceSolution> solution = solve_by_null_space(evaluate_matrices(fixed, released));
    if (!solution) return;
    Tracked value = evaluate_tracked({&formula, 1}, here)[0];
    ledger("released reactions", by, other)
        .add(value.value - solution->multipliers.back(), 4 * value.error + solution->multiplier_bound.back(),
             release_.name);
  }

  /// The constraint must hold wherever the constant has its value.
  void compare_constraint(const State& state, const Values<Tracked>& here, Ledger& ledger) const {
    Values<Tracked> at = here;
    if (!multipliers_.rows.empty())  // how well states are brought onto constraints that the model carries
      for (std::size_t i = 0; i < state.q.size(); ++i)
        at[multipliers_.coordinates[i].id()] = Tracked(state.q[i], tolerance::assembled * (1 + std::abs(state.q[i])));
    ledger("constraint of the release", "as written", "zero")
        .add(evaluate_tracked({&release_.f, 1}, at)[0], 0.0, release_.name);
  }

  /// Forces on points by the shortcut do the work of rho on c, and none on the other coordinates.
  void compare_work(const Values<Tracked>& here, Ledger& ledger) const {
    if (reaction_.gradient) return;
    const Model& varied = *release_.variation.model;
    for (const PointLoad& load : reaction_.on) {
      if (!load.direction) continue;
      auto point = std::ranges::find_if(varied.points, [&](const Point& each) { return each.name == load.on; });
      for (const Coordinate& coordinate : varied.coordinates) {
        std::vector<Expr> path = substitute(derivative(point->position, coordinate.q), release_.variation.actual);
        bool is_freed = coordinate.q == release_.variation.freed[0].q;
        const Vector3& along = *load.direction;
        const Expr formulas[] = {along[0], along[1], along[2], path[0], path[1], path[2], reaction_.rho};
        std::vector<Tracked> values = evaluate_tracked(formulas, here);
        Tracked work = values[6] * (values[0] * values[3] + values[1] * values[4] + values[2] * values[5]);
        ledger("released reactions", "work of the force on the point", "rho")
            .add(work, is_freed ? values[6] : Tracked(0), release_.name);
      }
    }
  }

  const Model& model_;
  const Release& release_;
  const ReleasedReaction& reaction_;
  const Equations& multipliers_;
  Values<Tracked> parameters_;
  Equations by_constant_;
  std::optional<Equations> by_constraint_;
};

}  // namespace

void add_releases(const Model& model, const Derivations& derivations, std::vector<std::unique_ptr<Principle>>& list) {
  for (const ReleasedReaction& reaction : derivations.releases)
    for (const Release& release : model.releases)
      if (release.name == reaction.name)
        list.push_back(std::make_unique<ReleasePrinciple>(model, release, reaction, derivations.multipliers));
}

}  // namespace dalembert

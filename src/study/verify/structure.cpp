#include "mechanics/structure/structure.hpp"

#include <algorithm>

#include "study/verify/principles.hpp"

// Accelerations and multipliers from the accelerations of frames, points and bodies, eliminated from the leaves to the
// root, against those of the mass matrix. The two share the rows of the constraints and what is written in coordinates.

namespace dalembert {
namespace {

class StructurePrinciple : public Principle {
 public:
  explicit StructurePrinciple(const Equations& equations) : equations_(equations) {
    // Quaternions leave M singular; the rows of their norms mend it, by any factor.
    std::vector<MendingRow> mending;
    for (std::size_t r = 0; r < equations.rows.size(); ++r)
      if (equations.rows[r].is_unit) mending.push_back({r, equations.graph->constant(1)});
    try {
      outputs_ = solve_structured(equations, mending, Order::recursive);
    } catch (const InputError&) {  // a coordinate without inertia: M is singular as it stands
    }
  }

  void compare(const State& /*state*/, const Reference& reference, Ledger& ledger) override {
    const NullSpaceSolution& solution = reference.solution;
    if (outputs_.empty() || solution.rank < equations_.rows.size()) return;
    const std::vector<Tracked> found = evaluate_tracked(outputs_, reference.at);
    const auto is_finite = [](const Tracked& number) { return std::isfinite(number.value); };
    if (!std::ranges::all_of(found, is_finite)) return;  // M is singular there
    const std::size_t n = equations_.velocities.size();
    for (std::size_t i = 0; i < n; ++i)
      ledger("accelerations", "multipliers", "structure")
          .add(found[i].value - solution.acceleration[i], solution.acceleration_bound[i] + 4 * found[i].error,
               equations_.accelerations[i].name());
    for (std::size_t r = 0; r < equations_.rows.size(); ++r)
      ledger("reactions", "multipliers", "structure")
          .add(found[n + r].value - solution.multipliers[r], solution.multiplier_bound[r] + 4 * found[n + r].error,
               equations_.rows[r].name);
  }

 private:
  const Equations& equations_;
  std::vector<Expr> outputs_;
};

}  // namespace

std::unique_ptr<Principle> make_structure_principle(const Equations& equations) {
  return std::make_unique<StructurePrinciple>(equations);
}

}  // namespace dalembert

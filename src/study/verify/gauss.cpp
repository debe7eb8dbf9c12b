#include <dalembert/mechanics/gauss.hpp>

#include "simulate/system/dense.hpp"
#include "study/verify/principles.hpp"

// Gauss's principle (theory 5): the minimum of Z against the multipliers, and Z itself against its decomposition
// Z(b) - phi = (b - actual) M (b - actual) at random admissible accelerations b. M is the multipliers', Z the sum over
// mass elements: nothing is shared but the model.

namespace dalembert {
namespace {

class GaussPrinciple : public Principle {
 public:
  GaussPrinciple(const LeastConstraint& gauss, std::uint64_t seed) : gauss_(gauss), random_(seed) {}

  void compare(const State& /*state*/, const Reference& reference, Ledger& ledger) override {
    const Equations& equations = gauss_.equations;
    Matrices own = evaluate_matrices(equations, reference.at);
    std::optional<NullSpaceSolution> bounds = solve_by_null_space(own);
    SolvedMotion minimum = minimise_constraint(to_dense(own));
    if (!bounds) return;  // its own matrices do not decide the rank
    const NullSpaceSolution& solution = reference.solution;
    const double absent = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t i = 0; i < own.n; ++i)
      ledger("accelerations", "multipliers", "least constraint")
          .add((minimum.ok ? minimum.acceleration[i] : absent) - solution.acceleration[i],
               solution.acceleration_bound[i] + bounds->acceleration_bound[i], equations.accelerations[i].name());
    for (std::size_t r = 0; r < own.rows; ++r)
      ledger("reactions", "multipliers", "least constraint")
          .add((minimum.ok ? minimum.multipliers[r] : absent) - solution.multipliers[r],
               solution.multiplier_bound[r] + bounds->multiplier_bound[r], equations.rows[r].name);
    compare_excess(reference, ledger);
  }

 private:
  static DenseSystem to_dense(const Matrices& matrices) {
    auto values = [](const std::vector<Tracked>& list) {
      std::vector<double> result;
      for (const Tracked& number : list) result.push_back(number.value);
      return result;
    };
    return {matrices.n,
            matrices.rows,
            values(matrices.mass),
            values(matrices.bias),
            values(matrices.jacobian),
            values(matrices.drift)};
  }

  Tracked evaluate_z(const Reference& reference, std::span<const Tracked> accelerations) const {
    Values<Tracked> at = reference.at;
    for (std::size_t i = 0; i < accelerations.size(); ++i)
      at[gauss_.equations.accelerations[i].id()] = accelerations[i];
    return evaluate_tracked({&gauss_.Z, 1}, at)[0];
  }

  /// A random combination of what the constraints leave free, the size of the accelerations: found as the minimum for a
  /// random load, whose accelerations minus the actual ones lie in ker A.
  std::vector<double> draw_admissible(const Reference& reference) {
    Matrices loaded = reference.matrices;
    double size = 1;
    for (const Tracked& load : loaded.bias) size = std::max(size, std::abs(load.value));
    for (Tracked& load : loaded.bias) load.value += size * draw(random_);
    std::optional<NullSpaceSolution> other = solve_by_null_space(loaded);
    return other ? other->acceleration : reference.solution.acceleration;
  }

  void compare_excess(const Reference& reference, Ledger& ledger) {
    const Matrices& matrices = reference.matrices;
    const std::size_t n = matrices.n;
    std::vector<double> other = draw_admissible(reference);
    std::vector<Tracked> actual, imagined, added;
    for (std::size_t i = 0; i < n; ++i) {
      actual.push_back(reference.solution.acceleration[i]);
      imagined.push_back(other[i]);
      added.push_back(imagined[i] - actual[i]);
    }
    // Z(b) - Z(c) = (b - c) M (b - c) + 2 (b - c).(M c + h) for any b and c; the last term vanishes where c is the
    // actual acceleration and b - c keeps the constraints, to the accuracy that the solver gave c.
    Tracked excess = 0;
    double load_bound = 0;
    for (std::size_t i = 0; i < n; ++i) {
      Tracked load = matrices.bias[i];
      for (std::size_t j = 0; j < n; ++j) {
        excess = excess + added[i] * matrices.mass[i * n + j] * added[j];
        load = load + matrices.mass[i * n + j] * actual[j];
        load_bound +=
            std::abs(added[i].value * matrices.mass[i * n + j].value) * reference.solution.acceleration_bound[j];
      }
      load_bound += std::abs(added[i].value) * load.error;
    }
    for (std::size_t r = 0; r < matrices.rows; ++r) {
      Tracked kept = 0;  // A (b - c), zero but for rounding
      for (std::size_t i = 0; i < n; ++i) kept = kept + matrices.jacobian[r * n + i] * added[i];
      load_bound += std::abs(reference.solution.multipliers[r]) * (std::abs(kept.value) + kept.error);
    }
    Tracked z = evaluate_z(reference, imagined) - evaluate_z(reference, actual);
    ledger("constraint Z - phi", "mass elements", "Q M^-1 Q")
        .add(z.value - excess.value, 4 * (z.error + excess.error) + 2 * load_bound);
  }

  const LeastConstraint& gauss_;
  Random random_;
};

}  // namespace

std::unique_ptr<Principle> make_gauss_principle(const LeastConstraint& gauss) {
  return std::make_unique<GaussPrinciple>(gauss, 1896);
}

}  // namespace dalembert

#include "study/kinetic.hpp"
#include "study/verify/principles.hpp"

// Spain's projector and connection (theory 4) against the multipliers. All of it is computed in numbers that track
// their errors, from graphs of M, A, b and of their derivatives.

namespace dalembert {
namespace {

class ProjectionPrinciple : public Principle {
 public:
  explicit ProjectionPrinciple(const KineticGeometry& geometry)
      : geometry_(geometry), formulas_(list_formulas(geometry)) {}

  void compare(const State& state, const Reference& reference, Ledger& ledger) override {
    std::vector<Tracked> values = evaluate_tracked(formulas_, reference.at), velocities(state.u.begin(), state.u.end());
    KineticAt<Tracked> at(KineticValues<Tracked>(geometry_, values, std::move(velocities)));
    if (!at.ok()) {
      ledger("accelerations", "multipliers", "projector").add(std::numeric_limits<double>::quiet_NaN(), 0);
      return;
    }
    auto motion = at.project();
    add_all(ledger("accelerations", "multipliers", "projector"), motion.acceleration, accelerations(reference),
            geometry_.equations.accelerations);
    add_reactions(ledger("reactions", "multipliers", "projector"), motion.multipliers, reference);
    std::vector<Tracked> geodesic = at.geodesic(), stray = at.stray();
    for (std::size_t i = 0; i < geodesic.size(); ++i) geodesic[i].error += std::abs(stray[i].value) + stray[i].error;
    add_all(ledger("accelerations", "multipliers", "connection"), geodesic, accelerations(reference),
            geometry_.equations.accelerations);
    add_reactions(ledger("reactions", "multipliers", "connection"), at.basis().multipliers(at.theta(geodesic)),
                  reference);
    compare_projector(at, reference, ledger);
  }

 private:
  static std::vector<Tracked> accelerations(const Reference& reference) {
    std::vector<Tracked> list;
    for (std::size_t i = 0; i < reference.matrices.n; ++i)
      list.emplace_back(reference.solution.acceleration[i], reference.solution.acceleration_bound[i]);
    return list;
  }

  static void add_all(Tally& tally, std::span<const Tracked> own, std::span<const Tracked> others,
                      std::span<const Expr> names) {
    for (std::size_t i = 0; i < own.size(); ++i) tally.add(own[i], others[i], names[i].name());
  }

  void add_reactions(Tally& tally, std::span<const Tracked> own, const Reference& reference) const {
    for (std::size_t r = 0; r < own.size(); ++r)
      tally.add(own[r], {reference.solution.multipliers[r], reference.solution.multiplier_bound[r]},
                geometry_.equations.rows[r].name);
  }

  /// (8) G (f - X) = 0, and (10): what of f and of X lies in the virtual displacements is equally long.
  void compare_projector(const KineticAt<Tracked>& at, const Reference& reference, Ledger& ledger) const {
    const std::size_t n = at.size();
    std::vector<Tracked> f = at.intrinsic(accelerations(reference)), x = at.raised_force(), g = at.projector();
    Tracked f_square = 0, x_square = 0, trace = 0;
    for (std::size_t i = 0; i < n; ++i) {
      Tracked left = 0;
      for (std::size_t j = 0; j < n; ++j) {
        left = left + g[i * n + j] * (f[j] - x[j]);
        f_square = f_square + f[i] * at.values().mass[i * n + j] * f[j];
        x_square = x_square + x[i] * at.values().mass[i * n + j] * x[j];
      }
      trace = trace + g[i * n + i];
      ledger("G (f - X)", "projector", "zero").add(left, 0.0, geometry_.equations.coordinates[i].name());
    }
    for (const std::vector<Tracked>& phi : at.basis().lowered()) {
      Tracked f_along = 0, x_along = 0;
      for (std::size_t i = 0; i < n; ++i) {
        f_along = f_along + phi[i] * f[i];
        x_along = x_along + phi[i] * x[i];
      }
      f_square = f_square - f_along * f_along;
      x_square = x_square - x_along * x_along;
    }
    ledger("length in the virtual displacements", "acceleration", "force").add(f_square, x_square);
    ledger("trace of G", "projector", "degrees of freedom")
        .add(trace, static_cast<double>(n - reference.solution.rank));
  }

  const KineticGeometry& geometry_;
  std::vector<Expr> formulas_;
};

}  // namespace

std::unique_ptr<Principle> make_projection_principle(const KineticGeometry& geometry) {
  return std::make_unique<ProjectionPrinciple>(geometry);
}

}  // namespace dalembert

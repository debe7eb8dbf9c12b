#include "study/large_hodograph.hpp"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>

namespace dalembert {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

/// Lengths in the kinetic metric at a state: f of M f = M q'' + h + X, and X.
class Lengths {
 public:
  explicit Lengths(const KineticGeometry& geometry) : equations_(geometry.equations) {
    for (const auto& row : equations_.mass)
      for (const Entry& entry : row) formulas_.push_back(entry.value);
    formulas_.insert(formulas_.end(), equations_.bias.begin(), equations_.bias.end());
    formulas_.insert(formulas_.end(), geometry.force.begin(), geometry.force.end());
    parameters_ = parameter_values(*equations_.model);
  }

  /// Not numbers where the metric is singular.
  void evaluate_at(const State& state, const std::vector<double>& acceleration) {
    const std::vector<double> values = evaluate(formulas_, bind_symbols(equations_, state, parameters_));
    const auto n = static_cast<Eigen::Index>(acceleration.size());
    std::vector<Eigen::Triplet<double>> places;
    const double* next = values.data();
    for (std::size_t i = 0; i < equations_.mass.size(); ++i)
      for (const Entry& entry : equations_.mass[i])
        places.emplace_back(static_cast<int>(i), static_cast<int>(entry.column), *next++);
    Sparse mass(n, n);  // its lower triangle
    mass.setFromTriplets(places.begin(), places.end());
    const Eigen::Map<const Vector> bias(next, n), force(next + n, n), rate(acceleration.data(), n);
    Eigen::SimplicialLDLT<Sparse> factor(mass);
    f = X = std::numeric_limits<double>::quiet_NaN();
    if (factor.info() != Eigen::Success) return;
    const Vector lowered = mass.selfadjointView<Eigen::Lower>() * rate + bias + force;
    const Vector raised = factor.solve(lowered), raised_force = factor.solve(force);
    f = std::sqrt(std::max(lowered.dot(raised), 0.0));
    X = std::sqrt(std::max(force.dot(raised_force), 0.0));
  }

  double f = 0, X = 0;

 private:
  const Equations& equations_;
  std::vector<Expr> formulas_;
  std::vector<double> parameters_;
};

bool is_constant(const Slopes& slopes) {
  return std::ranges::all_of(slopes, [](const auto& row) { return row.empty(); });
}

constexpr std::size_t parts = 8;  // of the time between two rows, for Simpson's rule

double simpson(const std::vector<double>& f, std::size_t from, std::size_t stride, double h) {
  double sum = f[from] + f[from + parts];
  for (std::size_t k = stride, count = 1; k < parts; k += stride, ++count)
    sum += (count % 2 == 1 ? 4 : 2) * f[from + k];
  return sum * h * static_cast<double>(stride) / 3;
}

}  // namespace

Hodograph find_large_hodograph(const KineticGeometry& geometry, const SimulateOptions& options) {
  const Model& model = *geometry.equations.model;
  const System system(derive_multipliers(model));
  SimulateOptions finer = options;
  finer.every = options.every.value_or(model.simulate.every) / static_cast<double>(parts);
  const Trajectory motion = system.simulate(finer);
  Hodograph result;
  result.status = motion.status;
  result.message = motion.message;
  result.notes = motion.notes;
  const bool constant = is_constant(geometry.mass_slopes);
  const std::size_t n = model.coordinates.size();
  if (constant)
    for (const Coordinate& coordinate : model.coordinates) result.coordinates.push_back(coordinate.name);
  Workspace workspace = system.make_workspace(options.parameters);
  Lengths lengths(geometry);
  std::vector<double> t, f, force;
  std::vector<std::vector<double>> velocities;
  for (const Table::Row row : motion.rows) {
    State state{row[0], {}, {}};
    for (std::size_t i = 0; i < n; ++i) {
      state.q.push_back(row[1 + i]);
      state.u.push_back(row[1 + n + i]);
    }
    lengths.evaluate_at(state, system.evaluate_motion(workspace, state).acceleration);
    t.push_back(state.t), f.push_back(lengths.f), force.push_back(lengths.X);
    velocities.push_back(std::move(state.u));
  }
  double arc = 0, doubt = 0;
  for (std::size_t k = 0; k < t.size(); k += parts) {
    if (k > 0) {
      const double h = (t[k] - t[k - parts]) / static_cast<double>(parts);
      const double fine = simpson(f, k - parts, 1, h), coarse = simpson(f, k - parts, 2, h);
      arc += fine;
      doubt += std::abs(fine - coarse);
    }
    result.t.push_back(t[k]);
    result.arc.push_back(arc);
    result.f.push_back(f[k]);
    result.X.push_back(force[k]);
    result.curve.push_back(constant ? velocities[k] : std::vector<double>());
    result.affine_curve.emplace_back();
    result.cos_phi.emplace_back();
    result.cos_psi.emplace_back();
  }
  result.invariant = result.affine_invariant = result.relation = result.geodesic =
      std::numeric_limits<double>::quiet_NaN();
  result.exceptional.evidence = "not asked in so many coordinates";
  result.notes.push_back(fmt::format("the arc is a sum over {} times, good to {:.1g}", t.size(), doubt));
  result.notes.push_back(fmt::format("{} coordinates: {}", n,
                                     constant ? "the metric is constant, and the curve is the velocity itself"
                                              : "the velocity is not carried back, and there is no curve"));
  return result;
}

}  // namespace dalembert

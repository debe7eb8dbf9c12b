#include <fmt/format.h>

#include <dalembert/base/failure.hpp>
#include <dalembert/study/geometry.hpp>
#include <stdexcept>

#include "study/kinetic.hpp"

namespace dalembert {
namespace {

std::vector<std::string> remarks_of(const KineticGeometry& geometry, const KineticAt<double>& at) {
  std::vector<std::string> remarks;
  if (!geometry.mended_by.empty())
    remarks.push_back(
        fmt::format("the kinetic energy alone gives no metric: squares of {} are added to it, with the same "
                    "motion and reactions",
                    fmt::join(geometry.mended_by, ", ")));
  if (!geometry.is_natural)
    remarks.push_back(
        "M depends on the velocities: they are held fixed where it is differentiated, and X is what remains");
  else if (!geometry.is_scleronomic)
    remarks.push_back("the kinetic energy depends on time: X holds what its other terms take");
  std::size_t left_out = at.values().rows - at.count();
  if (left_out > 0)
    remarks.push_back(
        fmt::format("{} constraints depend on those before them and give no vector of their own", left_out));
  if (!geometry.equations.contacts.empty()) remarks.push_back("one-sided constraints are left out");
  return remarks;
}

}  // namespace

GeometryReport evaluate_geometry(const KineticGeometry& geometry, const State& state) {
  const Equations& equations = geometry.equations;
  std::vector<double> values =
      evaluate(list_formulas(geometry), bind_symbols(equations, state, parameter_values(*equations.model)));
  KineticAt<double> at(KineticValues<double>(geometry, values, state.u));
  if (!at.ok()) throw ComputationError("the kinetic metric is singular at this state");
  GeometryReport report;
  report.state = state;
  for (const Expr& q : equations.coordinates) report.coordinates.push_back(q.name());
  for (const ConstraintRow& row : equations.rows) report.constraints.push_back(row.name);
  for (std::size_t r : at.basis().kept()) report.basis.push_back(equations.rows[r].name);
  report.Phi = at.basis().lowered();
  report.Phi_raised = at.basis().raised();
  const std::size_t n = at.size();
  std::vector<double> g = at.projector();
  for (std::size_t i = 0; i < n; ++i)
    report.G.emplace_back(g.begin() + static_cast<std::ptrdiff_t>(i * n),
                          g.begin() + static_cast<std::ptrdiff_t>((i + 1) * n));
  auto motion = at.project();
  report.theta = motion.theta;
  report.lambda = motion.multipliers;
  report.accelerations = motion.acceleration;
  report.geodesic = at.geodesic();
  report.f_raised = at.intrinsic(report.accelerations);
  report.X_raised = at.raised_force();
  Angles angles = evaluate_angles(at, report.f_raised, report.X_raised, report.theta);
  report.f = angles.f;
  report.X = angles.X;
  report.relation_f = angles.relation_f;
  report.relation_X = angles.relation_X;
  report.cos_phi = std::move(angles.cos_phi);
  report.cos_psi = std::move(angles.cos_psi);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) {
        report.christoffel.push_back(at.christoffel(i, j, k));
        report.affine.push_back(at.connection(i, j, k));
      }
  report.remarks = remarks_of(geometry, at);
  return report;
}

}  // namespace dalembert

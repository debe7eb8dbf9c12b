#include <fmt/format.h>

#include <dalembert/geometry.hpp>
#include <stdexcept>

#include "study/bindings.hpp"
#include "study/kinetic.hpp"

namespace dalembert {
namespace {

double product(const KineticAt<double>& at, std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) sum += a[i] * at.values().mass[i * a.size() + j] * b[j];
  return sum;
}

/// Components along the Phi.
std::vector<double> along(const KineticAt<double>& at, std::span<const double> raised) {
  std::vector<double> result;
  for (const std::vector<double>& phi : at.basis().lowered()) {
    double sum = 0;
    for (std::size_t i = 0; i < raised.size(); ++i) sum += phi[i] * raised[i];
    result.push_back(sum);
  }
  return result;
}

/// NaN where the vector itself is rounding only.
std::vector<double> cosines(std::vector<double> components, double length, double size) {
  for (double& component : components)
    component = length > 1e-14 * size ? component / length : std::numeric_limits<double>::quiet_NaN();
  return components;
}

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

GeometryReport evaluate_geometry(const Model& model, const KineticGeometry& geometry, const State& state) {
  const Equations& equations = geometry.equations;
  std::vector<double> values = evaluate(list_formulas(geometry), bindings_at(model, equations, state));
  KineticAt<double> at(KineticValues<double>(geometry, values, state.u));
  if (!at.ok()) throw std::runtime_error("the kinetic metric is singular at this state");
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
  const double f_square = product(at, report.f_raised, report.f_raised),
               x_square = product(at, report.X_raised, report.X_raised);
  report.f = std::sqrt(f_square);
  report.X = std::sqrt(x_square);
  std::vector<double> f_along = along(at, report.f_raised), x_along = along(at, report.X_raised);
  report.relation_f = f_square;
  report.relation_X = x_square;
  for (std::size_t a = 0; a < f_along.size(); ++a) {
    report.relation_f -= f_along[a] * f_along[a];
    report.relation_X -= x_along[a] * x_along[a];
  }
  double reaction = 0;
  for (double theta : report.theta) reaction += theta * theta;
  const double size = std::max({report.f, report.X, std::sqrt(reaction)});
  report.cos_psi = cosines(std::move(f_along), report.f, size);
  report.cos_phi = cosines(std::move(x_along), report.X, size);
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

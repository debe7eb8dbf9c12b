#include <algorithm>

#include "base/tolerances.hpp"
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
    component = length > tolerance::cancelled * size ? component / length : std::numeric_limits<double>::quiet_NaN();
  return components;
}

}  // namespace

Angles evaluate_angles(const KineticAt<double>& at, std::span<const double> f_raised, std::span<const double> X_raised,
                       std::span<const double> theta) {
  Angles angles;
  angles.relation_f = product(at, f_raised, f_raised);
  angles.relation_X = product(at, X_raised, X_raised);
  angles.f = std::sqrt(angles.relation_f);
  angles.X = std::sqrt(angles.relation_X);
  std::vector<double> f_along = along(at, f_raised), x_along = along(at, X_raised);
  double reaction = 0;
  for (std::size_t a = 0; a < theta.size(); ++a) {
    angles.relation_f -= f_along[a] * f_along[a];
    angles.relation_X -= x_along[a] * x_along[a];
    reaction += theta[a] * theta[a];
  }
  const double size = std::max({angles.f, angles.X, std::sqrt(reaction)});
  angles.cos_psi = cosines(std::move(f_along), angles.f, size);
  angles.cos_phi = cosines(std::move(x_along), angles.X, size);
  return angles;
}

}  // namespace dalembert

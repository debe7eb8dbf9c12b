#include "study/kinetic.hpp"

#include <algorithm>
#include <dalembert/base/work_limit.hpp>
#include <type_traits>

namespace dalembert {

std::vector<Expr> list_formulas(const KineticGeometry& geometry) {
  const Equations& equations = geometry.equations;
  std::vector<Expr> list;
  for (const auto& row : equations.mass)
    for (const Entry& entry : row) list.push_back(entry.value);
  for (const ConstraintRow& row : equations.rows) {
    for (const Entry& entry : row.jacobian) list.push_back(entry.value);
    list.push_back(row.drift);
    list.push_back(row.offset);
  }
  list.insert(list.end(), equations.bias.begin(), equations.bias.end());
  list.insert(list.end(), geometry.force.begin(), geometry.force.end());
  for (const Slopes* slopes : {&geometry.mass_slopes, &geometry.jacobian_slopes, &geometry.offset_slopes})
    for (const auto& row : *slopes)
      for (const Entry& entry : row) list.push_back(entry.value);
  return list;
}

template <class Number>
KineticValues<Number>::KineticValues(const KineticGeometry& geometry, std::span<const Number> values,
                                     std::vector<Number> velocities)
    : n(geometry.equations.velocities.size()), rows(geometry.equations.rows.size()), velocity(std::move(velocities)) {
  const Equations& equations = geometry.equations;
  auto next = values.begin();
  mass.assign(n * n, Number(0.0));
  for (std::size_t i = 0; i < n; ++i)
    for (const Entry& entry : equations.mass[i]) mass[i * n + entry.column] = mass[entry.column * n + i] = *next++;
  jacobian.assign(rows * n, Number(0.0));
  for (std::size_t r = 0; r < rows; ++r) {
    for (const Entry& entry : equations.rows[r].jacobian) jacobian[r * n + entry.column] = *next++;
    drift.push_back(*next++);
    offset.push_back(*next++);
  }
  for (std::size_t i = 0; i < n; ++i) bias.push_back(*next++);
  for (std::size_t i = 0; i < n; ++i) force.push_back(*next++);
  mass_slope.assign(n + 1, std::vector<Number>(n * n, Number(0.0)));
  auto slopes = geometry.mass_slopes.begin();
  for (std::size_t i = 0; i < n; ++i)
    for (const Entry& place : equations.mass[i])
      for (const Entry& entry : *slopes++) {
        std::vector<Number>& slope = mass_slope[entry.column];
        slope[i * n + place.column] = slope[place.column * n + i] = *next++;
      }
  jacobian_slope.assign(n + 1, std::vector<Number>(rows * n, Number(0.0)));
  slopes = geometry.jacobian_slopes.begin();
  for (std::size_t r = 0; r < rows; ++r)
    for (const Entry& place : equations.rows[r].jacobian)
      for (const Entry& entry : *slopes++) jacobian_slope[entry.column][r * n + place.column] = *next++;
  offset_slope.assign(n + 1, std::vector<Number>(rows, Number(0.0)));
  for (std::size_t r = 0; r < rows; ++r)
    for (const Entry& entry : geometry.offset_slopes[r]) offset_slope[entry.column][r] = *next++;
}

template <class Number>
KineticAt<Number>::KineticAt(KineticValues<Number> values)
    : v_(std::move(values)), basis_(v_.n, v_.mass, v_.rows, v_.jacobian) {
  if (!ok()) return;
  const double n = static_cast<double>(v_.n);
  spend_work(n * n * (n + 5));  // a number of several lists: a few nanoseconds
  fill_christoffel();
  fill_slopes();
  fill_connection();
}

/// Gamma_i,jk = (d_j M_ik + d_k M_ij - d_i M_jk) / 2, its first index raised.
template <class Number>
void KineticAt<Number>::fill_christoffel() {
  const std::size_t n = v_.n;
  gamma_.assign(n * n * n, Number(0.0));
  const auto& slope = v_.mass_slope;
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t k = 0; k <= j; ++k) {
      std::vector<Number> lower(n);
      for (std::size_t i = 0; i < n; ++i)
        lower[i] = Number(0.5) * (slope[j][i * n + k] + slope[k][i * n + j] - slope[i][j * n + k]);
      if constexpr (std::is_same_v<Number, double>)  // bodies on different branches
        if (std::ranges::all_of(lower, [](double entry) { return entry == 0; })) continue;
      std::vector<Number> upper = basis_.raise(std::move(lower));
      for (std::size_t i = 0; i < n; ++i) gamma_[at(i, j, k)] = gamma_[at(i, k, j)] = upper[i];
    }
}

/// Phi = C A with C the inverse Cholesky factor of the Gram matrix: dC = -low(S) C, where S = C d(A M^-1 A^T) C^T and
/// low is the lower triangle with half the diagonal.
template <class Number>
void KineticAt<Number>::fill_slopes() {
  const std::size_t n = v_.n, count = basis_.count();
  const auto& up = basis_.raised();
  const auto& low = basis_.lowered();
  const auto& c = basis_.combination();
  slope_.assign(count * n * (n + 1), Number(0.0));
  offset_slope_.assign(count * (n + 1), Number(0.0));
  turning_.assign(count * count, Number(0.0));
  std::vector<Number> offset(count, Number(0.0));
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t r = 0; r < v_.rows; ++r) offset[a] = offset[a] + c[a][r] * v_.offset[r];
  for (std::size_t k = 0; k <= n; ++k) {
    std::vector<Number> rows(count * n, Number(0.0)), rest(count, Number(0.0));  // C dA, C db
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t r = 0; r < v_.rows; ++r) {
        for (std::size_t i = 0; i < n; ++i)
          rows[a * n + i] = rows[a * n + i] + c[a][r] * v_.jacobian_slope[k][r * n + i];
        rest[a] = rest[a] + c[a][r] * v_.offset_slope[k][r];
      }
    for (std::size_t a = 0; a < count; ++a) {
      std::vector<Number> turned(n, Number(0.0));  // Phi_a^i dM_ij
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) turned[j] = turned[j] + up[a][i] * v_.mass_slope[k][i * n + j];
      for (std::size_t i = 0; i < n; ++i) slope_[(a * n + i) * (n + 1) + k] = rows[a * n + i];
      offset_slope_[a * (n + 1) + k] = rest[a];
      for (std::size_t b = 0; b <= a; ++b) {
        Number s(0.0);
        for (std::size_t i = 0; i < n; ++i)
          s = s + rows[a * n + i] * up[b][i] + rows[b * n + i] * up[a][i] - turned[i] * up[b][i];
        if (a == b) s = Number(0.5) * s;
        turning_[a * count + b] = turning_[a * count + b] + s * (k < n ? v_.velocity[k] : Number(1.0));
        for (std::size_t i = 0; i < n; ++i) {
          Number& entry = slope_[(a * n + i) * (n + 1) + k];
          entry = entry - s * low[b][i];
        }
        offset_slope_[a * (n + 1) + k] = offset_slope_[a * (n + 1) + k] - s * offset[b];
      }
    }
  }
}

template <class Number>
void KineticAt<Number>::fill_connection() {
  const std::size_t n = v_.n, count = basis_.count();
  covariant_.assign(count * n * n, Number(0.0));
  connection_ = gamma_;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) {
        Number sum = slope(a, j, k);
        for (std::size_t l = 0; l < n; ++l) sum = sum - gamma_[at(l, j, k)] * basis_.lowered()[a][l];
        covariant_[at(a, j, k)] = sum;
      }
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) {
        Number strain = Number(0.5) * (covariant(a, j, k) + covariant(a, k, j));
        for (std::size_t i = 0; i < n; ++i)
          connection_[at(i, j, k)] = connection_[at(i, j, k)] + basis_.raised()[a][i] * strain;
      }
}

template <class Number>
std::vector<Number> KineticAt<Number>::projector() const {
  const std::size_t n = v_.n;
  std::vector<Number> g(n * n, Number(0.0));
  for (std::size_t i = 0; i < n; ++i) g[i * n + i] = Number(1.0);
  for (std::size_t a = 0; a < basis_.count(); ++a)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) g[i * n + j] = g[i * n + j] - basis_.raised()[a][i] * basis_.lowered()[a][j];
  return g;
}

template <class Number>
std::vector<Number> KineticAt<Number>::intrinsic(std::span<const Number> accelerations) const {
  const std::size_t n = v_.n;
  std::vector<Number> f(accelerations.begin(), accelerations.end());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) f[i] = f[i] + christoffel(i, j, k) * v_.velocity[j] * v_.velocity[k];
  return f;
}

template <class Number>
std::vector<Number> KineticAt<Number>::projected_force() const {
  std::vector<Number> x = raised_force();
  for (std::size_t a = 0; a < basis_.count(); ++a) {
    Number along(0.0);
    for (std::size_t i = 0; i < v_.n; ++i) along = along + basis_.raised()[a][i] * v_.force[i];
    for (std::size_t i = 0; i < v_.n; ++i) x[i] = x[i] - along * basis_.raised()[a][i];
  }
  return x;
}

template <class Number>
std::vector<Number> KineticAt<Number>::geodesic() const {
  const std::size_t n = v_.n;
  std::vector<Number> acceleration = projected_force();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k)
        acceleration[i] = acceleration[i] - connection(i, j, k) * v_.velocity[j] * v_.velocity[k];
  for (std::size_t a = 0; a < basis_.count(); ++a) {
    Number moving = offset_slope_[a * (n + 1) + n];
    for (std::size_t j = 0; j < n; ++j)
      moving = moving + (slope(a, j, n) + offset_slope_[a * (n + 1) + j]) * v_.velocity[j];
    for (std::size_t i = 0; i < n; ++i) acceleration[i] = acceleration[i] - basis_.raised()[a][i] * moving;
  }
  return acceleration;
}

template <class Number>
std::vector<Number> KineticAt<Number>::stray() const {
  const std::size_t n = v_.n, count = basis_.count();
  std::vector<Number> miss(count, Number(0.0)), result(n, Number(0.0));
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t i = 0; i < n; ++i) miss[a] = miss[a] + basis_.lowered()[a][i] * v_.velocity[i];
    for (std::size_t r = 0; r < v_.rows; ++r) miss[a] = miss[a] + basis_.combination()[a][r] * v_.offset[r];
  }
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b <= a; ++b)
      for (std::size_t i = 0; i < n; ++i)
        result[i] = result[i] + basis_.raised()[a][i] * turning_[a * count + b] * miss[b];
  return result;
}

template <class Number>
std::vector<Number> KineticAt<Number>::theta(std::span<const Number> accelerations) const {
  const std::size_t n = v_.n;
  std::vector<Number> f = intrinsic(accelerations), theta;
  for (std::size_t a = 0; a < basis_.count(); ++a) {
    Number sum(0.0);
    for (std::size_t i = 0; i < n; ++i) sum = sum + basis_.lowered()[a][i] * f[i] - basis_.raised()[a][i] * v_.force[i];
    theta.push_back(sum);
  }
  return theta;
}

template struct KineticValues<double>;
template struct KineticValues<Tracked>;
template class KineticAt<double>;
template class KineticAt<Tracked>;

}  // namespace dalembert

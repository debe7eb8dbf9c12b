#pragma once
// The geometry of the kinetic metric at a state (Spain 1940; theory 4), for doubles and for numbers that track their
// errors: Gram-Schmidt basis, its derivatives, Christoffel symbols, the affine connection (13) and the motions that
// they give.

#include <dalembert/mechanics/projection.hpp>
#include <span>

#include "simulate/system/orthonormal.hpp"
#include "study/functions.hpp"

namespace dalembert {

inline double value_of(Tracked x) { return x.value; }
inline Tracked sqrt(Tracked x) {
  double root = std::sqrt(x.value);
  return applied(root, 0.5 / root, x);
}

/// What the formulas are evaluated to, in the order in which `unpack` reads them.
std::vector<Expr> list_formulas(const KineticGeometry& geometry);

/// The values, dense. Slopes are by direction: the coordinates, then time.
template <class Number>
struct KineticValues {
  std::size_t n = 0, rows = 0;
  std::vector<Number> mass, jacobian;  ///< n x n, rows x n
  std::vector<Number> bias, drift, offset, force;
  std::vector<std::vector<Number>> mass_slope, jacobian_slope, offset_slope;
  std::vector<Number> velocity;

  KineticValues(const KineticGeometry& geometry, std::span<const Number> values, std::vector<Number> velocities);
};

template <class Number>
class KineticAt {
 public:
  explicit KineticAt(KineticValues<Number> values);

  const KineticValues<Number>& values() const { return v_; }
  const Orthonormal<Number>& basis() const { return basis_; }
  bool ok() const { return basis_.ok(); }
  std::size_t size() const { return v_.n; }
  std::size_t count() const { return basis_.count(); }

  /// Gamma^i_jk of the kinetic metric.
  const Number& christoffel(std::size_t i, std::size_t j, std::size_t k) const { return gamma_[at(i, j, k)]; }
  /// The connection of (13).
  const Number& connection(std::size_t i, std::size_t j, std::size_t k) const { return connection_[at(i, j, k)]; }
  /// Phi_(a)j,k.
  const Number& covariant(std::size_t a, std::size_t j, std::size_t k) const { return covariant_[at(a, j, k)]; }
  /// d Phi_(a)j in a direction, d b_(a) likewise; the last direction is time.
  const Number& slope(std::size_t a, std::size_t j, std::size_t k) const {
    return slope_[(a * v_.n + j) * (v_.n + 1) + k];
  }

  /// G_j^i with the raised index first: delta - Phi^i Phi_j.
  std::vector<Number> projector() const;
  /// Motion by the projector, (6) to (8).
  typename Orthonormal<Number>::Projected project() const { return basis_.solve(v_.bias, v_.drift); }
  /// f^i for accelerations.
  std::vector<Number> intrinsic(std::span<const Number> accelerations) const;
  /// X^i and G X.
  std::vector<Number> raised_force() const { return basis_.raise(v_.force); }
  std::vector<Number> projected_force() const;
  /// Accelerations as a forced geodesic of the connection: (13) with the terms of affine and time-dependent
  /// constraints.
  std::vector<Number> geodesic() const;
  /// What (13) is off by where the state misses the constraints by rounding: the basis' own turning times A u + b.
  std::vector<Number> stray() const;
  /// theta of given accelerations: (f_i - X_i) Phi^i.
  std::vector<Number> theta(std::span<const Number> accelerations) const;

 private:
  std::size_t at(std::size_t i, std::size_t j, std::size_t k) const { return (i * v_.n + j) * v_.n + k; }
  void fill_christoffel();
  void fill_slopes();
  void fill_connection();

  KineticValues<Number> v_;
  Orthonormal<Number> basis_;
  std::vector<Number> gamma_, connection_, covariant_, slope_, offset_slope_, turning_;
};

/// Lengths of acceleration and force and their angles with the Phi (Spain 1940, (9) and (10)).
struct Angles {
  double f = 0, X = 0;
  double relation_f = 0, relation_X = 0;  ///< both sides of (10)
  std::vector<double> cos_phi, cos_psi;   ///< NaN where X or f is rounding only
};
Angles evaluate_angles(const KineticAt<double>& at, std::span<const double> f_raised, std::span<const double> X_raised,
                       std::span<const double> theta);

extern template struct KineticValues<double>;
extern template struct KineticValues<Tracked>;
extern template class KineticAt<double>;
extern template class KineticAt<Tracked>;

}  // namespace dalembert

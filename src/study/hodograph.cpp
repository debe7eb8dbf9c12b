#include <fmt/format.h>

#include <algorithm>
#include <dalembert/study/hodograph.hpp>

#include "base/elimination.hpp"
#include "base/tolerances.hpp"
#include "simulate/march/dop853.hpp"
#include "simulate/system/kernel.hpp"
#include "study/kinetic.hpp"
#include "study/large_hodograph.hpp"
#include "study/metric_reactions.hpp"

// Between two rows of a motion the path is integrated again, from the row's state, together with what is carried along
// it: y = (q, u, P, S, arc), P' = -Gamma q' P for the metric, S' likewise for the connection (13), arc' = f.

namespace dalembert {
namespace {

class Carrier {
 public:
  Carrier(const KineticGeometry& geometry, double tolerance, const std::atomic<bool>* stop)
      : geometry_(geometry),
        n_(geometry.equations.velocities.size()),
        tolerance_(tolerance),
        stop_(stop),
        method_(2 * n_ + 2 * n_ * n_ + 1),
        inputs_(2 * n_ + 1),
        noise_(method_.size(), 0.0) {
    const Equations& equations = geometry.equations;
    const Model& model = *equations.model;
    std::vector<Expr> inputs{equations.time}, symbols;
    inputs.insert(inputs.end(), equations.coordinates.begin(), equations.coordinates.end());
    inputs.insert(inputs.end(), equations.velocities.begin(), equations.velocities.end());
    for (const Parameter& parameter : model.parameters) symbols.push_back(parameter.symbol);
    const Kernel kernel(inputs, symbols, list_formulas(geometry));
    kernel_ = BoundKernel(kernel);
    kernel_.set_parameters(parameter_values(model));
    values_.resize(kernel.output_count());
    for (std::size_t which : {0, 1})
      for (std::size_t i = 0; i < n_; ++i) matrix(method_.start(), which)[i * n_ + i] = 1;
  }

  /// Takes what is carried from one state of the path to a later time; false where that cannot be done.
  bool carry(const State& from, double until) {
    std::span<double> y = method_.start();
    std::ranges::copy(from.q, y.begin());
    std::ranges::copy(from.u, y.begin() + static_cast<std::ptrdiff_t>(n_));
    auto f = [this](double t, const double* state, double* rate) { derive(t, state, rate); };
    double t = from.t, h = until - t;
    f(t, y.data(), method_.start_derivative().data());
    // Towards a singular configuration the connection grows without bound, and steps shrink with it.
    constexpr int most = 2000;
    for (int steps = 0; until - t > tolerance::smallest_step * std::max(1.0, std::abs(until)); ++steps) {
      if (steps == most || is_stopped()) return false;
      h = std::min(h, until - t);
      const std::vector<double> before = f_;
      method_.take(f, t, h);
      f(t + h, method_.end().data(), method_.end_derivative().data());
      const std::vector<double> sizes = scale();
      note_rounding(h);
      double error = method_.error(sizes, noise_);
      if (is_reversed(before, f_)) {  // the whole arc of the step bounds what its kink leaves
        const double kink = h * (method_.start_derivative().back() + method_.end_derivative().back());
        error = std::max(error, (kink - noise_.back()) / sizes.back());
      }
      if (!(error <= 1)) {
        h *= std::isfinite(error) ? next_step_factor(error, 1) : 0.25;
        if (!(h > tolerance::smallest_step * (until - from.t))) return false;
        f_ = before;
        continue;
      }
      t += h;
      h *= next_step_factor(error, 6);
      method_.advance();
      for (std::size_t i = 0; i < 2 * n_; ++i)
        largest_[i / n_] = std::max(largest_[i / n_], std::abs(method_.start()[i]));
    }
    return true;
  }

  bool is_stopped() const { return stop_ != nullptr && stop_->load(); }
  double arc() { return method_.start().back(); }
  /// How far what was carried is from a state, relative to the largest coordinate and the largest velocity so far.
  double distance(const State& state) {
    double difference[2] = {0, 0};
    for (std::size_t i = 0; i < 2 * n_; ++i) {
      const double value = i < n_ ? state.q[i] : state.u[i - n_];
      largest_[i / n_] = std::max(largest_[i / n_], std::abs(value));
      difference[i / n_] = std::max(difference[i / n_], std::abs(method_.start()[i] - value));
    }
    return std::max(difference[0] / largest_[0], difference[1] / largest_[1]);
  }
  /// Which: 0 by the metric, 1 by the connection.
  SquareMatrix transport(std::size_t which) {
    const double* p = matrix(method_.start(), which);
    SquareMatrix result(n_);
    for (std::size_t i = 0; i < n_; ++i) result[i].assign(p + i * n_, p + (i + 1) * n_);
    return result;
  }
  KineticAt<double> look(const State& state) {
    return KineticAt<double>(evaluate_at(state.t, state.q.data(), state.u.data()));
  }

 private:
  double* matrix(std::span<double> y, std::size_t which) { return y.data() + 2 * n_ + which * n_ * n_; }

  KineticValues<double> evaluate_at(double t, const double* q, const double* u) {
    inputs_[0] = t;
    std::copy_n(q, n_, inputs_.begin() + 1);
    std::copy_n(u, n_, inputs_.begin() + 1 + static_cast<std::ptrdiff_t>(n_));
    kernel_(inputs_.data(), values_.data());
    return KineticValues<double>(geometry_, values_, std::vector<double>(u, u + n_));
  }

  void derive(double t, const double* y, double* rate) {
    const double* u = y + n_;
    KineticAt<double> at(evaluate_at(t, y, u));
    if (!at.ok()) {
      std::fill_n(rate, method_.size(), std::numeric_limits<double>::quiet_NaN());
      return;
    }
    std::vector<double> acceleration = at.geodesic();
    const std::vector<double> f = f_ = at.intrinsic(acceleration);
    const std::vector<double> force = at.raised_force();
    largest_force_ = 0;
    double square_of_force = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      largest_force_ = std::max(largest_force_, std::abs(force[i]));
      for (std::size_t j = 0; j < n_; ++j) square_of_force += force[i] * at.values().mass[i * n_ + j] * force[j];
    }
    length_of_force_ = std::sqrt(std::max(square_of_force, 0.0));
    std::copy_n(u, n_, rate);
    std::ranges::copy(acceleration, rate + n_);
    for (std::size_t which : {0, 1}) {
      const double* p = y + 2 * n_ + which * n_ * n_;
      double* slope = rate + 2 * n_ + which * n_ * n_;
      std::fill_n(slope, n_ * n_, 0.0);
      if (which == 1 && at.count() == 0) {  // the connection is the metric's own
        std::copy_n(rate + 2 * n_, n_ * n_, slope);
        continue;
      }
      for (std::size_t i = 0; i < n_; ++i)
        for (std::size_t j = 0; j < n_; ++j) {
          double turn = 0;
          for (std::size_t k = 0; k < n_; ++k)
            turn += (which == 0 ? at.christoffel(i, j, k) : at.connection(i, j, k)) * u[k];
          if (turn == 0) continue;
          for (std::size_t c = 0; c < n_; ++c) slope[i * n_ + c] -= turn * p[j * n_ + c];
        }
    }
    double square = 0;
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) square += f[i] * at.values().mass[i * n_ + j] * f[j];
    rate[method_.size() - 1] = std::sqrt(std::max(square, 0.0));
  }

  /// Where the acceleration passes through zero its length has a kink, of which the method's own estimate says too
  /// little.
  static bool is_reversed(const std::vector<double>& before, const std::vector<double>& after) {
    double sum = 0;
    for (std::size_t i = 0; i < before.size(); ++i) sum += before[i] * after[i];
    return sum < 0;
  }

  /// Forces that cancel leave their rounding, which is all that moves a system at rest (numerics 1).
  void note_rounding(double h) {
    constexpr double roundings = 16;
    const double trembling = roundings * tolerance::epsilon * largest_force_;
    std::fill_n(noise_.begin(), n_, h * h * trembling);
    std::fill_n(noise_.begin() + static_cast<std::ptrdiff_t>(n_), n_, h * trembling);
    noise_.back() = h * roundings * tolerance::epsilon * length_of_force_;
  }

  /// Tolerance times the largest of each kind: coordinates, velocities, either transport, and the arc with what the
  /// step adds to it.
  std::vector<double> scale() {
    std::vector<double> result(method_.size());
    std::span<double> a = method_.start(), b = method_.end();
    auto block = [&](std::size_t from, std::size_t count) {
      double size = 1e-300;
      for (std::size_t i = from; i < from + count; ++i) size = std::max({size, std::abs(a[i]), std::abs(b[i])});
      std::fill_n(result.begin() + static_cast<std::ptrdiff_t>(from), count, tolerance_ * size);
    };
    block(0, n_);
    block(n_, n_);
    block(2 * n_, n_ * n_);
    block(2 * n_ + n_ * n_, n_ * n_);
    block(method_.size() - 1, 1);
    return result;
  }

  const KineticGeometry& geometry_;
  std::size_t n_;
  double tolerance_;
  const std::atomic<bool>* stop_;
  Dop853 method_;
  BoundKernel kernel_;
  std::vector<double> inputs_, noise_, values_, f_;  // f_: at the state looked at last
  double largest_[2] = {1e-300, 1e-300};             // of coordinates and velocities
  double largest_force_ = 0, length_of_force_ = 0;   // as accelerations, at the state looked at last
};

/// P w = v; not a number where P is singular.
std::vector<double> solve(const SquareMatrix& p, std::vector<double> v) {
  std::vector<double> matrix;
  for (const std::vector<double>& row : p) matrix.insert(matrix.end(), row.begin(), row.end());
  if (!solve_square(matrix, v.size(), v)) v.assign(v.size(), std::numeric_limits<double>::quiet_NaN());
  return v;
}

std::vector<double> times(const SquareMatrix& p, const std::vector<double>& v) {
  std::vector<double> result(v.size(), 0.0);
  for (std::size_t i = 0; i < v.size(); ++i)
    for (std::size_t j = 0; j < v.size(); ++j) result[i] += p[i][j] * v[j];
  return result;
}

double length(const SquareMatrix& metric, const std::vector<double>& v) {
  double square = 0;
  std::vector<double> lowered = times(metric, v);
  for (std::size_t i = 0; i < v.size(); ++i) square += v[i] * lowered[i];
  return std::sqrt(std::max(square, 0.0));
}

/// Chords of the curve from its beginning and from its middle, as long as they are at the base point against as long as
/// they are when the curve is carried to another point of the path.
double disagreement(const std::vector<std::vector<double>>& curve, const std::vector<SquareMatrix>& transport,
                    const std::vector<SquareMatrix>& metrics) {
  double largest = 0;
  for (std::size_t base : {curve.size() / 2, curve.size() - 1})
    for (std::size_t anchor : {std::size_t{0}, curve.size() / 2})
      for (const std::vector<double>& point : curve) {
        std::vector<double> chord = point;
        for (std::size_t i = 0; i < chord.size(); ++i) chord[i] -= curve[anchor][i];
        largest = std::max(
            largest, std::abs(length(metrics[base], times(transport[base], chord)) - length(metrics.front(), chord)));
      }
  return largest;
}

SquareMatrix metric_of(const KineticAt<double>& at) {
  const std::size_t n = at.size();
  SquareMatrix result(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) result[i].push_back(at.values().mass[i * n + j]);
  return result;
}

/// Lengths and angles at a row, by the projector.
void add_angles(Hodograph& hodograph, const KineticAt<double>& at) {
  auto motion = at.project();
  Angles angles = evaluate_angles(at, at.intrinsic(motion.acceleration), at.raised_force(), motion.theta);
  const double size = angles.f * angles.f + angles.X * angles.X;
  if (size > 0)
    hodograph.relation = std::max(hodograph.relation, std::abs(angles.relation_f - angles.relation_X) / size);
  hodograph.f.push_back(angles.f);
  hodograph.X.push_back(angles.X);
  hodograph.cos_phi.push_back(std::move(angles.cos_phi));
  hodograph.cos_psi.push_back(std::move(angles.cos_psi));
}

[[noreturn]] void refuse(const Model& model, const std::string& problem, const std::string& remedy) {
  throw ModelError({model.file, {}, "", problem, remedy});
}

void check_assumptions(const Model& model, const KineticGeometry& geometry) {
  const std::string natural =
      "a hodograph belongs to a kinetic energy that is quadratic in the rates, with coefficients "
      "of the coordinates alone";
  if (!geometry.is_natural) refuse(model, "the kinetic energy is not quadratic in the rates: " + natural, "");
  if (!geometry.is_scleronomic)
    refuse(model, "the kinetic energy depends on time: " + natural,
           "describe the system in coordinates that do not move");
  if (!geometry.mended_by.empty())
    refuse(model,
           "the kinetic energy gives no metric: some change of the coordinates has no inertia (a quaternion's "
           "length, a massless coordinate)",
           "use angles, or coordinates that all carry mass");
  if (!geometry.equations.contacts.empty())
    refuse(model, "velocities jump where the one-sided constraint " + geometry.equations.contacts[0].name + " closes",
           "leave it out, or make it an equation");
}

/// The states of the rows, in the columns of the multipliers' equations: t, q, q'.
std::vector<State> path_of(const Trajectory& motion, std::size_t n) {
  std::vector<State> path;
  for (const Table::Row row : motion.rows) {
    if (!path.empty() && !(row[0] > path.back().t)) continue;
    State state{row[0], {}, {}};
    for (std::size_t i = 0; i < n; ++i) {
      state.q.push_back(row[1 + i]);
      state.u.push_back(row[1 + n + i]);
    }
    path.push_back(std::move(state));
  }
  return path;
}

}  // namespace

bool is_large_hodograph(const KineticGeometry& geometry) {
  // The connection's slopes take (coordinates x constraints)^2 operations, 17 times between two rows: half a
  // millisecond at 450, and with a thousand rows ten seconds.
  constexpr std::size_t most_slopes = 500;
  const std::size_t n = geometry.equations.velocities.size();
  return n > most_dense || n * geometry.equations.rows.size() > most_slopes;
}

Hodograph find_hodograph(const KineticGeometry& geometry, const SimulateOptions& options) {
  const Model& model = *geometry.equations.model;
  check_assumptions(model, geometry);
  if (is_large_hodograph(geometry)) return find_large_hodograph(geometry, options);
  Hodograph result;
  Trajectory motion = System(derive_multipliers(model)).simulate(options);
  result.status = motion.status;
  result.message = motion.message;
  result.notes = motion.notes;
  std::vector<State> path = path_of(motion, model.coordinates.size());
  for (const Coordinate& coordinate : model.coordinates) result.coordinates.push_back(coordinate.name);
  if (path.empty()) return result;
  Carrier carrier(geometry, options.tolerance.value_or(model.simulate.tolerance), options.stop);
  std::vector<SquareMatrix> metrics;
  for (std::size_t k = 0; k < path.size(); ++k) {
    if (k > 0 && !carrier.carry(path[k - 1], path[k].t)) {
      const bool stopped = carrier.is_stopped();
      result.status = stopped ? Status::interrupted : Status::step_underflow;
      result.message = stopped ? fmt::format("stopped at t = {:.6g} on request", path[k - 1].t)
                               : fmt::format("the transport cannot be carried beyond t = {:.6g}", path[k - 1].t);
      break;
    }
    if (k > 0) result.geodesic = std::max(result.geodesic, carrier.distance(path[k]));
    KineticAt<double> at = carrier.look(path[k]);
    if (!at.ok()) {
      result.status = Status::singular;
      result.message = fmt::format("the kinetic metric is singular at t = {:.6g}", path[k].t);
      break;
    }
    result.t.push_back(path[k].t);
    result.arc.push_back(carrier.arc());
    result.transport.push_back(carrier.transport(0));
    result.affine_transport.push_back(carrier.transport(1));
    result.curve.push_back(solve(result.transport.back(), path[k].u));
    result.affine_curve.push_back(solve(result.affine_transport.back(), path[k].u));
    metrics.push_back(metric_of(at));
    add_angles(result, at);
  }
  if (result.t.empty()) return result;
  result.invariant = disagreement(result.curve, result.transport, metrics);
  result.affine_invariant = disagreement(result.affine_curve, result.affine_transport, metrics);
  if (result.status == Status::interrupted) return result;
  for (std::size_t k : {std::size_t{0}, path.size() / 2, path.size() - 1}) {
    result.exceptional = decide_exceptional(geometry, path[k], k == 0 ? 5e8 : 2e7);  // later only by its value
    if (result.exceptional.kind != ExceptionalCase::Kind::undecided) break;
  }
  return result;
}

}  // namespace dalembert

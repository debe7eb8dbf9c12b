#include "simulate/start.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "simulate/contact.hpp"

namespace dalembert {
namespace {

constexpr double off = 1e-9;
constexpr double noise = 1e-6;
constexpr double rounding = 1e-14;

/// Residuals and what size they would have if the terms did not cancel.
struct Violation {
  std::vector<double> position, velocity, position_size, velocity_size;
};

double block_largest(const std::vector<Index>& blocks, std::size_t first, std::size_t count, Index block,
                     const double* y) {
  double largest = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    if (blocks[i] == block) largest = std::max(largest, std::abs(y[i]));
  }
  return largest;
}

Violation measure(Numeric& numeric, double t, const double* y) {
  const std::size_t rows = numeric.row_count(), q = numeric.q_count(), u = numeric.u_count();
  Violation v{std::vector<double>(rows), std::vector<double>(rows), std::vector<double>(rows),
              std::vector<double>(rows)};
  numeric.evaluate(t, y);
  std::vector<double> rate_size(u), position_size(u, 1.0);
  for (std::size_t i = 0; i < u; ++i) {
    rate_size[i] = block_largest(numeric.blocks(), q, u, numeric.blocks()[q + i], y);
    if (q != u) continue;
    const double natural = numeric.blocks()[i] == 0 ? 0 : 1;  // of angles and quaternions
    position_size[i] = std::max(block_largest(numeric.blocks(), 0, q, numeric.blocks()[i], y), natural);
  }
  std::size_t k = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    v.velocity_size[r] = std::abs(numeric.offset()[r]);
    for (const Entry& entry : numeric.equations().rows[r].jacobian) {
      const double a = std::abs(numeric.jacobian()[k++]);
      v.position_size[r] += a * position_size[entry.column];
      v.velocity_size[r] += a * rate_size[entry.column];
    }
    if (v.position_size[r] == 0) v.position_size[r] = 1;
    if (v.velocity_size[r] == 0) v.velocity_size[r] = 1;
  }
  numeric.residuals(t, y, v.position.data(), v.velocity.data());
  return v;
}

bool is_off(double residual, double size) { return !(std::abs(residual) <= off * size); }

std::string list_violations(const Numeric& numeric, const Violation& v) {
  std::string text;
  for (std::size_t r = 0; r < v.position.size(); ++r) {
    const std::string& name = numeric.equations().rows[r].name;
    if (is_off(v.position[r], v.position_size[r])) {
      text += fmt::format("{}{}: {:.3g}", text.empty() ? "" : ", ", name, v.position[r]);
    }
    if (is_off(v.velocity[r], v.velocity_size[r])) {
      text += fmt::format("{}{} (rates): {:.3g}", text.empty() ? "" : ", ", name, v.velocity[r]);
    }
  }
  return text;
}

Place first_place(const Numeric& numeric, const Violation& v) {
  for (std::size_t r = 0; r < v.position.size(); ++r) {
    if (is_off(v.position[r], v.position_size[r]) || is_off(v.velocity[r], v.velocity_size[r])) {
      return numeric.equations().rows[r].place;
    }
  }
  return {};
}

[[noreturn]] void refuse(const Numeric& numeric, Place place, const std::string& key, const std::string& problem,
                         const std::string& remedy) {
  throw ModelError({numeric.model().file, place, key, problem, remedy});
}

/// One Gauss-Newton step in the kinetic metric for the geometric rows: lengths of the rows, scaled residuals, change of
/// u.
class Assembly {
 public:
  Assembly(Numeric& numeric, double t)
      : numeric_(numeric), t_(t), f_(numeric.all_row_count()), psi_(numeric.all_row_count()) {
    for (Index r : numeric.active_rows()) {
      if (numeric.row(r).position) rows_.push_back(r);
    }
  }

  /// False if it cannot go on: M not factored or something not finite.
  bool linearise(const double* y) {
    if (!numeric_.factor(t_, y)) return false;
    x_.resize(static_cast<Eigen::Index>(numeric_.u_count()), static_cast<Eigen::Index>(rows_.size()));
    numeric_.metric().dense_columns(numeric_.jacobian().data(), rows_, x_.data());
    lengths_ = x_.colwise().norm();
    for (Eigen::Index r = 0; r < x_.cols(); ++r) {
      if (lengths_[r] > 0) x_.col(r) /= lengths_[r];
    }
    residual_ = scaled(y);
    return residual_.allFinite();
  }
  double merit() const { return residual_.squaredNorm(); }
  double merit(const double* y) { return scaled(y).squaredNorm(); }
  /// No direction reduces the residuals: they contradict each other, here at least.
  bool is_stationary() const { return (x_ * residual_).norm() < 1e-11 * residual_.norm(); }

  void step(double damping, const double* y, double* change) {
    constexpr double truncation = 1e-9;
    Eigen::VectorXd z;
    if (damping == 0) {
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> decomposition;
      decomposition.setThreshold(truncation);
      z = -decomposition.compute(x_.transpose()).solve(residual_);
    } else {
      Eigen::MatrixXd normal = x_.transpose() * x_;
      normal.diagonal().array() += damping;
      z = -x_ * normal.ldlt().solve(residual_);
    }
    std::vector<double> du(numeric_.u_count());
    numeric_.metric().from_kinetic(z.data(), du.data());
    numeric_.displacement(y, du.data(), change);
  }

 private:
  Eigen::VectorXd scaled(const double* y) {
    const std::size_t rows = numeric_.row_count();
    numeric_.residuals(t_, y, f_.data(), psi_.data());
    if (!numeric_.closed().empty()) numeric_.gaps(t_, y, f_.data() + rows, psi_.data() + rows);
    Eigen::VectorXd g(lengths_.size());
    for (Eigen::Index r = 0; r < g.size(); ++r) {
      const double f = f_[rows_[static_cast<std::size_t>(r)]];
      g[r] = lengths_[r] > 0 ? f / lengths_[r] : f;
    }
    return g;
  }

  Numeric& numeric_;
  double t_;
  std::vector<Index> rows_;
  std::vector<double> f_, psi_;
  Eigen::MatrixXd x_;
  Eigen::VectorXd lengths_, residual_;
};

/// Gauss-Newton with Armijo's rule and capped rotations; Levenberg-Marquardt damping when it stalls. False if the
/// geometric constraints cannot be met from here.
bool assemble(Numeric& numeric, double t, std::vector<double>& y) {
  constexpr int most_iterations = 200;
  constexpr double cap = 0.7, armijo = 1e-4;
  const std::size_t q = numeric.q_count();
  Assembly assembly(numeric, t);
  std::vector<double> trial = y, change(q);
  double damping = 0;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    if (!assembly.linearise(y.data())) return false;
    const double before = assembly.merit();
    if (before == 0) return true;
    assembly.step(damping, y.data(), change.data());
    double scale = 1, size = 0, largest = 0;
    for (std::size_t i = 0; i < q; ++i) {
      if (numeric.blocks()[i] == 1) scale = std::min(scale, cap / std::max(cap, std::abs(change[i])));
      size = std::max(size, std::abs(change[i]));
      largest = std::max(largest, std::abs(y[i]));
    }
    double after = before;
    for (int halving = 0; halving < 30; ++halving, scale /= 2) {
      for (std::size_t i = 0; i < q; ++i) trial[i] = y[i] + scale * change[i];
      after = assembly.merit(trial.data());
      if (std::isfinite(after) && after <= (1 - armijo * scale) * before) break;
    }
    if (!(after < before)) {
      if (size <= 1e-13 * largest) return true;
      if (assembly.is_stationary() || damping > 1e6) return false;
      damping = damping == 0 ? 1e-3 : damping * 10;
      continue;
    }
    damping = damping > 1e-8 ? damping / 5 : 0;
    std::copy_n(trial.begin(), q, y.begin());
    if (scale == 1 && size <= 1e-15 * largest) return true;
  }
  return false;
}

/// One-sided constraints that are violated are put to the edge of what they allow. Their names.
std::string raise_penetrating(Numeric& numeric, double t, std::vector<double>& y) {
  if (numeric.contact_count() == 0) return {};
  Contacts contacts(numeric);
  std::vector<double> sizes(numeric.q_count() + numeric.u_count());
  make_sizes(numeric, y.data(), 1.0, 1e-10).evaluate(sizes);
  contacts.scale(t, y.data(), sizes);
  contacts.measure(t, y.data());
  std::vector<Index> below;
  std::string names;
  for (Index c = 0; c < contacts.count(); ++c) {
    if (!(contacts.gaps()[c] < -off * contacts.gap_scale(c))) continue;
    below.push_back(c);
    names += (names.empty() ? "" : ", ") + contacts.name(c);
  }
  if (below.empty()) return {};
  numeric.close(below);
  const bool done = assemble(numeric, t, y);
  numeric.close({});
  if (!done) {
    refuse(numeric, numeric.row(numeric.row_count() + below[0]).place, "constraints",
           "the initial state cannot be brought to where these hold: " + names, "start nearer");
  }
  return names;
}

/// Rates that no motion can have: dependent rows that ask for different velocities.
void check_rates(Numeric& numeric, double t, const double* y, const RankDecision& rank) {
  if (rank.dropped.empty()) return;
  const Violation v = measure(numeric, t, y);
  for (Index r : rank.dropped) {
    const bool position = is_off(v.position[r], v.position_size[r]);
    if (!position && !is_off(v.velocity[r], v.velocity_size[r])) continue;
    const RankReport report = report_rank(numeric, t, y);
    std::string others;
    for (const auto& redundant : report.redundant) {
      if (redundant.name != numeric.equations().rows[r].name) continue;
      for (const std::string& name : redundant.depends_on) others += (others.empty() ? "" : ", ") + name;
    }
    const ConstraintRow& row = numeric.equations().rows[r];
    refuse(numeric, row.place, "constraints." + row.name,
           fmt::format("contradicts {}: it is off by {:.3g} where they hold", others.empty() ? "the others" : others,
                       position ? v.position[r] : v.velocity[r]),
           "leave one of them out or make them agree");
  }
}

/// Dependent rows must ask for the same accelerations too.
void check_accelerations(Numeric& numeric, double t, const double* y, const RankDecision& rank) {
  if (rank.dropped.empty()) return;
  const RankReport report = report_rank(numeric, t, y);
  for (const auto& redundant : report.redundant) {
    if (redundant.consistent) continue;
    std::string others;
    for (const std::string& name : redundant.depends_on) others += (others.empty() ? "" : ", ") + name;
    const auto& rows = numeric.equations().rows;
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.name == redundant.name; });
    refuse(numeric, row->place, "constraints." + redundant.name,
           "asks for another acceleration than " + (others.empty() ? "the other constraints" : others) +
               " at the initial state, where it depends on them",
           "if they are meant to say the same, make them agree; if the configuration is singular, start elsewhere");
  }
}

std::string describe_moves(const Numeric& numeric, const ConsistentStart& start) {
  std::string text;
  for (std::size_t i = 0; i < start.moved_q.size() + start.moved_u.size(); ++i) {
    const bool rate = i >= start.moved_q.size();
    const double moved = rate ? start.moved_u[i - start.moved_q.size()] : start.moved_q[i];
    if (std::abs(moved) <= 1e-9) continue;
    text += fmt::format("{}{} by {:.3g}", text.empty() ? "the start was moved onto the constraints: " : ", ",
                        component_name(numeric, i), moved);
    if (!rate && numeric.blocks()[i] == 1 && std::abs(moved) > 0.5) text += " (perhaps another branch)";
  }
  return text;
}

}  // namespace

void check_inertia(Numeric& numeric) {
  if (numeric.metric().regularise(numeric.mass().data(), numeric.jacobian().data())) return;
  const auto n = static_cast<Eigen::Index>(numeric.u_count());
  std::string names = numeric.equations().velocities[numeric.metric().failed()].name();
  if (n <= 500) {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n, n);
    Eigen::MatrixXd at = Eigen::MatrixXd::Zero(n, static_cast<Eigen::Index>(numeric.row_count()));
    std::size_t k = 0;
    for (Eigen::Index i = 0; i < n; ++i) {
      for (const Entry& entry : numeric.equations().mass[static_cast<std::size_t>(i)]) {
        m(i, entry.column) = m(entry.column, i) = numeric.mass()[k++];
      }
    }
    k = 0;
    for (Eigen::Index r = 0; r < at.cols(); ++r) {
      for (const Entry& entry : numeric.equations().rows[static_cast<std::size_t>(r)].jacobian) {
        at(entry.column, r) = numeric.jacobian()[k++];
      }
    }
    Eigen::MatrixXd free = Eigen::MatrixXd::Identity(n, n);
    if (at.cols() > 0) {
      Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(at);
      free = Eigen::MatrixXd(qr.householderQ()).rightCols(n - qr.rank());
    }
    Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(free.transpose() * m * free);
    if (solver.eigenvalues().size() > 0) {
      const Eigen::VectorXd direction = free * solver.eigenvectors().col(0);
      names.clear();
      for (Eigen::Index i = 0; i < n; ++i) {
        if (std::abs(direction[i]) < 0.1 * direction.cwiseAbs().maxCoeff()) continue;
        names += (names.empty() ? "" : ", ") + numeric.equations().coordinates[static_cast<std::size_t>(i)].name();
      }
    }
  }
  refuse(
      numeric, {}, "coordinates",
      "the mass matrix is not positive definite on the virtual displacements at the initial state: no inertia along " +
          names,
      "give a mass or an inertia that moves with it, or a constraint that holds it");
}

std::string component_name(const Numeric& numeric, std::size_t i) {
  const Equations& equations = numeric.equations();
  return i < equations.coordinates.size() ? equations.coordinates[i].name()
                                          : equations.velocities[i - equations.coordinates.size()].name();
}

Sizes make_sizes(const Numeric& numeric, const double* y, double duration, double tolerance) {
  Sizes sizes(numeric.blocks());
  sizes.include(y);
  set_floors(numeric, sizes, duration, tolerance);
  return sizes;
}

namespace {

/// The diagonal of the mass matrix at the last evaluation.
std::vector<double> inertias(const Numeric& numeric) {
  std::vector<double> diagonal(numeric.u_count(), 0.0);
  std::size_t k = 0;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    for (const Entry& entry : numeric.equations().mass[i]) {
      if (entry.column == i) diagonal[i] = numeric.mass()[k];
      ++k;
    }
  }
  return diagonal;
}

/// A block that stays at zero (a pivot held at the origin) gets the size that costs as much kinetic energy as the
/// others': M_ii size_i^2 = M_jj size_j^2.
void fill_idle_blocks(const Numeric& numeric, std::vector<double>& reach) {
  const std::vector<double> inertia = inertias(numeric), known = reach;
  for (std::size_t i = 0; i < inertia.size(); ++i) {
    const Index place = numeric.blocks()[i];
    if (known[place] > 0 || !(inertia[i] > 0)) continue;
    for (std::size_t j = 0; j < inertia.size(); ++j) {
      const double size = known[numeric.blocks()[j]] * std::sqrt(std::max(inertia[j], 0.0) / inertia[i]);
      reach[place] = std::max(reach[place], size);
    }
  }
}

/// The largest acceleration in a block that the active forces would give each coordinate alone: the size of a motion
/// that starts from rest at zero.
double free_acceleration(const Numeric& numeric, Index block) {
  const std::vector<double> inertia = inertias(numeric);
  double largest = 0;
  for (std::size_t i = 0; i < inertia.size(); ++i)
    if (numeric.blocks()[i] == block && inertia[i] > 0)
      largest = std::max(largest, std::abs(numeric.bias()[i]) / inertia[i]);
  return largest;
}

}  // namespace

// What a block does not reach in the whole motion from a noise-like rate, and the other way round, is no size; angles
// and quaternions have the size 1 by nature. However small the tolerance, errors below rounding are not asked for.
void set_floors(const Numeric& numeric, Sizes& sizes, double duration, double tolerance) {
  if (!(duration > 0)) return;
  const double part = std::clamp(rounding / tolerance, noise, 1.0);
  if (numeric.is_quasi()) return set_quasi_floors(numeric, sizes, duration, part);
  const std::size_t q = numeric.q_count();
  std::vector<double> reach(sizes.block_count(), 0.0);
  std::vector<Index> rate_of(sizes.block_count(), 0);
  double frequency = 1 / duration;
  // What is carried along beside the coordinates has no velocity: it is sized by itself.
  for (std::size_t i = 0; i < numeric.u_count(); ++i) {
    const Index place = numeric.blocks()[i], rate = numeric.blocks()[q + i];
    if (reach[place] > 0) continue;
    rate_of[place] = rate;
    reach[place] = std::max(sizes.block_size(place), place == 0 ? 0.0 : 1.0);
    if (reach[place] > 0) frequency = std::max(frequency, sizes.block_size(rate) / reach[place]);
  }
  for (Index place = 0; place < reach.size(); ++place)
    if (rate_of[place] != 0 && reach[place] == 0) reach[place] = sizes.block_size(rate_of[place]) / frequency;
  fill_idle_blocks(numeric, reach);
  for (Index place = 0; place < reach.size(); ++place) {
    if (rate_of[place] == 0) continue;
    if (reach[place] == 0) reach[place] = free_acceleration(numeric, place) / (frequency * frequency);
    sizes.set_floor(place, part * reach[place]);
    sizes.set_floor(rate_of[place], part * reach[place] * frequency);
  }
}

ConsistentStart make_start(Numeric& numeric, const State& state, bool project, RankDecision& rank) {
  if (numeric.is_quasi()) return make_quasi_start(numeric, state, project, rank);
  const std::size_t q = numeric.q_count(), u = numeric.u_count();
  if (state.q.size() != q || state.u.size() != u) {
    throw InputError({"",
                      {},
                      "",
                      fmt::format("the start has {} coordinates and {} velocities", state.q.size(), state.u.size()),
                      fmt::format("{} and {} are needed", q, u)});
  }
  std::vector<double> y(numeric.size(), 0.0);
  std::copy(state.q.begin(), state.q.end(), y.begin());
  std::copy(state.u.begin(), state.u.end(), y.begin() + static_cast<std::ptrdiff_t>(q));
  ConsistentStart start;
  if (numeric.evaluate(state.t, y.data())) check_inertia(numeric);
  Violation v = measure(numeric, state.t, y.data());
  for (std::size_t r = 0; r < v.position.size(); ++r) {
    start.largest_position = std::max(start.largest_position, std::abs(v.position[r]));
    start.largest_velocity = std::max(start.largest_velocity, std::abs(v.velocity[r]));
  }
  std::string violations = list_violations(numeric, v);
  if (!violations.empty() && !project) {
    refuse(numeric, first_place(numeric, v), "constraints",
           "the initial state does not satisfy the constraints; residuals: " + violations,
           "correct the initial values, or let --project-initial move them");
  }
  if (!violations.empty() && !assemble(numeric, state.t, y)) {
    v = measure(numeric, state.t, y.data());
    refuse(numeric, first_place(numeric, v), "constraints",
           "the system cannot be assembled from the initial state; gaps left: " + list_violations(numeric, v),
           "start nearer, or see whether these constraints contradict each other");
  }
  if (project) violations += raise_penetrating(numeric, state.t, y);
  rank = decide_rank(numeric, state.t, y.data());
  if (numeric.row_count() > 0 && numeric.metric().smallest_pivot() > 0) {
    std::vector<double> sizes(q + u);
    make_sizes(numeric, y.data(), 1.0, 1e-10).evaluate(sizes);
    for (double& size : sizes) size = std::max(size, 1e-300);
    numeric.project(state.t, y.data(), sizes);
  }
  check_rates(numeric, state.t, y.data(), rank);
  if (numeric.factor(state.t, y.data())) check_accelerations(numeric, state.t, y.data(), rank);
  start.state = {state.t,
                 {y.begin(), y.begin() + static_cast<std::ptrdiff_t>(q)},
                 {y.begin() + static_cast<std::ptrdiff_t>(q), y.begin() + static_cast<std::ptrdiff_t>(q + u)}};
  for (std::size_t i = 0; i < q; ++i) start.moved_q.push_back(start.state.q[i] - state.q[i]);
  for (std::size_t i = 0; i < u; ++i) start.moved_u.push_back(start.state.u[i] - state.u[i]);
  start.projected = !violations.empty();
  if (start.projected) start.report = describe_moves(numeric, start);
  return start;
}

}  // namespace dalembert

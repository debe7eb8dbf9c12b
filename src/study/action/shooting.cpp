#include "study/action/shooting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "study/action/carry.hpp"

namespace dalembert {
namespace {

double dot(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double largest(const Numbers& values) {
  double result = 0;
  for (double value : values) {
    if (!std::isfinite(value)) return value;
    result = std::max(result, std::fabs(value));
  }
  return result;
}

/// Gaussian elimination with partial pivoting; not finite where singular.
Numbers solve_dense(std::vector<Numbers> m, Numbers b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::fabs(m[i][k]) > std::fabs(m[pivot][k])) pivot = i;
    std::swap(m[k], m[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = m[i][k] / m[k][k];
      for (std::size_t j = k; j < n; ++j) m[i][j] -= factor * m[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= m[k][j] * b[j];
    b[k] /= m[k][k];
  }
  return b;
}

std::vector<Binding> place_bindings(const Model& model, double t, const Numbers& q) {
  std::vector<Binding> bindings{{model.time, t}};
  Numbers parameters = parameter_values(model);
  for (std::size_t i = 0; i < parameters.size(); ++i) bindings.push_back({model.parameters[i].symbol, parameters[i]});
  for (std::size_t i = 0; i < q.size(); ++i) bindings.push_back({model.coordinates[i].q, q[i]});
  return bindings;
}

}  // namespace

Chart::Chart(const Model& model, const QuasiFrame& frame, double t, Numbers base)
    : model_(model), t_(t), base_(std::move(base)) {
  const std::vector<Binding> at = place_bindings(model, t, base_);
  for (std::size_t r = 0; r < frame.size(); ++r) {
    Numbers pi = evaluate(frame.pi[r], at), xi = evaluate(frame.xi[r], at);
    if (const auto& row = frame.velocities[r].row) {
      if (model.constraints[*row].kind != ConstraintKind::geometric) continue;
      normal_.push_back(std::move(xi));
      held_.emplace_back(*row, evaluate(frame.velocities[r].scale, at));
      continue;
    }
    offset_.push_back(pi.back());
    pi.pop_back();
    pi_.push_back(std::move(pi));
    xi_.push_back(std::move(xi));
  }
  drift_ = evaluate(frame.xi.back(), at);
}

Numbers Chart::coordinates(const Numbers& q) const {
  Numbers change(base_.size()), c;
  for (std::size_t i = 0; i < change.size(); ++i) change[i] = q[i] - base_[i];
  for (const Numbers& row : pi_) c.push_back(dot(row, change));
  return c;
}

Numbers Chart::configuration(const Numbers& c) const {
  Numbers q = base_;
  for (std::size_t r = 0; r < c.size(); ++r)
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += c[r] * xi_[r][i];
  // Newton along the constraints' own directions, which leave c as it is.
  for (int iteration = 0; iteration < 50 && !held_.empty(); ++iteration) {
    const std::vector<Binding> at = place_bindings(model_, t_, q);
    double moved = 0;
    for (std::size_t k = 0; k < held_.size(); ++k) {
      const double f = held_[k].second * evaluate(model_.constraints[held_[k].first].f, at);
      for (std::size_t i = 0; i < q.size(); ++i) q[i] -= f * normal_[k][i];
      moved = std::max(moved, std::fabs(f) * largest(normal_[k]));
    }
    if (moved <= 1e-16 * (1 + largest(q))) return q;
    if (!std::isfinite(moved)) break;
    if (iteration > 30 && moved < 1e-13 * (1 + largest(q))) return q;
  }
  if (held_.empty()) return q;
  throw ComputationError("no configuration near an end satisfies the geometric constraints");
}

Numbers Chart::velocities(const Numbers& rates) const {
  Numbers result;
  for (std::size_t r = 0; r < pi_.size(); ++r) result.push_back(dot(pi_[r], rates) + offset_[r]);
  return result;
}

Numbers Chart::rates(const Numbers& velocities) const {
  Numbers result = drift_;
  for (std::size_t r = 0; r < xi_.size(); ++r)
    for (std::size_t i = 0; i < result.size(); ++i) result[i] += velocities[r] * xi_[r][i];
  return result;
}

Numbers Chart::momenta(const Numbers& p) const {
  Numbers result;
  for (const Numbers& xi : xi_) result.push_back(dot(xi, p));
  return result;
}

Shooting::Shooting(const Model& model, double tolerance, const std::atomic<bool>* stop)
    : model_(model), tolerance_(tolerance), stop_(stop) {
  model_.events.clear();
  model_.outputs.clear();
  Equations plain = derive_multipliers(model_);
  momentum_ = gradient(plain.lagrangian, plain.velocities);
  equations_ = carry(plain, {{"action", plain.lagrangian, 0.0}});
  frame_ = make_frame(model_);
}

std::vector<Binding> Shooting::bindings(double t, const Numbers& q, const Numbers& rates) const {
  std::vector<Binding> all = place_bindings(model_, t, q);
  for (std::size_t i = 0; i < rates.size(); ++i) all.push_back({model_.coordinates[i].rate, rates[i]});
  return all;
}

Numbers Shooting::momenta(double t, const Numbers& q, const Numbers& rates) const {
  return evaluate(momentum_, bindings(t, q, rates));
}

double Shooting::jacobi(double t, const Numbers& q, const Numbers& rates) const {
  return evaluate(equations_.jacobi, bindings(t, q, rates));
}

Shot Shooting::fire(const Numbers& q, const Numbers& rates, double until) {
  ++motions_;
  SimulateOptions options;
  options.until = options.every = until;
  options.tolerance = tolerance_;
  options.stop = stop_;
  State start{0, q, rates};
  start.q.push_back(0);  // the action
  options.start = start;
  options.project_initial = true;  // rounding of a large velocity
  Trajectory motion = simulate(model_, equations_, options);
  if (motion.status != Status::finished)
    throw ComputationError(
        fmt::format("the motion ends at t = {:.6g}, before t = {:.6g}: {}", motion.last.t, until, motion.message));
  Shot shot{motion.last.q, motion.last.u, motion.last.q.back()};
  shot.q.pop_back();
  return shot;
}

std::vector<Numbers> Shooting::jacobian(const Chart& from, const Numbers& start, const Chart& to,
                                        const Numbers& velocities, double until, double scale) {
  std::vector<Numbers> rows(velocities.size(), Numbers(velocities.size()));
  for (std::size_t k = 0; k < velocities.size(); ++k) {
    const double step = 1e-5 * scale / until;  // differences good to about ten digits
    Numbers plus = velocities, minus = velocities;
    plus[k] += step;
    minus[k] -= step;
    Numbers a = to.coordinates(fire(start, from.rates(plus), until).q);
    Numbers b = to.coordinates(fire(start, from.rates(minus), until).q);
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r][k] = (a[r] - b[r]) / (2 * step);
  }
  return rows;
}

Shooting::Hit Shooting::solve(const Chart& from, const Numbers& start, const Chart& to, const Numbers& c,
                              Numbers velocities, double until) {
  auto missed = [&](const Shot& shot) {
    Numbers r = to.coordinates(shot.q);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= c[i];
    return r;
  };
  Shot shot = fire(start, from.rates(velocities), until);
  Numbers r = missed(shot);
  const double scale = std::max({largest(to.coordinates(start)), largest(velocities) * until, largest(r), 1e-9});
  bool fresh = false;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double error = largest(r);
    if (error <= 4 * tolerance_ * scale) break;
    if (jacobian_.empty()) jacobian_ = jacobian(from, start, to, velocities, until, scale), fresh = true;
    Numbers step = solve_dense(jacobian_, r);
    if (!std::isfinite(largest(step)))
      throw ComputationError("the end configurations are conjugate: the motion between them is not determined by them");
    bool better = false;
    for (double part = 1; part > 1e-3 && !better; part /= 2) {
      Numbers trial = velocities;
      for (std::size_t i = 0; i < trial.size(); ++i) trial[i] -= part * step[i];
      Shot next = fire(start, from.rates(trial), until);
      Numbers left = missed(next);
      if (!(largest(left) < error)) continue;
      if (largest(left) > 0.1 * error) jacobian_.clear();  // slow: linearise anew
      better = true;
      velocities = trial;
      shot = next;
      r = left;
    }
    if (better) {
      fresh = false;
      continue;
    }
    if (error <= 1e3 * tolerance_ * scale) break;  // as good as the motions are
    if (fresh)
      throw ComputationError(
          fmt::format("no motion was found that arrives: the best misses by {:.2g}; "
                      "start from other rates, or come nearer step by step",
                      error));
    jacobian_.clear();
  }
  Hit hit{velocities, shot, shot.action, largest(r) / scale};
  Numbers j = Chart(model_, frame_, until, shot.q).momenta(momenta(until, shot.q, shot.rates));
  hit.action -= dot(j, r);
  return hit;
}

}  // namespace dalembert

#include "study/action/shooting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/elimination.hpp"
#include "base/matrix_view.hpp"
#include "base/tolerances.hpp"
#include "study/action/carry.hpp"
#include "study/metric_reactions.hpp"

namespace dalembert {
namespace {

double largest(const Numbers& values) {
  double result = 0;
  for (double value : values) {
    if (!std::isfinite(value)) return value;
    result = std::max(result, std::fabs(value));
  }
  return result;
}

std::vector<Binding> place_bindings(const Model& model, double t, const Numbers& q) {
  return bind_symbols(model, {t, q, {}}, parameter_values(model));
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
    if (moved <= tolerance::unchanged * (1 + largest(q))) return q;
    if (!std::isfinite(moved)) break;
    if (iteration > 30 && moved < tolerance::assembled * (1 + largest(q))) return q;
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

namespace {

std::shared_ptr<const Model> make_bare(const Model& model) {
  auto own = std::make_shared<Model>(fork(model));
  own->events.clear();
  own->outputs.clear();
  return own;
}

}  // namespace

Shooting::Shooting(const Model& model, double tolerance, const std::atomic<bool>* stop)
    : own_(make_bare(model)), model_(*own_), parameters_(parameter_values(model_)), tolerance_(tolerance), stop_(stop) {
  Equations plain = derive_multipliers(own_);
  momentum_ = gradient(plain.lagrangian, plain.velocities);
  equations_ = carry(plain, {{"action", plain.lagrangian, 0.0}});
  workspace_ = system_.emplace(equations_).make_workspace();
  if (model_.coordinates.size() <= most_dense) frame_ = make_frame(model_);
}

std::vector<Binding> Shooting::bindings(double t, const Numbers& q, const Numbers& rates) const {
  return bind_symbols(model_, {t, q, rates}, parameters_);
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
  options.until = until;
  options.every = until;
  options.tolerance = tolerance_;
  options.stop = stop_;
  State start{0, q, rates};
  start.q.push_back(0);  // the action
  options.start = start;
  options.project_initial = true;  // rounding of a large velocity
  Trajectory motion = system_->simulate(*workspace_, options);
  if (motion.status != Status::finished)
    throw ComputationError(fmt::format("the motion does not reach t = {:.6g}: {}", until, motion.message));
  Shot shot{motion.last.q, motion.last.u, motion.last.q.back()};
  shot.q.pop_back();
  return shot;
}

Numbers Shooting::jacobian(const Chart& from, const Numbers& start, const Chart& to, const Numbers& velocities,
                           double until, double scale) {
  const std::size_t size = velocities.size();
  Numbers rows(size * size);
  for (std::size_t k = 0; k < velocities.size(); ++k) {
    const double step = 1e-5 * scale / until;  // differences good to about ten digits
    Numbers plus = velocities, minus = velocities;
    plus[k] += step;
    minus[k] -= step;
    Numbers a = to.coordinates(fire(start, from.rates(plus), until).q);
    Numbers b = to.coordinates(fire(start, from.rates(minus), until).q);
    for (std::size_t r = 0; r < size; ++r) rows[r * size + k] = (a[r] - b[r]) / (2 * step);
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
    Numbers step = r, matrix = jacobian_;
    if (!solve_square(matrix, step.size(), step))
      throw NoMotionError("the end configurations are conjugate: the motion between them is not determined by them");
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
      throw NoMotionError(
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

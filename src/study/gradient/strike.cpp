// What a change of contacts makes of departures (theory 9.2). The time of the change departs too: dt = -df / (df/dt).
// With X the departure at that moved time, u+ obeys M (u+ - u-) = A^T Lambda and A u+ + b = target, which are
// differentiated as they stand.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/tolerances.hpp"
#include "study/eigen_view.hpp"
#include "study/gradient/follow.hpp"

namespace dalembert {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

void GradientFollower::pass_change(Course& course, const PassedChange& change) {
  in_step_ = false;
  knots_.clear();
  change_t_ = change.t;
  change_slope_.resize(0);
  if (lost_) return;
  if (!tangent_.look(change.t, change.before.data(), change.selection->kept()))
    return lose(
        fmt::format("no gradients from t = {:.6g} on: the linearised equations cannot be solved there", change.t));
  if (!change.lifts) return strike(course, change);
  // A load that vanishes leaves the accelerations as they are, and so the departures.
  const Eigen::Index row = to_index(course.system().row_count() + change.contact);
  const auto s = in(method_->start());
  const Matrix places = tangent_.places(s.topRows(n_), tangent_.no_time());
  change_slope_ =
      -tangent_.solve(places, s.bottomRows(n_)).multipliers.row(row) / tangent_.solve_flow().multipliers(row, 0);
}

void GradientFollower::strike(Course& course, const PassedChange& change) {
  const std::size_t contact = course.system().row_count() + change.contact;
  const auto s = in(method_->start());
  const Eigen::Map<const VectorXd> before(change.before.data() + n_, n_), after(course.state().data() + n_, n_);
  const Eigen::Map<const VectorXd> slowing(tangent_.at().a.data(), n_);
  const Eigen::Index inputs = to_index(tangent_.terms().extra_count());

  // The moved time, and the departure there.
  const double approach = tangent_.values().velocity[contact];
  const Matrix still = tangent_.places(s.topRows(n_), tangent_.no_time());
  change_slope_ = -(view(tangent_.values().jacobian).row(to_index(contact)) * s.topRows(n_) +
                    view(tangent_.slopes().position_x).row(to_index(contact)) * still.topRows(inputs)) /
                  approach;
  const Matrix q = s.topRows(n_) + before * change_slope_, u = s.bottomRows(n_) + slowing * change_slope_;
  const Matrix places = tangent_.places(q, change_slope_);

  // The impact as it should have been, with the rows that acted and the contact.
  std::vector<std::uint32_t> rows(change.selection->kept());
  if (std::ranges::find(rows, contact) == rows.end()) rows.push_back(static_cast<std::uint32_t>(contact));
  const auto& closed = course.selection()->closed();
  const bool holds = std::ranges::find(closed, change.contact) != closed.end();
  const Restitution& given = plan_.contacts[change.contact];
  const double e = holds ? 0 : given.value;
  const Eigen::Index r = to_index(rows.size());
  const MatrixXd mass = view(tangent_.values().mass), jacobian = view(tangent_.values().jacobian)(rows, Eigen::all);
  MatrixXd whole = MatrixXd::Zero(n_ + r, n_ + r);
  whole << mass, -jacobian.transpose(), jacobian, MatrixXd::Zero(r, r);
  const Eigen::PartialPivLU<MatrixXd> factor(whole);
  VectorXd right = VectorXd::Zero(n_ + r);
  MotionPoint at = tangent_.at();
  at.u.assign(before.data(), before.data() + n_);
  for (Eigen::Index i = 0; i < r; ++i) {
    const std::size_t row = rows[static_cast<std::size_t>(i)];
    const double rate = tangent_.values().velocity[row];
    right[n_ + i] = row == contact ? -(1 + e) * rate : -rate;  // of the change
  }
  const VectorXd found = factor.solve(right);
  const double size = std::max(before.cwiseAbs().maxCoeff(), after.cwiseAbs().maxCoeff());
  if (!((before + found.head(n_) - after).cwiseAbs().maxCoeff() <= tolerance::clearly_nonzero * size))
    return lose(
        fmt::format("no gradients from t = {:.6g} on: contacts are struck together, and which first decides the "
                    "motion",
                    change.t));
  if (holds && given.value > 0)
    return lose(fmt::format("no gradients from t = {:.6g} on: infinitely many impacts end there", change.t));

  // Slopes of M d - A^T Lambda and of A u + b, all by the places.
  at.a.assign(found.data(), found.data() + n_);
  at.lambda.assign(tangent_.terms().row_count(), 0.0);
  for (Eigen::Index i = 0; i < r; ++i) at.lambda[rows[static_cast<std::size_t>(i)]] = found[n_ + i];
  const SlopeValues struck = tangent_.terms().evaluate_slopes(at);
  at.a.assign(at.a.size(), 0.0);
  at.lambda.assign(at.lambda.size(), 0.0);
  const SlopeValues idle = tangent_.terms().evaluate_slopes(at);
  at.u.assign(after.data(), after.data() + n_);
  const SlopeValues left = tangent_.terms().evaluate_slopes(at);
  MatrixXd change_of = MatrixXd::Zero(n_ + r, k_);
  change_of.topRows(n_) = mass * u - (view(struck.force_e) - view(idle.force_e)) * places;
  for (Eigen::Index i = 0; i < r; ++i) {
    const Eigen::Index row = rows[static_cast<std::size_t>(i)];
    change_of.row(n_ + i) = -view(left.velocity_e).row(row) * places;
    if (rows[static_cast<std::size_t>(i)] != contact) continue;
    change_of.row(n_ + i) -=
        e * (view(tangent_.values().jacobian).row(row) * u + view(idle.velocity_e).row(row) * places);
    if (!holds) change_of.row(n_ + i) -= approach * given.slope;
  }
  const MatrixXd leaving = factor.solve(change_of).topRows(n_);
  const VectorXd speed = after;
  if (!look(course, change.t, y_))
    return lose(
        fmt::format("no gradients from t = {:.6g} on: the linearised equations cannot be solved there", change.t));
  const Eigen::Map<const VectorXd> onwards(tangent_.at().a.data(), n_);
  Departure next{q - speed * change_slope_, leaving - onwards * change_slope_};
  tangent_.project(next);
  set_knot(change.t, next);
}

}  // namespace dalembert

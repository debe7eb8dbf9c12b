#include "study/gradient/follow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/tolerances.hpp"
#include "study/eigen_view.hpp"

namespace dalembert {
namespace {

constexpr std::size_t most_knots = 64;  // that the march may go back to
constexpr int most_attempts = 100;      // to make a piece short enough
// Part of the motion's step: below it a force has jumped. Steps of a motion at rest are far longer than its
// departures'.
constexpr double shortest = 1e-8;
// Pieces of a step after which it is asked whether they get anywhere, and how many times as many are too many.
constexpr std::size_t many_pieces = 10000;
constexpr double patience = 100;
// Margins. Near a singular configuration stages are looked at; from `amplifying` on rounding grows with the inverse
// cube (numerics 3); below `least` seven digits are not left.
constexpr double near = 0.5, amplifying = 0.3, least_margin = 2e-3;
constexpr double none = std::numeric_limits<double>::quiet_NaN();

}  // namespace

GradientFollower::GradientFollower(Tangent& tangent, Plan plan)
    : tangent_(tangent),
      plan_(std::move(plan)),
      n_(to_index(tangent.size())),
      k_(tangent.direction_count()),
      method_(make_method("dop853", static_cast<std::size_t>(2 * n_ * k_))),
      work_(method_->size()),
      scale_(method_->size()),
      noise_(method_->size()),
      sizes_(Matrix::Zero(2 * n_, k_)) {
  f_ = [this](double t, const double* s, double* slope) {
    Eigen::Map<const Matrix> from(s, 2 * n_, k_);
    Eigen::Map<Matrix> to(slope, 2 * n_, k_);
    const bool seen = look(*course_, t, y_);
    looked_at_.emplace_back(t, tangent_.margin());
    if (!seen) return to.setConstant(none), void();
    // Departures off the linearised constraints have accelerations that grow without bound towards a singular
    // configuration; on them they are smooth there.
    Departure on{from.topRows(n_), from.bottomRows(n_)};
    tangent_.project(on);
    to.topRows(n_) = on.u;
    to.bottomRows(n_) = tangent_.solve(tangent_.places(on.q, tangent_.no_time()), on.u).acceleration;
  };
}

Eigen::Map<GradientFollower::Matrix> GradientFollower::in(std::span<double> values) const {
  return {values.data(), 2 * n_, k_};
}

void GradientFollower::lose(const std::string& why) {
  if (!lost_) notes_.push_back(why);
  lost_ = true;
}

/// The tangent at the motion's state of time t: inside the step taken last, or at the knot that the march starts from.
bool GradientFollower::look(Course& course, double t, std::span<double> y) {
  if (in_step_)
    course.state_at(t, y);
  else
    std::copy(course.state().begin(), course.state().end(), y.begin());
  return tangent_.look(t, y.data(), course.selection()->kept());
}

void GradientFollower::set_knot(double t, const Departure& departure) {
  now_ = t;
  in(method_->start()) << departure.q, departure.u;
  piece_ = false;
}

void GradientFollower::begin(Course& course) {
  y_.resize(course.system().size());
  for (std::size_t i = 0; i < plan_.expected_start.size(); ++i) {
    const double size = std::max(1.0, std::abs(plan_.expected_start[i]));
    if (!(std::abs(course.state()[i] - plan_.expected_start[i]) <= tolerance::clearly_nonzero * size))
      lose("no gradients: a contact is struck at the start");
  }
  set_knot(course.t(), plan_.start);
}

void GradientFollower::begin_step(Course& course) {
  const double from = course.method().t();
  if (lost_) return;
  if (from != now_) {  // the march has gone back
    const auto knot = std::ranges::find(knots_, from, &Knot::t);
    if (knot == knots_.end())
      return lose(fmt::format("no gradients from t = {:.6g} on: the march begins before its start", from));
    std::ranges::copy(knot->values, method_->start().begin());
    now_ = from;
    knots_.erase(knot, knots_.end());
  }
  if (knots_.size() == most_knots) knots_.erase(knots_.begin());
  knots_.push_back({now_, {method_->start().begin(), method_->start().end()}});
  in_step_ = true;
  piece_ = false;
  step_end_ = from + course.method().h();
  pieces_ = 0;
  instant_sought_ = false;
  instant_.reset();
}

/// What an error of departures is judged by: the largest that a component has been, and parts of what its column has
/// been and of what the state would be a change of itself by; below that differences of large terms are rounding.
void GradientFollower::note_sizes(double h, double margin) {
  constexpr double part = 1e-3;
  const double noise = tolerance::cancelled / (margin < amplifying ? margin * margin * margin : 1);
  const auto start = in(method_->start()), end = in(method_->end());
  sizes_ = sizes_.cwiseMax(start.cwiseAbs()).cwiseMax(end.cwiseAbs());
  sizes_.topRows(n_) = sizes_.topRows(n_).cwiseMax(h * sizes_.bottomRows(n_));
  for (std::size_t i = 0; i < static_cast<std::size_t>(2 * n_); ++i) {
    double& largest = i < static_cast<std::size_t>(n_) ? state_size_.first : state_size_.second;
    largest = std::max(largest, std::abs(y_[i]));
  }
  for (Eigen::Index j = 0; j < k_; ++j)
    for (const Eigen::Index first : {Eigen::Index{0}, n_}) {
      const double floor =
          (first == 0 ? state_size_.first : state_size_.second) / plan_.sizes[static_cast<std::size_t>(j)];
      const double column = sizes_.col(j).segment(first, n_).maxCoeff();
      for (Eigen::Index i = first; i < first + n_; ++i) {
        const auto at = static_cast<std::size_t>(2 * n_ * j + i);
        scale_[at] = plan_.tolerance * std::max({sizes_(i, j), part * column, part * floor});
        noise_[at] = noise * std::max(column, floor);
      }
    }
}

/// From the method's start as far towards the step's end as its error allows.
bool GradientFollower::take_piece(Course& course) {
  course_ = &course;
  double h = plan_piece(step_end_ - now_);
  looked_at_.clear();
  f_(now_, method_->start().data(), method_->start_derivative().data());
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    looked_at_.resize(1);
    method_->take(f_, now_, h, {});
    const double margin = std::ranges::min(looked_at_, {}, &std::pair<double, double>::second).second;
    if (margin < near && !instant_sought_) {
      find_instant(course);
      if (const double planned = plan_piece(h); planned != h) {
        h = planned;
        continue;
      }
    }
    const bool finite = in(method_->end()).allFinite();
    const Matrix sizes = sizes_;
    if (finite) note_sizes(h, margin);
    const double error = finite ? method_->error(scale_, noise_) : std::numeric_limits<double>::infinity();
    const bool is_clear = margin >= least_margin;
    if ((is_clear && error <= 1) || (finite && margin > near && h < shortest * course.method().h())) {
      if (!look(course, now_ + h, y_)) return false;
      Departure end{in(method_->end()).topRows(n_), in(method_->end()).bottomRows(n_)};
      tangent_.project(end);
      in(method_->end()) << end.q, end.u;
      f_(now_ + h, method_->end().data(), method_->end_derivative().data());
      return in(method_->end_derivative()).allFinite();
    }
    sizes_ = sizes;  // where a piece is far too long its end is nonsense, and large
    h = plan_piece(h *
                   (std::isfinite(error) ? std::clamp(0.9 * std::pow(error, -1 / method_->order()), 0.2, 0.9) : 0.25));
  }
  return false;
}

Departure GradientFollower::departure_at(Course& course, double t) {
  if (in_step_) t = std::min(t, step_end_);
  while (in_step_ && t > now_) {
    if (!piece_) {
      if (!take_piece(course)) {
        lose(instant_ ? fmt::format("no gradients from t = {:.6g} on: the configuration at t = {:.6g} is singular, and "
                                    "they cannot be carried over it",
                                    now_, *instant_)
                      : fmt::format("no gradients from t = {:.6g} on: the linearised equations cannot be solved there",
                                    now_));
        break;
      }
      piece_ = true;
      const double begin = course.method().t();
      if (++pieces_ % many_pieces == 0 && patience * (now_ - begin) < step_end_ - begin) {
        lose(fmt::format("no gradients from t = {:.6g} on: they change too fast there", now_));
        break;
      }
    }
    const double end = std::abs(method_->t() + method_->h() - step_end_) <= tolerance::unchanged * std::abs(step_end_)
                           ? step_end_
                           : method_->t() + method_->h();
    if (t < end) {
      course_ = &course;
      method_->interpolate(f_, (t - method_->t()) / method_->h(), work_);
      Departure inside{in(work_).topRows(n_), in(work_).bottomRows(n_)};
      if (look(course, t, y_) && tangent_.margin() >= least_margin) tangent_.project(inside);
      return inside;
    }
    method_->advance();
    now_ = end;
    piece_ = false;
  }
  return {in(method_->start()).topRows(n_), in(method_->start()).bottomRows(n_)};
}

/// Rows at the times asked for that the step has reached.
void GradientFollower::add_times(Course& course, double until) {
  if (rows_.size() >= plan_.times.size()) return;
  Observation observation(course.system());
  for (double t; rows_.size() < plan_.times.size() && (t = plan_.times[rows_.size()]) <= until;) {
    rows_.push_back(derivatives_at(course, t));
    course.observe_at(t, y_, observation);
    observation.write_row(motion_rows_.emplace_back(course.system().columns.size()));
  }
}

void GradientFollower::end_step(Course& course, double t) {
  add_times(course, t);
  if (lost_) return;
  const Departure there = departure_at(course, t);
  if (t < step_end_) set_knot(t, there);
}

void GradientFollower::add_row(Course& course, double t) {
  if (!plan_.times.empty()) return;
  rows_.emplace_back(plan_.columns.size() * plan_.names.size(), none);  // the motion has its row, whatever ends here
  rows_.back() = derivatives_at(course, t);
}

std::vector<double> GradientFollower::derivatives_at(Course& course, double t) {
  std::vector<double> row(plan_.columns.size() * plan_.names.size(), none);
  if (!lost_) {
    const Departure s = departure_at(course, t);
    if (!lost_ && look(course, t, y_)) {
      const Matrix places = tangent_.places(s.q, tangent_.no_time());
      const Tangent::Answer answer = tangent_.solve(places, s.u);
      Matrix seen = tangent_.see(places, s.u, answer);
      const bool is_clear = tangent_.margin() >= least_margin;
      const bool unique = course.selection()->dropped().empty() && is_clear;
      const SlopeValues& slopes = tangent_.slopes();
      for (Eigen::Index i = 0; !is_clear && i < seen.rows(); ++i)
        if (!view(slopes.output_a).row(i).isZero(0) || !view(slopes.output_l).row(i).isZero(0))
          seen.row(i).setConstant(none);
      auto to = row.begin();
      for (Eigen::Index j = 0; j < k_; ++j)
        for (const ColumnSource& column : plan_.columns) {
          const Eigen::Index i = to_index(column.index);
          switch (column.kind) {
            case ColumnSource::Kind::coordinate: *to = s.q(i, j); break;
            case ColumnSource::Kind::velocity: *to = s.u(i, j); break;
            case ColumnSource::Kind::multiplier: *to = unique ? answer.multipliers(i, j) : none; break;
            case ColumnSource::Kind::seen: *to = seen(i, j); break;
          }
          ++to;
        }
    }
  }
  return row;
}

void GradientFollower::add_event(Course& course, const EventRecord& event) {
  if (event.kind == "chattering ends")
    lose(fmt::format("no gradients from t = {:.6g} on: infinitely many impacts of {} end there", event.t, event.name));
  const std::size_t own = event_times_.size();
  event_times_.emplace_back();  // the motion has its event, whatever ends here
  for (const std::string& name : plan_.names) event_times_[own].emplace_back(name, none);
  Eigen::RowVectorXd slope = Eigen::RowVectorXd::Constant(k_, none);
  if (!lost_ && !in_step_ && event.t == change_t_ && change_slope_.size() == k_) {
    slope = change_slope_;
  } else if (!lost_ && in_step_) {
    const Departure s = departure_at(course, event.t);
    const auto& names = tangent_.terms().output_names();
    const auto found = std::find(names.rbegin(), names.rend(), event.name);  // events come last
    if (!lost_ && found != names.rend() && look(course, event.t, y_)) {
      const Eigen::Index i = to_index(static_cast<std::size_t>(names.rend() - found) - 1);
      const Matrix places = tangent_.places(s.q, tangent_.no_time());
      slope = -tangent_.see(places, s.u, tangent_.solve(places, s.u)).row(i) / tangent_.see_flow()[i];
    }
  }
  for (Eigen::Index j = 0; j < k_; ++j) event_times_[own][static_cast<std::size_t>(j)].second = slope[j];
}

}  // namespace dalembert

#include "simulate/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dalembert {
namespace {

constexpr double largest_growth = 6;
constexpr double most_projection = 10;   // a projection may move the state by this many tolerances,
constexpr double most_near = 1e4;        // by so many near a singular configuration, which amplifies the same errors
constexpr double smallest_step = 4e-15;  // relative to the times at hand

}  // namespace

Run::Run(Numeric& numeric, Observer& observer, const SimulateOptions& options, Trajectory& result)
    : numeric_(numeric),
      observer_(observer),
      options_(options),
      result_(result),
      method_(numeric.size()),
      sizes_(numeric.blocks()),
      component_sizes_(numeric.blocks().size()),
      scale_(numeric.blocks().size()),
      inside_(numeric.size()) {}

bool Run::begin(const ConsistentStart& start) {
  t_ = start.state.t;
  std::vector<double> y(numeric_.size(), 0.0);
  std::copy(start.state.q.begin(), start.state.q.end(), y.begin());
  std::copy(start.state.u.begin(), start.state.u.end(), y.begin() + std::ssize(start.state.q));
  sizes_ = make_sizes(numeric_, y.data(), options_.until - t_, options_.tolerance);
  sizes_.evaluate(component_sizes_);
  if (numeric_.contact_count() > 0 && !begin_contacts(y)) return false;
  restart(y);
  return true;
}

/// The march goes on from (t_, y) with the rows that act there.
void Run::restart(const std::vector<double>& y) {
  std::copy(y.begin(), y.end(), method_.start().begin());
  numeric_.derivative_by_factor(t_, y.data(), method_.start_derivative().data());
  reference_pivot_ = pivot_ = knot_pivot_ = numeric_.metric().smallest_pivot();
  numeric_.metric().note_lengths();
  processed_ = t_;
}

/// A start where the constraints lose rank only there has no motion that one state determines.
bool Run::check_start(const std::vector<double>& y) {
  sizes_.evaluate(component_sizes_);
  if (!is_singular_start(numeric_, t_, y, rank_, component_sizes_)) return true;
  std::string names;
  for (Index r : rank_.dropped) names += (names.empty() ? "" : ", ") + numeric_.row(r).name;
  if (velocity_selects_branch(numeric_, t_, y.data(), 1e-8)) {
    end(Status::singular,
        fmt::format("the start is a singular configuration: {} depends on the other constraints there "
                    "and nowhere near; start a moment earlier or later",
                    names));
  } else {
    end(Status::undetermined, fmt::format("branches of the motion meet at the start, where {} depends on the other "
                                          "constraints, and the velocity does not select one",
                                          names));
  }
  return false;
}

/// Hairer, Norsett, Wanner I, II.4: two derivatives tell the scale of time.
double Run::first_step() {
  const double* y = method_.start().data();
  const double* k = method_.start_derivative().data();
  sizes_.evaluate(component_sizes_);
  double position = 0, slope = 0;
  for (std::size_t i = 0; i < component_sizes_.size(); ++i) {
    const double size = component_sizes_[i] * options_.tolerance;
    if (size <= 0) continue;
    position += (y[i] / size) * (y[i] / size);
    slope += (k[i] / size) * (k[i] / size);
  }
  const double span = options_.until - t_;
  double h = position > 0 && slope > 0 ? 0.01 * std::sqrt(position / slope) : 1e-6 * span;
  h = std::clamp(h, 1e-9 * span, span);  // a start at noise-like coordinates says nothing about the scale of time
  std::vector<double> trial(y, y + method_.size()), derivative(method_.size());
  for (std::size_t i = 0; i < method_.size(); ++i) trial[i] += h * k[i];
  numeric_.derivative(t_ + h, trial.data(), derivative.data());
  double bend = 0;
  for (std::size_t i = 0; i < component_sizes_.size(); ++i) {
    const double size = component_sizes_[i] * options_.tolerance;
    if (size > 0) bend += std::pow((derivative[i] - k[i]) / size, 2);
  }
  bend = std::sqrt(bend) / h;
  const double steep = std::max(std::sqrt(slope), bend);
  double other = steep > 1e-15 ? std::pow(0.01 / steep, 1.0 / 8) : std::max(1e-6 * span, 1e-3 * h);
  if (!std::isfinite(other)) other = h;
  return std::min({100 * h, other, span});
}

Run::Attempt Run::attempt(double h) {
  const auto f = [this](double t, const double* y, double* dy) { numeric_.derivative(t, y, dy); };
  if (is_near_singular()) {
    method_.take(f, t_, h, [this](double t, double* y) {
      if (numeric_.factor(t, y)) numeric_.project(t, y, component_sizes_);
    });
  } else {
    method_.take(f, t_, h);
  }
  sizes_.evaluate(component_sizes_, method_.end().data());
  for (std::size_t i = 0; i < scale_.size(); ++i) scale_[i] = options_.tolerance * component_sizes_[i];
  const double error = method_.error(scale_);
  if (!std::isfinite(error)) return {Verdict::not_finite, 0.25};
  if (error > 1) return {Verdict::too_coarse, next_step_factor(error, 1)};
  const double end = t_ + h;
  if (!keeps_frame(end)) return {Verdict::frame, 0.5};
  if (numeric_.is_projected()) {
    const Attempt constraints = judge_constraints(end);
    if (constraints.verdict != Verdict::accepted) return constraints;
  }
  numeric_.derivative(end, method_.end().data(), method_.end_derivative().data());
  for (double k : method_.end_derivative()) {
    if (!std::isfinite(k)) return {Verdict::not_finite, 0.25};
  }
  return {Verdict::accepted, next_step_factor(error, after_rejection_ ? 1 : largest_growth)};
}

Run::Attempt Run::judge_constraints(double t) {
  if (!numeric_.factor(t, method_.end().data())) return {Verdict::not_finite, 0.25};
  knot_pivot_ = numeric_.metric().smallest_pivot();
  numeric_.metric().note_lengths();
  const Projection projection = numeric_.project(t, method_.end().data(), component_sizes_);
  ++result_.statistics.projections;
  const double most = std::max((is_near_singular() ? most_near : most_projection) * options_.tolerance, 1e-12);
  if (!projection.ok || projection.moved > most) return {Verdict::off_constraints, 0.5};
  return {Verdict::accepted, 1};
}

/// The rows kept may become dependent while others would not: choose again (numerics 2).
void Run::keep_rows_independent() {
  if (rank_.dropped.empty() || numeric_.metric().smallest_pivot() > 0.1 * reference_pivot_) return;
  rank_ = decide_rank(numeric_, t_, method_.start().data());
  reference_pivot_ = pivot_ = numeric_.metric().smallest_pivot();
  ++result_.statistics.selections;
}

bool Run::give_up() const {
  const double times = std::max({std::abs(t_), std::abs(options_.until) * 1e-3, 1e-300});
  return !(h_ > smallest_step * times);
}

/// A force that jumps where the motion would come to rest on the jump (dry friction) leaves steps that are never too
/// small and never get anywhere: many are rejected, as of no smooth motion, and the end would take more than 1e7 of
/// them.
bool Run::is_stuck() {
  constexpr std::size_t interval = 10000;
  if (result_.statistics.steps % interval != 0) return false;
  const double gained = t_ - milestone_;
  const std::size_t rejected = result_.statistics.rejected - milestone_rejected_;
  milestone_ = t_;
  milestone_rejected_ = result_.statistics.rejected;
  return 4 * rejected > interval && gained < 0.01 * longest_step_ && gained * (1e7 / interval) < options_.until - t_;
}

void Run::march(const ConsistentStart& start, const RankDecision& rank) {
  rank_ = rank;
  if (!begin(start)) return;
  result_.columns = observer_.columns();
  inside_.assign(method_.start().begin(), method_.start().end());
  if (!observer_.observe(t_, inside_.data(), rank_)) return end_by_diagnosis();
  jacobi_start_ = observer_.jacobi();
  write_row(t_, inside_);
  begin_events();
  begin_frame();
  if (!check_start(inside_)) return;
  if (!(options_.until > t_)) return end(Status::finished, "");
  next_row_ = static_cast<std::size_t>(std::max(0.0, std::floor(t_ / options_.every * (1 + 1e-12)))) + 1;
  for (double k : method_.start_derivative()) {
    if (!std::isfinite(k)) return end_by_diagnosis();
  }
  h_ = first_step();
  milestone_ = t_;
  while (!ended_) {
    if (options_.stop && options_.stop->load(std::memory_order_relaxed)) {
      return end(Status::interrupted, fmt::format("stopped at t = {:.6g} on request", t_));
    }
    const double planned = plan_step(h_);
    const bool last = t_ + planned * (1 + 1e-10) >= options_.until;
    const double h = last ? options_.until - t_ : planned;
    const Attempt outcome = attempt(h);
    if (outcome.verdict != Verdict::accepted) {
      ++result_.statistics.rejected;
      last_rejection_ = outcome.verdict;
      after_rejection_ = true;
      h_ = std::min(h_, h) * outcome.factor;
      if (return_to_good_knot()) continue;
      if (give_up()) return end_by_diagnosis();
      continue;
    }
    ++result_.statistics.steps;
    longest_step_ = std::max(longest_step_, h);
    if (options_.progress && result_.statistics.steps % 64 == 0) options_.progress(t_);
    if (crosses_) ++result_.statistics.crossings;
    after_rejection_ = false;
    if (finish_step()) return;
    if (restarted_) {  // a contact has opened or closed inside the step
      restarted_ = false;
      sizes_.include(method_.start().data());
      if (!(options_.until > t_)) return end(Status::finished, "");
      h_ = std::min(h, options_.until - t_);
      continue;
    }
    sizes_.include(method_.end().data());
    t_ = last ? options_.until : t_ + h;
    method_.advance();
    if (last) return end(Status::finished, "");
    if (is_stuck())
      return end(Status::step_underflow,
                 fmt::format("steps of {:.3g} get nowhere at t = {:.10g}: a force jumps there (sign, abs, min, max) or "
                             "changes faster than the tolerance {:.3g} can follow",
                             h, t_, options_.tolerance));
    h_ = h < h_ && outcome.factor > 1 ? std::max(h_, h * outcome.factor) : h * outcome.factor;
    watch_pivot();
    watch_frame();
    keep_rows_independent();
    if (result_.statistics.steps % 16 == 0)
      set_floors(numeric_, sizes_, options_.until - start.state.t, options_.tolerance);
  }
}

// --- inside the accepted step

void Run::state_at(double t, std::vector<double>& y) {
  const double x = (t - method_.t()) / method_.h();
  if (x >= 1) {
    y.assign(method_.end().begin(), method_.end().end());
    return;
  }
  method_.prepare_dense([this](double s, const double* z, double* dz) { numeric_.derivative(s, z, dz); });
  method_.interpolate(std::max(x, 0.0), y);
  if (!numeric_.is_projected() || x <= 0) return;
  if (!numeric_.factor(t, y.data())) return;
  const std::vector<double> raw = y;
  if (!numeric_.project(t, y.data(), component_sizes_).ok) y = raw;
}

bool Run::observe_at(double t, std::vector<double>& y) {
  state_at(t, y);
  return observer_.observe(t, y.data(), rank_);
}

void Run::write_row(double t, const std::vector<double>& y) {
  observer_.write_row(row_);
  result_.rows.push_back(row_);
  const auto q = static_cast<std::ptrdiff_t>(numeric_.q_count()), u = static_cast<std::ptrdiff_t>(numeric_.u_count());
  result_.last = {t, {y.begin(), y.begin() + q}, {y.begin() + q, y.begin() + q + u}};
  if (numeric_.is_quasi()) result_.last.u = numeric_.rates_of(t, y.data());
  Summary& summary = result_.summary;
  summary.largest_kinetic = std::max(summary.largest_kinetic, observer_.kinetic());
  summary.largest_residual = std::max(summary.largest_residual, observer_.residual());
  const double work = numeric_.has_work() ? y[static_cast<std::size_t>(q + u)] : 0;
  const auto note = [first = result_.rows.size() == 1](Drift& drift, double value) {
    if (first) drift.start = value;
    drift.largest = std::max(drift.largest, std::abs(value - drift.start));
  };
  if (result_.rows.size() == 1) {
    summary.energy.name = "energy";
    summary.balance.name = "energy balance";
    for (const std::string& name : observer_.integral_names()) summary.integrals.push_back({name, 0, 0});
  }
  note(summary.energy, observer_.energy());
  note(summary.balance, observer_.jacobi() + lost_ - work);
  for (std::size_t k = 0; k < summary.integrals.size(); ++k) note(summary.integrals[k], observer_.integrals()[k]);
}

void Run::write_rows_until(double t, bool inclusive) {
  const double slack = 1e-9 * options_.every;
  while (true) {
    const double at = static_cast<double>(next_row_) * options_.every;
    // A row within rounding of a contact's change is after it.
    if (at > options_.until - slack || at > t || (!inclusive && at >= t * (1 - std::copysign(1e-13, t)))) break;
    observe_at(at, inside_);
    write_row(at, inside_);
    ++next_row_;
  }
  if (inclusive && t >= options_.until) {
    observe_at(options_.until, inside_);
    write_row(options_.until, inside_);
  }
}

bool Run::finish_step() {
  const double end_time = t_ + method_.h() * (1 + 1e-10) >= options_.until ? options_.until : t_ + method_.h();
  if (end_time <= processed_) return false;  // the march came back over it
  const double from = std::max(t_, processed_);
  std::optional<Change> change;
  if (contacts_) change = find_change(from, end_time);
  const double to = change ? change->t : end_time;
  std::vector<Root> roots;
  if (!numeric_.model().events.empty()) find_roots(from, to, roots);
  if (contacts_) add_settled(to, roots);
  for (const Root& root : roots) {
    write_rows_until(root.t, false);
    observe_at(root.t, inside_);
    record_event(root);
    if (ended_) return true;
  }
  write_rows_until(to, !change);
  processed_ = to;
  if (!change) return false;
  pass_change(*change);
  return ended_;
}

void Run::end(Status status, std::string message) {
  ended_ = true;
  note_choices();
  result_.status = status;
  result_.message = std::move(message);
  result_.statistics.evaluations = numeric_.evaluations;
}

}  // namespace dalembert

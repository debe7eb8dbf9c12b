#include "simulate/march/march.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/base/work_limit.hpp>

#include "simulate/march/run_up.hpp"

namespace dalembert {
namespace {

constexpr double most_projection = 10;      // a projection may move the state by this many tolerances,
constexpr double most_near = 1e4;           // by so many near a singular configuration, which amplifies the same errors
constexpr double smallest_step = 4e-15;     // relative to the time reached
constexpr double at_the_end = 1e-12;        // of the time: a contact that changes so late does so at the end
constexpr double very_near_part = 0.3;      // of the best pivot so far: here rounding is amplified
constexpr std::size_t noise_interval = 16;  // steps after which the forces' rounding is measured again
constexpr int noise_rejections = 4;         // and rejections of one step

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

/// Of a step, in the units of a WorkLimit: a dozen evaluations, an instruction of each about a nanosecond, and what is
/// solved with them.
double estimate_work(const CompiledSystem& system) {
  constexpr double evaluations = 12, of_an_instruction = 0.1, of_a_component = 2;
  const double instructions =
      system.dynamics ? static_cast<double>(system.dynamics.function().program().instruction_count()) : 0;
  return evaluations * (of_an_instruction * instructions + of_a_component * static_cast<double>(system.size()));
}

}  // namespace

March::March(SystemEvaluator& evaluator, const Start& start, const MarchOptions& options, Trajectory& result)
    : start_(start),
      options_(options),
      result_(result),
      course_(evaluator, start.selection, options.method),
      sizes_(evaluator.system(), options.tolerance),
      control_(course_.method().order()),
      recorder_(course_, options.until, options.every, result),
      crossing_(course_),
      jumps_(course_, sizes_, options.tolerance),
      rows_(course_, options.tolerance),
      frame_(course_, recorder_.observation()),
      events_(course_, recorder_.observation(), recorder_.inside()),
      contacts_(course_, recorder_),
      work_of_a_step_(estimate_work(evaluator.system())),
      slope_(evaluator.system().size()) {}

void March::run() {
  if (std::optional<Ending> ending = begin()) return end(*ending);
  while (true) {
    if (options_.stop && options_.stop->load(std::memory_order_relaxed))
      return end({Status::interrupted, fmt::format("stopped at t = {:.6g} on request", course_.t())});
    if (!try_spend_work(work_of_a_step_))
      return end({Status::interrupted, fmt::format("the work allowed is used up at t = {:.6g}", course_.t())});
    const double h = std::min(crossing_.plan(jumps_.plan(course_.t(), h_)), limit_);
    const Attempt outcome = attempt(h);
    std::optional<Ending> ending;
    if (outcome.verdict != Verdict::accepted) {
      ending = retry(h, outcome);
    } else if (jumps_.passed_unseen()) {
      ++result_.statistics.rejected;
    } else {
      ++result_.statistics.steps;
      ending = look_inside();
      if (!ending) ending = go_on(h, outcome);
    }
    if (ending) return end(*ending);
  }
}

// --- the start

std::optional<Ending> March::begin() {
  std::vector<double> y = course_.evaluator().to_vector(start_.found.state);
  const double t = start_.found.state.t;
  course_.restart(t, y, start_.selection);
  if (!contacts_.is_idle()) {
    if (std::optional<Ending> ending = contacts_.begin(t, y)) return ending;
    course_.restart(t, y, course_.selection());
  }
  restart_parts();
  if (!recorder_.begin()) return diagnose_here();
  contacts_.record_begin(recorder_.observation());
  events_.begin(recorder_.observation());
  frame_.begin();
  if (std::optional<Ending> ending = check_start()) return ending;
  if (!(options_.until > t)) return Ending{Status::finished, ""};
  if (!all_finite(course_.slope())) return diagnose_here();
  if (h_ == 0) h_ = first_step();
  milestone_ = processed_ = t;
  return std::nullopt;
}

/// Begins a moment earlier on the branch that the velocity selects; the start itself is then passed, and what happens
/// until there is not looked at.
bool March::run_up() {
  if (!contacts_.is_idle() || course_.system().is_quasi()) return false;
  const std::shared_ptr<const Selection> singular = course_.selection();
  const std::optional<RunUp> found = find_run_up(course_);
  if (!found) return false;
  leave_open(*singular);
  restart_parts();
  h_ = 1.25 * found->step;  // planned to be shorter
  crossing_.begin_before(h_);
  return true;
}

/// In the first row: reactions that are not determined there, and what reads reactions or accelerations.
void March::leave_open(const Selection& singular) {
  const std::vector<std::string>& columns = course_.system().columns;
  const auto open = [&](const std::string& name) {
    const auto found = std::ranges::find(columns, name);
    if (found != columns.end())
      result_.rows.set(0, static_cast<std::size_t>(found - columns.begin()), std::numeric_limits<double>::quiet_NaN());
  };
  for (Index r : singular.active()) open(reaction_symbol(course_.system().row(r).name));
  for (const Output& output : course_.system().model().outputs) {
    const std::vector<Expr> read = free_symbols({&output.formula, 1});
    const bool reads = std::ranges::any_of(read, [](const Expr& symbol) {
      return symbol.name().ends_with("''") || symbol.name().starts_with("reaction(");
    });
    if (reads) open(output.name);
  }
}

/// A start where the constraints lose rank only there has no motion that one state determines, unless its velocity
/// selects a branch.
std::optional<Ending> March::check_start() {
  const double* y = course_.state().data();
  const auto& selection = course_.selection();
  if (!is_singular_start(course_.evaluator(), selection, course_.t(), y, course_.magnitudes())) return std::nullopt;
  std::string names;
  for (Index r : selection->dropped()) names += (names.empty() ? "" : ", ") + course_.system().row(r).name;
  const bool selects = velocity_selects_branch(course_.evaluator(), selection, course_.t(), y, 1e-8);
  if (selects && run_up()) {
    result_.notes.push_back(
        fmt::format("the start is a singular configuration, where {} depends on the other constraints: the velocity "
                    "selects the branch, and what reactions determine is not known there",
                    names));
    return std::nullopt;
  }
  if (selects)
    return Ending{Status::singular,
                  fmt::format("the start is a singular configuration: {} depends on the other constraints there "
                              "and nowhere near; start a moment earlier or later",
                              names)};
  return Ending{Status::undetermined, fmt::format("branches of the motion meet at the start, where {} depends on the "
                                                  "other constraints, and the velocity does not select one",
                                                  names)};
}

/// After course_.restart: what the parts remember of the way until then does not count.
void March::restart_parts() {
  sizes_.include(course_.state().data(), 0);
  measure_noise(course_.slope());
  crossing_.begin();
  processed_ = course_.t();
}

/// Of the derivative by factor that was evaluated last.
void March::measure_noise(std::span<const double> slope) {
  const Derivative& derivative = course_.derivative();
  if (!all_finite(slope)) return;
  // Multipliers come from a matrix of this condition. Where it is large they also change with positions off the branch,
  // which constraints determine to rounding over the pivot only; and some stages come nearer than the step's ends.
  const double pivot = std::min(derivative.factor().smallest_pivot(), crossing_.pivot()), nearest = pivot / 1.5;
  const bool very_near = crossing_.is_near() && pivot < very_near_part * crossing_.reference();
  const double worse = very_near ? 1 / (nearest * nearest * nearest) : 1 / pivot;
  sizes_.measure_noise(derivative.evaluation(), slope.subspan(course_.system().q_count()), derivative.multipliers(),
                       worse);
}

void March::measure_noise_again() {
  course_.derivative().by_factor(course_.t(), course_.state().data(), slope_.data());
  measure_noise(slope_);
}

/// Two derivatives tell the scale of time (Hairer, Norsett, Wanner I, II.4), measured in the kinetic metric.
double March::first_step() {
  const CompiledSystem& system = course_.system();
  const std::size_t q = system.q_count(), u = system.u_count();
  const auto y = course_.state(), k = course_.slope();
  constexpr double small = 1e-3;  // parts of the magnitudes that a first guess may move anything
  double h = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < q + u; ++i) {
    if (system.is_aligned() && i >= u && i < q) continue;  // carried along
    const double size = course_.magnitudes()[i];
    if (size > 0 && k[i] != 0) h = std::min(h, small * size / std::abs(k[i]));
    if (i < u && size > 0 && k[q + i] != 0) h = std::min(h, std::sqrt(small * size / std::abs(k[q + i])));
  }
  if (!std::isfinite(h)) h = 1;  // nothing moves and nothing acts
  std::vector<double> trial(y.begin(), y.end());
  for (std::size_t i = 0; i < trial.size(); ++i) trial[i] += h * k[i];
  course_.derivative()(course_.t() + h, trial.data(), slope_.data());
  double speed = 0, force = 0, bend = 0;
  for (std::size_t i = 0; i < u; ++i) {
    const double weight = sizes_.weights()[i];
    speed = std::max(speed, weight * std::abs(y[q + i]));
    force = std::max(force, weight * std::abs(k[q + i]));
    bend = std::max(bend, weight * std::abs(slope_[q + i] - k[q + i]) / h);
  }
  const double time = std::max(force > 0 ? speed / force : 0, bend > 0 ? force / bend : 0);
  const double other = 0.1 * std::pow(options_.tolerance, 1.0 / 8) * time;
  return other > 0 && std::isfinite(other) ? std::min(100 * h, other) : h;
}

// --- a step

March::Attempt March::attempt(double h) {
  Method& method = course_.method();
  AmendFunction amend;
  if (crossing_.is_near())
    amend = [this](double t, double* y) {
      Projector& projector = course_.projector();
      if (projector.factor(t, y)) projector.project(t, y, course_.magnitudes());
    };
  method.take(course_.f(), course_.t(), h, amend);
  sizes_.judge(method.start().data(), method.end().data(), h);
  const double error = method.error(sizes_.scale(), sizes_.noise());
  if (!std::isfinite(error)) return {Verdict::not_finite, 0.25};
  if (error > 1) return {Verdict::too_coarse, control_.reject(error)};
  const double t = course_.t() + h;
  if (!frame_.allows(t, method.end().data())) return {Verdict::frame, 0.5};
  if (!course_.projector().is_idle()) {
    const Attempt constraints = judge_constraints(t);
    if (constraints.verdict != Verdict::accepted) return constraints;
  }
  course_.derivative()(t, method.end().data(), method.end_derivative().data());
  if (!all_finite(method.end_derivative())) return {Verdict::not_finite, 0.25};
  return {Verdict::accepted, 1, error};
}

March::Attempt March::judge_constraints(double t) {
  Projector& projector = course_.projector();
  double* y = course_.method().end().data();
  if (!projector.factor(t, y, course_.row_lengths())) return {Verdict::not_finite, 0.25};
  crossing_.note_end(projector.factor().smallest_pivot());
  projector.factor().include_lengths(course_.row_lengths());
  const Projection projection = projector.project(t, y, course_.magnitudes_with(y));
  ++result_.statistics.projections;
  const double most = std::max((crossing_.is_near() ? most_near : most_projection) * options_.tolerance, 1e-12);
  if (!projection.ok || projection.moved > most) return {Verdict::off_constraints, 0.5};
  return {Verdict::accepted, 1};
}

std::optional<Ending> March::retry(double h, const Attempt& outcome) {
  ++result_.statistics.rejected;
  // There may be nothing beyond the end of the run: then it is not stepped over.
  const bool beyond = course_.t() + h > options_.until;
  if (outcome.verdict == Verdict::not_finite && beyond && !(limit_ < h)) {
    limit_ = options_.until - course_.t();
    return std::nullopt;
  }
  h_ = std::min(h_, h) * outcome.factor;
  if (const std::optional<double> other = crossing_.go_back(h_)) {
    h_ = *other;
    return std::nullopt;
  }
  if (++rejections_here_ == noise_rejections) measure_noise_again();
  if (give_up()) return diagnose_here();
  return std::nullopt;
}

bool March::give_up() const {
  return !(h_ > std::max({smallest_step * std::abs(course_.t()), 1e-16 * longest_step_, 1e-300}));
}

Ending March::diagnose_here() {
  if (const std::string problem = frame_.problem(); !problem.empty()) return {Status::singular, problem};
  return diagnose(course_, h_, crossing_.reference(), options_.tolerance);
}

// --- inside the accepted step

std::optional<Ending> March::look_inside() {
  const double reached = course_.t() + course_.method().h();
  const double last = std::min(reached, options_.until);
  if (last <= processed_) return std::nullopt;  // the march came back over it
  const double from = std::max(course_.t(), processed_);
  std::optional<ContactMarch::Change> change;
  // The whole step is searched, also beyond the end of the run: what is found must not depend on where that is.
  if (!contacts_.is_idle()) change = contacts_.find_change(from, reached);
  if (change && change->t > options_.until + at_the_end * std::abs(options_.until)) change.reset();
  if (change) change->t = std::min(change->t, options_.until);
  const double to = change ? change->t : last;
  roots_.clear();
  if (!events_.is_idle()) events_.find(from, change ? change->t : reached, roots_);
  std::erase_if(roots_, [to](const EventRoot& root) { return root.t > to; });
  const std::vector<ContactMarch::Settling> settled =
      contacts_.is_idle() ? std::vector<ContactMarch::Settling>() : contacts_.settled_until(to, from);
  auto next = settled.begin();
  const auto settle_until = [&](double t) {
    for (; next != settled.end() && next->t <= t; ++next) {
      recorder_.write_until(next->t, false);
      course_.observe_at(next->t, recorder_.inside(), recorder_.observation());
      result_.notes.push_back(contacts_.record_settled(*next, recorder_.observation()));
    }
  };
  for (const EventRoot& root : roots_) {
    settle_until(root.t);
    recorder_.write_until(root.t, false);
    course_.observe_at(root.t, recorder_.inside(), recorder_.observation());
    if (std::optional<Ending> ending = pass_event(root)) return ending;
  }
  settle_until(to);
  recorder_.write_until(to, !change);
  processed_ = to;
  if (change) return pass_change(*change);
  if (reached >= options_.until) return Ending{Status::finished, ""};
  return std::nullopt;
}

/// The state is observed.
std::optional<Ending> March::pass_event(const EventRoot& root) {
  const Event& event = course_.system().model().events[root.event];
  recorder_.add_event(event.name, event.stop ? "stop" : "record", recorder_.observation());
  if (!event.stop) return std::nullopt;
  recorder_.write(recorder_.observation(), recorder_.inside().data());
  return Ending{Status::event, fmt::format("{} at t = {:.10g}", event.name, root.t)};
}

std::optional<Ending> March::pass_change(const ContactMarch::Change& change) {
  if (std::optional<Ending> ending = contacts_.pass(change)) return ending;
  restart_parts();
  restarted_ = true;
  std::copy(course_.state().begin(), course_.state().end(), recorder_.inside().begin());
  for (std::size_t event : events_.find_jumps(recorder_.observation())) {
    const auto is_known = [&](const EventRoot& root) {
      return root.event == event && root.t >= change.t - at_the_end * std::abs(change.t);
    };
    if (std::ranges::any_of(roots_, is_known)) continue;  // it has come to zero just before
    if (std::optional<Ending> ending = pass_event({event, change.t})) return ending;
  }
  contacts_.record_change(recorder_.observation());
  if (options_.until > change.t) return std::nullopt;
  recorder_.write(recorder_.observation(), recorder_.inside().data());
  return Ending{Status::finished, ""};
}

std::optional<Ending> March::go_on(double h, const Attempt& outcome) {
  longest_step_ = std::max(longest_step_, h);
  if (options_.progress && result_.statistics.steps % 64 == 0) options_.progress(course_.t());
  if (crossing_.crosses()) ++result_.statistics.crossings;
  const double factor = control_.accept(outcome.error);
  rejections_here_ = 0;
  limit_ = std::numeric_limits<double>::infinity();
  if (restarted_) {  // a contact has opened or closed inside the step
    restarted_ = false;
    control_.restart();
    h_ = h;
    return std::nullopt;
  }
  sizes_.include(course_.method().end().data(), h);
  course_.advance();
  h_ = h < h_ && factor > 1 ? std::max(h_, h * factor) : h * factor;
  if (const std::optional<double> step = jumps_.went_over(course_.t())) {
    control_.restart();
    h_ = *step;
  }
  crossing_.watch(h_);
  if (frame_.watch()) {
    ++result_.statistics.choices;
    sizes_.include(course_.state().data(), 0);
  }
  if (result_.statistics.steps % noise_interval == 0 || crossing_.is_near()) measure_noise_again();
  if (std::optional<Ending> ending = keep_rows()) return ending;
  return is_stuck(h);
}

std::optional<Ending> March::keep_rows() {
  const RowKeeper::Look look = rows_.watch(crossing_.pivot(), crossing_.reference());
  if (look.ending) return look.ending;
  if (!look.selection) return std::nullopt;
  const std::vector<double> y(course_.state().begin(), course_.state().end());
  course_.restart(course_.t(), y, look.selection);
  crossing_.begin_rows();
  ++result_.statistics.selections;
  return std::nullopt;
}

/// A force that jumps where the motion would come to rest on the jump (dry friction) leaves steps that are never too
/// small and never get anywhere: many are rejected, as of no smooth motion, and the end would take more than 1e7 of
/// them.
std::optional<Ending> March::is_stuck(double h) {
  constexpr std::size_t interval = 10000;
  if (result_.statistics.steps % interval != 0) return std::nullopt;
  const double gained = course_.t() - milestone_;
  const std::size_t rejected = result_.statistics.rejected - milestone_rejected_;
  milestone_ = course_.t();
  milestone_rejected_ = result_.statistics.rejected;
  const bool hopeless = 4 * rejected > interval && gained < 0.01 * longest_step_ &&
                        gained * (1e7 / interval) < options_.until - course_.t();
  if (!hopeless) return std::nullopt;
  return Ending{Status::step_underflow,
                fmt::format("steps of {:.3g} get nowhere at t = {:.10g}: a force jumps there (sign, abs, min, max) or "
                            "changes faster than the tolerance {:.3g} can follow",
                            h, course_.t(), options_.tolerance)};
}

void March::end(const Ending& ending) {
  const std::vector<double>& chosen = frame_.chosen_at();
  constexpr std::size_t most = 8;
  std::string times;
  for (std::size_t i = 0; i < chosen.size() && i < most; ++i)
    times += fmt::format("{}{:.6g}", i == 0 ? "" : ", ", chosen[i]);
  if (chosen.size() > most) times += ", ...";
  if (!chosen.empty()) result_.notes.push_back(fmt::format("frame chosen again at t = {}", times));
  if (std::optional<std::string> note = contacts_.note()) result_.notes.push_back(*note);
  for (std::string& note : events_.notes()) result_.notes.push_back(std::move(note));
  result_.status = ending.status;
  result_.message = ending.message;
  result_.statistics.evaluations = course_.evaluations();
}

}  // namespace dalembert

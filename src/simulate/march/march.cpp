#include "simulate/march/march.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/base/work_limit.hpp>
#include <utility>

namespace dalembert {
namespace {

constexpr double most_projection = 10;      // a projection may move the state by this many tolerances,
constexpr double most_near = 1e4;           // by so many near a singular configuration, which amplifies the same errors
constexpr double smallest_step = 4e-15;     // relative to the time reached
constexpr double at_the_end = 1e-12;        // of the time: a contact that changes so late does so at the end
constexpr double very_near_part = 0.3;      // of the best pivot so far: here rounding is amplified
constexpr std::size_t noise_interval = 16;  // steps after which the forces' rounding is measured again
constexpr int noise_rejections = 4;         // and rejections of one step
constexpr std::size_t stages_in_pack = 11;  // without the derivative at the end

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

/// A dozen evaluations, an instruction of each about a nanosecond, a function called up to thirty (of large arguments),
/// and what is solved with them.
StepWork estimate_work(const CompiledSystem& system) {
  constexpr double evaluations = 12, of_an_instruction = 0.1, of_a_call = 3, of_a_component = 2;
  double once = of_a_component * static_cast<double>(system.size());
  if (system.dynamics)
    for (const Instruction& one : system.dynamics.function().program().body.code)
      once += is_call(one.op) ? of_a_call : of_an_instruction;
  // Events and contacts are looked for at the nodes of several stretches of it, each time on the constraints.
  constexpr double looks = 9 * 8 * 4;
  const bool is_searched = system.contact_count() > 0 || !system.model().events.empty();
  // Without straight-line code matrices are put together and factored; made orthonormal, row by row against the others.
  constexpr double of_matrices = 50, of_other_solvers = 150, of_a_product = 0.1;
  double factored = system.equations().solver == Solver::gram_matrix ? of_matrices : of_other_solvers;
  if (system.equations().solver == Solver::projector)
    factored += of_a_product * static_cast<double>(system.u_count() * system.row_count() * system.row_count());
  return {(evaluations + (is_searched ? looks : 0)) * once, evaluations * factored, once + factored};
}

}  // namespace

March::March(SystemEvaluator& evaluator, const Start& start, const MarchOptions& options, Trajectory& result)
    : start_(start),
      options_(options),
      result_(result),
      course_(evaluator, start.selection, options.method),
      sizes_(evaluator.system(), options.tolerance),
      control_(course_.method().order()),
      recorder_(course_, options.until, options.every, result, options.follower, options.stop),
      crossing_(course_),
      jumps_(course_, sizes_, options.tolerance),
      rows_(course_, options.tolerance),
      frame_(course_, recorder_.observation()),
      events_(course_, recorder_.observation(), recorder_.inside()),
      contacts_(course_, recorder_),
      step_work_(estimate_work(evaluator.system())),
      slope_(evaluator.system().size()),
      unprojected_(slope_.size()) {}

void March::run() {
  while (const std::optional<double> h = plan()) {
    take(*h);
    finish(*h);
  }
}

std::optional<double> March::plan() {
  if (!std::exchange(begun_, true))
    if (std::optional<Ending> ending = begin()) end(*ending);
  if (ended_) return std::nullopt;
  const double of_looks = step_work_.look * static_cast<double>(crossing_.take_looks());  // before the step that was
  if (is_stopped() || !try_spend_work(work_of_a_step() + of_looks)) {
    end(interrupted(course_.t()));
    return std::nullopt;
  }
  return std::min(crossing_.plan(jumps_.plan(course_.t(), h_)), limit_);
}

double March::work_of_a_step() {
  const bool is_short = course_.derivative().instruction_count() > 0 && !crossing_.crosses();
  return step_work_.always + (is_short ? 0 : step_work_.without_code);
}

bool March::is_stopped() const { return options_.stop && options_.stop->load(std::memory_order_relaxed); }

/// On request, or because nothing more may be spent.
Ending March::interrupted(double t, bool on_request) const {
  const std::string at = fmt::format("at t = {:.6g}", t);
  return {Status::interrupted,
          on_request || is_stopped() ? "stopped " + at + " on request" : "the work allowed is used up " + at};
}

void March::finish(double h, bool in_pack) {
  std::optional<Ending> ending;
  try {
    ending = settle(h, judge(h, in_pack));
  } catch (const LimitError& error) {  // while contacts or a row were worked out
    ending = interrupted(result_.last.t, dynamic_cast<const StopError*>(&error) != nullptr);
  }
  if (ending) end(*ending);
}

/// What comes of a step that was tried.
std::optional<Ending> March::settle(double h, const Attempt& outcome) {
  if (outcome.verdict != Verdict::accepted) return retry(h, outcome);
  if (jumps_.passed_unseen()) {
    ++result_.statistics.rejected;
    return std::nullopt;
  }
  ++result_.statistics.steps;
  if (std::optional<Ending> ending = look_inside()) return ending;
  return go_on(h, outcome);
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
                       {worse, 1 / pivot});
  if (!course_.system().is_aligned()) sizes_.carry_noise(course_.evaluator(), course_.t(), course_.state());
}

void March::measure_noise_again() {
  course_.derivative().with_parts(course_.t(), course_.state().data(), slope_.data());
  measure_noise(slope_);
}

// --- a step

bool March::is_plain() const { return !crossing_.is_near(); }

void March::take(double h) {
  AmendFunction amend;
  if (crossing_.is_near())
    amend = [this](double t, double* y) {
      Projector& projector = course_.projector();
      if (projector.factor(t, y)) projector.project(t, y, course_.magnitudes());
    };
  course_.method().take(course_.f(), course_.t(), h, amend);
}

March::Attempt March::judge(double h, bool in_pack) {
  Method& method = course_.method();
  if (in_pack) course_.note_evaluations(stages_in_pack);
  sizes_.judge(method.start().data(), method.end().data(), h);
  const double error = method.error(sizes_.scale(), sizes_.noise());
  if (!std::isfinite(error)) return {Verdict::not_finite, 0.25};
  if (error > 1) return {Verdict::too_coarse, control_.reject(error)};
  const double t = course_.t() + h;
  if (!frame_.allows(t, method.end().data())) return {Verdict::frame, 0.5};
  if (!course_.projector().is_idle()) {
    const Attempt constraints = judge_constraints(t);
    if (constraints.verdict != Verdict::accepted) return constraints;
  } else if (course_.may_lose_rank()) {
    crossing_.note_end(course_.pivot_at_end(t));
    if (crossing_.ends_beside()) return {Verdict::beside, 0.7};
  }
  if (std::optional<RowKeeper::Violated> violated = rows_.find_violated(t, method.end().data())) {
    if (!violated_) violated_ = std::move(violated);  // by the longest step
    return {Verdict::contradicts, 0.1};
  }
  if (in_pack && course_.projector().is_idle())
    course_.note_evaluations(1);
  else  // a pack's is of the end before it was projected
    course_.derivative()(t, method.end().data(), method.end_derivative().data());
  if (!all_finite(method.end_derivative())) return {Verdict::not_finite, 0.25};
  return {Verdict::accepted, 1, error};
}

March::Attempt March::judge_constraints(double t) {
  Projector& projector = course_.projector();
  double* y = course_.method().end().data();
  if (!projector.factor(t, y, course_.row_lengths())) return {Verdict::not_finite, 0.25};
  crossing_.note_end(course_.pivot_at_end(t));
  if (crossing_.ends_beside()) return {Verdict::beside, 0.7};
  projector.factor().include_lengths(course_.row_lengths());
  std::copy_n(y, unprojected_.size(), unprojected_.begin());
  const Projection projection = projector.project(t, y, course_.magnitudes_with(y));
  ++result_.statistics.projections;
  const double most = std::max((crossing_.is_near() ? most_near : most_projection) * options_.tolerance, 1e-12);
  if (!projection.ok || (projection.moved > most && !sizes_.is_noise(unprojected_, y)))
    return {Verdict::off_constraints, 0.5};
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
  constexpr double near = 1e-9;  // of the way to where a dropped row is violated: it is so from here on
  if (violated_ && h_ < near * (violated_->t - course_.t())) return true;
  return !(h_ > std::max({smallest_step * std::abs(course_.t()), 1e-16 * longest_step_, 1e-300}));
}

Ending March::diagnose_here() {
  if (violated_)
    return {
        Status::singular,
        fmt::format("{} depended on the other constraints at the start and contradicts them from t = {:.10g} on: at "
                    "t = {:.10g} it would be off by {:.3g}",
                    violated_->row, course_.t(), violated_->t, violated_->off),
        violated_->row};
  if (const std::string problem = frame_.problem(); !problem.empty()) return {Status::singular, problem};
  return diagnose(course_, h_, crossing_.reference(), options_.tolerance);
}

// --- inside the accepted step

std::optional<Ending> March::look_inside() {
  const double reached = course_.t() + course_.method().h();
  const double last = std::min(reached, options_.until);
  if (options_.follower) options_.follower->begin_step(course_);
  if (last <= processed_) {  // the march came back over it
    if (options_.follower) options_.follower->end_step(course_, reached);
    return std::nullopt;
  }
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
      if (!recorder_.write_until(next->t, false)) return false;
      course_.observe_at(next->t, recorder_.inside(), recorder_.observation());
      contacts_.record_settled(*next, recorder_.observation());
    }
    return true;
  };
  for (const EventRoot& root : roots_) {
    if (!settle_until(root.t) || !recorder_.write_until(root.t, false)) return interrupted(result_.last.t);
    course_.observe_at(root.t, recorder_.inside(), recorder_.observation());
    if (std::optional<Ending> ending = pass_event(root)) return ending;
  }
  if (!settle_until(to) || !recorder_.write_until(to, !change)) return interrupted(result_.last.t);
  processed_ = to;
  if (options_.follower) options_.follower->end_step(course_, to);
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
  constexpr double decisions = 5;  // which contacts hold then, in steps
  if (!try_spend_work(decisions * work_of_a_step())) return interrupted(change.t);
  const std::shared_ptr<const Selection> selection = course_.selection();
  std::vector<double> before;
  if (options_.follower) {
    before.resize(course_.system().size());
    course_.state_at(change.t, before);
  }
  if (std::optional<Ending> ending = contacts_.pass(change)) return ending;
  if (options_.follower)
    options_.follower->pass_change(course_, {change.t, change.contact, change.lifts, before, selection});
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
  if (violated_ && violated_->t <= course_.t()) violated_.reset();
  h_ = h < h_ && factor >= 1 ? std::max(h_, h * factor) : h * factor;
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
  keep_rows();
  return is_stuck(h);
}

void March::keep_rows() {
  const std::shared_ptr<const Selection> chosen = rows_.watch(crossing_.pivot(), crossing_.reference());
  if (!chosen) return;
  const std::vector<double> y(course_.state().begin(), course_.state().end());
  course_.restart(course_.t(), y, chosen);
  crossing_.begin_rows();
  ++result_.statistics.selections;
}

/// Steps that never become too small and never get anywhere. A force that jumps where the motion would come to rest on
/// the jump (dry friction): many are rejected, as of no smooth motion, and the end would take more than 1e7 of them. Or
/// the motion is so fast, and `until` so far, that no computer would get there: more than 1e13.
std::optional<Ending> March::is_stuck(double h) {
  constexpr std::size_t interval = 10000;
  constexpr double patience = 1e7 / interval, never = 1e13 / interval;
  if (result_.statistics.steps % interval != 0) return std::nullopt;
  const double gained = course_.t() - milestone_, left = options_.until - course_.t();
  const std::size_t rejected = result_.statistics.rejected - milestone_rejected_;
  milestone_ = course_.t();
  milestone_rejected_ = result_.statistics.rejected;
  if (4 * rejected > interval && gained < 0.01 * longest_step_ && gained * patience < left)
    return Ending{Status::step_underflow,
                  fmt::format("steps of {:.3g} get nowhere at t = {:.10g}: a force jumps there (sign, abs, min, max) "
                              "or changes faster than the tolerance {:.3g} can follow",
                              h, course_.t(), options_.tolerance)};
  if (gained * never < left)
    return Ending{
        Status::step_underflow,
        fmt::format("the motion is too fast to be followed until t = {:.6g}: {} steps have come to t = {:.6g}; "
                    "see whether a value is out of all proportion, or give an earlier end",
                    options_.until, result_.statistics.steps, course_.t())};
  return std::nullopt;
}

void March::end(const Ending& ending) {
  ended_ = true;
  const std::vector<double>& chosen = frame_.chosen_at();
  constexpr std::size_t most = 8;
  std::string times;
  for (std::size_t i = 0; i < chosen.size() && i < most; ++i)
    times += fmt::format("{}{:.6g}", i == 0 ? "" : ", ", chosen[i]);
  if (chosen.size() > most) times += ", ...";
  if (!chosen.empty()) result_.notes.push_back(fmt::format("frame chosen again at t = {}", times));
  for (std::string& note : contacts_.notes()) result_.notes.push_back(std::move(note));
  for (std::string& note : events_.notes()) result_.notes.push_back(std::move(note));
  result_.status = ending.status;
  result_.message = ending.message;
  result_.contradicting = ending.contradicting;
  result_.statistics.evaluations = course_.evaluations();
}

}  // namespace dalembert

// The frame of quasi-velocities along the march: chosen again where the engine chose it, else an end where it loses
// rank.

#include <fmt/format.h>

#include <cmath>

#include "simulate/run.hpp"

namespace dalembert {
namespace {

constexpr double worn = 0.5;       // part of its first pivot at which a chosen frame is chosen again
constexpr double singular = 1e-7;  // part of its best pivot below which a given frame counts as singular
constexpr double suspect = 1e-3;   // the same where the march cannot go on

}  // namespace

void Run::begin_frame() {
  if (numeric_.frame().empty()) return;
  const FrameWatch::Reading reading = numeric_.frame().read(t_, method_.start().data());
  frame_pivot_ = reading.pivot;
  frame_positive_ = reading.positive;
}

/// A step must not end where the frame is singular, nor on its other side.
bool Run::keeps_frame(double t) {
  if (numeric_.frame().empty() || numeric_.has_choice()) return true;
  const FrameWatch::Reading reading = numeric_.frame().read(t, method_.end().data());
  return reading.positive == frame_positive_ && reading.pivot > singular * frame_pivot_;
}

/// At a knot: the same motion in other velocities, numbers changed and no code.
void Run::watch_frame() {
  if (numeric_.frame().empty()) return;
  double* y = method_.start().data();
  const double pivot = numeric_.frame().read(t_, y).pivot;
  if (!numeric_.has_choice()) {
    frame_pivot_ = std::max(frame_pivot_, pivot);
    return;
  }
  if (pivot > worn * frame_pivot_) return;
  const bool seen = observer_.observe(t_, y, rank_);
  const double before = observer_.jacobi();
  if (!numeric_.choose_again(t_, y)) return;
  observer_.set_parameters();
  // Where the frame moves by itself, Jacobi's function is another one: the difference counts as work.
  if (seen && numeric_.has_work() && observer_.observe(t_, y, rank_))
    y[numeric_.q_count() + numeric_.u_count()] += observer_.jacobi() - before;
  frame_pivot_ = numeric_.frame().read(t_, y).pivot;
  numeric_.derivative_by_factor(t_, y, method_.start_derivative().data());
  sizes_.include(y);
  ++result_.statistics.choices;
  chosen_at_.push_back(t_);
}

/// Why the march cannot go on, if it is the frame; empty if not.
std::string Run::frame_problem() {
  if (numeric_.frame().empty()) return {};
  const FrameWatch::Reading reading = numeric_.frame().read(t_, method_.start().data());
  if (reading.pivot > suspect * frame_pivot_ && last_rejection_ != Verdict::frame) return {};
  const std::string& name = numeric_.equations().frame[reading.weakest].name;
  if (numeric_.has_choice())
    return fmt::format("the constraints lose rank at t = {:.10g}: {} depends on the others there", t_, name);
  return fmt::format(
      "the frame is singular at t = {:.10g}: {} depends on the other velocities there; choose other velocities, or "
      "leave [frame] out",
      t_, name);
}

void Run::note_choices() {
  if (chosen_at_.empty()) return;
  constexpr std::size_t most = 8;
  std::string times;
  for (std::size_t i = 0; i < chosen_at_.size() && i < most; ++i)
    times += fmt::format("{}{:.6g}", i == 0 ? "" : ", ", chosen_at_[i]);
  if (chosen_at_.size() > most) times += ", ...";
  result_.notes.push_back(fmt::format("frame chosen again at t = {}", times));
}

}  // namespace dalembert

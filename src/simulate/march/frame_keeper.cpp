#include "simulate/march/frame_keeper.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dalembert {
namespace {

constexpr double worn_frame = 0.5;       // part of its first pivot at which a chosen frame is chosen again
constexpr double singular_given = 1e-7;  // part of its best pivot below which a given frame counts as singular
constexpr double suspect = 1e-3;         // the same where the march cannot go on

}  // namespace

FrameKeeper::FrameKeeper(Course& course, Observation& scratch)
    : course_(course), scratch_(scratch), frame_(course.evaluator()) {}

void FrameKeeper::begin() {
  if (!frame_) return;
  const FrameWatch::Reading reading = frame_.read(course_.t(), course_.state().data());
  pivot_ = reading.pivot;
  positive_ = reading.positive;
}

bool FrameKeeper::allows(double t, const double* y) {
  refused_ = false;
  if (!frame_ || course_.system().equations().has_choice()) return true;
  const FrameWatch::Reading reading = frame_.read(t, y);
  refused_ = reading.positive != positive_ || !(reading.pivot > singular_given * pivot_);
  return !refused_;
}

bool FrameKeeper::watch() {
  if (!frame_) return false;
  SystemEvaluator& evaluator = course_.evaluator();
  double* y = course_.state().data();
  const double pivot = frame_.read(course_.t(), y).pivot;
  if (!course_.system().equations().has_choice()) {
    pivot_ = std::max(pivot_, pivot);
    return false;
  }
  if (pivot > worn_frame * pivot_) return false;
  const bool seen = course_.observer().observe(course_.t(), y, scratch_, course_.row_lengths());
  const double before = scratch_.jacobi();
  if (!evaluator.choose_again(course_.t(), y)) return false;
  frame_.renew_choice();
  course_.derivative().renew_choice();
  // Where the frame moves by itself, Jacobi's function is another one: the difference counts as work.
  if (seen && course_.system().has_work && course_.observer().observe(course_.t(), y, scratch_, course_.row_lengths()))
    y[course_.system().q_count() + course_.system().u_count()] += scratch_.jacobi() - before;
  pivot_ = frame_.read(course_.t(), y).pivot;
  course_.derivative().with_parts(course_.t(), y, course_.slope().data());
  chosen_at_.push_back(course_.t());
  return true;
}

std::string FrameKeeper::problem() {
  if (!frame_) return {};
  const FrameWatch::Reading reading = frame_.read(course_.t(), course_.state().data());
  if (reading.pivot > suspect * pivot_ && !refused_) return {};
  const std::string& name = course_.system().equations().quasi->frame[reading.weakest].name;
  if (course_.system().equations().has_choice())
    return fmt::format("the constraints lose rank at t = {:.10g}: {} depends on the others there", course_.t(), name);
  return fmt::format(
      "the frame is singular at t = {:.10g}: {} depends on the other velocities there; choose other velocities, or "
      "leave [frame] out",
      course_.t(), name);
}

}  // namespace dalembert

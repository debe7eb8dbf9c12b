#pragma once
// A start in a singular configuration whose velocity selects a branch (numerics 3): the march begins a moment earlier
// on that branch and passes the start as it passes any other singular configuration.

#include <optional>

#include "simulate/march/course.hpp"
#include "simulate/system/start.hpp"

namespace dalembert {

struct SingularStart {
  std::vector<std::string> dependent;  ///< rows that depend on the others there, and not nearby
  bool selects = false;                ///< the velocity, a branch
};

/// What the course's knot is, if it is a singular configuration. Of quasi-velocities: what the start is.
std::optional<SingularStart> find_singular_start(Course& course, const Start& start);

struct RunUp {
  double t = 0, step = 0;  ///< where it begins, and the step that has the start in the gap between its stages
  std::vector<double> y;
  std::shared_ptr<const Selection> selection;  ///< of the rows that are independent there
  /// A place further back: rows that vanish at the start are short near it, and how long they are here tells how near.
  double away_t = 0;
  std::vector<double> away;
};

/// The state a moment before the course's knot from which one step leads to it, within what a start may be off by;
/// nothing where none is found. The course is then where it was; else at the run-up's beginning.
std::optional<RunUp> find_run_up(Course& course);
/// The same in quasi-velocities, which may say nothing of rates at the start: the search is by Lagrange's equations.
std::optional<RunUp> find_run_up(Course& course, const ModelState& start, const std::string& method);

}  // namespace dalembert

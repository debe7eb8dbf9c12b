#pragma once
// A small motion with everything that writers must handle: odd names, an absent value, an event.

#include <dalembert/report/report.hpp>
#include <limits>

namespace dalembert {

inline Trajectory sample_trajectory() {
  const double absent = std::numeric_limits<double>::quiet_NaN();
  Trajectory trajectory;
  trajectory.columns = {"t", "θ", "θ'", "reaction(rod)", "a,\"b\""};
  trajectory.rows = {{0, 0.1, -1.0 / 3, absent, 1e300}, {0.1, 5e-324, 2, 7, -0.0}};
  trajectory.status = Status::singular;
  trajectory.message = "the constraint rod loses rank at t = 0.1";
  trajectory.events = {{"lift", "stop", 0.1, {0.1, 5e-324, 2, absent, -0.0}}};
  trajectory.statistics.steps = 3;
  trajectory.statistics.evaluations = 40;
  trajectory.statistics.seconds = 0.25;
  return trajectory;
}

}  // namespace dalembert

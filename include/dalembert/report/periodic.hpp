#pragma once
// Periodic motions as text and JSON, their branches as CSV, JSON and plots.

#include <dalembert/study/periodic.hpp>

namespace dalembert {

/// Period, start, multipliers and the verdict.
std::string write_text(const PeriodicMotion& motion);
std::string write_json(const PeriodicMotion& motion);

/// One row a motion: parameter, coordinates and rates at the start, period, multipliers, how many are outside the unit
/// circle.
std::string write_csv(const PeriodicDiagram& diagram);
std::string write_json(const PeriodicDiagram& diagram);
/// What varies of start and period, and the largest multiplier, over the parameter; what is unstable is dashed.
std::string write_svg(const PeriodicDiagram& diagram, const std::string& title);
/// Folds, branch points, period doublings and others, for people.
std::string write_summary(const PeriodicDiagram& diagram);

}  // namespace dalembert

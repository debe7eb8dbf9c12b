#pragma once
// What a fit has found, for people and programs. Its table of residuals is a Trajectory and is written as one.

#include <dalembert/study/fit.hpp>

namespace dalembert {

/// Parameters with deviations, what was fitted and how well, correlations, what cannot be told apart.
std::string write_text(const Fit& fit);
/// The document of `fit --json` (docs/reference/commands.md).
std::string write_json(const Fit& fit);
/// The measured columns' residuals over time.
std::string write_svg(const Fit& fit, const std::string& title);

}  // namespace dalembert

#pragma once
// What reports say in words, without the formulas around it.

#include <dalembert/report/report.hpp>

namespace dalembert {

/// Coordinates, constraints and their rank.
std::string write_words(const CheckReport& report);
/// Group and integrability.
std::string write_words(const FrameReport& report);

}  // namespace dalembert

#pragma once
// What reports say in words, without the formulas around it.

#include <dalembert/report/report.hpp>

namespace dalembert {

/// Coordinates, constraints and their rank.
std::string write_words(const CheckReport& report);
/// The first rows of the table of constraints, a heading before them, and what stands below it.
std::vector<std::vector<std::string>> constraint_cells(const CheckReport& report);
std::string tell_left_out(const CheckReport& report);
std::string write_redundant(const CheckReport& report, const RankReport::Redundant& redundant);
/// What the names of an integral's parts mean.
std::vector<std::string> explain_parts(const CheckedIntegral& integral);
/// Group and integrability.
std::string write_words(const FrameReport& report);

}  // namespace dalembert

#pragma once
// What `formula` says.

#include <dalembert/study/formula.hpp>

namespace dalembert {

std::string write_text(const FormulaReport& report);
/// The document of `formula --json`.
std::string write_json(const FormulaReport& report);

}  // namespace dalembert

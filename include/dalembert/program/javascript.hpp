#pragma once
// Programs for a browser.

#include <dalembert/program/program.hpp>

namespace dalembert {

/// A JavaScript expression without names of anybody's, an object of the program's sizes and its two functions:
///   { inputs, parameters, outputs, held, prologue(parameters, held), body(inputs, held, outputs) }
/// Arrays are Float64Arrays and do not overlap. There is no fused multiply-add in JavaScript, and its functions are the
/// browser's: results differ from the interpreter's by rounding. pow(1, NaN) and pow(-1, +-infinity) are NaN there.
std::string write_javascript(const Program& program);

}  // namespace dalembert

#pragma once
// What users hand to this stage, checked in every build: an InputError says what is wrong and what to do.

#include <dalembert/program/program.hpp>

namespace dalembert {

/// Expressions of one graph; inputs and parameters are symbols, each named once.
void check_expressions(std::span<const Expr> inputs, std::span<const Expr> parameters, std::span<const Expr> outputs);

/// Every value is made before it is read, and the body holds what the prologue leaves for it.
void check_program(const Program& program);

[[noreturn]] void refuse(std::string problem, std::string remedy);

/// A list of numbers has the length that the function asks for.
[[noreturn]] void refuse_length(std::string_view what, std::size_t given, std::size_t expected);
inline void check_length(std::string_view what, std::size_t given, std::size_t expected) {
  if (given != expected) [[unlikely]]
    refuse_length(what, given, expected);
}

}  // namespace dalembert

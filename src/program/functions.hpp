#pragma once
// The functions that programs call, over arrays and in place. The same bits whatever the count.

#include <cstddef>
#include <dalembert/program/program.hpp>

namespace dalembert {

inline constexpr std::size_t vector_width = 4;

/// f(x[i]) into x[i]; sincos: sin into x, cos into y; atan2 and pow: f(x[i], y[i]) into x[i]. Works on whole vectors:
/// the arrays have room for `count` rounded up to a multiple of vector_width, and arguments there unless count is 1.
using BatchFunction = void (*)(double* x, double* y, std::size_t count);

/// For a call instruction, what this CPU runs best.
BatchFunction batch_function(Opcode op);

/// AVX2 and FMA at hand.
bool has_vector_functions();
/// The functions for such CPUs.
BatchFunction vector_function(Opcode op);

double minimum(double a, double b);
double maximum(double a, double b);
double sign_of(double a);

}  // namespace dalembert

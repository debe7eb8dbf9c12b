#pragma once
#include <dalembert/program/program.hpp>

namespace dalembert {

/// Runs a section over `width` (1 or 4) interleaved lanes. `values` holds value_count() * width numbers, of which
/// constants, held values and inputs are set; the rest is filled in.
template <std::size_t width>
void interpret(const Section& section, double* values);

/// Four copies of each, or one.
void fill_constants(const Section& section, double* values, std::size_t width);

}  // namespace dalembert

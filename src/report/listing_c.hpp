#pragma once
// The named parts of a listing as statements of C.

#include <dalembert/mechanics/equations.hpp>
#include <string>

namespace dalembert {

/// A function `listed` that computes the parts of the listing, each under its own name, and of them what is left of the
/// equations of motion and constraints. Empty where the equations are short and have no parts. `equations` are the
/// caller's alone: their graph grows.
std::string write_listing_c(const Equations& equations);

}  // namespace dalembert

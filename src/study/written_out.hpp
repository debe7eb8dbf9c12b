#pragma once
// Parameters that are formulas of others, where something is differentiated by these.

#include <dalembert/model/model.hpp>
#include <span>

namespace dalembert {

/// Every parameter that is a formula of others, but for those kept (by index), in terms of those that are numbers and
/// of those kept. Nothing where none is kept: then nothing is differentiated by one.
std::vector<Replacement> write_out_parameters(const Model& own, std::span<const std::size_t> kept);

}  // namespace dalembert

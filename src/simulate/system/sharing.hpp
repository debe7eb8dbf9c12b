#pragma once
// How what several dependent rows exert together is shared among them: by multipliers of least norm, those of contacts
// never pulling.

#include <optional>
#include <span>
#include <vector>

namespace dalembert {

/// Each dropped row is a combination of the kept ones, so that with lambda_k + sum over d of c_dk lambda_d the
/// multipliers (the kept rows' first, then the dropped ones') exert the same. Of those that do, the shortest in which
/// none times its sign is below zero; a sign of 0 leaves a multiplier free. Costs as much as the kept rows are few.
/// Nothing where it is not found: there may be none, or the search does not settle.
std::optional<std::vector<double>> share_least(const std::vector<std::vector<double>>& combinations,
                                               std::span<const double> multipliers, std::span<const double> signs);

/// The same for multipliers of columns of `size` numbers one after the other, none of them below zero. Those given
/// where it is not found.
std::vector<double> share_least(std::size_t size, std::span<const double> columns, std::vector<double> multipliers);

}  // namespace dalembert

#pragma once
// Many reactions are shown by families.

#include <dalembert/study/reactions.hpp>
#include <span>
#include <vector>

namespace dalembert {

/// Runs of reactions whose names differ in a number at their end, where there are more than two dozen reactions in all;
/// else each by itself.
std::vector<std::span<const Reaction>> group_reactions(std::span<const Reaction> reactions);

}  // namespace dalembert

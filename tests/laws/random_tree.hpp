#pragma once
// Random trees of rigid bodies with loops, rolling and driven constraints, written as model files in two ways: in the
// joints' own coordinates, and with each body free in space (position and quaternion) and the joints as constraints.

#include <cstdint>
#include <string>
#include <vector>

namespace laws {

struct TreeModels {
  std::string relative, cartesian;   ///< the two model files
  std::vector<std::string> kept;     ///< constraints that both carry, as written alike
  std::vector<std::string> centres;  ///< vector outputs: where the bodies' centres of mass are
};

TreeModels make_random_tree(std::uint64_t seed);

}  // namespace laws

#include "study/unused_name.hpp"

#include <algorithm>

namespace dalembert {

std::string unused_name(const Description& d, std::string name) {
  const auto is_taken = [&](const auto& list) {
    return std::ranges::any_of(list, [&](const auto& entry) { return entry.name.text == name; });
  };
  while (is_taken(d.constraints) || is_taken(d.outputs) || is_taken(d.parameters) || is_taken(d.definitions) ||
         is_taken(d.coordinates) || is_taken(d.inputs) || is_taken(d.releases) || is_taken(d.events) ||
         is_taken(d.quasi_velocities))
    name += "_";
  return name;
}

}  // namespace dalembert

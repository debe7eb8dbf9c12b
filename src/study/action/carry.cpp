#include "study/action/carry.hpp"

namespace dalembert {

Equations carry(Equations equations, const std::vector<Carried>& quantities) {
  for (const Carried& quantity : quantities) {
    equations.coordinates.push_back(equations.graph->symbol(quantity.name));
    equations.rates.push_back(quantity.rate);
    equations.start_coordinates.push_back(equations.graph->constant_from_double(quantity.start));
  }
  return equations;
}

}  // namespace dalembert

#include "study/written_out.hpp"

#include <algorithm>

namespace dalembert {

std::vector<Replacement> write_out_parameters(const Model& own, std::span<const std::size_t> kept) {
  std::vector<Replacement> formulas;
  if (kept.empty()) return formulas;
  for (std::size_t i = 0; i < own.parameters.size(); ++i) {
    const Parameter& parameter = own.parameters[i];
    if (std::ranges::find(kept, i) == kept.end() && !free_symbols({&parameter.value, 1}).empty())
      formulas.push_back({parameter.symbol, parameter.value});
  }
  const std::vector<Replacement> once = formulas;
  for (std::size_t depth = 1; depth < once.size(); ++depth)  // of formulas of formulas
    for (Replacement& each : formulas) each.by = substitute(each.by, once);
  return formulas;
}

}  // namespace dalembert

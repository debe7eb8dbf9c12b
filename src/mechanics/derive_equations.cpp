#include <dalembert/mechanics/gauss.hpp>
#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/mechanics/projection.hpp>

namespace dalembert {

Equations derive_equations(const Model& model, const std::string& by) {
  if (by == "multipliers") return derive_multipliers(model);
  if (by == "reduced") return derive_reduced(model);
  if (by == "gauss") return derive_gauss(model).equations;
  if (by == "projection") return derive_projection(model).equations;
  if (by == "hamel") return derive_hamel(model);
  throw InputError({"",
                    {},
                    "",
                    "\"" + by + "\" is no way to derive equations",
                    "use multipliers, reduced, hamel, gauss or projection"});
}

}  // namespace dalembert

#include "principle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <dalembert/mechanics/hamel.hpp>

#include "output.hpp"

using namespace dalembert;

namespace {

constexpr std::array principles = {"multipliers", "reduced", "hamel", "gauss", "projection"};

}  // namespace

void add_by_option(CLI::App& command, std::string& by) {
  command.add_option("--by", by, "Principle: multipliers, reduced (needs [reduction]), hamel, gauss or projection")
      ->capture_default_str();
}

Equations derive_by(const Model& model, const std::string& by) {
  if (std::ranges::find(principles, by) == principles.end()) {
    std::vector<std::string> names(principles.begin(), principles.end());
    std::string nearest = nearest_name(by, names);
    throw InputError({"",
                      {},
                      "--by",
                      fmt::format("there is no principle {}", by),
                      nearest.empty() ? "use multipliers, reduced, hamel, gauss or projection"
                                      : fmt::format("did you mean {}?", nearest)});
  }
  return derive_equations(model, by);
}

Equations derive_motion_by(const Model& model, const std::string& by) {
  if (by != "hamel") return derive_by(model, by);
  Equations equations = derive_hamel_motion(model).equations;
  if (!equations.quasi)
    say(fmt::format(
        "note: {} velocities are too many to complete the constraints by numbers; in the coordinates' rates, "
        "which are used, Hamel's equations are those by multipliers\n",
        equations.velocities.size()));
  return equations;
}

Equations derive_motion(Model& model, const std::string& by) {
  if (!model.simulate.vakonomic) return derive_motion_by(model, by);
  if (by != "multipliers")
    throw InputError({"",
                      {},
                      "--by",
                      "a vakonomic motion is integrated by its multipliers only",
                      "leave --by out, or use principle = \"dalembert\""});
  if (!model.releases.empty()) {
    say("note: [release] is passed over: a vakonomic motion has no reactions\n");
    model.releases.clear();
  }
  return derive_vakonomic(model);
}

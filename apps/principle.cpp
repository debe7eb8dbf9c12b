#include "principle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

using namespace dalembert;

namespace {

constexpr std::array known = {"multipliers", "reduced", "gauss", "projection"};
constexpr std::array later = {"hamel"};

}  // namespace

void add_by_option(CLI::App& command, std::string& by) {
  command.add_option("--by", by, "Principle: multipliers, reduced (needs [reduction]), gauss or projection")
      ->capture_default_str();
}

Equations derive_by(const Model& model, const std::string& by) {
  if (std::ranges::find(later, by) != later.end())
    throw InputError(
        {"", {}, "--by", fmt::format("{} is not available yet", by), "use multipliers, reduced, gauss or projection"});
  if (std::ranges::find(known, by) == known.end()) {
    std::vector<std::string> names(known.begin(), known.end());
    std::string nearest = nearest_name(by, names);
    throw InputError(
        {"",
         {},
         "--by",
         fmt::format("there is no principle {}", by),
         nearest.empty() ? "use multipliers, reduced, gauss or projection" : fmt::format("did you mean {}?", nearest)});
  }
  return derive_equations(model, by);
}

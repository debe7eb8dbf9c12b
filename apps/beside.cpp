#include "beside.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "output.hpp"
#include "principle.hpp"

using namespace dalembert;

namespace {

std::string title_of(const BesideOptions& options) {
  std::vector<std::string> parts = options.set;
  if (!options.by.empty()) parts.push_back("by " + options.by);
  if (!options.principle.empty()) parts.push_back(options.principle);
  return fmt::format("{}", fmt::join(parts, ", "));
}

void check_same_coordinates(const Model& first, const Model& second) {
  const auto names = [](const Model& model) {
    std::vector<std::string> list;
    for (const Coordinate& coordinate : model.coordinates) list.push_back(coordinate.name);
    for (const Parameter& parameter : model.parameters) list.push_back(parameter.name);
    return list;
  };
  if (names(first) != names(second))
    throw InputError({"",
                      {},
                      "--beside",
                      "the second motion has other coordinates than the first",
                      "leave the parameters that size families as they are"});
}

}  // namespace

void add_beside_options(CLI::App& command, BesideOptions& options) {
  command
      .add_option("--beside", options.set,
                  "In a page, a second motion beside the first, with this changed as by --set: --beside m=3")
      ->type_name("NAME=VALUE")
      ->expected(1)
      ->take_all();
  command.add_option("--beside-by", options.by, "The same by another principle, as --by names them");
  command.add_option("--beside-principle", options.principle, "The same as dalembert or vakonomic motion");
}

PageBeside simulate_beside(const BesideOptions& options, const ModelOptions& model, const std::string& by,
                           const System& first, const SimulateOptions& plan) {
  ModelOptions which = model;
  which.beside = options.set;
  const auto change = [&](Description& description) {
    if (!options.principle.empty()) description.simulate.principle = Text(options.principle);
  };
  auto [second, report] = load_start(which, change);
  check_same_coordinates(first.model(), second);
  if (!report.empty()) say(fmt::format("note: of the motion beside: {}\n", report));
  const System system(derive_motion(second, options.by.empty() ? by : options.by));
  PageBeside beside{title_of(options), system.simulate(plan), parameter_values(second)};
  if (!beside.motion) say(fmt::format("note: of the motion beside: {}\n", beside.motion.brief()));
  return beside;
}

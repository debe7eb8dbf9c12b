// The tension of one link of a chain in relative angles, by releasing its length alone (Paulus 1910): one row more,
// whatever the number of links. Exit status 1 if a figure is over its limit.

#include <fmt/format.h>

#include <dalembert/mechanics/release.hpp>
#include <dalembert/model/description.hpp>
#include <dalembert/program/program.hpp>

#include "measure.hpp"

using namespace dalembert;
using namespace dalembert::bench;

namespace {

/// Every link has a length of its own; the middle one's is released.
std::string chain(std::size_t links) {
  return fmt::format(R"toml(
gravity = [0, "-g", 0]
[repeat]
k = "1..N"
[parameters]
N = {0}
g = 9.81
l0 = 0
"l{{k}}" = 1
[coordinates]
"a{{k}}" = 0.1
[frames.f0]
[frames."f{{k}}"]
parent = "f{{k-1}}"
origin = ["l{{k-1}}", 0, 0]
rotate = [["z", "a{{k}}"]]
[points."P{{k}}"]
frame = "f{{k}}"
position = ["l{{k}}", 0, 0]
mass = 1
[release.l{1}]
)toml",
                     links, links / 2);
}

struct Figures {
  double derive_one, derive_all;  // seconds
  double one, all;                // instructions of the one reaction with accelerations given, and of M and h
};

double count_instructions(const Model& model, const std::vector<Expr>& outputs) {
  std::vector<Expr> inputs{model.time}, parameters;
  for (const Coordinate& c : model.coordinates) inputs.insert(inputs.end(), {c.q, c.rate, c.acceleration});
  for (const Parameter& parameter : model.parameters) parameters.push_back(parameter.symbol);
  return static_cast<double>(make_program(inputs, parameters, outputs).body.code.size());
}

std::vector<Expr> mass_and_bias(const Equations& equations) {
  std::vector<Expr> outputs = equations.bias;
  for (const auto& row : equations.mass)
    for (const Entry& entry : row) outputs.push_back(entry.value);
  return outputs;
}

Figures measure(std::size_t links) {
  Figures figures{};
  Model model = make_model(parse_description(chain(links), "chain.toml"));
  // A graph remembers what was built: each round starts from a model of its own.
  auto fresh = [&](auto&& derive) {
    double best = 1e300;
    for (int round = 0; round < 3; ++round) {
      Model again = make_model(parse_description(chain(links), "chain.toml"));
      best = std::min(best, seconds_once([&] { derive(again); }));
    }
    return best;
  };
  figures.derive_all = fresh([](const Model& again) { derive_multipliers(again); });
  figures.derive_one = fresh([](const Model& again) { derive_releases(again, Effort::glance); });
  const ReleasedReactions released = derive_releases(model, Effort::glance);
  figures.one = count_instructions(*released.model, {released.reactions.at(0).lambda});
  const Equations equations = derive_multipliers(model);
  figures.all = count_instructions(*equations.model, mass_and_bias(equations));
  fmt::print("{} links: one row {:.2f} ms, all of M and h {:.2f} ms; {} and {} instructions\n", links,
             1e3 * figures.derive_one, 1e3 * figures.derive_all, figures.one, figures.all);
  return figures;
}

}  // namespace

int main() {
  // M and h grow with the square of the links, a row of them only little faster than the links do.
  for (auto [links, part] : {std::pair(10, 0.25), {30, 0.15}, {100, 0.1}}) {
    Figures figures = measure(static_cast<std::size_t>(links));
    report(fmt::format("{} links: deriving the one row / an average row of M and h", links),
           figures.derive_one / figures.derive_all * links, 2, "rows");
    report(fmt::format("{} links: instructions of the one row / of M and h", links), figures.one / figures.all, part,
           "");
  }
  return all_within ? 0 : 1;
}

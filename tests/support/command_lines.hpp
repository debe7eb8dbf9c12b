#pragma once
// Commands for models that nobody has seen: all of them, by all principles, with the files that they read. `view` goes
// on until it is stopped; what it serves is the page of `simulate -o m.html`.

#include <algorithm>
#include <cctype>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace dalembert::testing_support {

/// PARAMETER and COORDINATE stand for the first such names of the model m.toml.
inline const std::vector<std::string>& command_lines() {
  static const std::vector<std::string> lines = {
      "check m.toml",
      "check m.toml --json",
      "check m.toml --as latex --project-initial",
      "derive m.toml",
      "derive m.toml --by reduced",
      "derive m.toml --by hamel --time 0.1",
      "derive m.toml --by gauss --as latex",
      "derive m.toml --by projection --expand",
      "derive m.toml --as c",
      "derive m.toml --as json",
      "simulate m.toml",
      "simulate m.toml --project-initial",
      "simulate m.toml --by hamel --project-initial",
      "simulate m.toml --by gauss --tolerance 1e-4",
      "simulate m.toml --by projection",
      "simulate m.toml --by reduced --solve COORDINATE",
      "simulate m.toml --from from.csv --quiet",
      "simulate m.toml --gradient PARAMETER,COORDINATE",
      "simulate m.toml --gradient COORDINATE' --json",
      "simulate m.toml --estimate-error --json",
      "simulate m.toml -o m.h5",
      "simulate m.toml -o m.svg",
      "simulate m.toml -o m.svg --picture 0,0.5",
      "simulate m.toml -o m.html",
      "simulate m.toml -o m.html --beside PARAMETER=2",
      "reactions m.toml",
      "reactions m.toml --by hamel --json",
      "reactions m.toml --by projection --time 0.2",
      "reactions m.toml --along",
      "reactions m.toml --as latex",
      "reactions m.toml --release PARAMETER",
      "reactions m.toml --at-rest",
      "verify m.toml",
      "verify m.toml --states 2 --json",
      "frame m.toml",
      "frame m.toml --reciprocal --as latex",
      "gauss m.toml",
      "gauss m.toml --at COORDINATE''=1 --time 0.1",
      "hodograph m.toml",
      "hodograph m.toml --transport --json",
      "linearize m.toml",
      "linearize m.toml --frozen --json --inputs PARAMETER",
      "linearize m.toml --steady COORDINATE",
      "linearize m.toml --over PARAMETER=0.5:2:0.25 -o m.svg",
      "equilibria m.toml",
      "equilibria m.toml --box COORDINATE=-1:1 --json",
      "equilibria m.toml --over PARAMETER=0.5:2:0.25 -o m.svg",
      "periodic m.toml",
      "periodic m.toml --free COORDINATE,T --period 1 --json",
      "inverse m.toml",
      "inverse m.toml -o m.svg",
      "sweep study.toml",
      "sweep study.toml -o m.h5 -o m.svg --threads 1",
      "fit m.toml data.csv --parameters PARAMETER,COORDINATE",
      "fit m.toml data.csv --parameters PARAMETER -o m.svg",
      "action m.toml",
      "action m.toml --to COORDINATE=0.5 --unchecked",
      "compare m.toml --with m.toml",
      "compare m.toml --equation energy=0",
      "gallery m.toml -o pages",
  };
  return lines;
}

/// The names at the beginnings of the lines of a section; `otherwise` where there is none.
inline std::vector<std::string> names_of(const std::string& model, const std::string& section,
                                         const std::string& otherwise) {
  std::vector<std::string> names;
  std::istringstream lines(model);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("[")) inside = line.starts_with(section);
    const auto end = std::ranges::find_if(line, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; });
    if (inside && end != line.begin()) names.emplace_back(line.begin(), end);
  }
  if (names.empty()) names.push_back(otherwise);
  return names;
}

/// Writes the model and what else commands read.
inline void write_inputs(const std::string& folder, const std::string& model,
                         const std::vector<std::string>& coordinates, const std::string& parameter) {
  const std::string& first = coordinates.front();
  std::ofstream(folder + "/m.toml") << model;
  std::ofstream(folder + "/study.toml") << "model = \"m.toml\"\n[vary]\n" + parameter +
                                               " = [0.5, 1, 2]\n[keep]\nlast = \"" + first + "\"\nmost = \"max(" +
                                               first + ")\"\n[section]\nwhen = \"" + first + "\"\ncolumns = [\"" +
                                               first + "'\"]\n[run]\nuntil = 1\nchunks = 2\n";
  std::ofstream(folder + "/data.csv") << "t," + first + "\n0,0.1\n0.25,0.2\n0.5,0.15\n1,0\n";
  std::string header = "t", row = "0.25";
  for (const std::string& name : coordinates) {
    header += "," + name + "," + name + "'";
    row += ",0.5,0.25";
  }
  std::ofstream(folder + "/from.csv") << header + "\n" + row + "\n";
}

/// Line `which` for this model; its files are in `folder` then.
inline std::vector<std::string> prepare_command(std::size_t which, const std::string& model,
                                                const std::string& folder) {
  const std::vector<std::string> coordinates = names_of(model, "[coordinates]", "x");
  const std::string parameter = names_of(model, "[parameters]", "m").front();
  write_inputs(folder, model, coordinates, parameter);
  std::istringstream words(command_lines()[which % command_lines().size()]);
  std::vector<std::string> arguments;
  for (std::string word; words >> word; arguments.push_back(word))
    for (const auto& [stands, name] : {std::pair<std::string, std::string>("PARAMETER", parameter),
                                       std::pair<std::string, std::string>("COORDINATE", coordinates.front())})
      if (const std::size_t at = word.find(stands); at != std::string::npos) word.replace(at, stands.size(), name);
  return arguments;
}

}  // namespace dalembert::testing_support

#include <fmt/format.h>

#include <algorithm>
#include <dalembert/expr/print.hpp>
#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/report/report.hpp>

#include "model_options.hpp"
#include "output.hpp"

using namespace dalembert;

namespace {

struct Options {
  ModelOptions model;
  std::string equation, with;
  bool json = false;
};

/// "NAME(" ... ")" in a formula, each replaced by what `value` gives for the text between the brackets.
template <class Value>
std::string replace_calls(const std::string& text, const std::string& name, Value&& value) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t found = text.find(name + "(", at), open = found + name.size();
    const std::size_t close = found == std::string::npos ? found : text.find(')', open);
    if (close == std::string::npos) return out + text.substr(at);
    out += text.substr(at, found - at) + "(" + value(text.substr(open + 1, close - open - 1)) + ")";
    at = close + 1;
  }
  return out;
}

[[noreturn]] void refuse(const std::string& problem, const std::string& remedy) {
  throw InputError({"", {}, "--equation", problem, remedy});
}

/// momentum(q), the derivative of the Lagrangian by a rate.
std::string momentum_text(const Equations& equations, const std::string& name) {
  for (std::size_t i = 0; i < equations.coordinates.size(); ++i)
    if (equations.coordinates[i].name() == name)
      return to_text(gradient(equations.lagrangian, std::span(equations.velocities).subspan(i, 1))[0]);
  refuse(fmt::format("there is no coordinate {} to have a momentum", name), "write momentum(q) with a coordinate q");
}

/// beta(mu, nu, rho) of the frame, by names of velocities.
std::string coefficient_text(const Model& model, const std::string& arguments) {
  std::vector<std::string> names{""};
  for (char c : arguments)
    if (c == ',')
      names.emplace_back();
    else
      names.back() += c;
  const QuasiFrame frame = make_frame(model);
  std::vector<std::size_t> at;
  for (const std::string& name : names)
    for (std::size_t r = 0; r <= frame.size(); ++r)
      if ((r < frame.size() ? frame.velocities[r].name : "t") == trimmed(name)) at.push_back(r);
  if (names.size() != 3 || at.size() != 3)
    refuse(fmt::format("beta({}) names no coefficient", arguments), "write beta(mu, nu, rho) with three velocities");
  for (const TransitionCoefficient& b : derive_transition_coefficients(model, frame)) {
    if (b.rho != at[2]) continue;
    if (b.mu == at[0] && b.nu == at[1]) return to_text(b.value);
    if (b.mu == at[1] && b.nu == at[0]) return "-(" + to_text(b.value) + ")";
  }
  return "0";
}

/// The sides of the relation become outputs, so that they are read as all formulas of a model are.
Comparison compare_equation(const Options& options) {
  std::string text = options.equation;
  if (text.find("momentum(") != std::string::npos || text.find("beta(") != std::string::npos) {
    const Model model = load_model(options.model);
    const Equations equations = derive_multipliers(model);
    text = replace_calls(text, "momentum", [&](const std::string& name) { return momentum_text(equations, name); });
    text = replace_calls(text, "beta", [&](const std::string& names) { return coefficient_text(model, names); });
  }
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || text.find('=', equals + 1) != std::string::npos)
    refuse(fmt::format("'{}' is no equation", options.equation), "write one formula, =, and another");
  std::string left = "left", right = "right";
  auto change = [&](Description& description) {
    auto add = [&](std::string& name, const std::string& side) {
      auto taken = [&](const auto& list) {
        return std::ranges::any_of(list, [&](const auto& each) { return each.name.text == name; });
      };
      while (taken(description.outputs) || taken(description.parameters) || taken(description.coordinates) ||
             taken(description.definitions) || taken(description.quasi_velocities))
        name += "_";
      description.outputs.push_back({Text(name), VectorText(Text(side))});
    };
    add(left, text.substr(0, equals));
    add(right, text.substr(equals + 1));
  };
  const Equations equations = [&] {
    try {
      return derive_multipliers(load_model(options.model, change));
    } catch (const ModelError& error) {  // in the user's equation, which the model file does not have
      const Complaint& complaint = error.complaint();
      if (complaint.key != "outputs." + left && complaint.key != "outputs." + right) throw;
      throw InputError({"", {}, "--equation", complaint.problem, complaint.remedy});
    }
  }();
  auto parts = [&](const std::string& name) {
    std::vector<Expr> list;
    for (const Output& output : equations.model->outputs)
      if (output.name == name || (output.name.size() == name.size() + 2 && output.name.starts_with(name + ".")))
        list.push_back(output.formula);
    return list;
  };
  const std::vector<Expr> one = parts(left), other = parts(right);
  if (one.size() != other.size()) refuse("a vector on one side and a scalar on the other", "write [0, 0, 0] for zero");
  Comparison result;
  for (std::size_t k = 0; k < one.size(); ++k) {
    Comparison part = compare_sides(equations, one[k], other[k]);
    if (k == 0 || part.equal != std::optional(true)) result = std::move(part);
    if (result.equal != std::optional(true)) break;
  }
  return result;
}

Comparison compare(const Options& options) {
  if (options.equation.empty() == options.with.empty())
    throw InputError(
        {"",
         {},
         "compare",
         options.with.empty() ? "nothing to compare the model with" : "two things to compare the model with",
         "give --equation \"left = right\", or --with another model file"});
  if (!options.equation.empty()) return compare_equation(options);
  return compare_models(derive_multipliers(load_model(options.model)),
                        derive_multipliers(load_model(find_model(options.with))));
}

}  // namespace

void add_compare(CLI::App& app, ExitStatus& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("compare", "Proves or refutes a formula against the model's");
  add_model_options(*command, options->model);
  command->add_option("--equation", options->equation,
                      "An equation of t, q, q', q'', parameters, reaction(c), energy, momentum(q), beta(mu, nu, rho)");
  command->add_option("--with", options->with, "Another model file with the same coordinates, or models:NAME");
  add_json_option(*command, options->json);
  command->footer("Example: dalembert compare models:pendulum --equation \"theta'' = -g/l*sin(theta)\"");
  command->callback([options, &status] {
    const Comparison comparison = compare(*options);
    options->json ? put(write_json(comparison)) : put_text(write_text(comparison));
    status = comparison.equal == std::optional(false) ? ExitStatus::check_failed : ExitStatus::fine;
  });
}

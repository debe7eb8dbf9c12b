// An equation as people write it, against a model's.

#include <fmt/format.h>

#include <algorithm>
#include <dalembert/expr/print.hpp>
#include <dalembert/mechanics/hamel.hpp>
#include <dalembert/study/questions.hpp>

namespace dalembert {
namespace {

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
  throw InputError({"", {}, "equation", problem, remedy});
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
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

/// With momenta and coefficients of the frame written out.
std::string written_out(std::string text, const Description& description, const Overrides& overrides) {
  if (text.find("momentum(") == std::string::npos && text.find("beta(") == std::string::npos) return text;
  const Model model = make_model(description, overrides);
  const Equations equations = derive_multipliers(model);
  text = replace_calls(text, "momentum", [&](const std::string& name) { return momentum_text(equations, name); });
  return replace_calls(text, "beta", [&](const std::string& names) { return coefficient_text(model, names); });
}

/// An output that no part of the model is called as; gives its name.
std::string add_output(Description& description, std::string name, const std::string& formula) {
  const auto taken = [&](const auto& list) {
    return std::ranges::any_of(list, [&](const auto& each) { return each.name.text == name; });
  };
  while (taken(description.outputs) || taken(description.parameters) || taken(description.inputs) ||
         taken(description.coordinates) || taken(description.definitions) || taken(description.quasi_velocities))
    name += "_";
  description.outputs.push_back({Text(name), VectorText(Text(formula))});
  return name;
}

/// What a model complains of in one of these outputs is the equation's, which the model file does not have.
Equations derive_with(const Description& description, const Overrides& overrides,
                      const std::vector<std::string>& outputs) {
  try {
    return derive_multipliers(make_model(description, overrides));
  } catch (const ModelError& error) {
    const Complaint& complaint = error.complaint();
    if (std::ranges::none_of(outputs, [&](const std::string& name) { return complaint.key == "outputs." + name; }))
      throw;
    refuse(complaint.problem, complaint.remedy);
  }
}

/// Of a scalar one, of a vector three.
std::vector<Expr> parts_of(const Equations& equations, const std::string& name) {
  std::vector<Expr> list;
  for (const Output& output : equations.model->outputs)
    if (output.name == name || (output.name.size() == name.size() + 2 && output.name.starts_with(name + ".")))
      list.push_back(output.formula);
  return list;
}

}  // namespace

/// The sides become outputs, so that they are read as all formulas of a model are.
Comparison compare_equation(Description description, const Overrides& overrides, const std::string& equation) {
  const std::string text = written_out(equation, description, overrides);
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || text.find('=', equals + 1) != std::string::npos)
    refuse(fmt::format("'{}' is no equation", equation), "write one formula, =, and another");
  const std::string left = add_output(description, "left", text.substr(0, equals)),
                    right = add_output(description, "right", text.substr(equals + 1));
  const Equations equations = derive_with(description, overrides, {left, right});
  const std::vector<Expr> one = parts_of(equations, left), other = parts_of(equations, right);
  if (one.size() != other.size()) refuse("a vector on one side and a scalar on the other", "write [0, 0, 0] for zero");
  Comparison result;
  for (std::size_t k = 0; k < one.size(); ++k) {
    Comparison part = compare_sides(equations, one[k], other[k]);
    if (k == 0 || part.equal != std::optional(true)) result = std::move(part);
    if (result.equal != std::optional(true)) break;
  }
  return result;
}

}  // namespace dalembert

#include <fmt/format.h>

#include <algorithm>
#include <dalembert/model/description.hpp>

// A description back to a model file. Formulas are quoted unless they are plain numbers.

namespace dalembert {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// What TOML reads as a number with the digits that it has: -12, 0.5, 1e-10.
bool is_number(std::string_view text) {
  auto digits = [&] {
    std::size_t count = 0;
    while (count < text.size() && is_digit(text[count])) ++count;
    text.remove_prefix(count);
    return count;
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  bool zero_first = text.starts_with('0');
  std::size_t whole = digits();
  if (whole == 0 || whole > 15 || (zero_first && whole > 1)) return false;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (digits() == 0) return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    std::size_t exponent = digits();
    if (exponent == 0 || exponent > 2) return false;
  }
  return text.empty();
}

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string key(const Text& name) {
  bool bare = !name.empty() && std::ranges::all_of(name.text, [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  });
  return bare ? name.text : in_quotes(name.text);
}

std::string formula(const Text& text) { return is_number(text.text) ? text.text : in_quotes(text.text); }

template <class Parts, class Write>
std::string list(const Parts& parts, Write&& write) {
  std::vector<std::string> words;
  for (const auto& part : parts) words.push_back(write(part));
  return fmt::format("[{}]", fmt::join(words, ", "));
}

std::string vector(const VectorText& text) {
  return text.parts.size() == 1 ? formula(text.parts[0]) : list(text.parts, formula);
}

std::string coordinate(const CoordinateText& text) {
  if (text.rate.text == "0" && !text.is_guess && !text.is_rate_guess) return formula(text.value);
  return fmt::format("{{ {} = {}, {} = {} }}", text.value_key(), formula(text.value), text.rate_key(),
                     formula(text.rate));
}

std::string rotation(const RotationText& text) {
  std::vector<std::string> words{in_quotes(text.kind.text)};
  for (const Text& argument : text.arguments) words.push_back(formula(argument));
  return fmt::format("[{}]", fmt::join(words, ", "));
}

std::string input(const InputText& text) {
  if (text.file.empty()) return formula(text.value);
  return fmt::format("{{ file = {}, column = {} }}", in_quotes(text.file.text), in_quotes(text.column.text));
}

class Writer {
 public:
  std::string write(const Description& d) {
    if (!d.name.empty()) line("name", in_quotes(d.name));
    if (!d.about.empty()) line("about", in_quotes(d.about));
    line("gravity", d.gravity);
    write_parameters(d);
    section("repeat", d.repeats,
            [](const RangeText& range) { return in_quotes(range.first.text + ".." + range.last.text); });
    section("inputs", d.inputs, input);
    section("coordinates", d.coordinates, coordinate);
    section("definitions", d.definitions, vector);
    for (const Named<FrameText>& entry : d.frames) write_frame(entry);
    for (const Named<PointText>& entry : d.points) write_point(entry);
    for (const Named<BodyText>& entry : d.bodies) write_body(entry);
    write_energy(d.energy);
    section("forces", d.forces, formula);
    section("constraints", d.constraints, [](const ConstraintText& text) {
      if (text.restitution.empty()) return in_quotes(text.relation.text);
      return fmt::format("{{ relation = {}, restitution = {} }}", in_quotes(text.relation.text),
                         formula(text.restitution));
    });
    section("initial", d.initial, [](const Text& text) { return in_quotes(text.text); });
    section("frame", d.quasi_velocities, formula);
    for (const Named<ReleaseText>& entry : d.releases) write_release(entry);
    write_reduction(d.reduction);
    section("outputs", d.outputs, vector);
    section("events", d.events, [](const EventText& text) {
      return fmt::format("{{ when = {}, direction = {}, action = {} }}", formula(text.when),
                         in_quotes(text.direction.text), in_quotes(text.action.text));
    });
    for (const Named<ShapeText>& entry : d.shapes) write_shape(entry);
    write_simulate(d.simulate);
    write_studies(d);
    return std::move(text_);
  }

 private:
  void header(const std::string& name) { text_ += fmt::format("{}[{}]\n", text_.empty() ? "" : "\n", name); }
  void line(const std::string& name, const std::string& value) { text_ += fmt::format("{} = {}\n", name, value); }
  void line(const std::string& name, const Text& value) {
    if (!value.empty()) line(name, formula(value));
  }
  void line(const std::string& name, const VectorText& value) {
    if (!value.empty()) line(name, vector(value));
  }

  template <class T, class Write>
  void section(const std::string& name, const std::vector<Named<T>>& entries, Write&& write) {
    if (entries.empty()) return;
    header(name);
    for (const Named<T>& entry : entries) line(key(entry.name), write(entry.what));
  }

  void write_parameters(const Description& d) {
    if (d.parameters.empty()) return;
    header("parameters");
    for (const Named<Text>& entry : d.parameters) {
      const bool positive = std::ranges::find(d.positive, entry.name.text, &Text::text) != d.positive.end();
      const std::string value = formula(entry.what);
      line(key(entry.name), positive ? fmt::format("{{ value = {}, positive = true }}", value) : value);
    }
  }

  void write_frame(const Named<FrameText>& entry) {
    header("frames." + key(entry.name));
    if (entry.what.parent.text != "world") line("parent", in_quotes(entry.what.parent.text));
    line("origin", entry.what.origin);
    if (!entry.what.rotate.empty()) line("rotate", list(entry.what.rotate, rotation));
  }

  void write_point(const Named<PointText>& entry) {
    header("points." + key(entry.name));
    if (entry.what.frame.text != "world") line("frame", in_quotes(entry.what.frame.text));
    line("position", entry.what.position);
    line("mass", entry.what.mass);
    line("force", entry.what.force);
  }

  void write_body(const Named<BodyText>& entry) {
    header("bodies." + key(entry.name));
    line("frame", in_quotes(entry.what.frame.text));
    line("centre", entry.what.centre);
    line("mass", entry.what.mass);
    line("inertia", entry.what.inertia);
    line("force", entry.what.force);
    line("torque", entry.what.torque);
  }

  void write_energy(const EnergyText& energy) {
    if (energy.kinetic.empty() && energy.potential.empty() && energy.dissipation.empty() && energy.lagrangian.empty())
      return;
    header("energy");
    line("kinetic", energy.kinetic);
    line("potential", energy.potential);
    line("dissipation", energy.dissipation);
    line("lagrangian", energy.lagrangian);
  }

  void write_release(const Named<ReleaseText>& entry) {
    header("release." + key(entry.name));
    if (!entry.what.constraint.empty()) line("constraint", in_quotes(entry.what.constraint.text));
    if (!entry.what.points.empty())
      line("points", list(entry.what.points, [](const Text& point) { return in_quotes(point.text); }));
  }

  void write_reduction(const ReductionText& reduction) {
    if (reduction.empty()) return;
    header("reduction");
    std::vector<std::string> words;
    for (const Named<CoordinateText>& entry : reduction.coordinates)
      words.push_back(fmt::format("{} = {}", key(entry.name), coordinate(entry.what)));
    line("coordinates", fmt::format("{{ {} }}", fmt::join(words, ", ")));
    for (const Named<Text>& entry : reduction.embedding) line(key(entry.name), formula(entry.what));
  }

  void write_shape(const Named<ShapeText>& entry) {
    const ShapeText& shape = entry.what;
    header("shapes." + key(entry.name));
    line("kind", in_quotes(shape.kind.text));
    if (shape.frame.text != "world") line("frame", in_quotes(shape.frame.text));
    if (!shape.size.empty()) line("size", list(shape.size, formula));
    line("at", shape.at);
    if (shape.axis.text != "z") line("axis", in_quotes(shape.axis.text));
    if (!shape.between.empty())
      line("between", list(shape.between, [](const Text& end) { return in_quotes(end.text); }));
    if (!shape.colour.empty()) line("colour", in_quotes(shape.colour.text));
    if (!shape.file.empty()) line("file", in_quotes(shape.file.text));
  }

  void write_simulate(const SimulateText& simulate) {
    if (simulate.until.empty() && simulate.every.empty() && simulate.tolerance.empty() && simulate.principle.empty() &&
        simulate.multipliers.empty())
      return;
    header("simulate");
    line("until", simulate.until);
    line("every", simulate.every);
    line("tolerance", simulate.tolerance);
    if (!simulate.principle.empty()) line("principle", in_quotes(simulate.principle.text));
    if (simulate.multipliers.empty()) return;
    std::vector<std::string> words;
    for (const Named<Text>& entry : simulate.multipliers)
      words.push_back(fmt::format("{} = {}", key(entry.name), formula(entry.what)));
    line("multipliers", fmt::format("{{ {} }}", fmt::join(words, ", ")));
  }

  void write_studies(const Description& d) {
    const auto names = [](const std::vector<Text>& texts) {
      return list(texts, [](const Text& text) { return in_quotes(text.text); });
    };
    if (!d.steady.constant.empty()) {
      header("steady");
      line("constant", names(d.steady.constant));
    }
    if (!d.inverse.empty()) {
      header("inverse");
      std::vector<std::string> words;
      for (const Named<Text>& entry : d.inverse.follow)
        words.push_back(fmt::format("{} = {}", key(entry.name), formula(entry.what)));
      if (!words.empty()) line("follow", fmt::format("{{ {} }}", fmt::join(words, ", ")));
      if (!d.inverse.by.empty()) line("by", names(d.inverse.by));
    }
    if (!d.periodic.empty()) {
      header("periodic");
      if (!d.periodic.section.empty()) line("section", in_quotes(d.periodic.section.text));
      line("period", d.periodic.period);
      if (!d.periodic.free.empty()) line("free", names(d.periodic.free));
    }
  }

  std::string text_;
};

}  // namespace

std::string write_toml(const Description& description) { return Writer().write(description); }

}  // namespace dalembert

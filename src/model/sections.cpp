#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "model/elaborator.hpp"
#include "model/inertia.hpp"

// Quasi-velocities, the reduction, outputs, events, settings; then the numbers.

namespace dalembert {

void Elaborator::make_quasi_velocities() {
  for (std::size_t i = 0; i < quasi_velocities_.size(); ++i) quasi_velocity(i);
  if (model_.quasi_velocities.empty()) return;
  std::size_t quaternions = 0;
  for (const Frame& each : model_.frames) quaternions += each.quaternion.empty() ? 0 : 1;
  std::size_t expected = model_.coordinates.size() - std::min(quaternions, model_.coordinates.size());
  if (model_.quasi_velocities.size() != expected)
    fail({"frame", nullptr}, model_.quasi_velocities[0].place,
         fmt::format("the number of quasi-velocities is {}", model_.quasi_velocities.size()),
         fmt::format("expected {}: as many as coordinates, less one for each quaternion", expected));
}

void Elaborator::make_reduction() {
  if (!model_.reduction) return;
  Reduction& reduction = *model_.reduction;
  reduction.place = description_.reduction.place;
  reduction.embedding.resize(model_.coordinates.size());
  for (const Member<Text>& member : embedding_) {
    Where where{"reduction", &member.entry->name, {}, &member.indices};
    Expr& entry = reduction.embedding[find_coordinate(where, member.entry->name)];
    if (entry) fail(where, {}, fmt::format("'{}' is given twice", member.name), "give it once");
    entry = scalar(where, member.entry->what, {member.indices});
    if (kinds_.of(entry) & (of_coordinates | of_rates | of_accelerations))
      fail(where, member.entry->what.place,
           fmt::format("it depends on {}", offender(entry, of_parameters | of_time | of_reduced)),
           "expected a formula of t, parameters and the coordinates of [reduction]");
  }
  for (std::size_t i = 0; i < model_.coordinates.size(); ++i)
    if (!reduction.embedding[i])
      fail({"reduction", nullptr}, reduction.place,
           fmt::format("it says nothing about '{}'", model_.coordinates[i].name),
           "give every coordinate in terms of those of [reduction]");
  if (reduction.coordinates.size() >= model_.coordinates.size())
    fail({"reduction", nullptr}, reduction.place,
         fmt::format("{} coordinates, and the model has {}", reduction.coordinates.size(), model_.coordinates.size()),
         "a reduction has fewer");
}

void Elaborator::make_outputs() {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Member<VectorText>& member = outputs_[i];
    Where where{"outputs", &member.entry->name, {}, &member.indices};
    Quantity made = output(i);
    require(where, member.entry->what.parts[0], made, in_states | of_accelerations | of_motion,
            "t, coordinates, rates, accelerations, parameters, reactions and energy");
    Place place = member.entry->name.place;
    if (const Expr* number = std::get_if<Expr>(&made)) {
      model_.outputs.push_back({member.name, *number, place});
      continue;
    }
    for (std::size_t c = 0; c < 3; ++c)
      model_.outputs.push_back({fmt::format("{}.{}", member.name, "xyz"[c]), std::get<Vector3>(made)[c], place});
  }
}

void Elaborator::make_events() {
  for (const Member<EventText>& member : events_) {
    const EventText& text = member.entry->what;
    Where where{"events", &member.entry->name, "when", &member.indices};
    Event made;
    made.name = member.name;
    made.place = member.entry->name.place;
    made.when = scalar(where, text.when, {member.indices, true, false});
    require(where, text.when, made.when, in_states | of_accelerations | of_motion,
            "t, coordinates, rates, accelerations, parameters, reactions and energy");
    where.field = "direction";
    const std::string& direction = text.direction.text;
    if (direction != "either" && direction != "rising" && direction != "falling")
      fail(where, text.direction.place, fmt::format("'{}' is not a direction", direction),
           "expected \"rising\", \"falling\" or \"either\"");
    made.direction = direction == "rising"    ? Direction::rising
                     : direction == "falling" ? Direction::falling
                                              : Direction::either;
    where.field = "action";
    if (text.action.text != "stop" && text.action.text != "record")
      fail(where, text.action.place, fmt::format("'{}' is not an action", text.action.text),
           "expected \"stop\" or \"record\"");
    made.stop = text.action.text == "stop";
    model_.events.push_back(std::move(made));
  }
}

double Elaborator::number(const Where& where, const Text& text, Expr& formula) {
  formula = scalar(where, text, {});
  require(where, text, formula, of_parameters, "parameters");
  double value = evaluate(formula, bindings_);
  if (!std::isfinite(value)) fail(where, text.place, "its value is not finite", "expected a finite number");
  return value;
}

void Elaborator::make_settings() {
  const SimulateText& text = description_.simulate;
  SimulateSettings& made = model_.simulate;
  auto positive = [&](std::string_view field, const Text& given, double otherwise, Expr& formula) {
    if (given.empty()) return otherwise;
    Where where{"simulate", nullptr, field};
    double value = number(where, given, formula);
    if (value <= 0) fail(where, given.place, fmt::format("{} is not positive", value), "expected a positive number");
    return value;
  };
  made.until = positive("until", text.until, 10.0, made.formulas.until);
  made.every_given = !text.every.empty();
  made.every = positive("every", text.every, made.until / 1000, made.formulas.every);
  made.tolerance = positive("tolerance", text.tolerance, 1e-10, made.formulas.tolerance);
  const std::string& principle = text.principle.text;
  if (!principle.empty() && principle != "dalembert" && principle != "vakonomic") {
    std::string nearest = nearest_name(principle, {"dalembert", "vakonomic"});
    fail({"simulate", nullptr, "principle"}, text.principle.place, fmt::format("'{}' is not a principle", principle),
         nearest.empty() ? "expected \"dalembert\" or \"vakonomic\"" : fmt::format("did you mean \"{}\"?", nearest));
  }
  made.vakonomic = principle == "vakonomic";
  std::vector<std::string> names;
  for (const Constraint& constraint : model_.constraints) names.push_back(constraint.name);
  std::unordered_set<std::string> known(names.begin(), names.end());
  for (const Named<Text>& entry : text.multipliers) {
    Where where{"simulate.multipliers", &entry.name};
    if (!known.contains(entry.name.text)) {
      std::string nearest = nearest_name(entry.name.text, names);
      fail(where, entry.name.place, fmt::format("there is no constraint '{}'", entry.name.text),
           nearest.empty() ? "expected the name of a constraint" : fmt::format("did you mean '{}'?", nearest));
    }
    Expr& formula = made.formulas.multipliers.emplace_back();
    made.multipliers.emplace_back(entry.name.text, number(where, entry.what, formula));
  }
}

/// Of points and bodies, at the parameters' values.
void Elaborator::check_masses() {
  std::vector<Expr> masses;
  std::vector<std::pair<Where, Place>> places;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (!model_.points[i].mass) continue;
    masses.push_back(model_.points[i].mass);
    places.push_back(
        {{"points", &points_[i].entry->name, "mass", &points_[i].indices}, points_[i].entry->what.mass.place});
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    masses.push_back(model_.bodies[i].mass);
    places.push_back(
        {{"bodies", &bodies_[i].entry->name, "mass", &bodies_[i].indices}, bodies_[i].entry->what.mass.place});
  }
  std::vector<double> values = evaluate(masses, bindings_);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(values[i] >= 0 && std::isfinite(values[i])))
      fail(places[i].first, places[i].second, fmt::format("the mass is {}", values[i]),
           "expected zero or a positive number");
}

/// Those that are numbers: parameters may be given other values, and `check` has a remark on theirs.
void Elaborator::check_inertias() {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    std::vector<Expr> entries;
    for (const Vector3& row : model_.bodies[i].inertia) entries.insert(entries.end(), row.begin(), row.end());
    if (!free_symbols(entries).empty()) continue;
    const std::string problem = find_wrong_inertia(evaluate(entries, {}));
    if (problem.empty()) continue;
    fail({"bodies", &bodies_[i].entry->name, "inertia", &bodies_[i].indices},
         bodies_[i].entry->what.inertia.parts[0].place, problem,
         "give xx yy zz of a body; write 0 for those about axes that it never turns about");
  }
}

/// Parameters and initial values must be numbers.
void Elaborator::check_numbers() {
  std::vector<double> values = parameter_values(model_);
  for (std::size_t i = 0; i < values.size(); ++i) {
    bindings_.push_back({model_.parameters[i].symbol, values[i]});
    if (!std::isfinite(values[i]))
      fail({section_of_parameter(i), &parameters_[i].entry->name, {}, &parameters_[i].indices},
           parameters_[i].entry->what.place, "its value is not finite", "expected a finite number");
    if (model_.parameters[i].is_positive && !(values[i] > 0))
      fail({section_of_parameter(i), &parameters_[i].entry->name, {}, &parameters_[i].indices},
           parameters_[i].entry->what.place, fmt::format("{} is not positive", values[i]),
           "give a positive number, or take `positive = true` away");
  }
  auto check = [&](const std::vector<Coordinate>& coordinates, const auto& members, std::string_view section) {
    std::vector<Expr> both;
    for (const Coordinate& coordinate : coordinates) both.insert(both.end(), {coordinate.value, coordinate.rate_value});
    std::vector<double> numbers = evaluate(both, bindings_);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (std::isfinite(numbers[i])) continue;
      const auto& member = members[i / 2];
      const CoordinateText& what = member.entry->what;
      const Text& text = i % 2 == 0 ? what.value : what.rate;
      fail({section, &member.entry->name, i % 2 == 0 ? what.value_key() : what.rate_key(), &member.indices}, text.place,
           "its value is not finite", "expected a finite number");
    }
  };
  check(model_.coordinates, coordinates_, "coordinates");
  if (model_.reduction) check(model_.reduction->coordinates, reduced_, "reduction.coordinates");
  check_masses();
  check_inertias();
  for (const Constraint& constraint : model_.constraints) {
    if (!constraint.restitution) continue;
    double restitution = evaluate(constraint.restitution, bindings_);
    if (!(restitution >= 0 && restitution <= 1))
      throw ModelError({description_.file, constraint.place, "constraints." + constraint.name,
                        fmt::format("the restitution is {}", restitution), "expected a number between 0 and 1"});
  }
}

}  // namespace dalembert

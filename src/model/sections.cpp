#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "model/elaborator.hpp"
#include "model/vectors.hpp"

// The sections of a description, one after the other.

namespace dalembert {

Elaborator::Elaborator(const Description& description, const Overrides& overrides)
    : description_(description),
      overrides_(overrides),
      families_(description, overrides),
      graph_(*(model_.graph = std::make_shared<Graph>())),
      kinds_(graph_) {
  model_.name = description.name;
  model_.about = description.about;
  model_.file = description.file;
  scope_.graph = &graph_;
  scope_.name = [this](const SyntaxNode& node) { return ask_name(node); };
  scope_.call = [this](const Formula& formula, std::uint32_t call) { return ask_call(formula, call); };
  scope_.known_names = [this] { return known_names(); };
  for (const Override& change : overrides)
    override_texts_[change.name] = {Text("--set " + change.name), Text(change.value)};
  model_.time = graph_.symbol("t");
  kinds_.set(model_.time, of_time);
  kinds_.set(graph_.symbol("energy"), of_motion);
  rates_[model_.time.id()] = graph_.constant(1);
}

Model Elaborator::run() {
  declare_names();
  declare_things();
  declare_constraints();
  check_overrides();
  make_parameters();
  make_coordinates(coordinates_, "coordinates", of_coordinates, model_.coordinates);
  if (model_.coordinates.empty())
    throw ModelError({description_.file,
                      {1, 1},
                      "coordinates",
                      "the model has no coordinates",
                      "write [coordinates] with at least one"});
  if (!reduced_.empty())
    make_coordinates(reduced_, "reduction.coordinates", of_reduced, model_.reduction.emplace().coordinates);

  definition_values_.resize(definitions_.size());
  mentioned_values_.resize(definitions_.size());
  output_values_.resize(outputs_.size());
  frame_states_.resize(frames_.size() + 1);
  point_states_.resize(points_.size());
  model_.points.resize(points_.size());
  model_.frames.resize(frames_.size() + 1);
  turnings_.resize(frames_.size() + 1);
  Expr zero = graph_.constant(0), one = graph_.constant(1);
  Vector3 nothing{zero, zero, zero};
  Matrix3 unit{{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}};
  model_.frames[0] = {"world", 0, unit, nothing, nothing, nothing, nothing, {}, {}};
  turnings_[0] = {unit, nothing, -1, {}};

  Where gravity{"", nullptr, "gravity"};
  model_.gravity = vector(gravity, description_.gravity, {});
  if (!description_.gravity.empty())
    require(gravity, description_.gravity.parts[0], model_.gravity, of_parameters | of_time, "parameters and t");
  for (std::size_t i = 0; i < definitions_.size(); ++i) definition(i, false);
  for (std::size_t i = 1; i < model_.frames.size(); ++i) frame(i);
  for (std::size_t i = 0; i < points_.size(); ++i) point(i);
  make_bodies();
  make_energies();
  make_forces();
  make_constraints();
  make_unit_constraints();
  make_quasi_velocities();
  make_releases();
  make_reduction();
  make_outputs();
  make_events();
  check_numbers();
  make_simulate();
  return std::move(model_);
}

void Elaborator::make_parameters() {
  for (const Member<Text>& member : parameters_) {
    Expr symbol = graph_.symbol(member.name);
    kinds_.set(symbol, of_parameters);
    model_.parameters.push_back({member.name, symbol, {}, member.entry->name.place});
  }
  parameter_states_.resize(parameters_.size());
  for (std::size_t i = 0; i < parameters_.size(); ++i) parameter_value(i);
}

void Elaborator::make_coordinates(const std::vector<Member<CoordinateText>>& members, std::string_view section,
                                  Kinds kind, std::vector<Coordinate>& coordinates) {
  coordinates.reserve(members.size());
  for (const Member<CoordinateText>& member : members) {
    Coordinate made{member.name,
                    graph_.symbol(member.name),
                    graph_.symbol(member.name + "'"),
                    graph_.symbol(member.name + "''"),
                    {},
                    {},
                    member.entry->name.place};
    kinds_.set(made.q, kind);
    kinds_.set(made.rate, kind == of_coordinates ? of_rates : kind);
    kinds_.set(made.acceleration, kind == of_coordinates ? of_accelerations : kind);
    rates_[made.q.id()] = made.rate;
    rates_[made.rate.id()] = made.acceleration;
    coordinates.push_back(made);
  }
  // Definitions may be used in initial values, so all coordinates must be there before the first formula.
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Member<CoordinateText>& member = members[i];
    Where where{section, &member.entry->name, "value", &member.indices};
    const Text& value_text = overridden(member.name, member.entry->what.value, where);
    coordinates[i].value = scalar(where, value_text, {member.indices});
    require(where, value_text, coordinates[i].value, of_parameters, "parameters");
    where = {section, &member.entry->name, "rate", &member.indices};
    const Text& rate_text = overridden(member.name + "'", member.entry->what.rate, where);
    coordinates[i].rate_value = scalar(where, rate_text, {member.indices});
    require(where, rate_text, coordinates[i].rate_value, of_parameters, "parameters");
  }
}

/// Masses and forces of points, and bodies.
void Elaborator::make_bodies() {
  auto mass_of = [&](const Where& where, const Text& text, const Context& context) {
    Expr mass = scalar(where, text, context);
    require(where, text, mass, of_parameters, "parameters");
    return mass;
  };
  auto force_of = [&](const Where& where, const VectorText& text, const Context& context) -> std::optional<Vector3> {
    if (text.empty()) return std::nullopt;
    Vector3 force = vector(where, text, context);
    require(where, text.parts[0], force, in_states, "t, coordinates, rates and parameters");
    return force;
  };
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const Member<PointText>& member = points_[i];
    const PointText& text = member.entry->what;
    const Text& name = member.entry->name;
    if (!text.mass.empty())
      model_.points[i].mass = mass_of({"points", &name, "mass", &member.indices}, text.mass, {member.indices});
    model_.points[i].force = force_of({"points", &name, "force", &member.indices}, text.force, {member.indices});
  }
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    const Member<BodyText>& member = bodies_[i];
    const BodyText& text = member.entry->what;
    Where where{"bodies", &member.entry->name, "centre", &member.indices};
    Context context{member.indices};
    Body made;
    made.name = member.name;
    made.place = member.entry->name.place;
    made.frame = frame_of_body_[i];
    Vector3 inside = vector(where, text.centre, context);
    const Text& blamed = text.centre.empty() ? member.entry->name : text.centre.parts[0];
    require(where, blamed, inside, in_positions, "t, coordinates and parameters");
    std::tie(made.centre, made.centre_velocity) = guarded(where, blamed, [&] { return carry(made.frame, inside); });
    where.field = "mass";
    if (text.mass.empty()) fail(where, {}, "a body needs a mass", "write mass = \"...\"");
    made.mass = mass_of(where, text.mass, context);
    where.field = "inertia";
    made.inertia = inertia(where, text.inertia, context);
    made.force = force_of({"bodies", &member.entry->name, "force", &member.indices}, text.force, context);
    made.torque = force_of({"bodies", &member.entry->name, "torque", &member.indices}, text.torque, context);
    model_.bodies.push_back(std::move(made));
  }
}

Matrix3 Elaborator::inertia(const Where& where, const VectorText& text, const Context& context) {
  Expr zero = graph_.constant(0);
  std::vector<Expr> parts(6, zero);  // xx yy zz xy yz zx
  if (text.parts.size() == 6) {
    for (std::size_t i = 0; i < 6; ++i) parts[i] = scalar(where, text.parts[i], context);
  } else {
    std::ranges::copy(vector(where, text, context), parts.begin());
  }
  for (std::size_t i = 0; i < 6; ++i)
    if (!text.empty()) require(where, text.parts[text.parts.size() > i ? i : 0], parts[i], of_parameters, "parameters");
  return {{{parts[0], parts[3], parts[5]}, {parts[3], parts[1], parts[4]}, {parts[5], parts[4], parts[2]}}};
}

void Elaborator::make_energies() {
  auto make = [&](std::string_view field, const Text& text, Expr& energy, unsigned allowed, std::string_view expected) {
    if (text.empty()) return;
    Where where{"energy", nullptr, field};
    energy = scalar(where, text, {});
    require(where, text, energy, allowed, expected);
  };
  const EnergyText& text = description_.energy;
  constexpr std::string_view any = "t, coordinates, rates and parameters";
  make("kinetic", text.kinetic, model_.kinetic, in_states, any);
  make("potential", text.potential, model_.potential, in_positions,
       "t, coordinates and parameters; a potential with rates belongs in lagrangian");
  make("dissipation", text.dissipation, model_.dissipation, in_states, any);
  make("lagrangian", text.lagrangian, model_.lagrangian, in_states, any);
}

void Elaborator::make_forces() {
  model_.forces.assign(model_.coordinates.size(), graph_.constant(0));
  std::vector<bool> given(model_.coordinates.size(), false);
  for (const Member<Text>& member : forces_) {
    Where where{"forces", &member.entry->name, {}, &member.indices};
    std::size_t coordinate = find_coordinate(where, member.entry->name);
    if (given[coordinate]) fail(where, {}, fmt::format("the force on '{}' is given twice", member.name), "add the two");
    given[coordinate] = true;
    model_.forces[coordinate] = scalar(where, member.entry->what, {member.indices});
    require(where, member.entry->what, model_.forces[coordinate], in_states, "t, coordinates, rates and parameters");
  }
}

void Elaborator::make_quasi_velocities() {
  for (const Member<Text>& member : quasi_velocities_)
    model_.frame.push_back({member.name, graph_.symbol(member.name), {}, member.entry->name.place});
  quasi_states_.resize(quasi_velocities_.size());
  for (std::size_t i = 0; i < quasi_velocities_.size(); ++i) quasi_velocity(i);
  if (model_.frame.empty()) return;
  std::size_t quaternions = 0;
  for (const Frame& each : model_.frames) quaternions += each.quaternion.empty() ? 0 : 1;
  std::size_t expected = model_.coordinates.size() - std::min(quaternions, model_.coordinates.size());
  if (model_.frame.size() != expected)
    fail({"frame", nullptr}, model_.frame[0].place,
         fmt::format("the number of quasi-velocities is {}", model_.frame.size()),
         fmt::format("expected {}: as many as coordinates, less one for each quaternion", expected));
}

void Elaborator::make_releases() {
  for (const Member<ReleaseText>& member : releases_) {
    const ReleaseText& text = member.entry->what;
    Where where{"release", &member.entry->name, {}, &member.indices};
    Release made;
    made.name = member.name;
    made.place = member.entry->name.place;
    made.released = scalar(where, member.entry->name, {member.indices});
    require(where, member.entry->name, made.released, of_parameters, "parameters");
    where.field = "constraint";
    if (!text.constraint.empty()) {
      made.constraint = reference(where, text.constraint);
      made.written = scalar(where, text.constraint, {member.indices, false, true});
      made.f = made.written;
      collect_mentions(made.written, made.mentions, made.f);
      require(where, text.constraint, made.f, in_positions, "t, coordinates and parameters");
    }
    where.field = "points";
    for (const Text& point_text : text.points) {
      std::string name = reference(where, point_text);
      auto found = things_.find(name);
      if (found == things_.end() || found->second.kind != ThingKind::point) {
        std::string nearest = nearest_name(name, known_things());
        fail(where, point_text.place, fmt::format("there is no point '{}'", name),
             nearest.empty() ? "expected the name of a point" : fmt::format("did you mean '{}'?", nearest));
      }
      made.points.push_back(name);
    }
    model_.releases.push_back(std::move(made));
  }
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
    Value made = output(i);
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

double Elaborator::number(const Where& where, const Text& text) {
  Expr formula = scalar(where, text, {});
  require(where, text, formula, of_parameters, "parameters");
  double value = evaluate(formula, bindings_);
  if (!std::isfinite(value)) fail(where, text.place, "its value is not finite", "expected a finite number");
  return value;
}

void Elaborator::make_simulate() {
  const SimulateText& text = description_.simulate;
  SimulateSettings& made = model_.simulate;
  auto positive = [&](std::string_view field, const Text& given, double otherwise) {
    if (given.empty()) return otherwise;
    Where where{"simulate", nullptr, field};
    double value = number(where, given);
    if (value <= 0) fail(where, given.place, fmt::format("{} is not positive", value), "expected a positive number");
    return value;
  };
  made.until = positive("until", text.until, 10.0);
  made.every_given = !text.every.empty();
  made.every = positive("every", text.every, made.until / 1000);
  made.tolerance = positive("tolerance", text.tolerance, 1e-10);
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
    made.multipliers.emplace_back(entry.name.text, number(where, entry.what));
  }
}

/// Parameters and initial values must be numbers.
void Elaborator::check_numbers() {
  std::vector<double> values = parameter_values(model_);
  for (std::size_t i = 0; i < values.size(); ++i) {
    bindings_.push_back({model_.parameters[i].symbol, values[i]});
    if (!std::isfinite(values[i]))
      fail({"parameters", &parameters_[i].entry->name, {}, &parameters_[i].indices}, parameters_[i].entry->what.place,
           "its value is not finite", "expected a finite number");
  }
  auto check = [&](const std::vector<Coordinate>& coordinates, const auto& members, std::string_view section) {
    std::vector<Expr> both;
    for (const Coordinate& coordinate : coordinates) both.insert(both.end(), {coordinate.value, coordinate.rate_value});
    std::vector<double> numbers = evaluate(both, bindings_);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (std::isfinite(numbers[i])) continue;
      const auto& member = members[i / 2];
      const Text& text = i % 2 == 0 ? member.entry->what.value : member.entry->what.rate;
      fail({section, &member.entry->name, i % 2 == 0 ? "value" : "rate", &member.indices}, text.place,
           "its value is not finite", "expected a finite number");
    }
  };
  check(model_.coordinates, coordinates_, "coordinates");
  if (model_.reduction) check(model_.reduction->coordinates, reduced_, "reduction.coordinates");
  for (const Constraint& constraint : model_.constraints) {
    if (!constraint.restitution) continue;
    double restitution = evaluate(constraint.restitution, bindings_);
    if (!(restitution >= 0 && restitution <= 1))
      throw ModelError({description_.file, constraint.place, "constraints." + constraint.name,
                        fmt::format("the restitution is {}", restitution), "expected a number between 0 and 1"});
  }
}

Model make_model(const Description& description, const Overrides& overrides) {
  return Elaborator(description, overrides).run();
}

}  // namespace dalembert

#include <dalembert/model/description.hpp>

#include "model/elaborator.hpp"

// The order of work, and what is there before the first formula.

namespace dalembert {

Elaborator::Elaborator(const Description& description, const Overrides& overrides)
    : Elaborator(description, overrides, std::make_shared<Graph>(), std::nullopt) {}

Elaborator::Elaborator(const Description& description, const Overrides& overrides, std::shared_ptr<Graph> graph,
                       std::optional<Freeing> freeing)
    : description_(description),
      overrides_(overrides),
      families_(description, overrides),
      graph_(*(model_.graph = std::move(graph))),
      kinds_(graph_),
      freeing_(std::move(freeing)) {
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
  make_symbols();
  make_world();
  for (std::size_t i = 0; i < parameters_.size(); ++i) parameter_value(i);
  start_coordinates(coordinates_, "coordinates", model_.coordinates);
  if (model_.reduction) start_coordinates(reduced_, "reduction.coordinates", model_.reduction->coordinates);
  make_gravity();
  for (std::size_t i = 0; i < definitions_.size(); ++i) definition(i, {});
  for (std::size_t i = 1; i < model_.frames.size(); ++i) frame(i);
  for (std::size_t i = 0; i < points_.size(); ++i) point(i);
  make_bodies();
  make_energies();
  make_forces();
  make_constraints();
  make_unit_constraints();
  make_quasi_velocities();
  make_releases();
  make_joints();
  make_reduction();
  make_outputs();
  make_events();
  check_numbers();
  make_simulate();
  return std::move(model_);
}

/// Everything that formulas may refer to is there before the first formula is looked at.
void Elaborator::make_symbols() {
  for (const Member<Text>& member : parameters_) {
    bool freed = freeing_ && freeing_->parameter == model_.parameters.size();
    Expr symbol = freed ? freeing_->held : graph_.symbol(member.name);
    kinds_.set(symbol, of_parameters);
    model_.parameters.push_back({member.name, symbol, {}, member.entry->name.place});
  }
  make_coordinates(coordinates_, of_coordinates, model_.coordinates);
  if (!reduced_.empty()) make_coordinates(reduced_, of_reduced, model_.reduction.emplace().coordinates);
  if (model_.coordinates.empty())
    throw ModelError({description_.file,
                      {1, 1},
                      "coordinates",
                      "the model has no coordinates",
                      "write [coordinates] with at least one"});
  for (const Member<Text>& member : quasi_velocities_)
    model_.frame.push_back({member.name, graph_.symbol(member.name), {}, member.entry->name.place});
  parameter_states_.resize(parameters_.size());
  quasi_states_.resize(quasi_velocities_.size());
  definition_values_.resize(definitions_.size());
  mentioned_values_.resize(definitions_.size());
  held_values_.resize(definitions_.size());
  output_values_.resize(outputs_.size());
  point_states_.resize(points_.size());
  model_.points.resize(points_.size());
}

void Elaborator::make_coordinates(const std::vector<Member<CoordinateText>>& members, Kinds kind,
                                  std::vector<Coordinate>& coordinates) {
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
}

void Elaborator::make_world() {
  frame_states_.resize(frames_.size() + 1);
  model_.frames.resize(frames_.size() + 1);
  turnings_.resize(frames_.size() + 1);
  Expr zero = graph_.constant(0), one = graph_.constant(1);
  Vector3 nothing{zero, zero, zero};
  Matrix3 unit{{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}};
  model_.frames[0] = {"world", 0, unit, nothing, nothing, nothing, nothing, {}, {}};
  turnings_[0] = {unit, nothing, -1, {}};
}

void Elaborator::make_gravity() {
  Where where{"", nullptr, "gravity"};
  model_.gravity = vector(where, description_.gravity, {});
  if (!description_.gravity.empty())
    require(where, description_.gravity.parts[0], model_.gravity, of_parameters | of_time, "parameters and t");
}

/// Values and rates at t = 0.
void Elaborator::start_coordinates(const std::vector<Member<CoordinateText>>& members, std::string_view section,
                                   std::vector<Coordinate>& coordinates) {
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

Model make_model(const Description& description, const Overrides& overrides) {
  return Elaborator(description, overrides).run();
}

}  // namespace dalembert

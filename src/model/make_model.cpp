#include <algorithm>
#include <dalembert/model/description.hpp>

#include "model/elaborator.hpp"
#include "model/start_formulas.hpp"

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
  set_rate(model_.time, graph_.constant(1));
}

// The order of work, for a model and for its variations. A variation is the model formed once more with constants of
// the description as coordinates: by the same passes, less those whose results it does not have.
// clang-format off
const Elaborator::Pass Elaborator::passes[] = {
    // pass                                model  variation
    {&Elaborator::declare_names,           true,  true},  // every name is known before any formula is read
    {&Elaborator::declare_things,          true,  true},
    {&Elaborator::declare_constraints,     true,  true},
    {&Elaborator::check_overrides,         true,  false},
    {&Elaborator::free_constants,          false, true},  // the released constants, or a joint's, get rates
    {&Elaborator::make_symbols,            true,  true},
    {&Elaborator::make_world,              true,  true},
    {&Elaborator::make_parameters,         true,  true},
    {&Elaborator::make_start,              true,  true},
    {&Elaborator::make_reduced_start,      true,  false},
    {&Elaborator::make_gravity,            true,  true},
    {&Elaborator::make_definitions,        true,  true},  // what others have asked for first is already made
    {&Elaborator::make_frames,             true,  true},
    {&Elaborator::make_points,             true,  true},
    {&Elaborator::make_bodies,             true,  true},
    {&Elaborator::make_energies,           true,  true},
    {&Elaborator::make_forces,             true,  true},
    {&Elaborator::make_constraints,        true,  true},
    {&Elaborator::make_unit_constraints,   true,  true},
    {&Elaborator::make_conditions,         true,  false},
    {&Elaborator::hold_values,             false, true},  // masses and the like keep the constants' values
    {&Elaborator::append_freed,            false, true},
    {&Elaborator::make_quasi_velocities,   true,  false},
    {&Elaborator::make_releases,           true,  false}, // runs this list again, for each variation
    {&Elaborator::make_joints,             true,  false}, // so does this
    {&Elaborator::make_reduction,          true,  false},
    {&Elaborator::make_outputs,            true,  false},
    {&Elaborator::make_events,             true,  false},
    {&Elaborator::make_shapes,             true,  false},
    {&Elaborator::make_start_formulas,     true,  true},
    {&Elaborator::check_numbers,           true,  false},
    {&Elaborator::make_settings,           true,  false},
    {&Elaborator::note_shapes,             true,  true},   // after the last formula: what families have read
};
// clang-format on

void Elaborator::run() {
  for (const Pass& pass : passes)
    if (freeing_ ? pass.in_variation : pass.in_model) (this->*pass.work)();
}

/// Everything that formulas may refer to is there before the first formula is looked at.
void Elaborator::make_symbols() {
  for (const Member<Text>& member : parameters_) {
    bool freed = freeing_ && freeing_->parameter == model_.parameters.size();
    Expr symbol = freed ? freeing_->fixed : graph_.symbol(member.name);
    kinds_.set(symbol, of_parameters);
    const bool is_positive = std::ranges::any_of(
        description_.positive, [&](const Text& name) { return name.text == member.entry->name.text; });
    if (is_positive && !freed) graph_.assume_nonnegative(symbol);
    model_.parameters.push_back({member.name, symbol, {}, member.entry->name.place, false, is_positive});
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
    model_.quasi_velocities.push_back({member.name, graph_.symbol(member.name), {}, member.entry->name.place});
  parameter_progress_.resize(parameters_.size());
  quasi_progress_.resize(quasi_velocities_.size());
  definition_values_.resize(definitions_.size());
  mentioned_values_.resize(definitions_.size());
  fixed_values_.resize(definitions_.size());
  output_values_.resize(outputs_.size());
  point_progress_.resize(points_.size());
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
                    member.entry->name.place,
                    member.entry->what.is_guess,
                    member.entry->what.is_rate_guess};
    kinds_.set(made.q, kind);
    kinds_.set(made.rate, kind == of_coordinates ? of_rates : kind);
    kinds_.set(made.acceleration, kind == of_coordinates ? of_accelerations : kind);
    set_rate(made.q, made.rate);
    set_rate(made.rate, made.acceleration);
    coordinates.push_back(made);
  }
}

void Elaborator::make_world() {
  frame_progress_.resize(frames_.size() + 1);
  model_.frames.resize(frames_.size() + 1);
  turnings_.resize(frames_.size() + 1);
  Expr zero = graph_.constant(0), one = graph_.constant(1);
  Vector3 nothing{zero, zero, zero};
  Matrix3 unit{{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}};
  model_.frames[0] = {"world", 0, unit, nothing, nothing, nothing, nothing, nothing, unit, {}, nothing, {}, {}};
  turnings_[0] = {unit, nothing, -1, {}};
}

void Elaborator::make_gravity() {
  Where where{"", nullptr, "gravity"};
  model_.gravity = vector(where, description_.gravity, {});
  if (!description_.gravity.empty())
    require(where, description_.gravity.parts[0], model_.gravity, of_parameters | of_time, "parameters and t");
}

void Elaborator::make_parameters() {
  for (std::size_t i = 0; i < parameters_.size(); ++i) parameter_value(i);
}

void Elaborator::make_start() { start_coordinates(coordinates_, "coordinates", model_.coordinates); }

void Elaborator::make_reduced_start() {
  if (model_.reduction) start_coordinates(reduced_, "reduction.coordinates", model_.reduction->coordinates);
}

/// Values and rates at t = 0. What --set gives is given, and no guess.
void Elaborator::start_coordinates(const std::vector<Member<CoordinateText>>& members, std::string_view section,
                                   std::vector<Coordinate>& coordinates) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Member<CoordinateText>& member = members[i];
    Where where{section, &member.entry->name, member.entry->what.value_key(), &member.indices};
    const Text& value_text = overridden(member.name, member.entry->what.value, where);
    if (where.section.empty()) coordinates[i].is_guess = false;
    coordinates[i].value = scalar(where, value_text, {member.indices});
    require(where, value_text, coordinates[i].value, of_parameters, "parameters");
    where = {section, &member.entry->name, member.entry->what.rate_key(), &member.indices};
    const Text& rate_text = overridden(member.name + "'", member.entry->what.rate, where);
    if (where.section.empty()) coordinates[i].is_rate_guess = false;
    coordinates[i].rate_value = scalar(where, rate_text, {member.indices});
    require(where, rate_text, coordinates[i].rate_value, of_parameters, "parameters");
  }
}

/// Integers that families and {...} have read are in the model as they were.
void Elaborator::note_shapes() {
  for (std::size_t i = 0; i < parameters_.size(); ++i)
    model_.parameters[i].shapes = families_.has_read(parameters_[i].name);
}

void Elaborator::make_start_formulas() { model_.start_formulas = std::make_shared<const StartFormulas>(model_); }

Model make_model(const Description& description, const Overrides& overrides) {
  Elaborator elaborator(description, overrides);
  elaborator.run();
  return elaborator.take_model();
}

}  // namespace dalembert

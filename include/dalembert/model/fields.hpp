#pragma once
// The members of a model's structs, for for_each_expr: all of them, by name.

#include <dalembert/expr/for_each_expr.hpp>
#include <dalembert/model/model.hpp>

namespace dalembert {

template <>  // numbers and their order
inline constexpr bool holds_no_expr<std::shared_ptr<const StartFormulas>> = true;

auto fields(Is<Parameter> auto& x) {
  auto& [name, symbol, value, place, shapes, is_positive] = x;
  return std::tie(name, symbol, value, place, shapes, is_positive);
}

auto fields(Is<Coordinate> auto& x) {
  auto& [name, q, rate, acceleration, value, rate_value, place, is_guess, is_rate_guess] = x;
  return std::tie(name, q, rate, acceleration, value, rate_value, place, is_guess, is_rate_guess);
}

auto fields(Is<AxisTurn> auto& x) {
  auto& [axis, angle] = x;
  return std::tie(axis, angle);
}

auto fields(Is<Frame> auto& x) {
  auto& [name, parent, rotation, origin, velocity, omega, omega_inside, offset, turn, turns, spin, quaternion, place] =
      x;
  return std::tie(name, parent, rotation, origin, velocity, omega, omega_inside, offset, turn, turns, spin, quaternion,
                  place);
}

auto fields(Is<Point> auto& x) {
  auto& [name, frame, inside, position, velocity, mass, force, place] = x;
  return std::tie(name, frame, inside, position, velocity, mass, force, place);
}

auto fields(Is<Body> auto& x) {
  auto& [name, frame, inside, centre, centre_velocity, mass, inertia, force, torque, place] = x;
  return std::tie(name, frame, inside, centre, centre_velocity, mass, inertia, force, torque, place);
}

auto fields(Is<Definition> auto& x) {
  auto& [name, value] = x;
  return std::tie(name, value);
}

auto fields(Is<Mention> auto& x) {
  auto& [kind, on, body, symbols, value] = x;
  return std::tie(kind, on, body, symbols, value);
}

auto fields(Is<Constraint> auto& x) {
  auto& [name, kind, relation, f, written, mentions, restitution, is_unit, place] = x;
  return std::tie(name, kind, relation, f, written, mentions, restitution, is_unit, place);
}

auto fields(Is<Condition> auto& x) {
  auto& [name, f, on_rates, place] = x;
  return std::tie(name, f, on_rates, place);
}

auto fields(Is<QuasiVelocity> auto& x) {
  auto& [name, symbol, formula, place] = x;
  return std::tie(name, symbol, formula, place);
}

auto fields(Is<Variation> auto& x) {
  auto& [model, freed, actual] = x;
  return std::tie(model, freed, actual);
}

auto fields(Is<Release> auto& x) {
  auto& [name, released, constraint, f, written, moving, mentions, points, variation, place] = x;
  return std::tie(name, released, constraint, f, written, moving, mentions, points, variation, place);
}

auto fields(Is<Joint> auto& x) {
  auto& [name, frame, variation] = x;
  return std::tie(name, frame, variation);
}

auto fields(Is<Reduction> auto& x) {
  auto& [coordinates, embedding, place] = x;
  return std::tie(coordinates, embedding, place);
}

auto fields(Is<Output> auto& x) {
  auto& [name, formula, place] = x;
  return std::tie(name, formula, place);
}

auto fields(Is<Event> auto& x) {
  auto& [name, when, direction, stop, place] = x;
  return std::tie(name, when, direction, stop, place);
}

auto fields(Is<Shape> auto& x) {
  auto& [name, kind, frame, at, to, size, axis, colour, file, place] = x;
  return std::tie(name, kind, frame, at, to, size, axis, colour, file, place);
}

auto fields(Is<SettingFormulas> auto& x) {
  auto& [until, every, tolerance, multipliers] = x;
  return std::tie(until, every, tolerance, multipliers);
}

auto fields(Is<SimulateSettings> auto& x) {
  auto& [until, every, every_given, tolerance, vakonomic, multipliers, formulas] = x;
  return std::tie(until, every, every_given, tolerance, vakonomic, multipliers, formulas);
}

auto fields(Is<Model> auto& x) {
  auto& [graph, name, about, file, time, gravity, parameters, coordinates, definitions, frames, points, bodies, kinetic,
         potential, dissipation, lagrangian, forces, constraints, initial, quasi_velocities, releases, joints, drives,
         reduction, outputs, events, shapes, simulate, start_formulas] = x;
  return std::tie(graph, name, about, file, time, gravity, parameters, coordinates, definitions, frames, points, bodies,
                  kinetic, potential, dissipation, lagrangian, forces, constraints, initial, quasi_velocities, releases,
                  joints, drives, reduction, outputs, events, shapes, simulate, start_formulas);
}

}  // namespace dalembert

#include <fmt/format.h>

#include <algorithm>

#include "model/elaborator.hpp"

// Masses, bodies, energies and forces.

namespace dalembert {

/// Masses and forces of points, and bodies.
void Elaborator::make_bodies() {
  auto mass_of = [&](const Where& where, const Text& text, const Context& context) {
    Expr mass = scalar(where, text, context);
    require(where, text, mass, of_parameters, "parameters");
    if (mass.op() == Op::symbol) graph_.assume_nonnegative(mass);  // a negative one is refused
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
    note_drives(inside);
    made.inside = inside;
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

}  // namespace dalembert

#include "mechanics/listing/reactions.hpp"

#include <algorithm>
#include <dalembert/expr/canonical.hpp>

namespace dalembert {

std::size_t ConstraintLoads::frame_of(const std::string& name) const {
  for (const Body& body : model_.bodies)
    if (body.name == name) return body.frame;
  for (std::size_t k = 0; k < model_.frames.size(); ++k)
    if (model_.frames[k].name == name) return k;
  return 0;
}

ConstraintLoads::Spot ConstraintLoads::spot(const std::string& name) const {
  for (const Point& point : model_.points)
    if (point.name == name) return {point.frame, point.inside};
  Expr zero = model_.graph->constant(0);
  return {frame_of(name), {zero, zero, zero}};
}

namespace {

double size_of(const Vector3& v) { return count_written(v[0]) + count_written(v[1]) + count_written(v[2]); }

}  // namespace

/// The frame from whose origin the user has written a place in world axes: what is left of it there is shorter.
std::optional<std::size_t> ConstraintLoads::frame_beside(const Vector3& place) const {
  constexpr double short_place = 60;  // nodes: written out
  std::optional<std::size_t> nearest;
  double least = size_of(place);
  if (least <= short_place) return nearest;
  for (std::size_t k = 1; k < model_.frames.size(); ++k)
    if (const double size = size_of(place - model_.frames[k].origin); size < least) least = size, nearest = k;
  return nearest;
}

Vec ConstraintLoads::position(const std::string& name) {
  const Spot at = spot(name);
  if (at.frame == 0) {
    const std::optional<std::size_t> beside = frame_beside(at.inside);
    if (!beside) return make_literal(at.inside);
    return make_sum({kinematics_.position(*beside), make_literal(at.inside - model_.frames[*beside].origin)});
  }
  return make_sum({kinematics_.position(at.frame), kinematics_.to_world(at.frame, make_literal(at.inside))});
}

namespace {

std::string key_of(const Mention& mention) {
  std::string name = mention.symbols[0].name();
  name.resize(name.size() - 2);  // without ".x"
  return name;
}

}  // namespace

/// From the origin of a body to the place that is mentioned with it, in the body's axes.
Vec ConstraintLoads::arm(const Mention& mention) {
  const std::size_t frame = frame_of(mention.body);
  const std::string name = parts_.free_name("r", mention.body + "_" + mention.on);
  auto found = arms_.find(name);
  if (found == arms_.end()) {
    const Spot at = spot(mention.on);
    const bool is_beside = at.frame == 0 && frame_beside(at.inside) == frame;
    Vec outside = is_beside ? make_literal(at.inside - model_.frames[frame].origin)
                            : make_sum({position(mention.on), make_negative(kinematics_.position(frame))});
    outside = parts_.name_vector(NamedPart::Kind::kinematics, parts_.free_name("d", mention.body + "_" + mention.on),
                                 "world", outside);
    found = arms_
                .emplace(name, parts_.name_vector(NamedPart::Kind::kinematics, name, model_.frames[frame].name,
                                                  kinematics_.to_frame(frame, outside)))
                .first;
  }
  return found->second;
}

/// At a material point of a body: at its origin, with a moment.
void ConstraintLoads::load_material(const Mention& mention, const Vec& force) {
  const std::size_t frame = frame_of(mention.body);
  const std::string& axes = model_.frames[frame].name;
  Vec own = parts_.name_vector(NamedPart::Kind::load, parts_.free_name("R", mention.body + "_" + mention.on), axes,
                               kinematics_.to_frame(frame, force));
  Expr zero = model_.graph->constant(0);
  loads_.add_force(frame, {zero, zero, zero}, make_negative(own));
  loads_.add_moment(frame, make_negative(make_cross(arm(mention), own)));
}

namespace {

/// What a place that is written by angles does not depend on may still be mentioned.
bool vanishes(const Expr& slope) {
  constexpr CanonicalLimits limits{.work = 1e7};
  return test_zero(slope, limits).verdict == Verdict::zero;
}

}  // namespace

void ConstraintLoads::load_point(const Mention& mention, const Vec& force, std::vector<OnCoordinate>& rest) {
  const Spot at = spot(mention.on);
  if (at.frame != 0) {
    Vec own = parts_.name_vector(NamedPart::Kind::load, parts_.free_name("R", mention.on), model_.frames[at.frame].name,
                                 kinematics_.to_frame(at.frame, force));
    loads_.add_force(at.frame, at.inside, make_negative(own));
    return;
  }
  std::vector<Expr> coordinates;
  for (const Coordinate& coordinate : model_.coordinates) coordinates.push_back(coordinate.q);
  const auto rows = sparse_jacobian(at.inside, coordinates);
  for (std::size_t c = 0; c < 3; ++c)
    for (const Entry& entry : rows[c])
      if (!vanishes(entry.value)) rest.push_back({entry.column, force.value[c] * entry.value});
}

std::vector<ConstraintLoads::OnCoordinate> ConstraintLoads::apply() {
  std::vector<OnCoordinate> rest;
  for (const Pending& each : pending_) {
    const Vec force = make_literal(each.force);
    if (each.mention.kind == Mention::Kind::omega) {
      const std::size_t frame = frame_of(each.mention.on);
      loads_.add_moment(frame, make_negative(kinematics_.to_frame(frame, force)));
    } else if (!each.mention.body.empty()) {
      load_material(each.mention, force);
    } else {
      load_point(each.mention, force, rest);
    }
  }
  return rest;
}

/// lambda df of a virtual displacement, as forces times displacements of what is mentioned.
std::vector<ConstraintLoads::OnCoordinate> ConstraintLoads::add(const Constraint& constraint, Expr multiplier) {
  const bool differential = constraint.kind == ConstraintKind::differential;
  const std::vector<Replacement> values = mentioned_values(constraint);
  for (const Mention& mention : constraint.mentions) {
    if (differential == (mention.kind == Mention::Kind::position)) continue;
    std::vector<Expr> slope = substitute(gradient(constraint.written, mention.symbols), values);
    Vector3 force{multiplier * slope[0], multiplier * slope[1], multiplier * slope[2]};
    auto same = std::ranges::find(pending_, key_of(mention), [](const Pending& each) { return key_of(each.mention); });
    if (same == pending_.end())
      pending_.push_back({mention, force});
    else
      same->force = same->force + force;
  }
  std::vector<Expr> by;
  for (const Coordinate& coordinate : model_.coordinates) by.push_back(differential ? coordinate.rate : coordinate.q);
  std::vector<OnCoordinate> rest;
  const auto explicitly = sparse_jacobian({&constraint.written, 1}, by);
  for (const Entry& entry : explicitly[0]) rest.push_back({entry.column, multiplier * substitute(entry.value, values)});
  return rest;
}

Vec ConstraintLoads::value_of(const Mention& mention) {
  if (mention.kind == Mention::Kind::position) return position(mention.on);
  if (mention.kind == Mention::Kind::omega) {
    const std::size_t frame = frame_of(mention.on);
    return kinematics_.to_world(frame, kinematics_.omega(frame));
  }
  if (!mention.body.empty()) {
    const std::size_t frame = frame_of(mention.body);
    Vec inside = make_sum({kinematics_.velocity(frame), make_cross(kinematics_.omega(frame), arm(mention))});
    inside = parts_.name_vector(NamedPart::Kind::kinematics, parts_.free_name("v", mention.body + "_" + mention.on),
                                model_.frames[frame].name, inside);
    return kinematics_.to_world(frame, inside);
  }
  const Spot at = spot(mention.on);
  return kinematics_.to_world(at.frame, kinematics_.velocity_at(at.frame, at.inside));
}

/// Parts in place of what a constraint mentions.
std::vector<Replacement> ConstraintLoads::mentioned_values(const Constraint& constraint) {
  std::vector<Replacement> values;
  for (const Mention& mention : constraint.mentions) {
    const std::string name = key_of(mention);
    auto found = mentioned_.find(name);
    if (found == mentioned_.end()) {
      Vec value = parts_.name_vector(NamedPart::Kind::kinematics, name, "world", value_of(mention));
      found = mentioned_.emplace(name, std::move(value)).first;
    }
    for (std::size_t c = 0; c < 3; ++c)
      if (mention.symbols[c] != found->second.value[c]) values.push_back({mention.symbols[c], found->second.value[c]});
  }
  return values;
}

Expr ConstraintLoads::as_written(const Constraint& constraint) {
  return substitute(constraint.written, mentioned_values(constraint));
}

}  // namespace dalembert

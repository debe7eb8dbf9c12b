#include <fmt/format.h>

#include <algorithm>

#include "model/elaborator.hpp"
#include "model/vectors.hpp"

// Frames and points: positions from the description, velocities by v = v_O + R (omega x r + r') with omega in the
// frame's own axes, which keeps expressions small where frames nest.

namespace dalembert {

/// Takes components in the turned axes to those before the turn; right-handed.
Matrix3 Elaborator::elementary(int axis, Expr angle) {
  Expr zero = graph_.constant(0), one = graph_.constant(1), c = cos(angle), s = sin(angle);
  auto k = static_cast<std::size_t>(axis), i = (k + 1) % 3, j = (k + 2) % 3;
  Matrix3 m;
  for (Vector3& row : m) row = {zero, zero, zero};
  m[k][k] = one;
  m[i][i] = c;
  m[j][j] = c;
  m[i][j] = -s;
  m[j][i] = s;
  return m;
}

Matrix3 Elaborator::rotation_of(const Turning& turning) {
  return turning.axis < 0 ? turning.before : turning.before * elementary(turning.axis, turning.angle);
}

Vector3 Elaborator::omega_of(const Turning& turning) {
  if (turning.axis < 0) return turning.omega_before;
  Vector3 omega = transpose(elementary(turning.axis, turning.angle)) * turning.omega_before;
  omega[static_cast<std::size_t>(turning.axis)] += std::get<Expr>(time_derivative(Quantity(turning.angle)));
  return omega;
}

void Elaborator::make_frames() {
  for (std::size_t i = 1; i < model_.frames.size(); ++i) frame(i);
}

void Elaborator::make_frame(std::size_t index) {
  const Member<FrameText>& member = frames_[index - 1];
  const FrameText& text = member.entry->what;
  Where where{"frames", &member.entry->name, {}, &member.indices};
  Context context{member.indices};
  where.field = "parent";
  std::size_t parent_index = find_frame(where, text.parent);
  frame(parent_index);
  where.field = "origin";
  Vector3 inside = vector(where, text.origin, context);
  require(where, text.origin.empty() ? member.entry->name : text.origin.parts[0], inside, in_positions,
          "t, coordinates and parameters");

  note_drives(inside);
  const bool opened = freeing_ && freeing_->frame == index;
  for (std::size_t i = 0; opened && i < 3; ++i) inside[i] += freeing_->coordinates[i].q;

  Frame made;
  made.name = member.name;
  made.parent = parent_index;
  made.place = member.entry->name.place;
  made.offset = inside;
  std::tie(made.origin, made.velocity) = carry(parent_index, inside);
  std::vector<Turn> turns;
  for (int axis = 0; opened && axis < 3; ++axis)
    turns.push_back({axis, freeing_->coordinates[static_cast<std::size_t>(axis) + 3].q, {}, {}});
  where.field = "rotate";
  for (const RotationText& rotation : text.rotate)
    guarded(where, rotation.kind, [&] { turns.push_back(make_turn(where, rotation, context, made)); });
  Turning turning = turnings_[parent_index], own = turnings_[0];
  for (const Turn& each : turns) {
    turn(turning, each);
    turn(own, each);
    if (!made.turns.empty() && made.turns.back().axis == each.axis)
      made.turns.back().angle += each.angle;
    else
      made.turns.push_back({each.axis, each.angle});
  }
  if (!made.quaternion.empty()) made.turns.clear();
  made.turn = rotation_of(own);
  made.spin = omega_of(own);
  made.rotation = rotation_of(turning);
  made.omega_inside = omega_of(turning);
  made.omega = made.rotation * made.omega_inside;
  turnings_[index] = turning;
  model_.frames[index] = std::move(made);
}

Elaborator::Turn Elaborator::make_turn(const Where& where, const RotationText& rotation, const Context& context,
                                       Frame& made) {
  const std::string& kind = rotation.kind.text;
  if (kind == "quaternion") return turn_by_quaternion(where, rotation, made, context.indices);
  if (kind != "x" && kind != "y" && kind != "z")
    fail(where, rotation.kind.place, fmt::format("'{}' is not a rotation", kind),
         "write [\"x\", angle], [\"y\", angle], [\"z\", angle] or [\"quaternion\", e0, e1, e2, e3]");
  if (rotation.arguments.size() != 1)
    fail(where, rotation.kind.place, fmt::format("a rotation about {} with {} angles", kind, rotation.arguments.size()),
         fmt::format("write [\"{}\", angle]", kind));
  const Text& text = rotation.arguments[0];
  Expr angle = scalar(where, text, context);
  require(where, text, angle, in_positions, "t, coordinates and parameters");
  note_drives({&angle, 1});
  return {kind[0] - 'x', angle, {}, {}};
}

void Elaborator::turn(Turning& turning, const Turn& by) {
  if (by.axis < 0) {
    Matrix3 before = rotation_of(turning) * by.matrix;
    turning = {before, transpose(by.matrix) * omega_of(turning) + by.spin, -1, {}};
  } else if (turning.axis == by.axis) {
    turning.angle += by.angle;
  } else {
    turning = {rotation_of(turning), omega_of(turning), by.axis, by.angle};
  }
}

/// R(e) divided by |e|^2, so that it is a rotation off |e| = 1 too; omega = 2 (e0 v' - e0' v - v x v') / |e|^2 in the
/// turned axes, e = (e0, v).
Elaborator::Turn Elaborator::turn_by_quaternion(const Where& where, const RotationText& rotation, Frame& made,
                                                const Indices& indices) {
  if (rotation.arguments.size() != 4)
    fail(where, rotation.kind.place, fmt::format("a quaternion with {} coordinates", rotation.arguments.size()),
         "write [\"quaternion\", \"e0\", \"e1\", \"e2\", \"e3\"]");
  if (!made.quaternion.empty())
    fail(where, rotation.kind.place, "a second quaternion in one frame", "use a frame of its own for it");
  Where here = where;
  here.indices = &indices;
  Expr e[4], rate[4];
  for (std::size_t i = 0; i < 4; ++i) {
    std::size_t coordinate = find_coordinate(here, rotation.arguments[i]);
    if (std::ranges::find(made.quaternion, coordinate) != made.quaternion.end())
      fail(where, rotation.arguments[i].place,
           fmt::format("the coordinate '{}' appears twice in a quaternion", model_.coordinates[coordinate].name),
           "a quaternion needs four coordinates");
    made.quaternion.push_back(coordinate);
    e[i] = model_.coordinates[coordinate].q;
    rate[i] = model_.coordinates[coordinate].rate;
  }
  Expr squares[] = {pow(e[0], 2), pow(e[1], 2), pow(e[2], 2), pow(e[3], 2)};
  Expr scale = 1 / graph_.sum(squares);
  auto entry = [&](std::size_t i, std::size_t j, long sign, std::size_t k) {
    return 2 * (e[i] * e[j] + sign * (e[0] * e[k])) * scale;
  };
  auto diagonal = [&](std::size_t i, std::size_t j, std::size_t k) {
    return (squares[0] + squares[i] - squares[j] - squares[k]) * scale;
  };
  Matrix3 matrix{{{diagonal(1, 2, 3), entry(1, 2, -1, 3), entry(1, 3, 1, 2)},
                  {entry(1, 2, 1, 3), diagonal(2, 1, 3), entry(2, 3, -1, 1)},
                  {entry(1, 3, -1, 2), entry(2, 3, 1, 1), diagonal(3, 1, 2)}}};
  Vector3 v{e[1], e[2], e[3]}, v_rate{rate[1], rate[2], rate[3]};
  Vector3 spin = (2 * scale) * (e[0] * v_rate - rate[0] * v - cross(v, v_rate));
  return {-1, {}, matrix, spin};
}

std::pair<Vector3, Vector3> Elaborator::carry(std::size_t frame_index, const Vector3& inside) {
  Vector3 rate = time_derivative(inside);
  if (frame_index == 0) return {inside, rate};
  const Frame& carrier = frame(frame_index);
  return {carrier.origin + carrier.rotation * inside,
          carrier.velocity + carrier.rotation * (cross(carrier.omega_inside, inside) + rate)};
}

void Elaborator::make_points() {
  for (std::size_t i = 0; i < points_.size(); ++i) point(i);
}

void Elaborator::make_point(std::size_t index) {
  const Member<PointText>& member = points_[index];
  const PointText& text = member.entry->what;
  Where where{"points", &member.entry->name, "frame", &member.indices};
  Point made;
  made.name = member.name;
  made.place = member.entry->name.place;
  made.frame = find_frame(where, text.frame);
  where.field = "position";
  Vector3 inside = vector(where, text.position, {member.indices});
  const Text& blamed = text.position.empty() ? member.entry->name : text.position.parts[0];
  require(where, blamed, inside, in_positions, "t, coordinates and parameters");
  note_drives(inside);
  made.inside = inside;
  std::tie(made.position, made.velocity) = guarded(where, blamed, [&] { return carry(made.frame, inside); });
  model_.points[index] = std::move(made);
}

std::size_t Elaborator::frame_of(const Thing& thing) const {
  return thing.kind == ThingKind::body ? frame_of_body_[thing.index] : thing.index;
}

/// A point, or the origin of a frame; a body stands for its frame.
Elaborator::Spot Elaborator::spot(const Thing& thing, const std::string& name) {
  if (thing.kind == ThingKind::point) {
    const Point& at = point(thing.index);
    return {name, at.position, at.velocity};
  }
  const Frame& at = frame(frame_of(thing));
  return {name, at.origin, at.velocity};
}

}  // namespace dalembert

#include "mechanics/listing/kinematics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace dalembert {
namespace {

constexpr std::size_t of_an_angle =
    8;  // signs of -sin(a): a frame whose axes have more in a component gets names for them
constexpr std::size_t short_signs = 30;  // of a component in world axes that is written without its parent's

bool is_short(const Vector3& v) {
  for (const Expr& component : v)
    if (count_signs_up_to(component, short_signs) > short_signs) return false;
  return true;
}

}  // namespace

FrameKinematics::FrameKinematics(const Model& model, PartList& parts) : model_(model), parts_(parts), rate_(model) {
  Expr zero = model.graph->constant(0);
  const Vec nothing = make_literal({zero, zero, zero});
  omega_.emplace(0, nothing);
  alpha_.emplace(0, nothing);
  velocity_.emplace(0, nothing);
  acceleration_.emplace(0, make_negative(make_literal(model.gravity)));
}

const Vec& FrameKinematics::keep(Made& made, std::size_t frame, const std::string& name, const std::string& axes,
                                 const Vec& value) {
  return made.emplace(frame, parts_.name_vector(NamedPart::Kind::kinematics, name, axes, value)).first->second;
}

Vector3 FrameKinematics::rate(const Vector3& value) const { return put_in(rate_(value)); }

Vector3 FrameKinematics::put_in(const Vector3& value) const {
  return {substitute(value[0], numbers_), substitute(value[1], numbers_), substitute(value[2], numbers_)};
}

Vector3 FrameKinematics::spin(std::size_t frame) const {
  auto found = spins_.find(frame);
  return found != spins_.end() ? found->second.first : put_in(model_.frames[frame].spin);
}

Vector3 FrameKinematics::spin_rate(std::size_t frame) const {
  auto found = spins_.find(frame);
  return found != spins_.end() ? found->second.second : rate(model_.frames[frame].spin);
}

const Vec& FrameKinematics::omega(std::size_t frame) {
  if (auto found = omega_.find(frame); found != omega_.end()) return found->second;
  const Frame& f = model_.frames[frame];
  Vec carried = into(frame, omega(f.parent));
  return keep(omega_, frame, parts_.free_name("omega", f.name), f.name, make_sum({carried, make_literal(spin(frame))}));
}

/// d/dt of omega = E^T omega_p + s in own axes, where E^T omega_p = omega - s turns with -s: alpha = E^T alpha_p +
/// omega x s + s'. Of a parent that does not turn omega is s, and that product nothing.
const Vec& FrameKinematics::alpha(std::size_t frame) {
  if (auto found = alpha_.find(frame); found != alpha_.end()) return found->second;
  const Frame& f = model_.frames[frame];
  Vec turn = make_literal(spin(frame)), own = omega(frame);
  Vec carried = into(frame, alpha(f.parent));
  const bool is_carried = !omega(f.parent).is_zero();
  Vec turning = is_carried ? make_literal(make_cross(own, turn).value) : omega(0);
  return keep(alpha_, frame, parts_.free_name("alpha", f.name), f.name,
              make_sum({carried, turning, make_literal(spin_rate(frame))}));
}

Vec FrameKinematics::velocity_at(std::size_t frame, const Vector3& inside) {
  return make_sum({velocity(frame), make_cross(omega(frame), make_literal(inside)), make_literal(rate_(inside))});
}

/// a + alpha x r + omega x (omega x r) + 2 omega x r' + r''
Vec FrameKinematics::acceleration_at(std::size_t frame, const Vector3& inside) {
  Vec r = make_literal(inside), r_rate = make_literal(rate_(inside)), w = omega(frame);
  Expr two = model_.graph->constant(2);
  return make_sum({acceleration(frame), make_cross(alpha(frame), r), make_cross(w, make_cross(w, r)),
                   make_scaled(two, make_cross(w, r_rate)), make_literal(rate_(r_rate.value))});
}

const Vec& FrameKinematics::velocity(std::size_t frame) {
  if (auto found = velocity_.find(frame); found != velocity_.end()) return found->second;
  const Frame& f = model_.frames[frame];
  Vec before = velocity_at(f.parent, f.offset);
  if (!before.literal && named_axes(frame))  // it is read three times
    before = parts_.name_vector(NamedPart::Kind::kinematics, parts_.free_name("u", f.name),
                                model_.frames[f.parent].name, before);
  return keep(velocity_, frame, parts_.free_name("v", f.name), f.name, into(frame, before));
}

const Vec& FrameKinematics::acceleration(std::size_t frame) {
  if (auto found = acceleration_.find(frame); found != acceleration_.end()) return found->second;
  const Frame& f = model_.frames[frame];
  Vec before = acceleration_at(f.parent, f.offset);
  // In the parent's axes first, where there is more to it than the parent's own acceleration.
  if (f.parent != 0)
    before = parts_.name_vector(NamedPart::Kind::kinematics, parts_.free_name("b", f.name),
                                model_.frames[f.parent].name, before);
  return keep(acceleration_, frame, parts_.free_name("a", f.name), f.name, into(frame, before));
}

std::optional<std::array<Vec, 3>> FrameKinematics::named_axes(std::size_t frame) {
  const Frame& f = model_.frames[frame];
  const Matrix3 axes = transpose(f.turn);
  const auto by_an_angle = [](const Expr& e) { return count_signs_up_to(e, of_an_angle) <= of_an_angle; };
  const auto is_simple = [&](const Vector3& v) { return std::ranges::all_of(v, by_an_angle); };
  if (std::ranges::all_of(axes, is_simple)) return std::nullopt;
  std::vector<Vec> named;
  for (std::size_t c = 0; c < 3; ++c) {
    auto found = turned_[c].find(frame);
    named.push_back(found != turned_[c].end()
                        ? found->second
                        : keep(turned_[c], frame, parts_.free_name(std::string(1, "ijk"[c]), f.name),
                               model_.frames[f.parent].name, make_literal(axes[c])));
  }
  return std::array{named[0], named[1], named[2]};
}

Vec FrameKinematics::into(std::size_t frame, const Vec& outside) {
  if (!outside.literal)
    if (const auto axes = named_axes(frame)) return make_along(outside, *axes);
  return make_turned(transpose(model_.frames[frame].turn), outside);
}

Vec FrameKinematics::out_of(std::size_t frame, const Vec& inside) {
  const auto axes = inside.literal ? std::nullopt : named_axes(frame);
  if (!axes) return make_turned(model_.frames[frame].turn, inside);
  std::vector<Vec> terms;
  for (std::size_t c = 0; c < 3; ++c) terms.push_back(make_scaled(inside.value[c], (*axes)[c]));
  return make_sum(terms);
}

const Vec& FrameKinematics::axis(std::size_t frame, std::size_t which) {
  if (auto found = axes_[which].find(frame); found != axes_[which].end()) return found->second;
  const Frame& f = model_.frames[frame];
  Vector3 flat = transpose(f.rotation)[which];
  Vec value = make_literal(flat);
  if (!is_short(flat)) value = to_world(f.parent, make_literal(transpose(f.turn)[which]));
  return keep(axes_[which], frame, fmt::format("axis({}, {})", f.name, "xyz"[which]), "world", value);
}

const Vec& FrameKinematics::position(std::size_t frame) {
  if (auto found = position_.find(frame); found != position_.end()) return found->second;
  const Frame& f = model_.frames[frame];
  Vec value = is_short(f.origin) ? make_literal(f.origin)
                                 : make_sum({position(f.parent), to_world(f.parent, make_literal(f.offset))});
  return keep(position_, frame, fmt::format("position({})", f.name), "world", value);
}

Vec FrameKinematics::to_world(std::size_t frame, const Vec& inside) {
  if (frame == 0) return inside;
  std::vector<Vec> terms;
  for (std::size_t c = 0; c < 3; ++c)
    if (!inside.value[c].is_zero()) terms.push_back(make_scaled(inside.value[c], axis(frame, c)));
  return terms.empty() ? inside : make_sum(terms);
}

Vec FrameKinematics::to_frame(std::size_t frame, const Vec& outside) {
  if (frame == 0 || outside.is_zero()) return outside;
  return make_literal({dot(axis(frame, 0).value, outside.value), dot(axis(frame, 1).value, outside.value),
                       dot(axis(frame, 2).value, outside.value)});
}

}  // namespace dalembert

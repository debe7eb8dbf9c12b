#include "mechanics/listing/loads.hpp"

#include <algorithm>

namespace dalembert {

FrameLoads::FrameLoads(const Model& model, PartList& parts, FrameKinematics& kinematics)
    : model_(model),
      parts_(parts),
      kinematics_(kinematics),
      loads_(model.frames.size()),
      terms_(model.coordinates.size()) {
  for (const Coordinate& coordinate : model.coordinates) {
    coordinates_.push_back(coordinate.q);
    rates_.push_back(coordinate.rate);
  }
}

/// load . d along / d by, to the terms of what `by` belongs to.
void FrameLoads::work_through(std::span<const Expr> along, const Vec& load, std::span<const Expr> by, Terms& terms) {
  auto rows = sparse_jacobian(along, by);
  for (std::size_t c = 0; c < 3; ++c)
    for (const Entry& entry : rows[c]) terms[entry.column].push_back(load.value[c] * entry.value);
}

void FrameLoads::add_force(std::size_t frame, const Vector3& inside, const Vec& force) {
  if (force.is_zero()) return;
  work_through(inside, force, coordinates_, terms_);
  Load& load = loads_[frame];
  load.used = true;
  load.force.push_back(force);
  Vec moment = make_cross(make_literal(inside), force);
  if (!moment.is_zero()) load.moment.push_back(moment);
}

void FrameLoads::add_moment(std::size_t frame, const Vec& moment) {
  if (moment.is_zero()) return;
  loads_[frame].used = true;
  loads_[frame].moment.push_back(moment);
}

void FrameLoads::add_mass(std::size_t frame, const std::string& name, Expr mass, const Vector3& inside,
                          const std::optional<Vector3>& force) {
  std::vector<Vec> terms;
  if (mass) terms.push_back(make_scaled(mass, kinematics_.acceleration_at(frame, inside)));
  if (force) terms.push_back(make_negative(kinematics_.to_frame(frame, make_literal(*force))));
  if (terms.empty()) return;
  Vec total = make_sum(terms);
  const bool offset = std::ranges::any_of(inside, [](const Expr& e) { return !e.is_zero(); });
  if (offset && frame != 0)  // used twice
    total = parts_.name_vector(NamedPart::Kind::load, parts_.free_name("f", name), model_.frames[frame].name, total);
  add_force(frame, inside, total);
}

/// I alpha + omega x I omega - torque.
void FrameLoads::add_inertia(const Body& body) {
  const Vec &omega = kinematics_.omega(body.frame), &alpha = kinematics_.alpha(body.frame);
  const std::string& axes = model_.frames[body.frame].name;
  Vec momentum = make_literal(body.inertia * omega.value);
  Vec swing = make_cross(omega, momentum);
  if (!make_literal(swing.value).is_zero() && !omega.literal)
    swing = make_cross(
        omega, parts_.name_vector(NamedPart::Kind::kinematics, parts_.free_name("L", body.name), axes, momentum));
  add_moment(body.frame, make_literal(body.inertia * alpha.value));
  add_moment(body.frame, swing);
  if (body.torque) add_moment(body.frame, make_negative(kinematics_.to_frame(body.frame, make_literal(*body.torque))));
}

void FrameLoads::add_masses() {
  for (const Point& point : model_.points)
    if (point.mass || point.force) add_mass(point.frame, point.name, point.mass, point.inside, point.force);
  for (const Body& body : model_.bodies) {
    add_mass(body.frame, body.name, body.mass, body.inside, body.force);
    add_inertia(body);
  }
}

std::vector<std::size_t> FrameLoads::parents_first() const {
  std::vector<std::size_t> depth(model_.frames.size(), 0), order;
  for (std::size_t k = 1; k < depth.size(); ++k) {
    order.push_back(k);
    for (std::size_t up = k; up != 0; up = model_.frames[up].parent) ++depth[k];
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return depth[k]; });
  return order;
}

/// From the leaves to the root: what a frame carries acts on its parent, at its origin.
std::vector<Expr> FrameLoads::on_coordinates() {
  std::vector<std::size_t> order = parents_first();
  for (std::size_t n = order.size(); n-- > 0;) {
    const std::size_t k = order[n];
    const Frame& frame = model_.frames[k];
    Load& load = loads_[k];
    if (!load.used) continue;
    Expr zero = model_.graph->constant(0);
    const Vec nothing = make_literal({zero, zero, zero});
    load.force.push_back(nothing);
    load.moment.push_back(nothing);
    Vec moment =
        parts_.name_vector(NamedPart::Kind::load, parts_.free_name("N", frame.name), frame.name, make_sum(load.moment));
    if (kinematics_.has_set_spin(k))
      work_through(kinematics_.spin(k), moment, velocities_, velocity_terms_);
    else
      work_through(frame.spin, moment, rates_, terms_);
    Vec force =
        parts_.name_vector(NamedPart::Kind::load, parts_.free_name("F", frame.name), frame.name, make_sum(load.force));
    Vec outside = kinematics_.out_of(k, force);
    if (frame.parent != 0 && !make_literal(frame.offset).is_zero())  // used twice
      outside = parts_.name_vector(NamedPart::Kind::load, parts_.free_name("G", frame.name),
                                   model_.frames[frame.parent].name, outside);
    add_force(frame.parent, frame.offset, outside);
    add_moment(frame.parent, kinematics_.out_of(k, moment));
  }
  return sums_of(terms_);
}

void FrameLoads::use_velocities(const std::vector<Expr>& velocities) {
  velocities_ = velocities;
  velocity_terms_.resize(velocities.size());
}

std::vector<Expr> FrameLoads::on_velocities() const { return sums_of(velocity_terms_); }

std::vector<Expr> FrameLoads::sums_of(const Terms& terms) const {
  std::vector<Expr> totals;
  for (const auto& each : terms) totals.push_back(model_.graph->sum(each));
  return totals;
}

}  // namespace dalembert

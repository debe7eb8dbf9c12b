#include <dalembert/mechanics/listing.hpp>

#include "mechanics/lagrange/dynamics.hpp"
#include "mechanics/listing/kinematics.hpp"

// The energy as the sum over bodies of m v^2/2 + omega I omega/2 - m g r, each in its frame's own axes, and what is
// written by coordinates beside them.

namespace dalembert {
namespace {

Expr written_energy(const Model& model) {
  Model bare = model;
  bare.points.clear();
  bare.bodies.clear();
  return make_dynamics(bare).energy;
}

}  // namespace

EnergyListing list_energy(const Model& model) {
  PartList parts(model);
  FrameKinematics kinematics(model, parts);
  std::vector<Expr> terms{written_energy(model)};
  auto add_mass = [&](std::size_t frame, Expr mass, const Vector3& inside) {
    const Vector3 velocity = kinematics.velocity_at(frame, inside).value;
    const Vec arm = kinematics.to_world(frame, make_literal(inside));
    const Vector3 position = make_sum({kinematics.position(frame), arm}).value;
    terms.push_back(mass * dot(velocity, velocity) / 2);
    terms.push_back(-mass * dot(model.gravity, position));
  };
  for (const Point& point : model.points)
    if (point.mass) add_mass(point.frame, point.mass, point.inside);
  for (const Body& body : model.bodies) {
    add_mass(body.frame, body.mass, body.inside);
    const Vector3 omega = kinematics.omega(body.frame).value;
    terms.push_back(dot(omega, body.inertia * omega) / 2);
  }
  std::vector<Expr> results;
  for (const Expr& term : terms)
    if (!term.is_zero()) results.push_back(term);
  EnergyListing listing;
  listing.parts = parts.finish(results);
  listing.terms = std::move(results);
  return listing;
}

}  // namespace dalembert

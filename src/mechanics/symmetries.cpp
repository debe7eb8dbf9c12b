#include "mechanics/symmetries.hpp"

#include <algorithm>
#include <array>

#include "expr/node_map.hpp"

namespace dalembert {
namespace {

constexpr const char* axes[] = {"x", "y", "z"};

/// Component `axis` of e_k x r.
Expr turned(const Vector3& r, std::size_t k, std::size_t axis) {
  if (axis == (k + 1) % 3) return -r[(k + 2) % 3];
  if (axis == (k + 2) % 3) return r[(k + 1) % 3];
  return r[0].graph().constant(0);
}

class Candidates {
 public:
  explicit Candidates(const Equations& equations) : equations_(equations), model_(*equations.model) {
    places_.fill(NodeMap<const Vector3*>(model_.frames.size() + model_.points.size() + model_.bodies.size()));
    for (const Frame& frame : model_.frames) add_place(frame.origin);
    for (const Point& point : model_.points) add_place(point.position);
    for (const Body& body : model_.bodies) add_place(body.centre);
  }

  std::vector<Symmetry> run() {
    std::vector<Symmetry> found;
    for (std::size_t k = 0; k < 3; ++k) add(found, std::string("momentum along ") + axes[k], translation(k));
    for (std::size_t k = 0; k < 3; ++k) add(found, std::string("angular momentum about ") + axes[k], rotation(k));
    return found;
  }

 private:
  Expr zero() const { return equations_.graph->constant(0); }

  void add_place(const Vector3& place) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (places_[axis].find(place[axis].id()) == nullptr) places_[axis].set(place[axis].id(), &place);
  }

  /// The place of which coordinate i is a component along an axis.
  const Vector3* place_of(std::size_t i, std::size_t axis) const {
    const Vector3* const* found = places_[axis].find(equations_.coordinates[i].id());
    return found == nullptr ? nullptr : *found;
  }

  std::vector<Expr> translation(std::size_t k) const {
    std::vector<Expr> xi(equations_.coordinates.size(), zero());
    for (std::size_t i = 0; i < xi.size(); ++i) {
      if (place_of(i, k)) xi[i] = equations_.graph->constant(1);
    }
    return xi;
  }

  std::vector<Expr> rotation(std::size_t k) const {
    std::vector<Expr> xi(equations_.coordinates.size(), zero());
    for (std::size_t i = 0; i < xi.size(); ++i) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (const Vector3* place = place_of(i, axis)) xi[i] = turned(*place, k, axis);
      }
    }
    for (const Frame& frame : model_.frames) {
      if (&frame == &model_.frames.front() || frame.parent != 0) continue;
      if (frame.quaternion.size() == 4)
        turn_quaternion(frame, k, xi);
      else
        turn_angle(frame, k, xi);
    }
    return xi;
  }

  /// e' = (0, omega) e / 2 with omega in the world's axes.
  void turn_quaternion(const Frame& frame, std::size_t k, std::vector<Expr>& xi) const {
    std::array<Expr, 4> e;
    for (std::size_t j = 0; j < 4; ++j) e[j] = equations_.coordinates[frame.quaternion[j]];
    const Vector3 inner{e[1], e[2], e[3]};
    const Expr half = equations_.graph->constant(1) / equations_.graph->constant(2);
    xi[frame.quaternion[0]] = -half * inner[k];
    for (std::size_t axis = 0; axis < 3; ++axis)
      xi[frame.quaternion[axis + 1]] = half * (axis == k ? e[0] + turned(inner, k, axis) : turned(inner, k, axis));
  }

  /// The angle of a first rotation about the axis itself.
  void turn_angle(const Frame& frame, std::size_t k, std::vector<Expr>& xi) const {
    for (std::size_t i = 0; i < xi.size(); ++i) {
      const Vector3& omega = frame.omega;
      const std::vector<Expr> slope = derivative(omega, equations_.velocities[i]);
      bool is_axis = true;
      for (std::size_t axis = 0; axis < 3; ++axis)
        is_axis &= slope[axis] == equations_.graph->constant(axis == k ? 1 : 0);
      if (is_axis) xi[i] = equations_.graph->constant(1);
    }
  }

  static void add(std::vector<Symmetry>& found, std::string name, std::vector<Expr> xi) {
    const auto moved = std::ranges::count_if(xi, [](const Expr& part) { return !part.is_zero(); });
    if (moved > 1) found.push_back({std::move(name), std::move(xi)});
  }

  const Equations& equations_;
  const Model& model_;
  std::array<NodeMap<const Vector3*>, 3> places_;  // by component, the first of each
};

}  // namespace

std::vector<Symmetry> find_candidates(const Equations& equations) { return Candidates(equations).run(); }

}  // namespace dalembert

#include <algorithm>
#include <cmath>

#include "base/eigenvalues.hpp"
#include "study/scene/parts.hpp"

namespace dalembert {
namespace {

constexpr double same_moment = 1e-6;  ///< relative: moments in models have a few digits
constexpr double flat = 0.12;         ///< width of a wheel in radii, and least thickness of what is drawn

Expr norm(const Vector3& v) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/// The distance from a body's centre to the point at which it rolls; empty where it does not.
Expr rolling_radius(const Model& model, const Body& body) {
  for (const Constraint& constraint : model.constraints)
    for (const Mention& mention : constraint.mentions) {
      if (mention.kind != Mention::Kind::velocity || mention.body != body.name) continue;
      const auto point = std::ranges::find(model.points, mention.on, &Point::name);
      if (point == model.points.end()) continue;
      return norm({point->position[0] - body.centre[0], point->position[1] - body.centre[1],
                   point->position[2] - body.centre[2]});
    }
  return {};
}

/// A body's moments about its principal axes, as formulas where these are the frame's own.
struct Principal {
  std::array<Expr, 3> moments;
  std::array<double, 3> values;
  Matrix3 turn;  ///< takes components along the principal axes to the frame's
};

std::optional<Principal> find_principal(const Model& model, const SceneProbe& probe, const Body& body) {
  Graph& graph = *model.graph;
  Principal found;
  std::vector<double> matrix(9);
  bool is_diagonal = true;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      matrix[3 * i + j] = probe.at_start(body.inertia[i][j]);
      if (!std::isfinite(matrix[3 * i + j])) return {};
      if (i != j && matrix[3 * i + j] != 0) is_diagonal = false;
      found.turn[i][j] = graph.constant(i == j ? 1 : 0);
    }
  const SymmetricEigen eigen = is_diagonal ? SymmetricEigen{} : find_eigenvalues({3, 3, matrix});
  if (!eigen.ok) return {};
  for (std::size_t k = 0; k < 3; ++k) {
    found.values[k] = is_diagonal ? matrix[4 * k] : eigen.values[k];
    found.moments[k] = is_diagonal ? body.inertia[k][k] : graph.constant_from_double(eigen.values[k]);
    for (std::size_t i = 0; i < 3 && !is_diagonal; ++i)
      found.turn[i][k] = graph.constant_from_double(eigen.vectors[3 * k + i]);
  }
  return found;
}

/// The axis whose moment differs where the other two are equal; 3 where all are, none where no two are.
std::optional<std::size_t> find_symmetry(const std::array<double, 3>& values) {
  const double largest = std::max({std::fabs(values[0]), std::fabs(values[1]), std::fabs(values[2])});
  const auto same = [&](std::size_t i, std::size_t j) {
    return std::fabs(values[i] - values[j]) <= same_moment * largest;
  };
  if (same(0, 1) && same(1, 2)) return 3;
  for (const std::size_t axis : {2u, 1u, 0u})
    if (same((axis + 1) % 3, (axis + 2) % 3)) return axis;
  return {};
}

/// A solid of revolution: r^2 = 2 C/m and l^2 = 12 A/m - 3 r^2 of a cylinder. One that is no longer than thick, and one
/// that rolls, is a wheel.
SceneShape round_solid(const Model& model, const SceneProbe& probe, const Principal& principal, std::size_t axis,
                       Expr mass, Expr rolling) {
  const Expr across = principal.moments[(axis + 1) % 3], along = principal.moments[axis];
  const double m = probe.at_start(mass), r2 = 2 * principal.values[axis] / m,
               l2 = 12 * principal.values[(axis + 1) % 3] / m - 3 * r2;
  Graph& graph = *model.graph;
  const Expr thin = graph.constant_from_double(flat);
  SceneShape shape{ShapeKind::wheel, "", 0, {}, {}, axis};
  const Expr radius = rolling ? rolling : sqrt(2 * along / mass);
  if (rolling || l2 <= flat * flat * r2) {
    shape.size = {radius, thin * radius};
    return shape;
  }
  shape.kind = ShapeKind::cylinder;
  const Expr length = sqrt(12 * across / mass - 6 * along / mass);
  shape.size = {r2 < flat * flat * l2 / 4 ? thin * length / 4 : radius, length};
  return shape;
}

/// The box of the same moments and mass: a^2 = 6 (B + C - A)/m. None where a moment is larger than the others together.
std::optional<SceneShape> box_solid(const Model& model, const SceneProbe& probe, const Principal& principal,
                                    Expr mass) {
  const std::array<double, 3>& value = principal.values;
  const double sum = value[0] + value[1] + value[2], largest = std::max({value[0], value[1], value[2]});
  const double smallest = std::min({value[0], value[1], value[2]});
  if (sum - 2 * largest < -same_moment * sum) return {};
  SceneShape shape{ShapeKind::box, "", 0};
  const double longest = std::sqrt(6 * (sum - 2 * smallest) / probe.at_start(mass));
  for (std::size_t k = 0; k < 3; ++k) {
    const Expr square =
        6 * (principal.moments[(k + 1) % 3] + principal.moments[(k + 2) % 3] - principal.moments[k]) / mass;
    const Expr least = model.graph->constant_from_double(flat * longest / 3);
    shape.size.push_back(probe.at_start(square) > 0 ? max(sqrt(square), least) : least);
  }
  return shape;
}

std::optional<SceneShape> solid_of(const Model& model, const SceneProbe& probe, const Body& body,
                                   const Principal& principal) {
  if (!(probe.at_start(body.mass) > 0)) return {};
  const double largest = std::max({principal.values[0], principal.values[1], principal.values[2]});
  if (!(largest > 0)) return {};
  const auto [a, b, c] = principal.values;
  if (a + b + c - 2 * largest < -same_moment * largest) return {};  // a plane model gives the third moment only
  const Expr rolling = rolling_radius(model, body);
  const std::optional<std::size_t> axis = find_symmetry(principal.values);
  if (!axis) return box_solid(model, probe, principal, body.mass);
  if (*axis < 3) return round_solid(model, probe, principal, *axis, body.mass, rolling);
  const Expr ball = sqrt(5 * principal.moments[0] / (2 * body.mass));
  return SceneShape{ShapeKind::sphere, "", 0, {}, {rolling ? rolling : ball}};
}

void add_body(Scene& scene, const SceneProbe& probe, const Body& body, std::size_t place) {
  const Model& model = *scene.model;
  const std::optional<Principal> principal = find_principal(model, probe, body);
  std::optional<SceneShape> solid = principal ? solid_of(model, probe, body, *principal) : std::nullopt;
  if (!solid) {
    scene.shapes.push_back({ShapeKind::point, body.name, place});
    return;
  }
  // The place turns with the principal axes.
  Matrix3& rotation = *scene.places[place].rotation;
  const Matrix3 frame = rotation;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      rotation[i][k] = frame[i][0] * principal->turn[0][k] + frame[i][1] * principal->turn[1][k] +
                       frame[i][2] * principal->turn[2][k];
  solid->name = body.name;
  solid->at = place;
  scene.shapes.push_back(std::move(*solid));
}

}  // namespace

void add_solids(Scene& scene, const SceneProbe& probe) {
  const Model& model = *scene.model;
  for (std::size_t i = 1; i < model.frames.size(); ++i)
    scene.shapes.push_back({ShapeKind::axes, model.frames[i].name, i});
  std::size_t place = model.frames.size();
  for (const Point& point : model.points)
    scene.shapes.push_back({point.mass ? ShapeKind::point : ShapeKind::marker, point.name, place++});
  for (const Body& body : model.bodies) {
    const auto shows = [&](const Shape& shape) {
      return shape.kind != ShapeKind::ground && !shape.to && shape.frame == body.frame && shape.frame != 0;
    };
    if (std::ranges::none_of(model.shapes, shows)) add_body(scene, probe, body, place);
    ++place;
  }
}

}  // namespace dalembert

#include "report/picture/view.hpp"

#include <algorithm>
#include <limits>

namespace dalembert {
namespace {

constexpr std::size_t samples = 200;
constexpr double margin = 0.12;   ///< of the unit, around everything
constexpr double far_away = 0.2;  ///< a mechanism that is less of the whole motion would hardly be seen, as in the page

double dot(const Numbers3& a, const Numbers3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Numbers3 cross(const Numbers3& a, const Numbers3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Numbers3 unit_of(Numbers3 a) {
  const double length = std::sqrt(dot(a, a));
  for (double& part : a) part /= length;
  return a;
}

/// Towards the eye: along the plane's normal, from the side where the axis to the right is positive; else slanted from
/// above, as the page's camera begins.
Numbers3 find_towards(const Scene& scene) {
  const Numbers3& up = scene.up;
  if (scene.plane_normal) {
    Numbers3 side{};
    side[*scene.plane_normal] = 1;
    const Numbers3 right = cross(up, side);
    const double largest = *std::ranges::max_element(right, {}, [](double part) { return std::fabs(part); });
    if (largest < 0) side[*scene.plane_normal] = -1;
    return side;
  }
  Numbers3 aside{0.55, -1, 0};
  if (std::fabs(up[1]) > 0.9) aside = {0.55, 0, 1};
  if (std::fabs(up[0]) > 0.9) aside = {0, -1, 0.55};
  for (std::size_t k = 0; k < 3; ++k) aside[k] += 0.75 * up[k];
  return unit_of(aside);
}

/// How far each mesh reaches from its origin: once, and not at every row.
std::vector<double> find_mesh_reaches(const Scene& scene) {
  std::vector<double> reaches;
  for (const SceneMesh& mesh : scene.meshes) {
    double& largest = reaches.emplace_back(0);
    for (const MeshCorner& corner : mesh)
      largest = std::max(largest, static_cast<double>(std::hypot(corner[0], corner[1], corner[2])));
  }
  return reaches;
}

double reach_of(const SceneNumbers& numbers, const SceneShape& shape, const std::vector<double>& mesh_reaches) {
  double largest = 0;
  if (shape.to) return 0;
  if (shape.kind == ShapeKind::mesh) return mesh_reaches[*shape.mesh] * std::fabs(numbers.size(shape)[0]);
  for (double size : numbers.size(shape))
    if (std::isfinite(size)) largest = std::max(largest, size);
  return shape.kind == ShapeKind::box || shape.kind == ShapeKind::ground ? largest / 2 : largest;
}

}  // namespace

struct View::Box {
  double left = std::numeric_limits<double>::infinity(), right = -left, bottom = left, top = -left;

  void include(double x, double y, double reach) {
    if (!std::isfinite(x) || !std::isfinite(y)) return;
    left = std::min(left, x - reach);
    right = std::max(right, x + reach);
    bottom = std::min(bottom, y - reach);
    top = std::max(top, y + reach);
  }
  void include(const Box& other) {
    include(other.left, other.bottom, 0);
    include(other.right, other.top, 0);
  }
  double half_diagonal() const { return left <= right ? std::hypot(right - left, top - bottom) / 2 : 0; }
};

View::Box View::shapes_box(const Scene& scene, const SceneNumbers& numbers,
                           const std::vector<double>& mesh_reaches) const {
  Box box;
  for (const SceneShape& shape : scene.shapes) {
    if (shape.kind == ShapeKind::axes) continue;
    const Numbers3 at = numbers.position(shape.at);
    box.include(dot(right_, at), dot(up_, at), reach_of(numbers, shape, mesh_reaches));
    if (shape.to) box.include(dot(right_, numbers.position(*shape.to)), dot(up_, numbers.position(*shape.to)), 0);
  }
  return box;
}

void View::include_arrows(Box& box, const Scene& scene, const SceneNumbers& numbers) const {
  constexpr double head = 0.02;  // of the unit: a tip is wider than its line
  for (const SceneArrow& arrow : scene.arrows) {
    if (arrow.is_couple) continue;
    const Numbers3 at = numbers.position(arrow.at), force = numbers.force(arrow);
    box.include(dot(right_, at) + force_scale_ * dot(right_, force), dot(up_, at) + force_scale_ * dot(up_, force),
                head * unit_);
  }
}

View::View(const Scene& scene, SceneNumbers& numbers, const Sheet& sheet) : towards_(find_towards(scene)) {
  right_ = unit_of(cross(scene.up, towards_));
  up_ = cross(towards_, right_);
  const std::vector<double> mesh_reaches = find_mesh_reaches(scene);
  Box box;
  double force = 0, mechanism = 0;
  const std::size_t rows = numbers.row_count(), count = std::min(rows, samples);
  for (std::size_t i = 0; i < count; ++i) {
    numbers.move_to(count > 1 ? i * (rows - 1) / (count - 1) : 0);
    const Box here = shapes_box(scene, numbers, mesh_reaches);
    mechanism = std::max(mechanism, here.half_diagonal());
    box.include(here);
    for (const SceneArrow& arrow : scene.arrows) {
      const Numbers3 vector = numbers.force(arrow);
      const double size = std::sqrt(dot(vector, vector));
      if (!arrow.is_couple && std::isfinite(size)) force = std::max(force, size);
    }
  }
  const bool goes_far = mechanism > 0 && mechanism < far_away * box.half_diagonal() && scene.shapes.size() > 2;
  unit_ = goes_far ? 2 * mechanism : box.half_diagonal();
  if (!(unit_ > 0)) unit_ = 1;
  force_scale_ = force > 0 ? 0.6 * unit_ / force : 0;
  numbers.move_to(sheet.last_row);
  if (goes_far && sheet.is_one_time) box = shapes_box(scene, numbers, mesh_reaches);
  if (!(box.left <= box.right)) box = {-1, 1, -1, 1};
  if (sheet.has_arrows) include_arrows(box, scene, numbers);
  set_scale(box, sheet);
}

void View::set_scale(Box box, const Sheet& sheet) {
  const double edge = margin * unit_;
  box.include(box.left, box.bottom, edge);
  box.include(box.right, box.top, edge);
  scale_ = std::min(sheet.width / (box.right - box.left), sheet.height / (box.top - box.bottom));
  width_ = std::ceil((box.right - box.left) * scale_);
  height_ = std::ceil((box.top - box.bottom) * scale_);
  left_ = box.left;
  bottom_ = box.bottom;
}

Pixel View::operator()(const Numbers3& at) const {
  return {(dot(right_, at) - left_) * scale_, height_ - (dot(up_, at) - bottom_) * scale_};
}

double View::depth(const Numbers3& at) const { return dot(towards_, at); }

/// Andrew's monotone chain.
std::vector<Pixel> convex_hull(std::vector<Pixel> points) {
  std::ranges::sort(points, [](const Pixel& a, const Pixel& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  std::vector<Pixel> hull;
  const auto turns_left = [&](const Pixel& next) {
    const Pixel &a = hull[hull.size() - 2], &b = hull.back();
    return (b.x - a.x) * (next.y - a.y) - (b.y - a.y) * (next.x - a.x) > 0;
  };
  for (int side = 0; side < 2; ++side) {
    const std::size_t first = hull.size();
    for (const Pixel& point : points) {
      while (hull.size() >= first + 2 && !turns_left(point)) hull.pop_back();
      hull.push_back(point);
    }
    hull.pop_back();  // the other side begins with it
    std::ranges::reverse(points);
  }
  return hull;
}

}  // namespace dalembert

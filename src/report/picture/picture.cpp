#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <dalembert/report/picture.hpp>
#include <iterator>
#include <limits>
#include <numbers>

#include "report/picture/view.hpp"

namespace dalembert {
namespace {

constexpr std::array<std::string_view, 6> palette = {"#3b7dd8", "#d8703b", "#3ba55d", "#9b59b6", "#c0a030", "#2aa5a5"};
constexpr std::string_view grey = "#8a94a6", red = "#e0393e";
constexpr std::size_t path_samples = 400;

std::string points_text(const std::vector<Pixel>& points) {
  std::string text;
  for (const Pixel& point : points) fmt::format_to(std::back_inserter(text), "{:.1f},{:.1f} ", point.x, point.y);
  return text;
}

/// Shapes at one time, those further away first.
class Drawing {
 public:
  Drawing(const Scene& scene, const View& view, SceneNumbers& numbers)
      : scene_(scene), view_(view), numbers_(numbers), unit_(view.unit()) {}

  std::string write(bool forces) {
    for (const SceneShape& shape : scene_.shapes) add(shape);
    std::ranges::stable_sort(parts_, {}, [](const Part& part) { return std::pair(part.depth, part.layer); });
    std::string text;
    for (const Part& part : parts_) text += part.text;
    if (forces)
      for (const SceneArrow& arrow : scene_.arrows)
        if (!arrow.is_couple) text += force_text(arrow);
    return text;
  }

 private:
  struct Part {
    double depth;
    std::string text;
    int layer = 1;  ///< of what is equally deep, as in a plane: rods lie under what they join
  };

  std::string colour(const SceneShape& shape) const {
    return shape.colour ? fmt::format("#{:06x}", *shape.colour) : std::string(palette[shape.at % palette.size()]);
  }

  void add(const SceneShape& shape) {
    const Numbers3 at = numbers_.position(shape.at);
    switch (shape.kind) {
      case ShapeKind::axes: return;
      case ShapeKind::marker: return add_ball(at, 0.012 * unit_, grey);
      case ShapeKind::point: return add_ball(at, 0.03 * unit_, colour(shape));
      case ShapeKind::sphere: return add_ball(at, numbers_.size(shape)[0], colour(shape));
      case ShapeKind::box: return add_box(shape, at);
      case ShapeKind::cylinder:
      case ShapeKind::disk:
      case ShapeKind::wheel: return add_round(shape, at);
      case ShapeKind::rod:
      case ShapeKind::line:
      case ShapeKind::spring: return add_between(shape, at);
      case ShapeKind::ground: return add_ground(shape, at);
      case ShapeKind::mesh: return add_mesh(shape, at);
    }
  }
  /// A straight stroke, or the coils of a spring seen from the side.
  void add_between(const SceneShape& shape, const Numbers3& at) {
    const Numbers3 end = numbers_.position(*shape.to);
    const Pixel a = view_(at), b = view_(end);
    if (!a.exists() || !b.exists()) return;
    const std::vector<double> size = numbers_.size(shape);
    const double radius = size.empty() ? 0.01 * unit_ : size[0];
    const double width = shape.kind == ShapeKind::rod ? 2 * radius * view_.scale() : 1.5;
    const std::string stroke = shape.colour ? colour(shape) : std::string(grey);
    std::string way = fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"", a.x, a.y, b.x, b.y);
    if (shape.kind == ShapeKind::spring)
      way = fmt::format("<polyline points=\"{}\" fill=\"none\"", points_text(coils(size, a, b)));
    parts_.push_back(
        {(view_.depth(at) + view_.depth(end)) / 2,
         fmt::format("{} stroke=\"{}\" stroke-width=\"{:.1f}\"/>\n", way, stroke, std::isfinite(width) ? width : 1.5),
         0});
  }
  std::vector<Pixel> coils(const std::vector<double>& size, const Pixel& a, const Pixel& b) const {
    std::vector<Pixel> points{a};
    const double radius = (size.empty() ? 0.04 * unit_ : size[0]) * view_.scale(),
                 length = std::hypot(b.x - a.x, b.y - a.y);
    const int count = length > 0 && std::isfinite(radius) ? spring_coils(size) : 0;
    const double along_x = (b.x - a.x) / length, along_y = (b.y - a.y) / length;
    for (int i = 0; i < 2 * count; ++i) {
      const double part = 0.1 + 0.8 * (i + 0.5) / (2 * count), side = i % 2 == 0 ? radius : -radius;
      points.push_back({a.x + part * (b.x - a.x) - side * along_y, a.y + part * (b.y - a.y) + side * along_x});
    }
    points.push_back(b);
    return points;
  }
  static int spring_coils(const std::vector<double>& size) {
    constexpr int usual = 8, most = 60;
    return size.size() < 2 || !std::isfinite(size[1]) ? usual
                                                      : static_cast<int>(std::clamp(size[1], 1.0, double{most}));
  }
  /// Behind everything; seen from the side it is a line.
  void add_ground(const SceneShape& shape, const Numbers3& at) {
    std::vector<double> size = numbers_.size(shape);
    if (size.empty()) size = {2 * unit_, 2 * unit_};
    std::vector<Pixel> corners;
    for (const auto& [a, b] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}) {
      Numbers3 inside{};
      inside[(shape.axis + 1) % 3] = a * size[0];
      inside[(shape.axis + 2) % 3] = b * size[1];
      corners.push_back(view_(carried(shape, at, inside)));
    }
    if (!std::ranges::all_of(corners, &Pixel::exists)) return;
    parts_.push_back({-std::numeric_limits<double>::infinity(),
                      fmt::format("<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.35\" stroke=\"{}\"/>\n",
                                  points_text(corners), shape.colour ? colour(shape) : std::string(grey), grey)});
  }
  /// Triangles that are turned to the eye, darker the more they are turned away from above.
  void add_mesh(const SceneShape& shape, const Numbers3& at) {
    const double scale = numbers_.size(shape)[0];
    const SceneMesh& mesh = scene_.meshes[*shape.mesh];
    const std::string fill = colour(shape);
    for (std::size_t i = 0; i + 2 < mesh.size(); i += 3) {
      std::array<Numbers3, 3> corner;
      for (std::size_t k = 0; k < 3; ++k)
        corner[k] = carried(shape, at, {scale * mesh[i + k][0], scale * mesh[i + k][1], scale * mesh[i + k][2]});
      const Pixel a = view_(corner[0]), b = view_(corner[1]), c = view_(corner[2]);
      if (!a.exists() || !b.exists() || !c.exists()) return;
      if (!((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) < 0)) continue;  // y counts downwards
      const double depth = (view_.depth(corner[0]) + view_.depth(corner[1]) + view_.depth(corner[2])) / 3;
      parts_.push_back({depth, fmt::format("<path d=\"M{0:.1f} {1:.1f}L{2:.1f} {3:.1f}L{4:.1f} {5:.1f}z\" fill=\"{6}\" "
                                           "stroke=\"#20242c\" stroke-width=\"0.2\"/>\n",
                                           a.x, a.y, b.x, b.y, c.x, c.y, fill)});
    }
  }
  void add_ball(const Numbers3& at, double radius, std::string_view fill) {
    const Pixel centre = view_(at);
    if (centre.exists() && std::isfinite(radius))
      parts_.push_back({view_.depth(at), fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" fill=\"{}\"/>\n",
                                                     centre.x, centre.y, radius * view_.scale(), fill)});
  }
  void add_hull(double depth, const std::vector<Numbers3>& corners, std::string_view fill) {
    std::vector<Pixel> pixels;
    for (const Numbers3& corner : corners) pixels.push_back(view_(corner));
    if (!std::ranges::all_of(pixels, &Pixel::exists)) return;
    parts_.push_back(
        {depth, fmt::format("<polygon points=\"{}\" fill=\"{}\" stroke=\"#20242c\" stroke-opacity=\"0.5\"/>\n",
                            points_text(convex_hull(std::move(pixels))), fill)});
  }

  /// at + R v, v in the place's own axes.
  Numbers3 carried(const SceneShape& shape, const Numbers3& at, const Numbers3& inside) const {
    const Numbers9 turn = numbers_.rotation(shape.at);
    Numbers3 result = at;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) result[i] += turn[3 * i + k] * inside[k];
    return result;
  }
  /// The faces that are turned to the eye, darker the more they are turned away from above.
  void add_box(const SceneShape& shape, const Numbers3& at) {
    const std::vector<double> size = numbers_.size(shape);
    const Numbers9 turn = numbers_.rotation(shape.at);
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const double side : {-1.0, 1.0}) {
        const Numbers3 normal{side * turn[axis], side * turn[3 + axis], side * turn[6 + axis]};
        if (!(view_.depth(normal) > 0)) continue;
        const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
        std::vector<Pixel> face;
        for (const auto& [a, b] : {std::pair{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}) {
          Numbers3 inside{};
          inside[axis] = side * size[axis] / 2;
          inside[i] = a * size[i];
          inside[j] = b * size[j];
          face.push_back(view_(carried(shape, at, inside)));
        }
        if (!std::ranges::all_of(face, &Pixel::exists)) return;
        const double above = normal[0] * scene_.up[0] + normal[1] * scene_.up[1] + normal[2] * scene_.up[2];
        parts_.push_back(
            {view_.depth(at), fmt::format("<polygon points=\"{0}\" fill=\"{1}\" stroke=\"#20242c\"/><polygon "
                                          "points=\"{0}\" fill-opacity=\"{2:.2f}\"/>\n",
                                          points_text(face), colour(shape), 0.2 * (1 - above))});
      }
  }
  std::vector<Numbers3> circle(const SceneShape& shape, const Numbers3& at, double radius, double along) const {
    constexpr int corners = 48;
    std::vector<Numbers3> points;
    for (int i = 0; i < corners; ++i) {
      const double angle = 2 * std::numbers::pi * i / corners;
      Numbers3 inside{};
      inside[shape.axis] = along;
      inside[(shape.axis + 1) % 3] = radius * std::cos(angle);
      inside[(shape.axis + 2) % 3] = radius * std::sin(angle);
      points.push_back(carried(shape, at, inside));
    }
    return points;
  }
  void add_round(const SceneShape& shape, const Numbers3& at) {
    const std::vector<double> size = numbers_.size(shape);
    std::vector<Numbers3> rims = circle(shape, at, size[0], -size[1] / 2),
                          other = circle(shape, at, size[0], size[1] / 2);
    rims.insert(rims.end(), other.begin(), other.end());
    add_hull(view_.depth(at), rims, colour(shape));
    if (shape.kind != ShapeKind::wheel) return;
    std::string spokes;
    for (const std::size_t k : {1u, 2u}) {
      Numbers3 inside{};
      inside[(shape.axis + k) % 3] = 0.9 * size[0];
      const Pixel a = view_(carried(shape, at, inside));
      inside[(shape.axis + k) % 3] *= -1;
      const Pixel b = view_(carried(shape, at, inside));
      if (!a.exists() || !b.exists()) return;
      spokes += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"#20242c\"/>\n", a.x,
                            a.y, b.x, b.y);
    }
    parts_.push_back({view_.depth(at), spokes});
  }

  std::string force_text(const SceneArrow& arrow) const {
    const Numbers3 at = numbers_.position(arrow.at), force = numbers_.force(arrow);
    Numbers3 tip = at;
    for (std::size_t k = 0; k < 3; ++k) tip[k] += view_.force_scale() * force[k];
    const Pixel a = view_(at), b = view_(tip);
    if (!a.exists() || !b.exists() || std::hypot(b.x - a.x, b.y - a.y) < 1) return {};
    return fmt::format(
        "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"2\" "
        "marker-end=\"url(#tip)\"/>\n",
        a.x, a.y, b.x, b.y, red);
  }

  const Scene& scene_;
  const View& view_;
  SceneNumbers& numbers_;
  double unit_;
  std::vector<Part> parts_;
};

std::string paths_text(const Scene& scene, const View& view, SceneNumbers& numbers) {
  std::string text;
  const std::size_t rows = numbers.row_count(), samples = std::min(rows, path_samples);
  for (std::size_t k = 0; k < std::min<std::size_t>(3, scene.traced.size()); ++k) {
    std::vector<Pixel> points;
    for (std::size_t i = 0; i < samples; ++i) {
      numbers.move_to(samples > 1 ? i * (rows - 1) / (samples - 1) : 0);
      if (const Pixel point = view(numbers.position(scene.traced[k])); point.exists()) points.push_back(point);
    }
    text += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-opacity=\"0.45\"/>\n",
                        points_text(points), palette[scene.traced[k] % palette.size()]);
  }
  return text;
}

/// The row next to a time.
std::size_t row_at(const Trajectory& motion, double time) {
  const std::span<const double> times = motion.rows.column(0);
  if (!(time >= times.front() && time <= times.back()))
    throw InputError({"",
                      {},
                      "--picture",
                      fmt::format("t = {} is not within the motion, from {} to {}", time, times.front(), times.back()),
                      "give times within it"});
  const auto after = std::ranges::lower_bound(times, time);
  if (after == times.begin()) return 0;
  const auto i = static_cast<std::size_t>(after - times.begin());
  return i < times.size() && times[i] - time < time - times[i - 1] ? i : i - 1;
}

}  // namespace

std::string write_picture(const Scene& scene, const Trajectory& motion, const PictureOptions& options) {
  if (!scene.remark.empty()) throw InputError({scene.model->file, {}, "", "there is nothing to see", scene.remark});
  if (motion.rows.empty()) throw InputError({"", {}, "", "the motion has no rows", "simulate it first"});
  SceneNumbers numbers(scene, motion);
  std::vector<std::size_t> rows;
  for (double time : options.times) rows.push_back(row_at(motion, time));
  if (rows.empty()) rows.push_back(0);
  const View view(scene, numbers, {options.width, options.height, rows.back(), rows.size() == 1, options.forces});
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
      "{1:.0f}\">\n"
      "<defs><marker id=\"tip\" markerWidth=\"6\" markerHeight=\"6\" refX=\"5\" refY=\"3\" orient=\"auto\"><path "
      "d=\"M0 "
      "0L6 3L0 6z\" fill=\"{2}\"/></marker></defs>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
      view.width(), view.height(), red);
  if (options.paths) text += paths_text(scene, view, numbers);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    numbers.move_to(rows[i]);
    const bool is_last = i + 1 == rows.size();
    const double strength = is_last ? 1 : 0.25 + 0.45 * static_cast<double>(i) / static_cast<double>(rows.size());
    text += fmt::format("<g opacity=\"{:.2f}\">\n{}</g>\n", strength,
                        Drawing(scene, view, numbers).write(options.forces && is_last));
  }
  return text + "</svg>\n";
}

}  // namespace dalembert

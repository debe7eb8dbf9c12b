#pragma once
// From the world to a sheet: the plane of a plane model as it is, others slanted as the page begins.

#include <array>
#include <cmath>
#include <dalembert/study/scene.hpp>

namespace dalembert {

struct Pixel {
  double x = 0, y = 0;
  bool exists() const { return std::isfinite(x) && std::isfinite(y); }
};

class View {
 public:
  View(const Scene& scene, SceneNumbers& numbers, double width, double height);

  Pixel operator()(const Numbers3& at) const;
  /// Larger is nearer.
  double depth(const Numbers3& at) const;
  double width() const { return width_; }
  double height() const { return height_; }
  double scale() const { return scale_; }              ///< pixels a length
  double unit() const { return unit_; }                ///< half the diagonal of what is drawn, as a length
  double force_scale() const { return force_scale_; }  ///< length of a unit of force

 private:
  Numbers3 right_{}, up_{}, towards_{};
  double width_, height_, scale_ = 1, unit_ = 1, force_scale_ = 0;
  double left_ = 0, bottom_ = 0;
};

/// The corners of the smallest convex polygon around points, in order.
std::vector<Pixel> convex_hull(std::vector<Pixel> points);

}  // namespace dalembert

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

/// What is to be drawn, and on how large a sheet.
struct Sheet {
  double width, height;
  std::size_t last_row;  ///< of the times that are drawn
  bool is_one_time, has_arrows;
};

class View {
 public:
  /// Holds the shapes at all times, and the arrows of the last row; of a mechanism that goes far, at one time, only
  /// what is around it then.
  View(const Scene& scene, SceneNumbers& numbers, const Sheet& sheet);

  Pixel operator()(const Numbers3& at) const;
  /// Larger is nearer.
  double depth(const Numbers3& at) const;
  double width() const { return width_; }
  double height() const { return height_; }
  double scale() const { return scale_; }  ///< pixels a length
  double unit() const {
    return unit_;
  }  ///< half the diagonal of what is drawn, or the diagonal of a mechanism that goes far
  double force_scale() const { return force_scale_; }  ///< length of a unit of force

 private:
  struct Box;
  Box shapes_box(const Scene& scene, const SceneNumbers& numbers, const std::vector<double>& mesh_reaches) const;
  void include_arrows(Box& box, const Scene& scene, const SceneNumbers& numbers) const;
  void set_scale(Box box, const Sheet& sheet);

  Numbers3 right_{}, up_{}, towards_{};
  double width_, height_, scale_ = 1, unit_ = 1, force_scale_ = 0;
  double left_ = 0, bottom_ = 0;
};

/// The corners of the smallest convex polygon around points, in order.
std::vector<Pixel> convex_hull(std::vector<Pixel> points);

}  // namespace dalembert

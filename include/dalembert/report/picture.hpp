#pragma once
// A scene as a drawing: its places and shapes at chosen times, projected, without a browser.

#include <dalembert/study/scene.hpp>

namespace dalembert {

struct PictureOptions {
  std::vector<double> times = {};  ///< empty: the start; several are drawn over each other, the last one strongest
  bool paths = true, forces = true;
  double width = 480, height = 360;  ///< pixels at most; the drawing keeps its proportions
};

/// One self-contained SVG. At each time the row of the motion next to it is drawn. InputError where the scene has
/// nothing to show, and for a time outside of the motion.
std::string write_picture(const Scene& scene, const Trajectory& motion, const PictureOptions& options = {});

}  // namespace dalembert
